// The chunks of one document or of several as points on a map of their vectors. Beside it lists of near-duplicates, outliers
// and what is nearest to a question, and below them all points as a list. While the map is being made, Python is asked now
// and then how far it is.

import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { ReadingView } from "./common.js";
import { lookOf, nearestSpot, nextPoint, placedNumbers, STAR, spot } from "./map_shapes.js";
import { captionOf, chunkWords, duplicateTitle, duplicateWords, sampleWords, waitingWords } from "./map_words.js";

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

  /** The shapes of the points, in their order. @type {Element[]} */
  shapes = [];
  /** The point that the pointer or the keyboard is at, in the picture or the lists; -1 for none. */
  at = -1;

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
    const listed = (event) => Number(event.target.closest("[data-point]")?.dataset.point ?? -1);
    this.side.addEventListener("focusin", (event) => this.standsOut(listed(event)));
    this.side.addEventListener("focusout", () => this.standsOut(-1));
    this.side.addEventListener("pointerover", (event) => this.standsOut(listed(event)));
    this.picture.addEventListener("pointerleave", () => this.tell(-1));
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
    const fresh = this.name !== data.name;
    if (fresh) this.points = null;
    this.name = data.name;
    this.data = { ...data, selected: this.selectedNow(data.selected, fresh) };
    if (data.points) this.points = data.points;
    fill(this.layout, data.layouts, data.layout);
    fill(this.colour, data.colours, data.colour);
    if (this.ask !== this.root.getRootNode().activeElement) this.ask.value = data.question;
    this.count.textContent = data.chunks ? chunkWords(data.chunks, data.points?.left_out ?? 0) : "";
    const words = waitingWords(data, Boolean(this.points));
    if (this.status.textContent !== words) this.status.textContent = words;
    this.status.classList.toggle("failed", Boolean(data.problem || data.absent));
    this.say(data.chunks || data.waits ? "" : "There are no chunks to map.");
    this.body.hidden = !this.points || !data.chunks;
    this.root.classList.toggle("several", Boolean(this.points?.documents.length));
    this.lists();
    this.draw();
    clearTimeout(this.asking);
    const waits = (data.chunks || data.waits) && !data.problem && (!data.points || data.asking);
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
      const own = points.document[at] === points.opened;
      const names = ["point", hue, points.of[at] && "was", odd.has(at) && "odd", own && "own", chosen && "sel"];
      return shape(path, x, y, names.filter(Boolean).join(" "), chosen ? 1.5 : own ? 1.15 : 1);
    });
    this.shapes = [...shapes];
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
    const of = (name) => shapes.filter((one) => one.classList.contains(name));
    this.picture.replaceChildren(...lines, ...of("rest"), ...shapes.filter((one) => !one.classList.contains("rest")));
    this.picture.append(...of("own"), ...numerals, ...of("star"), ...of("sel"));
    this.standsOut(this.at);
    this.drawKey();
  }

  /** Has the point stand out that the pointer or the keyboard is at. */
  standsOut(at) {
    this.shapes[this.at]?.classList.remove("at");
    this.at = at;
    const element = this.shapes[at];
    if (!element) return;
    element.classList.add("at");
    this.picture.append(element);
  }

  /** The points' numbers, as far as there is room for them; of many points that of the selected one. */
  numerals(width, star) {
    const { points, data, spots } = this;
    const selected = points.of.findIndex((of, at) => of === 0 && points.chunk[at] === data.selected);
    const first = [selected, ...(data.asked?.nearest ?? []).map(([at]) => at)].filter((at) => at >= 0);
    const rest = spots.length <= NUMBERED && !points.documents.length ? spots.keys() : [];
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
    const { groups, documents, opened } = this.points;
    for (const [group, name] of groups.entries()) {
      const { path, hue } = lookOf(group);
      this.keyLine(shape(path, 0, 0, `point ${hue}`), name);
    }
    if (documents[opened] !== undefined)
      this.keyLine(shape(lookOf(0).path, 0, 0, "point own bare", 1.15), `opened last: ${documents[opened]}`);
    this.caption.textContent = captionOf(this.points);
  }

  keyLine(sign, words) {
    const line = make("li", "", this.key, { title: words });
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", "-8 -8 16 16");
    picture.setAttribute("aria-hidden", "true");
    picture.append(sign);
    line.append(picture, ` ${words}`);
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
    this.list(duplicateTitle(points), duplicateWords(points), pairs);
    this.list(
      `Outliers: ${counted(points.outliers.length)}`,
      points.outliers.length
        ? `The cosine to the most similar chunk is below ${points.fence.toFixed(2)}.`
        : "No chunk is far less like its nearest than the others are.",
      points.outliers.map(([at, cosine]) => [[at], cosine.toFixed(3)]),
    );
    const all = points.chunk.map((_, at) => [[at], `${counted(points.tokens[at])} tok`]);
    this.list(`Points: ${counted(all.length)}`, sampleWords(points), all);
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
    const document = points.documents[points.document[at]];
    if (document !== undefined) make("span", "document", button).textContent = document;
    make("span", "number", button).textContent = this.number(at);
    make("span", "title", button).textContent = points.title[at];
    return button;
  }

  number(at) {
    return `${this.points.of[at] ? "baseline " : ""}#${counted(this.points.chunk[at] + 1)}`;
  }

  words(at) {
    const { points, data } = this;
    const document = points.documents[points.document[at]];
    const group = data.colour === "document" ? "" : `, ${points.groups[points.group[at]]}`;
    const words = `${this.number(at)}, ${points.title[at]}, ${counted(points.tokens[at])} tokens${group}`;
    return document === undefined ? words : `${document} ${words}`;
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
    if (at !== this.at) this.standsOut(at);
  }

  choose(at) {
    if (at >= 0) this.trigger("selected", [this.points.document[at], this.points.start[at]]);
  }

  /** To the next chunk that has a point, or the one before: of several documents in the list, where Enter opens it. */
  keyDown(event) {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || !this.points || this.body.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (this.points.documents.length) return this.walkBy(step);
    const at = nextPoint(this.points, this.data.selected, step);
    if (at < 0) return;
    this.data.selected = this.points.chunk[at];
    this.lists();
    this.draw();
    this.tell(at);
    this.stepTo(this.data.selected, this.points.start[at]);
  }

  /** Up and down through the lists. */
  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.walkBy(step);
  }

  walkBy(step) {
    const buttons = [...this.side.querySelectorAll("[data-point]")];
    const at = buttons.indexOf(this.root.getRootNode().activeElement);
    const next =
      at < 0 ? buttons.find((one) => !one.tabIndex) : buttons[Math.min(buttons.length - 1, Math.max(0, at + step))];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  }
}

/** Gives a select box its options, once, and the chosen one. */
function fill(select, options, chosen) {
  if (select.options.length !== options.length)
    select.replaceChildren(
      ...options.map(([name, title]) => Object.assign(make("option", ""), { value: name, textContent: title })),
    );
  select.value = chosen;
}

function shape(path, x, y, name, scale = 1) {
  const element = document.createElementNS(SVG, "path");
  element.setAttribute("d", path);
  element.setAttribute("class", name);
  element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
  return element;
}

export default mounted(ChunkMap);
