// One label for each boundary near the viewport, in the margin, so that it never moves the text.

import { HUES, PATTERNS } from "./bands.js";
import { lastAtMost } from "./wire.js";

const ONE_ROW = 20;
const TWO_ROWS = 37;
const DRIFT = 44;

/** Boundaries that stand on pages in the DOM, from top to bottom: chunks and gaps that are worth a word. */
export function labelsInView(pages, run) {
  const found = [];
  for (const page of [...pages.live.values()].sort((one, other) => one.number - other.number)) {
    const start = pages.lineStart(page.first);
    const end = pages.lineStart(pages.endLine(page.number));
    const place = (offset) => pages.tops[page.number] + pages.locate(page, offset).top;
    for (let chunk = lastAtMost(run.start, start - 1) + 1; chunk < run.chunks && run.start[chunk] < end; chunk++) {
      found.push({ chunk, at: run.start[chunk], y: place(run.start[chunk]) });
    }
    for (let gap = lastAtMost(run.gapStart, start - 1) + 1; gap < run.gapStart.length && run.gapStart[gap] < end; gap++) {
      if (run.rules[run.gapRule[gap]] !== "blank") found.push({ gap, at: run.gapStart[gap], y: place(run.gapStart[gap]) });
    }
  }
  found.sort((one, other) => one.at - other.at || (one.gap === undefined) - (other.gap === undefined));
  return stackLabels(found);
}

/** Labels get two rows where there is room, one row where not; those that would drift far from their cut are counted. */
function stackLabels(found) {
  const shown = [];
  let free = 0;
  found.forEach((label, index) => {
    const y = Math.max(label.y, free);
    if (y - label.y > DRIFT && label.gap === undefined && shown.length) {
      shown[shown.length - 1].more = (shown[shown.length - 1].more ?? 0) + 1;
      return;
    }
    if (y - label.y > DRIFT) return;
    const next = found[index + 1];
    const roomy = !next || next.y - y >= TWO_ROWS;
    free = y + (roomy ? TWO_ROWS : ONE_ROW);
    shown.push({ ...label, y, roomy });
  });
  return shown;
}

export function spoken(rule) {
  return rule.replaceAll("-", " ");
}

export function flagNames(run, chunk) {
  return run.flags.filter((_, bit) => run.flag[chunk] & (1 << bit));
}

/** What ended the chunk before this one: the reason for the cut at its start. */
export function cutAbove(run, chunk) {
  if (chunk === 0) return { rule: "start", detail: "the first chunk" };
  return { rule: run.rules[run.rule[chunk - 1]], detail: run.list("details")[chunk - 1] };
}

export function flagDetails(run, chunk) {
  const index = lastAtMost(run.flagged, chunk);
  return index >= 0 && run.flagged[index] === chunk ? run.list("flagDetails")[index].split("\n") : [];
}

export function chunkSentence(run, chunk) {
  const cut = cutAbove(run, chunk);
  const flags = flagDetails(run, chunk);
  const overlap = run.overlapStart[chunk] >= 0 ? " Begins with overlap." : "";
  const why = chunk === 0 ? "First chunk." : `Cut here by ${spoken(cut.rule)}: ${cut.detail}.`;
  return `Chunk ${chunk + 1} of ${run.chunks}, ${run.tokens[chunk]} tokens. ${why}${overlap}${flags.length ? ` ${flags.join(". ")}.` : ""}`;
}

export function gapSentence(run, gap) {
  const what = run.gapOwner[gap] < 0 ? "Skipped" : `Not in the text of chunk ${run.gapOwner[gap] + 1}`;
  return `${what}, ${spoken(run.rules[run.gapRule[gap]])}: ${run.list("gapDetails")[gap]}.`;
}

export function paintLabels(list, labels, run, current) {
  while (list.children.length > labels.length) list.lastChild.remove();
  while (list.children.length < labels.length) list.append(emptyLabel());
  labels.forEach((label, index) => {
    const item = list.children[index];
    const button = item.firstChild;
    item.style.transform = `translateY(${label.y}px)`;
    const isGap = label.gap !== undefined;
    const look = isGap ? "lbl gone" : `lbl h${label.chunk % HUES} p${label.chunk % PATTERNS}`;
    item.className = `${look}${label.roomy ? " roomy" : ""}${!isGap && label.chunk === current ? " sel" : ""}`;
    item.setAttribute("aria-setsize", isGap ? -1 : run.chunks);
    if (isGap) item.removeAttribute("aria-posinset");
    else item.setAttribute("aria-posinset", label.chunk + 1);
    button.dataset.chunk = isGap ? "" : label.chunk;
    button.dataset.gap = isGap ? label.gap : "";
    button.tabIndex = -1;
    const [number, tokens, why] = button.children;
    if (isGap) {
      number.textContent = run.gapOwner[label.gap] < 0 ? "skipped" : "left out";
      tokens.textContent = "";
      why.textContent = spoken(run.rules[run.gapRule[label.gap]]);
      button.setAttribute("aria-label", gapSentence(run, label.gap));
      return;
    }
    const flags = flagNames(run, label.chunk);
    number.textContent = `#${label.chunk + 1}`;
    tokens.textContent = `${run.approximate ? "≈" : ""}${run.tokens[label.chunk].toLocaleString("en")}`;
    why.textContent = [
      ...(flags.length ? [`⚠ ${flags.map(spoken).join(", ")}`] : []),
      spoken(cutAbove(run, label.chunk).rule),
      ...(label.more ? [`+${label.more} more`] : []),
    ].join(" · ");
    item.classList.toggle("flagged", flags.length > 0);
    button.setAttribute("aria-label", chunkSentence(run, label.chunk));
    if (label.chunk === current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}

function emptyLabel() {
  const item = document.createElement("li");
  const button = item.appendChild(document.createElement("button"));
  button.type = "button";
  for (const name of ["num", "tok", "why"]) button.appendChild(document.createElement("span")).className = name;
  return item;
}
