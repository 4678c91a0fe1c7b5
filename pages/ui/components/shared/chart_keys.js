// Where Tune's charts have the focus, the arrow keys go from point to point, Enter chooses one. Plotly hears of the mouse
// alone, so it is told of one at the point that the keys went to: what it shows and chooses is the same for both. The
// page's HTML asks for this module (pages/ui/server/first_style.py).

import { tell } from "./tell.js";

const CHARTS = ":is(.st-key-tune-map, .st-key-tune-frontier) .js-plotly-plot";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SIDEWAYS = 3; // so many times as far counts what lies beside the way
const DRAWN_ANEW = 4_000; // milliseconds in which a chart comes again after a point of it was chosen
/** Where the keys are on each chart, by its place on the page, in pixels of its plot.
 * @type {Map<string, {x: number, y: number}>} */
const at = new Map();

/** What the keys add to a chart's name and role; nothing to other charts.
 * @param {Element} chart @param {string | null} said
 * @returns {Record<string, string | null>} */
export const keyedRole = (chart, said) =>
  chart.matches(CHARTS)
    ? {
        role: "application",
        tabindex: "0",
        "aria-label": `${said ?? "Chart"}. Arrow keys go from point to point, Enter chooses one`,
      }
    : { role: "img", "aria-label": said };

/** The point that an arrow leads to: near, and in its direction; undefined at the edge.
 * @template {{x: number, y: number}} P
 * @param {P[]} points @param {{x: number, y: number}} from @param {number[]} way
 * @returns {P | undefined} */
export function next(points, from, [across, down]) {
  const far = ({ x, y }) => {
    const [along, beside] = across ? [(x - from.x) * across, y - from.y] : [(y - from.y) * down, x - from.x];
    return along > 0.5 ? along + SIDEWAYS * Math.abs(beside) : Number.POSITIVE_INFINITY;
  };
  return points.filter((point) => far(point) < Number.POSITIVE_INFINITY).sort((a, b) => far(a) - far(b))[0];
}

/** All points that can be chosen, in pixels of the plot, with what is said of them.
 * @param {any} chart
 * @returns {{x: number, y: number, words: string}[]} */
function pointsOf(chart) {
  const { xaxis, yaxis } = chart._fullLayout;
  return chart.calcdata.flatMap((trace, number) => {
    const words = chart._fullData[number].customdata;
    return words
      ? trace.map(({ x, y, i }) => ({ x: xaxis.c2p(x), y: yaxis.c2p(y), words: String(words[i]?.[1] ?? "") }))
      : [];
  });
}

/** Where the keys begin: at the current config, else at the first point. */
function begins(chart, points) {
  const { xaxis, yaxis } = chart._fullLayout;
  const ring = chart.calcdata.find((_, number) => ["now", "the current config"].includes(chart._fullData[number].name));
  return ring?.[0] ? { x: xaxis.c2p(ring[0].x), y: yaxis.c2p(ring[0].y) } : points[0];
}

/** Tells the chart of a mouse over a point, and that it was pressed there. */
function point(chart, { x, y }, presses) {
  const plot = chart.querySelector(".nsewdrag");
  const { left, top } = plot.getBoundingClientRect();
  const place = { bubbles: true, cancelable: true, view: window, clientX: left + x, clientY: top + y };
  for (const type of presses ? ["mousemove", "mousedown", "mouseup"] : ["mousemove"])
    plot.dispatchEvent(new MouseEvent(type, place));
}

/** The class that says which chart it is: it may be drawn anew, as another element.
 * @param {Element} chart */
const placeOf = (chart) => (chart.closest(".st-key-tune-map") ? ".st-key-tune-map" : ".st-key-tune-frontier");

/** @template {{x: number, y: number}} P
 * @param {P[]} points @param {{x: number, y: number}} to
 * @returns {P} */
const nearest = (points, to) =>
  points.reduce((best, each) => (apart(each, to) < apart(best, to) ? each : best), points[0]);
const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** The chart has the focus again where it is drawn anew, unless somebody went on to something else. */
function keepFocus(place, until) {
  if (performance.now() > until) return;
  if (document.activeElement === document.body) {
    const chart = /** @type {HTMLElement | null} */ (document.querySelector(`${place} .js-plotly-plot[tabindex]`));
    chart?.focus({ preventScroll: true });
  }
  requestAnimationFrame(() => keepFocus(place, until));
}

/** @param {KeyboardEvent} event */
function hear(event) {
  const chart = /** @type {any} */ (event.target);
  if (!(chart instanceof Element) || !chart.matches(CHARTS) || event.ctrlKey || event.metaKey || event.altKey) return;
  const chooses = event.key === "Enter" || event.key === " ";
  if (!(event.key in WAYS) && !chooses) return;
  event.preventDefault();
  const [points, place] = [pointsOf(chart), placeOf(chart)];
  const from = nearest(points, at.get(place) ?? begins(chart, points));
  const to = chooses || !at.has(place) ? from : next(points, from, WAYS[event.key]);
  if (!to) return;
  at.set(place, to);
  point(chart, to, chooses);
  if (chooses) keepFocus(place, performance.now() + DRAWN_ANEW);
  const words = points.find(({ x, y }) => x === to.x && y === to.y)?.words;
  if (words && !chooses) tell(plain(words));
}

/** What a hover says, without its markup.
 * @param {string} words */
function plain(words) {
  const text = new DOMParser().parseFromString(words.replaceAll("<br>", "; "), "text/html").body.textContent;
  return text ?? "";
}

if (globalThis.document) document.addEventListener("keydown", hear); // not where Node tests it
