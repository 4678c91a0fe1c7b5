// The ribbon: one row for each config, one axis, the document's length. A click, a tap or Enter goes to that place and
// chooses the boundary there: what it is stays said until another is pointed at, and again when the pointer has left that one.

import { isSeen, make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { nearestTick } from "./nearest.js";
import { Stretch } from "./stretch.js";

const AXIS = 4; // stretches that the axis is divided into

class Ribbon {
  /** The row whose boundary was chosen last, and which one; null where none was. @type {{track: any, number: number} | null} */
  chosen = null;

  constructor(parent) {
    this.root = make("section", "ribbon", parent, { "aria-label": "Boundaries over the length of the document" });
    this.rows = make("div", "rows", this.root);
    const under = make("div", "under", this.root);
    this.axis = make("div", "axis", under, { "aria-hidden": "true" });
    this.stretch = new Stretch();
    this.buildZoom(under);
    this.rows.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    const foot = make("div", "foot", this.root);
    this.keys = make("p", "keys", foot);
    this.says = make("p", "says", foot, { role: "status" });
    this.tracks = [];
    this.sizes = new ResizeObserver(() => this.crowd());
    this.sizes.observe(this.root);
  }

  buildZoom(parent) {
    const group = make("div", "zoom", parent, { role: "group", "aria-label": "Zoom of the ribbon" });
    const button = (sign, words, act) => {
      const one = make("button", "", group, { type: "button", "aria-label": words, title: words });
      one.textContent = sign;
      one.addEventListener("click", act);
      return one;
    };
    this.earlier = button("‹", "Earlier (Page Up)", () => this.move(-0.75));
    this.later = button("›", "Later (Page Down)", () => this.move(0.75));
    this.less = button("−", "Smaller (-)", () => this.zoom(1 / 2));
    this.more = button("+", "Larger (+)", () => this.zoom(2));
    this.all = button("All", "All of the document (0)", () => this.zoom(0));
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    const content = JSON.stringify([data.length, data.rows]);
    if (data.length !== this.shown?.length) this.stretch = new Stretch();
    if (content !== this.content) {
      this.content = content;
      this.shown = data;
      this.draw();
    }
    this.shown.selected = data.selected;
    const here = data.selected >= 0 && data.length ? `${(100 * data.selected) / data.length}%` : "";
    for (const track of this.tracks) {
      track.here.hidden = !here;
      track.here.style.left = here;
    }
  }

  draw() {
    const { rows } = this.shown;
    const focused = this.tracks.findIndex((track) => track.element === this.root.getRootNode().activeElement);
    this.rows.replaceChildren();
    this.chosen = null;
    this.tracks = rows.map((row) => this.row(row));
    this.legend(rows.some((row) => row.ticks.some((tick) => tick[0] > 0)));
    this.say("");
    this.place();
    this.tracks[focused]?.element.focus({ preventScroll: true });
  }

  row(row) {
    const line = make("div", "row", this.rows);
    const name = make("p", "name", line);
    make("b", "", name).textContent = row.letter;
    make("span", "", name, { title: row.title }).textContent = row.title;
    const element = make("div", "track", line, {
      ...{ role: "slider", tabindex: "0", "aria-orientation": "horizontal", "aria-valuemin": "0" },
      ...{ "aria-label": `${row.letter}, ${row.title}: ${row.counts}`, "aria-valuemax": String(row.ticks.length) },
    });
    const lane = make("div", "lane", element);
    const track = { element, row, at: -1, marks: row.ticks.map((tick) => this.tick(tick, lane)) };
    track.here = make("i", "here", lane, { hidden: "" });
    make("p", "counts", line, { title: row.counts }).textContent = row.counts;
    this.value(track);
    element.addEventListener("click", (event) => this.click(event, track));
    element.addEventListener("keydown", (event) => this.keyDown(event, track));
    element.addEventListener("pointermove", (event) => this.hover(event, track));
    for (const name of ["pointerleave", "blur"]) element.addEventListener(name, () => this.leave(track));
    return track;
  }

  tick([kind, at, was], lane) {
    const { length, kinds } = this.shown;
    const mark = make("i", `tick ${kinds[kind]}`, lane);
    mark.style.left = `${(100 * at) / length}%`;
    if (was >= 0) {
      mark.classList.add(was < at ? "later" : "earlier");
      const stem = make("i", "stem", lane);
      stem.style.left = `${(100 * Math.min(at, was)) / length}%`;
      stem.style.width = `${(100 * Math.abs(at - was)) / length}%`;
    }
    return mark;
  }

  legend(changes) {
    this.keys.replaceChildren();
    const words = { kept: "kept", moved: "moved, from where", added: "added", removed: "removed" };
    for (const kind of changes ? Object.keys(words) : []) {
      const key = make("span", "", this.keys);
      make("i", `tick later ${kind}`, make("i", "key", key));
      key.append(words[kind]);
    }
  }

  /** Signs above ticks only where there is room for them; the ticks' own shapes remain. */
  crowd() {
    for (const { element, row } of this.tracks) {
      element.classList.toggle("crowded", row.ticks.length * 9 > element.clientWidth * this.stretch.zoom);
    }
  }

  /** Everything in its place in the stretch that is shown: the ticks keep theirs in the document. */
  place() {
    const { stretch, root } = this;
    root.style.setProperty("--zoom", String(stretch.zoom));
    root.style.setProperty("--begins", `${(-100 * stretch.from) / stretch.size}%`);
    const { lines } = this.shown;
    this.axis.replaceChildren();
    for (const mark of lines.length ? stretch.marks(AXIS) : [])
      make("span", "", this.axis).textContent = `line ${counted(lines[mark])}`;
    for (const [button, idle] of [
      [this.less, stretch.widest],
      [this.all, stretch.widest],
      [this.more, stretch.narrowest],
      [this.earlier, stretch.from === 0],
      [this.later, stretch.placeAt(1) === 1],
    ])
      button.setAttribute("aria-disabled", String(idle)); // keeps the focus, which a disabled one would lose
    this.crowd();
  }

  zoom(factor, share) {
    const here = this.shown.selected / Math.max(1, this.shown.length);
    this.stretch.zoomBy(factor, share);
    if (share === undefined && here >= 0 && factor > 1) this.stretch.show(here);
    this.place();
  }

  move(share) {
    this.stretch.moveBy(share);
    this.place();
  }

  /** With Ctrl the wheel zooms, sideways or with Shift it moves; else it is the page's. */
  wheel(event) {
    const track = this.tracks[0]?.element.getBoundingClientRect();
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (!track || (!event.ctrlKey && (this.stretch.widest || Math.abs(sideways) < Math.abs(event.deltaY) / 2))) return;
    event.preventDefault();
    if (!event.ctrlKey) return this.move(Math.sign(sideways) * 0.1);
    const share = Math.min(1, Math.max(0, (event.clientX - track.left) / track.width));
    this.zoom(event.deltaY < 0 ? 2 : 1 / 2, share);
  }

  // ---- what a person does

  /** The tick that a pointer is at, -1 for none, and the place in the document. */
  nearest(track, { clientX, pointerType }) {
    const box = track.element.getBoundingClientRect();
    const wanted = this.stretch.placeAt((clientX - box.left) / box.width) * this.shown.length;
    const pixels = (box.width * this.stretch.zoom) / this.shown.length;
    return { best: nearestTick(track.row.ticks, wanted, pixels, pointerType), wanted };
  }

  hover(event, track) {
    const { best } = this.nearest(track, event);
    if (best === track.at) return;
    if (best < 0) this.leave(track);
    else this.point(track, best);
  }

  /** Back to the boundary that was chosen, where one was. */
  leave(track) {
    const { chosen } = this;
    this.point(track, chosen && chosen.track === track ? chosen.number : -1);
    if (chosen) this.sayOf(chosen.track, chosen.number);
  }

  point(track, number) {
    track.marks[track.at]?.classList.remove("at");
    track.at = number;
    track.marks[number]?.classList.add("at");
    this.sayOf(track, number);
    this.value(track);
  }

  sayOf(track, number) {
    this.say(number < 0 ? "" : `${track.row.letter}, ${track.row.ticks[number][3]}`);
  }

  value(track) {
    const tick = track.row.ticks[track.at];
    track.element.setAttribute("aria-valuenow", String(track.at + 1));
    track.element.setAttribute("aria-valuetext", tick ? tick[3] : "use the arrow keys to go from boundary to boundary");
  }

  click(event, track) {
    const { best, wanted } = this.nearest(track, event);
    if (best >= 0) return this.choose(track, best);
    this.chosen = null;
    this.point(track, -1);
    this.go(track, Math.min(this.shown.length, Math.max(0, Math.round(wanted))));
  }

  choose(track, number) {
    this.chosen = { track, number };
    this.point(track, number);
    this.go(track, track.row.ticks[number][1]);
  }

  keyDown(event, track) {
    const last = track.row.ticks.length - 1;
    const next = {
      ArrowRight: Math.min(last, track.at + 1),
      ArrowUp: Math.min(last, track.at + 1),
      ArrowLeft: Math.max(0, track.at - 1),
      ArrowDown: Math.max(0, track.at - 1),
      Home: 0,
      End: last,
    }[event.key];
    const act = {
      "+": () => this.zoom(2, this.shareOf(track)),
      "=": () => this.zoom(2, this.shareOf(track)),
      "-": () => this.zoom(1 / 2, this.shareOf(track)),
      0: () => this.zoom(0),
      PageUp: () => this.move(-0.75),
      PageDown: () => this.move(0.75),
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (act) act();
    else if (event.key === "Enter" && track.at >= 0) this.choose(track, track.at);
    else if (next === undefined || last < 0) return;
    else {
      this.point(track, next);
      this.stretch.show(track.row.ticks[next][1] / this.shown.length);
      this.place();
    }
    event.preventDefault();
  }

  /** Where the boundary at hand stands in the ribbon's width; the middle without one. */
  shareOf(track) {
    const tick = track.row.ticks[track.at];
    const share = tick ? (tick[1] / this.shown.length - this.stretch.placeAt(0)) * this.stretch.zoom : 0.5;
    return Math.min(1, Math.max(0, share));
  }

  /** On a phone, which shows one source, it is the one of the row: what the row has removed is a dashed line there. */
  go(track, offset) {
    /** @type {HTMLInputElement | null} */
    const source = document.querySelector(`input[name="compare-shown"][value="${track.row.letter}"]`);
    if (source && isSeen(source)) source.checked = true;
    this.trigger("went", offset);
  }

  say(words) {
    this.says.textContent = words || "Choose a boundary to see it in the source.";
  }

  destroy() {
    this.sizes.disconnect();
    this.root.remove();
  }
}

export default mounted(Ribbon);
