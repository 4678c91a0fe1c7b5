// Live thresholds. During a drag this component owns the values; otherwise Python's win. One request is in flight at a
// time, and what moved meanwhile is sent when its answer has come. Moves go the short way (drag_socket.js) where there is
// one; Streamlit hears of them when the drag rests or ends.

import { goTo } from "../pane_edge/panes.js";
import { askForSheet } from "../phone_sheet/sheet.js";
import { offers } from "../shared/commands.js";
import { COMMITTED } from "../shared/committed.js";
import { make, mounted } from "../shared/component.js";
import { counted } from "../shared/counted.js";
import { PHONE } from "../shared/phone.js";
import { tell } from "../shared/tell.js";
import { Chart } from "./chart.js";
import {
  answered,
  free,
  heard,
  holds,
  isBehind,
  lacking,
  lost,
  moved,
  overdue,
  phaseOf,
  quiet,
  ran,
  rested,
  untold,
} from "./conversation.js";
import { Channel } from "./drag_socket.js";
import {
  dimOthers,
  nearView,
  showFigures,
  showMoved,
  showReading,
  showSettled,
  whenLacking,
} from "./external_updates.js";
import { namedNumber, nearestStep, passedBy, wrongWith } from "./limits.js";
import { OneThreshold } from "./one_threshold.js";
import { wayToOtherSettings } from "./other_settings.js";
import { comes, leave, takeOver } from "./successor.js";
import { writeSummary } from "./summary.js";

const PATIENCE = 8000; // a run that takes longer would only be cancelled by being asked again

const STILL = 600; // milliseconds in which nothing moves, before what a move came to is told

/** Keys that move a number by its step. */
const STEPS = new Set(["ArrowUp", "ArrowDown"]);

/** Keys that move a slider by its step, or to an end. */
const MOVES = new Set([...STEPS, "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"]);

class ThresholdRail {
  /** The setting that is pressed or typed in. @type {string | null} */
  moving = null;
  /** Whether the short way was asked for what it has brought before. */
  again = false;
  /** What was told last, or is to be, and the run it is of. @type {string | undefined} */
  said;
  /** @type {string | undefined} */
  saidOf;
  /** Of the strategy that was just chosen, in front of what is told. */
  chosen = "";
  /** Whether the last move was made by keys. */
  keys = false;
  /** @type {number | undefined} */
  frame;
  /** @type {number | undefined} */
  timer;
  /** @type {number | undefined} */
  resting;

  constructor(parent) {
    this.rows = new Map();
    this.one = new OneThreshold(this.rows);
    this.state = quiet(Date.now());
    this.held = ""; // the setting that was moved and not yet let go
    this.channel = new Channel(
      (said, bytes) => this.heard(said, bytes),
      () => this.go(lost(this.state)),
      () => this.go(free(this.state, this.channel)),
    );
    this.root = make("section", "rail", parent, { "aria-label": "Thresholds" });
    const dragged = {
      move: (setting, tokens) => {
        this.moving = setting;
        this.keys = false;
        this.set(setting, tokens);
      },
      drop: (setting) => {
        this.moving = null;
        this.release();
        this.stopped(this.rows.get(setting), "");
      },
    };
    this.chart = new Chart(this.root, dragged, () => this.paintSoon());
    this.summary = make("p", "summary", this.root);
    this.root.addEventListener("pointerdown", () => (this.pressed = true));
    this.holds = new AbortController();
    for (const name of ["pointerup", "pointercancel"])
      document.addEventListener(name, () => (this.pressed = false), { signal: this.holds.signal, capture: true });
    this.controls = make("div", "controls", this.root);
    wayToOtherSettings(this.root, this.holds.signal);
    this.words = make("p", "help", this.root, { "aria-hidden": "true" });
    this.sizes = new ResizeObserver(([entry]) => {
      this.chart.width = Math.round(entry.contentRect.width);
      this.paintChart();
    });
    this.sizes.observe(this.root);
    this.noLacks = whenLacking(() => {
      const step = lacking(this.state, this.channel);
      this.go(step);
      return step[1].length > 0;
    });
    this.noCommands = offers((typed) => [...this.chart.commands(), ...this.thresholds(), ...this.values(typed)]);
  }

  /** What sets a threshold to the number that was typed behind its name or the beginning of that, as in "min 300".
   * @param {string} typed
   * @returns {import("../shared/commands.js").Command[]} */
  values(typed) {
    const [name, value] = namedNumber(typed);
    return [...this.rows.values()]
      .filter(({ threshold: { title, label }, number }) => {
        const named = [title, label].some((each) => each.toLowerCase().startsWith(name));
        return name && named && !wrongWith(value, Number(number.min), Number(number.max));
      })
      .map((row) => ({
        group: "Setting",
        name: `Set ${row.threshold.title} to ${counted(value)}`,
        also: `${row.threshold.label} ${value}`,
        run: () => {
          this.one.show(row.threshold.setting);
          this.typed(row, value);
          askForSheet("settings"); // where it is seen, also if it was refused
          goTo(wide() ? row.number : row.range);
        },
      }));
  }

  /** The way to each threshold, for the command palette.
   * @returns {import("../shared/commands.js").Command[]} */
  thresholds() {
    return [...this.rows.values()].map(({ threshold: { setting, title, label }, range, number }) => ({
      group: "Setting",
      name: `${title} ${label}`,
      run: () => {
        this.one.show(setting);
        askForSheet("settings");
        goTo(wide() ? number : range);
        if (wide()) requestAnimationFrame(() => number.select()); // after goTo's own frame: what is typed takes its place
      },
    }));
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    if (Array.isArray(data.histogram)) [data.histogram] = data.histogram;
    this.channel.open(data.channel);
    this.fromPython = data;
    const behind = isBehind(this.state, data.echo);
    this.go(ran(this.state, data, this.channel));
    if (!behind || !this.shown) this.show(data);
    const values = takeOver(data.name, performance.now());
    if (values) this.goOn(values);
  }

  /** What the rail that stood here before had not said. */
  goOn(values) {
    for (const [setting, row] of this.rows) if (setting in values) this.write(row, values[setting]);
    this.paintSoon();
    this.go(moved(this.state, values, true, this.channel, false));
  }

  show(data) {
    if (this.shown?.run !== data.run) this.forgetRefused();
    this.shown = data;
    const names = data.thresholds.map((threshold) => threshold.setting).join();
    if (names !== this.names) {
      this.names = names;
      this.explained = undefined;
      this.rows.clear();
      this.controls.replaceChildren();
      for (const threshold of data.thresholds) this.rows.set(threshold.setting, this.row(threshold));
      this.one.build(data.thresholds);
    }
    for (const threshold of data.thresholds) this.update(threshold);
    writeSummary(this.summary, data.summary);
    this.tellAtRest(data.summary, data === this.fromPython ? data.run : this.saidOf);
    this.root.dataset.run = data.run;
    this.paintSoon();
  }

  /** Tells who hears the page what was moved comes to, once it rests: of a drag the end alone, and the same words again
   * where the script ran with another config.
   * @param {string} words
   * @param {string | undefined} run */
  tellAtRest(words, run) {
    const before = this.said;
    if (words === before && run === this.saidOf) return;
    [this.said, this.saidOf] = [words, run];
    const { name, title } = this.fromPython;
    if (before === undefined && comes(name, title, performance.now())) this.chosen = `${title}: `;
    if (this.chosen || before !== undefined) this.tellSoon();
  }

  /** Not before the script has run with it: it may say more. */
  tellSoon() {
    clearTimeout(this.telling);
    const goesOn = () => this.pressed || phaseOf(this.state) !== "quiet";
    this.telling = setTimeout(() => (goesOn() ? this.tellSoon() : this.tellNow()), STILL);
  }

  tellNow() {
    tell(this.chosen + (this.said ?? ""));
    this.chosen = "";
  }

  row(threshold) {
    const element = make("div", "row", this.controls);
    const id = `t-${threshold.setting}`;
    const name = make("div", "name", element);
    const label = make("label", "", name, { for: id });
    const stop = make("p", "stop", name, { role: "status" });
    const number = make("input", "number", element, { type: "number", inputmode: "decimal", [COMMITTED]: "" });
    const slot = make("div", "slot", element);
    const range = make("input", "range", slot, { type: "range", id });
    const ghost = make("i", "ghost", slot, { "aria-hidden": "true" });
    const help = make("p", "", element, { id: `${id}-help`, hidden: "" });
    const error = make("p", "error", element, { role: "alert" });
    const makeRoom = make("button", "make-room", element, { type: "button", hidden: "" });
    makeRoom.addEventListener("click", () => this.makeRoom(row));
    const row = { element, name, label, number, range, ghost, stop, help, error, makeRoom, value: threshold.value };
    for (const input of [range, number]) input.setAttribute("aria-describedby", `${id}-help`);
    // Undo is on its way: what keys have moved ends here, and is there to be undone.
    element.addEventListener("keydown", ({ key }) => {
      if (["Control", "Meta"].includes(key) && this.state.releasing) this.go(rested(this.state));
    });
    range.addEventListener("pointerdown", () => (this.moving = threshold.setting));
    this.giveBackScrolled(row);
    element.addEventListener("focusin", () => this.explain(threshold.setting));
    element.addEventListener("focusout", () => this.stopped(row, ""));
    range.addEventListener("input", () => {
      this.moving = threshold.setting;
      this.set(threshold.setting, range.valueAsNumber);
    });
    range.addEventListener("keydown", ({ key }) => {
      this.keys = true;
      if (MOVES.has(key)) range.step = row.threshold.step;
    });
    range.addEventListener("pointerdown", () => (this.keys = false));
    // A change is not told of where the pointer came back to where it began, or where the value was stopped.
    for (const name of ["change", "pointerup", "pointercancel", "blur"])
      range.addEventListener(name, () => this.release());
    for (const name of ["pointerup", "pointercancel", "blur", "keyup"])
      range.addEventListener(name, () => (this.moving = null));
    number.addEventListener("focus", () => {
      this.moving = threshold.setting;
      this.keys = false;
    });
    number.addEventListener("blur", () => (this.moving = null));
    number.addEventListener("input", () => {
      this.moving = threshold.setting;
      number.removeAttribute(COMMITTED);
    });
    number.addEventListener("change", () => {
      number.setAttribute(COMMITTED, "");
      this.typed(row, number.valueAsNumber);
    });
    // What undoes a value that has been taken shows the one before, also while the field has the keyboard.
    number.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
      this.keys = STEPS.has(key); // a run of them is one change, as at the slider
      if ((ctrlKey || metaKey) && number.hasAttribute(COMMITTED)) this.moving = null;
    });
    return row;
  }

  /** A finger that scrolls the page and began on a slider has not moved it: the browser cancels the touch. */
  giveBackScrolled(row) {
    let before = row.value;
    row.range.addEventListener("pointerdown", () => (before = row.value));
    row.range.addEventListener("pointercancel", () => this.write(row, before));
  }

  update(threshold) {
    const row = this.rows.get(threshold.setting);
    row.threshold = threshold;
    if (row.label.textContent !== [threshold.title, threshold.label].join(" ")) {
      row.label.textContent = `${threshold.title} `;
      make("code", "", row.label).textContent = threshold.label;
    }
    const remark = threshold.remark ? `${threshold.remark}. ` : "";
    row.help.textContent = `${remark}${threshold.help}`;
    if (threshold.setting === (this.explained ?? this.shown.thresholds[0].setting)) this.explain(threshold.setting);
    this.complain(row);
    row.number.setAttribute("aria-label", [threshold.title, threshold.unit].filter(Boolean).join(", "));
    row.stop.dataset.unit = [threshold.unit, threshold.remark].filter(Boolean).join(" · ");
    row.stop.classList.toggle("remark", Boolean(threshold.remark));
    row.range.min = threshold.minimum;
    row.range.max = threshold.maximum;
    row.number.min = threshold.least ?? threshold.minimum;
    row.number.max = threshold.most ?? threshold.maximum;
    row.number.step = threshold.step;
    const share = (value) => (value - threshold.minimum) / (threshold.maximum - threshold.minimum || 1);
    row.ghost.hidden = threshold.baseline_value === null;
    if (threshold.baseline_value !== null) row.ghost.style.setProperty("--at", share(threshold.baseline_value));
    const mine = this.moving === threshold.setting || holds(this.state, threshold.setting);
    if (!mine) this.write(row, threshold.value);
  }

  write(row, value) {
    row.value = value;
    // A slider moves a value that is between two steps to the nearer one: it has no steps until it is moved (`set`).
    row.range.step = this.isStep(row, value) ? row.threshold.step : "any";
    if (row.range.valueAsNumber !== value) row.range.value = value;
    if (row.number.valueAsNumber !== value) row.number.value = value;
    const { minimum, maximum, unit } = row.threshold;
    row.range.style.setProperty("--at", (value - minimum) / (maximum - minimum || 1));
    row.range.setAttribute("aria-valuetext", `${value} ${unit}`);
  }

  isStep({ threshold: { minimum, step } }, value) {
    const steps = (value - minimum) / step;
    return Math.abs(steps - Math.round(steps)) < 1e-6;
  }

  /** What is wrong with the value: as Python says, or that what was typed is out of range. */
  complain(row) {
    const error = row.refused || row.threshold.error;
    if (row.error.textContent !== error) row.error.textContent = error;
    row.error.hidden = !error;
    row.makeRoom.hidden = !row.wanted;
    for (const input of [row.range, row.number]) input.setAttribute("aria-invalid", String(Boolean(error)));
  }

  /** What raising the threshold does, where it does not push the others down. */
  explain(setting) {
    const { threshold } = this.rows.get(setting);
    this.explained = setting;
    const words = threshold.help ? `${threshold.title}: ${threshold.help}` : "";
    if (this.words.textContent !== words) this.words.textContent = words;
  }

  /** That the threshold stands at another one, which it may not pass. */
  stopped(row, words) {
    if (row.stop.textContent !== words) row.stop.textContent = words;
  }

  // ---- telling Python

  /** The other threshold that a value would pass, with the nearest value that does not; null where it passes none. */
  passed({ threshold }, value) {
    return passedBy(threshold, value, (setting) => this.rows.get(setting).value);
  }

  /** A typed value is taken as it is, also beyond the slider's ends; one that is not legal is said, and not taken. */
  typed(row, value) {
    const { setting, unit, step } = row.threshold;
    const [least, most] = [Number(row.number.min), Number(row.number.max)];
    const wrong = wrongWith(value, least, most);
    const taken = Number.isInteger(step) ? Math.round(value) : value;
    const passed = wrong ? null : this.passed(row, taken);
    if (!wrong && !passed) return this.take(setting, taken, true);
    const words = wrong === "out of range" ? counted(value) : "that";
    const range = `${words} is ${wrong}: ${counted(least)} to ${counted(most)} ${unit}`;
    row.refused = passed ? `${filled(passed.must, passed)} Showing ${counted(row.value)}.` : range;
    row.wanted = passed && this.roomFor(passed, taken);
    if (row.wanted) row.makeRoom.textContent = row.wanted.words;
    this.write(row, row.value);
    this.complain(row);
    // In a low window it would be said below what is seen of the rail.
    (row.wanted ? row.makeRoom : row.error).scrollIntoView({ block: "nearest" });
  }

  /** What has to be done to the neighbour that a value would pass; null where that is not possible. */
  roomFor(passed, value) {
    const other = this.rows.get(passed.setting);
    const stands = passed.stands + value - passed.limit;
    if (wrongWith(stands, Number(other.number.min), Number(other.number.max)) || this.passed(other, stands))
      return null;
    const way = stands > passed.stands ? "Raise" : "Lower";
    return {
      value,
      setting: passed.setting,
      stands,
      words: `${way} ${other.threshold.title} to ${counted(stands)} too`,
    };
  }

  /** Takes the value that was refused, and moves its neighbour out of the way. */
  makeRoom(row) {
    const { value, setting, stands } = row.wanted;
    row.number.focus({ preventScroll: true }); // the button goes
    this.write(this.rows.get(setting), stands);
    this.forgetRefused();
    this.write(row, value);
    this.paintSoon();
    this.go(moved(this.state, { [setting]: stands, [row.threshold.setting]: value }, true, this.channel, this.keys));
  }

  /** What was refused is of no interest once something else was done. */
  forgetRefused() {
    for (const row of this.rows.values()) {
      if (!row.refused) continue;
      row.refused = "";
      row.wanted = null;
      this.complain(row);
    }
  }

  /** A dragged value stays within the slider and stops at its neighbours. */
  set(setting, value) {
    const row = this.rows.get(setting);
    const wanted = nearestStep(value, row.threshold);
    const passed = this.passed(row, wanted);
    this.stopped(row, passed ? filled(passed.stop, passed) : "");
    this.take(setting, passed ? passed.limit : wanted, false);
  }

  /** What was moved is let go. */
  release() {
    const { held } = this;
    if (held) this.take(held, this.rows.get(held).value, true);
  }

  take(setting, value, released) {
    this.held = released ? "" : setting;
    const row = this.rows.get(setting);
    this.forgetRefused();
    this.write(row, value);
    this.paintSoon();
    this.go(moved(this.state, { [setting]: value }, released, this.channel, this.keys));
  }

  /** What the short way brought. */
  heard(said, bytes) {
    if (this.again) return this.heardAgain(bytes);
    showMoved(bytes);
    showReading(said.reading);
    this.show({ ...this.shown, ...said.rail });
    showFigures(said.figures, said.rail.run);
    this.go(heard(this.state, this.channel, this.keys));
  }

  /** What the short way brought before, with the reasons of other boundaries. Streamlit may have said all since. */
  heardAgain(bytes) {
    this.again = false;
    if (this.state.ahead) showMoved(bytes);
    this.go(free(this.state, this.channel));
  }

  /** No answer from Streamlit. */
  overdue() {
    this.go(overdue(this.state));
    this.go(answered(this.state, this.channel));
  }

  /** The conversation goes on: its next state, and what is to be done.
   * @param {import("./conversation.js").Step} step */
  go([state, effects]) {
    this.state = state;
    for (const effect of effects) this.perform(effect);
  }

  /** @param {import("./conversation.js").Effect} effect */
  perform(effect) {
    switch (effect.do) {
      case "ask":
        this.again = effect.again ?? false;
        this.channel.send({ ...effect.message, near: nearView() });
        dimOthers(true, true);
        break;
      case "tell":
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.overdue(), PATIENCE);
        this.trigger(effect.name, effect.message);
        break;
      case "rest":
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.go(rested(this.state)), effect.milliseconds);
        break;
      case "stop resting":
        clearTimeout(this.resting);
        break;
      case "stop waiting":
        clearTimeout(this.timer);
        break;
      case "settle":
        showSettled(effect.run);
        dimOthers(false, this.fromPython.held);
        break;
      case "show what Python said":
        this.show(this.fromPython);
    }
  }

  // ---- the histogram

  paintSoon() {
    this.frame ||= requestAnimationFrame(() => this.paintChart());
  }

  paintChart() {
    this.frame = 0;
    const moving = Boolean(this.held) || Boolean(this.shown?.held);
    if (this.shown) this.chart.paint(this.shown, (setting) => this.rows.get(setting).value, moving);
  }

  destroy() {
    if (this.shown) leave(this.shown.name, untold(this.state), performance.now());
    this.noCommands();
    this.noLacks();
    this.sizes.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.resting);
    clearTimeout(this.telling);
    this.holds.abort();
    cancelAnimationFrame(this.frame ?? 0);
    this.channel.close();
    if (this.state.ahead) showSettled("");
    dimOthers(false, false);
    this.root.remove();
  }
}

/** Whether the number beside a slider is in sight, and a field that brings up no keyboard over the page. */
const wide = () => !matchMedia(PHONE).matches;

const filled = (words, { stands }) => words.replace("{}", counted(stands));

export default mounted(ThresholdRail);
