// Views of one document that scroll as one: the view that a person touches leads, the others follow by source offset.

const groups = new Map();

export function join(view, name) {
  if (name === view.group) return;
  groups.get(view.group)?.views.delete(view);
  view.group = name;
  if (!name) return;
  if (!groups.has(name)) groups.set(name, { views: new Set(), leader: null });
  groups.get(name).views.add(view);
}

export function lead(view) {
  const group = groups.get(view.group);
  if (group) group.leader = view;
}

/** Takes the others along, when this view leads. */
export function takeAlong(view) {
  const group = groups.get(view.group);
  if (group?.leader !== view || group.views.size < 2) return;
  const { offset, delta } = view.pages.anchor();
  for (const other of group.views) {
    if (other === view || other.document !== view.document) continue;
    other.pages.scrollTo(offset, delta);
    other.scroller.scrollLeft = view.scroller.scrollLeft;
    other.soon();
  }
}

/** Brings the view itself onto the screen; of a group, the first, beside or below which the others stand. */
export function ontoScreen(view) {
  const first = groups.get(view.group)?.views.values().next().value ?? view;
  if (first !== view) return;
  const { top } = view.root.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 3) view.root.scrollIntoView({ block: "start" });
}
