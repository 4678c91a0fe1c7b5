// The chunks by their tokens, with each threshold as a line through them. The handles have a row each above the bars, so
// that none covers another one wherever they stand.

import { make } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { largerWords, MARGIN, nameBeside, scaleOf } from "./chart_scale.js";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 17;
const BARS = 66;
const TICKS = 16;
const KEPT = "chunkscope:histogram-scale";

function draw(tag, parent, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent.append(element);
  return element;
}

/** @typedef {{setting: string, name: string, x: number, group: Element, text: Element, flag: Element}} Handle */

export class Chart {
  /** The handle that is dragged. @type {string | null} */
  held = null;
  /** Chunks of the highest bar; it grows during a drag and does not shrink. */
  most = 1;
  /** The width is told, never asked for: asking in the middle of a move would lay the whole page out once more. */
  width = 0;
  /** What the picture was last drawn from: as long as it is the same, only the handles move. @type {unknown[]} */
  drawn = [];
  /** What is drawn of each threshold, and where it stands. @type {Handle[]} */
  handles = [];
  /** The axis that is drawn. */
  scale = scaleOf({ bottom: 0, top: 1 }, 1);
  /** Where the bars stand, in pixels from the top. */
  base = 0;

  /** @param {HTMLElement} parent
   * @param {{move: (setting: string, tokens: number) => void, drop: (setting: string) => void}} dragged
   * @param {() => void} changed the scale was chosen: everything is to be painted again */
  constructor(parent, dragged, changed) {
    this.svg = draw("svg", parent, { class: "chart", role: "img" });
    this.under = make("div", "under", parent);
    this.legend = make("p", "keys", this.under);
    this.button = make("button", "log", this.under, {
      type: "button",
      title: "Logarithmic scale: a few chunks stay visible beside many",
    });
    this.button.textContent = "Log";
    this.button.setAttribute("aria-label", "Log scale");
    this.log = keptScale() === "log";
    this.button.addEventListener("click", () => {
      this.log = !this.log;
      keepScale(this.log ? "log" : "linear");
      changed();
    });
    this.svg.addEventListener("pointerdown", (event) => this.grab(event));
    this.svg.addEventListener("pointermove", (event) => {
      if (this.held && this.svg.hasPointerCapture(event.pointerId)) dragged.move(this.held, this.tokensAt(event));
    });
    for (const name of ["pointerup", "pointercancel"])
      this.svg.addEventListener(name, () => {
        const { held } = this;
        this.held = null;
        if (held) dragged.drop(held);
      });
  }

  /** What can be done with it, where it is seen.
   * @returns {import("../shared/commands.js").Command[]} */
  commands() {
    if (!this.button.checkVisibility()) return [];
    const name = `${this.log ? "Linear" : "Log"} scale of the histogram`;
    return [{ group: "View", name, run: () => this.button.click() }];
  }

  /** @param {any} shown what Python drew the rail with
   * @param {(setting: string) => number} standsAt where a threshold stands
   * @param {boolean} moving whether a threshold is being moved: the highest bar then keeps its scale */
  paint(shown, standsAt, moving) {
    const drawn = [shown, this.width, this.log, moving];
    if (drawn.some((each, at) => each !== this.drawn[at])) {
      this.drawn = drawn;
      this.paintAll(shown, moving);
    }
    this.placeHandles(standsAt);
  }

  paintAll(shown, moving) {
    const { histogram } = shown;
    const { svg, width } = this;
    this.handles = [];
    svg.style.display = histogram ? "" : "none";
    this.under.hidden = !histogram;
    this.button.setAttribute("aria-pressed", String(this.log));
    if (!histogram || !width) return;
    const limits = shown.thresholds.filter((threshold) => threshold.unit === "tokens");
    const bins = this.log ? histogram.log : histogram.linear;
    this.scale = scaleOf(bins, width);
    this.base = limits.length * ROW + BARS;
    const height = this.base + TICKS;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.height = `${height}px`;
    svg.setAttribute("aria-label", `${saidOf(bins, histogram)} ${shown.summary}`);
    this.hatch();
    this.paintBars(bins, moving);
    this.paintBeyond(bins, histogram);
    this.paintAxis(bins);
    this.paintLimits(limits);
    this.paintLegend(bins, limits);
  }

  hatch() {
    const pattern = draw("pattern", draw("defs", this.svg, {}), {
      id: "out",
      width: 5,
      height: 5,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    });
    draw("rect", pattern, { class: "out-ground", width: 5, height: 5 });
    draw("rect", pattern, { class: "out-line", width: 2, height: 5 });
  }

  tall(count) {
    return count ? Math.min(BARS - 4, Math.max(2, (count / this.most) * (BARS - 4))) : 0;
  }

  /** One bin's chunks. Each is on one side of the limits, as the numbers say; a bin may hold chunks of both. */
  bar(bins, bin, left, right) {
    const [count, outside] = [bins.current[bin], bins.outside[bin]];
    const whole = this.tall(count);
    const out = outside < count ? (whole * outside) / count : whole;
    const part = (name, foot, height) => {
      if (height) draw("rect", this.svg, { class: name, x: left, width: right - left, y: foot - height, height });
    };
    part("bar", this.base - out, whole - out);
    part("bar outside", this.base, out);
  }

  paintBars(bins, moving) {
    const { current, baseline } = bins;
    const count = current.length - 1;
    const most = Math.max(1, ...current.slice(0, count), ...baseline.slice(0, count));
    this.most = moving ? Math.max(this.most, most) : most;
    const wide = this.scale.length / count;
    const edge = (bin) => MARGIN + bin * wide;
    for (let bin = 0; bin < count; bin++)
      this.bar(bins, bin, edge(bin) + 0.5, Math.max(edge(bin) + 1.5, edge(bin + 1)));
    if (!baseline.length) return;
    let path = `M${MARGIN} ${this.base}`;
    for (let bin = 0; bin < count; bin++) path += `V${this.base - this.tall(baseline[bin])}H${edge(bin + 1)}`;
    draw("path", this.svg, { class: "before", d: `${path}V${this.base}` });
  }

  /** All that is beyond the axis's end, with its number. */
  paintBeyond(bins, { largest, largestBaseline }) {
    const { left, right } = this.scale.beyond;
    const last = bins.current.length - 1;
    const [now, before] = [bins.current[last], bins.baseline[last] ?? 0];
    this.bar(bins, last, left, right);
    const height = this.tall(before);
    if (height)
      draw("path", this.svg, {
        class: "before",
        d: `M${left} ${this.base}V${this.base - height}H${right}V${this.base}`,
      });
    if (!now && !before) return;
    const top = this.base - Math.max(this.tall(now), height) - 4;
    const number = draw("text", this.svg, { class: now ? "tick many" : "tick", x: right, y: top });
    number.setAttribute("text-anchor", "end");
    number.textContent = counted(now || before);
    const title = draw("title", number, {});
    title.textContent = [
      ...(now ? [`now ${counted(now)}, the largest ${counted(largest)} tokens`] : []),
      ...(before ? [`baseline ${counted(before)}, the largest ${counted(largestBaseline)} tokens`] : []),
    ].join("; ");
  }

  paintAxis({ top }) {
    const { svg, base, scale } = this;
    draw("line", svg, { class: "axis", x1: MARGIN, x2: MARGIN + scale.length, y1: base, y2: base });
    draw("line", svg, { class: "axis", x1: scale.beyond.left, x2: scale.beyond.right, y1: base, y2: base });
    const label = (x, anchor, words) => {
      draw("text", svg, { class: "tick", x, y: base + 13, "text-anchor": anchor }).textContent = words;
    };
    for (const [at, { tokens, x }] of scale.ticks.entries()) label(x, at ? "middle" : "start", counted(tokens));
    label(scale.beyond.right, "end", `${counted(top)}+`);
  }

  /** The lines of all thresholds, then their handles and names, all at the left until they are placed. */
  paintLimits(limits) {
    const { svg, base, scale } = this;
    for (const { baseline_value: ghost } of limits)
      if (ghost !== null)
        draw("line", svg, {
          class: "ghost-line",
          x1: scale.x(ghost),
          x2: scale.x(ghost),
          y1: limits.length * ROW,
          y2: base,
        });
    const groups = limits.map(({ setting, title, flag }, row) => {
      const group = draw("g", svg, { class: "limit", "data-setting": setting });
      draw("line", group, { x1: 0, x2: 0, y1: row * ROW + 8, y2: base });
      return { setting, title, name: flag || title, group, top: row * ROW };
    });
    this.handles = groups.map(({ setting, title, name, group, top }) => {
      const text = draw("text", group, { y: top + 12 });
      draw("path", group, { d: `M-6 ${top + 2}h12v6l-6 6l-6-6z` });
      draw("rect", group, { class: "grip", x: -12, width: 24, y: top, height: base - top });
      const flag = draw("rect", group, { class: "flag", y: top, height: ROW, "data-setting": setting });
      draw("title", flag, {}).textContent = title;
      return { setting, name, x: Number.NaN, group, text, flag };
    });
    svg.append(...this.handles.map(({ flag }) => flag)); // each handle's own row is above all lines
  }

  /** Each handle and its name to where its threshold stands. */
  placeHandles(standsAt) {
    for (const handle of this.handles) {
      const x = this.scale.x(standsAt(handle.setting));
      if (x === handle.x) continue;
      handle.x = x;
      handle.group.setAttribute("transform", `translate(${x} 0)`);
      const { name, x: at, anchor, size } = nameBeside(handle.name, x, this.width);
      handle.text.setAttribute("x", String(at - x));
      handle.text.setAttribute("text-anchor", anchor);
      if (handle.text.textContent !== name) handle.text.textContent = name;
      handle.flag.setAttribute("x", String(anchor === "start" ? x : x - size - 10));
      handle.flag.setAttribute("width", String(size + 10));
    }
  }

  paintLegend({ baseline }, limits) {
    const ghosts = limits.some((threshold) => threshold.baseline_value !== null);
    const words = [
      ["k-now", "now"],
      ["k-out", "outside the limits"],
      ...(baseline.length ? [["k-before", "baseline"]] : []),
      ...(ghosts ? [["k-ghost", "baseline's limit"]] : []),
    ];
    if (this.legend.dataset.words === words.join()) return;
    this.legend.dataset.words = words.join();
    this.legend.replaceChildren();
    for (const [mark, word] of words) {
      const key = make("span", "", this.legend);
      make("i", mark, key, { "aria-hidden": "true" });
      key.append(word);
    }
  }

  /** The handle under the pointer; of lines that are close together, the nearest. */
  grab(event) {
    const target = event.target;
    if (target.matches(".flag")) this.held = target.dataset.setting;
    else if (target.matches(".grip")) this.held = this.nearest(event.clientX - this.svg.getBoundingClientRect().left);
    if (!this.held) return;
    this.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  nearest(x) {
    const apart = (handle) => Math.abs(handle.x - x);
    return this.handles.reduce((one, other) => (apart(other) < apart(one) ? other : one)).setting;
  }

  tokensAt(event) {
    return this.scale.tokens(event.clientX - this.svg.getBoundingClientRect().left);
  }
}

/** The histogram for those who do not see it. */
function saidOf({ top, current, baseline }, { largest, largestBaseline }) {
  const before = baseline.at(-1) ? ` Of the baseline's, ${largerWords(baseline.at(-1), largestBaseline)}` : "";
  return `Chunks by tokens, 0 to ${counted(top)}. ${largerWords(current.at(-1), largest)}${before}`;
}

/** The scale that was chosen in this browser; it may keep nothing. */
function keptScale() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keepScale(scale) {
  try {
    localStorage.setItem(KEPT, scale);
  } catch {
    // It is chosen until the page is left.
  }
}
