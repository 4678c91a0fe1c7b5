// The chunks as points on a map of their vectors. Beside it lists of near-duplicates, outliers and what is nearest to a
// question, and below them all points as a list. While the map is being made, Python is asked now and then how far it is.

import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { ReadingView } from "./common.js";
import { lookOf, nearestSpot, nextPoint, placedNumbers, STAR, spot } from "./map_shapes.js";

const AGAIN = 700; // milliseconds between two looks at a map in the making
const NUMBERED = 60; // points up to which each has its number beside it
const SVG = "http://www.w3.org/2000/svg";

class ChunkMap extends ReadingView {
  /** What Python sent last. @type {any} */
  data;
  /** The points that are drawn. @type {any} */
  points = null;
  /** @type {[number, number][]} */
  spots = [];
  /** What the picture and the lists show, and of which points. */
  drawn = "";
  listed = "";
  /** @type {any} */
  drawnOf;
  /** @type {any} */
  listedOf;

  /** When a drag last moved a boundary. */
  movedAt = -Infinity;

  constructor(parent) {
    super(parent, "map", "Map of the chunks");
    this.moved = () => {
      this.movedAt = performance.now();
    };
    document.addEventListener("chunkscope:moved", this.moved);
    const tools = make("form", "tools", this.bar);
    this.ask = make("input", "ask", tools, {
      type: "search",
      "aria-label": "Question to place on the map",
      placeholder: "Ask a question",
    });
    tools.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep("question", this.ask.value);
    });
    this.ask.addEventListener("search", () => this.ask.value || this.keep("question", ""));
    this.layout = this.chooser(tools, "Layout", "Layout", "layout");
    this.colour = this.chooser(tools, "Colour", "Colour and shape by", "colour");
    this.body = make("div", "atlas", this.scroller);
    this.plane = make("div", "plane", this.body);
    this.picture = document.createElementNS(SVG, "svg");
    this.picture.setAttribute("aria-hidden", "true");
    this.plane.append(this.picture);
    this.caption = make("p", "caption", this.plane);
    this.key = make("ul", "key", this.plane, { "aria-label": "Colours and shapes" });
    this.side = make("div", "side", this.body);
    this.status = make("p", "making", this.root, { role: "status" });
    this.scroller.before(this.status);
    this.picture.addEventListener("pointermove", (event) => this.tell(this.pointed(event)));
    this.picture.addEventListener("click", (event) => this.choose(this.pointed(event)));
    this.side.addEventListener("click", (event) => {
      const button = event.target.closest("[data-point]");
      if (button) this.choose(Number(button.dataset.point));
    });
    this.side.addEventListener("keydown", (event) => this.walk(event));
  }

  /** A select box with its title, whose choice Python is told as `name`. */
  chooser(tools, title, spoken, name) {
    const label = make("label", "beside", tools);
    make("span", "", label).textContent = title;
    const select = make("select", "", label, { "aria-label": spoken });
    select.addEventListener("change", () => this.keep(name, select.value));
    return select;
  }

  take(data) {
    if (this.name !== data.name) this.points = null;
    this.name = data.name;
    this.data = data;
    if (data.points) this.points = data.points;
    fill(this.layout, data.layouts, data.layout);
    fill(this.colour, data.colours, data.colour);
    if (this.ask !== this.root.getRootNode().activeElement) this.ask.value = data.question;
    this.count.textContent = data.chunks ? `${counted(data.chunks)} ${data.chunks === 1 ? "chunk" : "chunks"}` : "";
    const words = waitingWords(data, Boolean(this.points));
    if (this.status.textContent !== words) this.status.textContent = words;
    this.status.classList.toggle("failed", Boolean(data.problem || data.absent));
    this.say(data.chunks ? "" : "This document has no chunks: there is nothing to map.");
    this.body.hidden = !this.points || !data.chunks;
    this.lists();
    this.draw();
    clearTimeout(this.asking);
    const waits = data.chunks && !data.problem && (!data.points || data.asking);
    if (waits) this.asking = setTimeout(() => this.look(), AGAIN);
  }

  /** Asks Python how far it is, unless a threshold was moved a moment ago: it would only say what it said before. What is
   * the same as before does not come again, so it is asked until something else does. */
  look() {
    if (performance.now() - this.movedAt > 2 * AGAIN) this.trigger("look", Date.now());
    this.asking = setTimeout(() => this.look(), 2 * AGAIN);
  }

  destroy() {
    document.removeEventListener("chunkscope:moved", this.moved);
    super.destroy();
  }

  // ---- drawing

  draw() {
    const { points, data } = this;
    if (!points || this.body.hidden) return;
    const { width, height } = this.picture.getBoundingClientRect();
    const size = { width, height };
    this.spots = points.x.map((x, at) => spot(x, points.y[at], size));
    const wanted = JSON.stringify([size, data.selected, data.asked, data.colour]);
    if (this.drawn === wanted && this.drawnOf === points) return;
    [this.drawn, this.drawnOf] = [wanted, points];
    const odd = new Set(points.outliers.map(([at]) => at));
    const shapes = this.spots.map(([x, y], at) => {
      const { path, hue } = lookOf(points.group[at]);
      const chosen = points.of[at] === 0 && points.chunk[at] === data.selected;
      const names = ["point", `h${hue}`, points.of[at] ? "was" : "", odd.has(at) ? "odd" : "", chosen ? "sel" : ""];
      return shape(path, x, y, names.filter(Boolean).join(" "), chosen ? 1.5 : 1);
    });
    const lines = [];
    const star = data.asked && spot(data.asked.x, data.asked.y, size);
    if (star) {
      const [left, top] = star;
      for (const [at] of data.asked.nearest) {
        const line = document.createElementNS(SVG, "path");
        line.setAttribute("d", `M${left} ${top}L${this.spots[at][0]} ${this.spots[at][1]}`);
        line.setAttribute("class", "near");
        lines.push(line);
      }
      shapes.push(shape(STAR, left, top, "star"));
    }
    const numerals = this.numerals(size.width, star);
    const chosen = shapes.filter((one) => one.classList.contains("sel"));
    this.picture.replaceChildren(...lines, ...shapes, ...numerals, ...chosen);
    this.drawKey();
  }

  /** The points' numbers, as far as there is room for them; of many points that of the selected one. */
  numerals(width, star) {
    const { points, data, spots } = this;
    const selected = points.of.findIndex((of, at) => of === 0 && points.chunk[at] === data.selected);
    const first = [selected, ...(data.asked?.nearest ?? []).map(([at]) => at)].filter((at) => at >= 0);
    const rest = spots.length <= NUMBERED ? spots.keys() : [];
    const order = [...new Set([...first, ...rest])];
    const numbers = points.chunk.map((chunk) => String(chunk + 1));
    const covered = star ? [...spots, star] : spots;
    return placedNumbers(covered, numbers, order, { width, selected }).map(({ at, x, y, end }) => {
      const element = document.createElementNS(SVG, "text");
      element.setAttribute("x", String(x));
      element.setAttribute("y", String(y));
      element.setAttribute("text-anchor", end ? "end" : "start");
      element.textContent = numbers[at];
      return element;
    });
  }

  drawKey() {
    this.key.replaceChildren();
    for (const [group, name] of this.points.groups.entries()) {
      const line = make("li", "", this.key);
      const sign = document.createElementNS(SVG, "svg");
      const { path, hue } = lookOf(group);
      sign.setAttribute("viewBox", "-8 -8 16 16");
      sign.setAttribute("aria-hidden", "true");
      sign.append(shape(path, 0, 0, `point h${hue}`));
      line.append(sign, ` ${name}`);
    }
    this.caption.textContent = captionOf(this.points);
  }

  lists() {
    const { points, data } = this;
    if (!points) return;
    const wanted = JSON.stringify([data.selected, data.asked, data.questionProblem, data.asking]);
    if (this.listed === wanted && this.listedOf === points) return;
    [this.listed, this.listedOf] = [wanted, points];
    const held = this.side.contains(this.root.getRootNode().activeElement)
      ? this.root.getRootNode().activeElement.dataset.point
      : undefined;
    this.side.replaceChildren();
    if (data.question) {
      const words = data.questionProblem || (data.asking ? "Placing the question…" : "");
      this.list(
        "Nearest to the question",
        words,
        (data.asked?.nearest ?? []).map(([at, cosine]) => [[at], cosine.toFixed(3)]),
      );
    }
    const pairs = points.duplicates.map(([one, other, cosine]) => [[one, other], cosine.toFixed(3)]);
    const more = points.duplicate_count > pairs.length ? `The first ${counted(pairs.length)} pairs.` : "";
    this.list(
      `Near-duplicates: ${counted(points.duplicate_count)}`,
      pairs.length ? more : `No two chunks have a cosine of ${points.threshold} or more.`,
      pairs,
    );
    this.list(
      `Outliers: ${counted(points.outliers.length)}`,
      points.outliers.length
        ? `The cosine to the most similar chunk is below ${points.fence.toFixed(2)}.`
        : "No chunk is far less like its nearest than the others are.",
      points.outliers.map(([at, cosine]) => [[at], cosine.toFixed(3)]),
    );
    const all = points.chunk.map((_, at) => [[at], `${counted(points.tokens[at])} tok`]);
    this.list(
      `Points: ${counted(all.length)}`,
      points.left_out ? `${counted(points.left_out)} chunks are not shown.` : "",
      all,
    );
    const buttons = [...this.side.querySelectorAll("[data-point]")];
    const active = buttons.find((one) => one.dataset.point === held) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === active ? 0 : -1;
    if (held !== undefined) active?.focus({ preventScroll: true });
  }

  /** A list of points, or of pairs of them, each with a number. */
  list(title, words, entries) {
    const part = make("section", "", this.side, { "aria-label": title });
    make("h2", "", part).textContent = title;
    if (words) make("p", "", part).textContent = words;
    const list = make("ul", "", part);
    for (const [points, value] of entries) {
      const line = make("li", "", list);
      for (const at of points) line.append(this.button(at));
      make("span", "value", line).textContent = value;
    }
  }

  button(at) {
    const { points, data } = this;
    const button = make("button", "", null, { type: "button", "data-point": at, title: this.words(at) });
    if (points.of[at] === 0 && points.chunk[at] === data.selected) button.setAttribute("aria-current", "true");
    make("span", "number", button).textContent = this.number(at);
    make("span", "title", button).textContent = points.title[at];
    return button;
  }

  number(at) {
    return `${this.points.of[at] ? "baseline " : ""}#${counted(this.points.chunk[at] + 1)}`;
  }

  words(at) {
    const { points } = this;
    return `${this.number(at)}, ${points.title[at]}, ${counted(points.tokens[at])} tokens, ${points.groups[points.group[at]]}`;
  }

  // ---- choosing

  pointed(event) {
    const box = this.picture.getBoundingClientRect();
    return nearestSpot(this.spots, event.clientX - box.left, event.clientY - box.top);
  }

  tell(at) {
    this.picture.style.cursor = at < 0 ? "" : "pointer";
    const words = at < 0 ? this.data.title : this.words(at);
    if (this.title.textContent !== words) this.title.textContent = words;
  }

  choose(at) {
    if (at >= 0) this.trigger("selected", this.points.start[at]);
  }

  /** To the next chunk that has a point, or the one before. */
  keyDown(event) {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || !this.points || this.body.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = nextPoint(this.points, this.data.selected, step);
    if (at < 0) return;
    this.data.selected = this.points.chunk[at];
    this.lists();
    this.draw();
    this.tell(at);
    this.stepTo(this.points.start[at]);
  }

  /** Up and down through the lists. */
  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...this.side.querySelectorAll("[data-point]")];
    const at = buttons.indexOf(this.root.getRootNode().activeElement);
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, at + step))];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  }
}

/** What makes near and far on this map, in a sentence. */
function captionOf({ layout, shares }) {
  if (layout === "umap")
    return "UMAP: chunks with the most similar neighbours lie together; how far groups are from each other says little.";
  const [across, up] = shares.map((share) => `${Math.round(100 * share)}%`);
  return `Principal components: the two directions in which embeddings differ most (${across} and ${up} of it). Near is not always alike.`;
}

/** Gives a select box its options, once, and the chosen one. */
function fill(select, options, chosen) {
  if (select.options.length !== options.length)
    select.replaceChildren(
      ...options.map(([name, title]) => Object.assign(make("option", ""), { value: name, textContent: title })),
    );
  select.value = chosen;
}

/** What there is to say while the map is not ready, or not the one that was asked for; "" when it is. */
function waitingWords({ chunks, points, problem, absent, layout, done, total }, stale) {
  if (chunks && absent && !problem && points)
    return `These are principal components: ${absent}, then start the app again.`;
  if (!chunks || points) return "";
  if (problem) return `There is no map: ${problem}`;
  const far = total ? `${counted(done)} of ${counted(total)} chunks` : "waiting for the thresholds to rest";
  const before = stale ? "The map is of the chunks before. " : "";
  if (layout === "umap" && !absent && total && done === total)
    return `${before}Arranging ${counted(total)} points by UMAP, which can take a minute the first time`;
  return `${before}Embedding on this machine: ${far}`;
}

function shape(path, x, y, name, scale = 1) {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("d", path);
  element.setAttribute("class", name);
  element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
  return element;
}

export default mounted(ChunkMap);
