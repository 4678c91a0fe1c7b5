// What people marked: a line under the text, a sign in the gutter, a tick on the overview. Marks have layers of their
// own, so that a threshold move does not touch them unless it cuts one or no longer does.

import { make } from "../shared/component.js";
import { isOnBaselineMark, onlyThere } from "./baseline_marks.js";
import { boxesOn } from "./text_rects.js";

const WHOLE = 1;
const CUT = 2;
const DRAFT = 4;
const NAMES = { answer: "Answer", whole: "Keep whole" };
const TICKS = 6; // pixels that a tick on the overview is wide
const SIGNS = { answer: "A", whole: "W" };

/** The marks that a run came with, in source order, with a name that changes when anything of them does.
 * @param {import("./payload.js").Run} run */
export function readMarks(run) {
  const { markStart, markEnd, markLook } = run;
  if (!markStart?.length || !markEnd || !markLook) return { all: [], name: "" };
  const labels = run.list("markLabels");
  const all = Array.from(markStart, (start, index) => ({
    start,
    end: markEnd[index],
    kind: markLook[index] & WHOLE ? "whole" : "answer",
    cut: Boolean(markLook[index] & CUT),
    draft: Boolean(markLook[index] & DRAFT),
    label: labels[index] ?? "",
  }));
  return { all, name: JSON.stringify(all) };
}

/** What is said of a mark, in its tooltip and to screen readers. */
export function markSentence({ kind, label, cut, draft }) {
  const where = cut ? "a chunk boundary cuts it" : "in one chunk";
  return `${NAMES[kind]}${label ? `: ${label}` : ""} (${where}${draft ? "; a draft, not reviewed" : ""})`;
}

/** The lines and signs of one page: reads layout only. */
export function marksOn(pages, page, marks) {
  const start = pages.lineStart(page.first);
  const end = pages.lineStart(pages.endLine(page.number));
  const lines = [];
  const signs = [];
  for (const mark of marks) {
    if (mark.start >= end) break;
    if (mark.end <= start) continue;
    const boxes = boxesOn(pages, page, Math.max(mark.start, start), Math.min(mark.end, end));
    for (const box of boxes) lines.push({ ...box, mark });
    if (mark.start < start) continue;
    const top = boxes.length ? boxes[0].top : pages.locate(page, mark.start).top;
    const row = Math.round(top / 4);
    const beside = signs.find((sign) => sign.row === row);
    if (beside) beside.marks.push(mark);
    else signs.push({ top, row, marks: [mark] });
  }
  return { lines, signs };
}

/** Puts the lines and signs of one page into the DOM: writes only. */
export function paintMarks(page, { lines, signs }) {
  page.marked ??= {
    under: make("div", "unders", null, { "aria-hidden": "true" }),
    gutter: make("div", "signs"),
  };
  const { under, gutter } = page.marked;
  if (!under.isConnected) page.body.before(under);
  if (!gutter.isConnected) page.body.after(gutter);
  page.lines = lines;
  under.replaceChildren(
    ...lines.map(({ left, right, top, bottom, mark }) => {
      const line = make("i", `mk ${looksOf([mark])}`);
      line.style.cssText = `left:${left}px;width:${right - left}px;top:${top}px;height:${bottom - top + 2}px`;
      return line;
    }),
  );
  gutter.replaceChildren(...signs.map(signElement));
}

function signElement({ top, marks }) {
  const [first] = marks;
  const sign = make("span", `sign ${looksOf(marks)}`, null, {
    role: "img",
    "aria-label": marks.map(markSentence).join("; "),
  });
  sign.style.top = `${top}px`;
  sign.textContent = marks.length > 1 ? String(marks.length) : first.draft ? "?" : SIGNS[first.kind];
  sign.marks = marks;
  return sign;
}

/** The classes of one mark, or of all that share a sign: what is cut, and where all are drafts. */
function looksOf(marks) {
  const split = marks.some((mark) => mark.cut) ? " split" : "";
  return `${marks[0].kind}${split}${marks.every((mark) => mark.draft) ? " draft" : ""}`;
}

/** The marks under a point of a page, in the page's own pixels. */
export function marksAt(page, x, y) {
  const found = new Set();
  for (const { left, right, top, bottom, mark } of page.lines ?? []) {
    if (x >= left && x < right && y >= top && y < bottom + 3) found.add(mark);
  }
  return [...found];
}

/** Pixels at the right of the overview that are the ticks' own, beside the chunks, where there are any.
 * @param {{all: unknown[]}} marks */
export const roomForTicks = ({ all }) => (all.length ? TICKS : 0);

/** Ticks on the overview, on a canvas of their own over it: beside the chunks, which stay in sight. */
export function drawMarkTicks(pen, marks, scale, width, colours) {
  for (const mark of marks) {
    const top = Math.round(mark.start * scale);
    const size = Math.max(7, (mark.end - mark.start) * scale);
    const left = width - 2 - TICKS;
    pen.fillStyle = pen.strokeStyle = mark.cut ? colours.warn : colours.text;
    pen.lineWidth = 1.5;
    pen.beginPath();
    if (mark.kind === "whole") pen.rect(left + 0.75, top, TICKS - 1.5, Math.max(6, Math.min(size, 40)));
    else {
      pen.moveTo(left, top + 3.5);
      pen.lineTo(left + TICKS, top);
      pen.lineTo(left + TICKS, top + 7);
      pen.closePath();
    }
    pen.save();
    pen.strokeStyle = pen.fillStyle = colours.ground; // a rim, so that it stands out from any band
    pen.lineWidth = 4;
    pen.stroke();
    pen.fill();
    pen.restore();
    if (mark.cut) pen.stroke();
    else pen.fill();
  }
}

/** The tooltip of what is under the pointer: a mark, on its sign or its text, or a boundary of the baseline alone. */
export function explainMark(view, event) {
  if (!view.marks.all.length && !view.run?.baseline && !view.markTipped) return;
  const sign = event?.target.closest?.(".sign");
  const words = sign?.marks.map(markSentence) ?? (event ? wordsUnder(view, event) : []);
  if (words.length) view.tip.showWords(words, sign ?? event);
  else if (view.markTipped) view.tip.hide();
  view.markTipped = words.length > 0;
}

function wordsUnder(view, { target, clientX, clientY }) {
  const box = view.content.getBoundingClientRect();
  const y = clientY - box.top;
  const page = view.pages.live.get(view.pages.pageAtTop(y));
  if (!page) return [];
  const place = [page, clientX - box.left, y - view.pages.tops[page.number]];
  const words = marksAt(...place).map(markSentence);
  return isOnBaselineMark(...place) && !target.closest(".labels") ? [...words, onlyThere(view.run)] : words;
}
