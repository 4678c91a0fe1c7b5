// One label for each boundary near the viewport, over the right end of its line: as wide as the line leaves room for, and no
// more than the chunk's number, for which the text has a margin, where it leaves none. It never moves the text.

import { huesOf, inHue } from "../shared/chunk_hues.js";
import { counted } from "../shared/counted.js";
import { lastAtMost } from "./payload.js";
import { standsOut } from "./standing_out.js";
import { tornAfter, tornSentence, tornWords } from "./torn.js";

const ONE_ROW = 20;
const TARGET = 24; // pixels of height that a label takes to be pressed
const DRIFT = 44;
const WORDS_FROM = 96; // pixels of room from which a label says more than its number
const REASON_FROM = 150; // and from which it says also why the chunk above ends
const BESIDE = 14; // between the text and a label
const GRIP = 26; // beside a label whose boundary can be dragged
/** The rule of a heading that is not in a chunk's text, since it is in the context before it. */
export const IN_CONTEXT = "in-context";

/** Boundaries that stand on pages in the DOM, from top to bottom: chunks and gaps that are worth a word.
 * @param {import("./payload.js").Run} run */
export function labelsInView(pages, run) {
  const found = [];
  for (const page of [...pages.live.values()].sort((one, other) => one.number - other.number)) {
    if (page.run !== run) [page.run, page.marks] = [run, marksOf(pages, page, run)];
    const top = pages.tops[page.number];
    for (const mark of page.marks) found.push({ ...mark, y: top + mark.y });
  }
  return stackLabels(found);
}

/** The boundaries of one page, from top to bottom, with their places on it.
 * @param {import("./payload.js").Run} run */
function marksOf(pages, page, run) {
  const start = pages.lineStart(page.first);
  const end = pages.lineStart(pages.endLine(page.number));
  const place = (offset) => {
    const y = pages.locate(page, offset).top;
    return { y, room: pages.roomAt(page, offset, y) };
  };
  const marks = [];
  for (let chunk = lastAtMost(run.start, start - 1) + 1; chunk < run.chunks && run.start[chunk] < end; chunk++) {
    marks.push({ chunk, at: run.start[chunk], ...place(run.start[chunk]) });
  }
  for (let gap = lastAtMost(run.gapStart, start - 1) + 1; gap < run.gapStart.length && run.gapStart[gap] < end; gap++) {
    if (run.rules[run.gapRule[gap]] !== "blank")
      marks.push({ gap, at: run.gapStart[gap], ...place(run.gapStart[gap]) });
  }
  return marks.sort(
    (one, other) => one.at - other.at || Number(one.gap === undefined) - Number(other.gap === undefined),
  );
}

/** Labels stand below each other; those that would drift far from their cut are counted. One that has drifted has no more
 * room than its number: it stands over another line. One right below another is told so, to leave that its place. */
export function stackLabels(found) {
  const shown = [];
  let free = 0;
  found.forEach((label) => {
    const y = Math.max(label.y, free);
    if (y - label.y > DRIFT && label.gap === undefined && shown.length) {
      shown[shown.length - 1].more = (shown[shown.length - 1].more ?? 0) + 1;
      return;
    }
    if (y - label.y > DRIFT) return;
    const below = shown.length > 0 && y < free - ONE_ROW + TARGET;
    free = y + ONE_ROW;
    shown.push({ ...label, y, below, room: y === label.y ? label.room - BESIDE : 0 });
  });
  return shown;
}

export function spoken(rule) {
  return rule.replaceAll("-", " ");
}

/** @param {import("./payload.js").Run} run */
export function flagNames(run, chunk) {
  const index = flaggedIndex(run, chunk);
  return index < 0 ? [] : run.flags.filter((_, bit) => run.flag[index] & (1 << bit));
}

/** @param {import("./payload.js").Run} run */
function flaggedIndex(run, chunk) {
  const index = lastAtMost(run.flagged, chunk);
  return index >= 0 && run.flagged[index] === chunk ? index : -1;
}

/** What ended the chunk before this one: the reason for the cut at its start.
 * @param {import("./payload.js").Run} run */
export function cutAbove(run, chunk) {
  if (chunk === 0) return { rule: "start", detail: "the first chunk" };
  return { rule: run.rules[run.rule[chunk - 1]], detail: run.list("details")[chunk - 1 - run.detailsFrom] ?? "" };
}

/** Whether the reason for the cut at the start of a chunk has not come in words.
 * @param {import("./payload.js").Run} run */
export function lacksReasons(run, chunk) {
  return !run.list("details")[chunk - 1 - run.detailsFrom];
}

/** Why there is a cut at the start of a chunk, as a label and a tooltip say it: a rule ends the chunk before, for a reason
 * that is said where its words have come.
 * @param {import("./payload.js").Run} run */
export function cutSentence(run, chunk) {
  if (chunk === 0) return "First chunk.";
  const { rule, detail } = cutAbove(run, chunk);
  const ends = `Chunk ${counted(chunk)} ends here`;
  return detail ? `${ends}: ${detail}. Rule: ${spoken(rule)}.` : `${ends}. Rule: ${spoken(rule)}.`;
}

/** @param {import("./payload.js").Run} run */
export function flagDetails(run, chunk) {
  const index = flaggedIndex(run, chunk);
  return index < 0 ? [] : run.list("flagDetails")[index].split("\n");
}

/** @param {import("./payload.js").Run} run */
export function chunkSentence(run, chunk) {
  const flags = flagDetails(run, chunk);
  const overlap = run.overlapStart[chunk] >= 0 ? " Begins with overlap." : "";
  const torn = chunk > 0 ? tornAfter(run, chunk - 1) : -1;
  return `Chunk ${chunk + 1} of ${run.chunks}, ${run.tokens[chunk]} tokens. ${cutSentence(run, chunk)}${tornSentence(run, torn)}${overlap}${flags.length ? ` ${flags.join(". ")}.` : ""}`;
}

/** What is said of a selected chunk where its panel cannot be seen: its size, and why it ends.
 * @param {import("./payload.js").Run} run */
export function endSentence(run, chunk) {
  const ends = chunk + 1 < run.chunks ? cutSentence(run, chunk + 1) : "The last chunk.";
  return `Chunk ${counted(chunk + 1)} of ${counted(run.chunks)}, ${counted(run.tokens[chunk])} tokens. ${ends}`;
}

/** @param {import("./payload.js").Run} run */
export function gapSentence(run, gap) {
  const owner = run.gapOwner[gap];
  const from = run.rules[run.gapRule[gap]] === IN_CONTEXT ? "Not in the text" : "Left out";
  const what = owner < 0 ? "Left out" : `${from} of chunk ${owner + 1}`;
  return `${what}, ${spoken(run.rules[run.gapRule[gap]])}: ${run.list("reasons")[run.gapReason[gap]]}.`;
}

/**
 * Labels keep their element while they stay in view, so that focus stays with its boundary. Says whether the label that
 * had the focus is gone: the keys must go somewhere then.

 * @param {import("./payload.js").Run} run */
export function paintLabels(list, labels, run, current) {
  const focused = list.getRootNode().activeElement;
  const held = Boolean(focused) && list.contains(focused);
  const old = new Map([...list.children].map((item) => [item.dataset.boundary, item]));
  const items = labels.map((label) => {
    const name = label.gap === undefined ? `chunk ${label.chunk}` : `gap ${label.gap}`;
    const item = old.get(name) ?? emptyLabel(name);
    old.delete(name);
    return item;
  });
  for (const item of old.values()) item.remove();
  items.forEach((item, index) => {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
    if (labels[index].gap === undefined) paintChunkLabel(item, labels[index], run, current);
    else paintGapLabel(item, labels[index], run);
  });
  if (!held || list.getRootNode().activeElement === focused) return false;
  if (list.contains(focused)) focused.focus({ preventScroll: true });
  return !list.contains(focused);
}

/** @param {import("./payload.js").Run} run */
function paintChunkLabel(item, label, run, current) {
  const { chunk } = label;
  const flags = flagNames(run, chunk);
  const names = ["lbl", standsOut(run, chunk) ? inHue(huesOf(run)[chunk]) : "off"];
  const torn = chunk > 0 ? tornAfter(run, chunk - 1) : -1;
  if (torn >= 0) names.push("torn");
  if (chunk === current) names.push("sel");
  if (flags.length) names.push("flagged");
  const odd = [
    ...(flags.length ? [`⚠ ${flags.map(spoken).join(", ")}`] : []),
    ...(label.more ? [`+${label.more} more`] : []),
  ];
  const why = torn >= 0 ? `✂ ${tornWords(run, torn)}` : spoken(cutAbove(run, chunk).rule);
  const tokens = `${run.approximate ? "≈" : ""}${counted(run.tokens[chunk])}`;
  if (chunk > 0) names.push("ends");
  const drags = chunk > 0 && run.placing;
  const fitted = drags ? { ...label, room: label.room - GRIP } : label;
  write(item, fitted, names, [why, `#${chunk + 1}`, tokens, odd.join(" · ")], chunkSentence(run, chunk));
  item.setAttribute("aria-setsize", run.chunks);
  item.setAttribute("aria-posinset", chunk + 1);
  item.firstChild.dataset.chunk = chunk;
  item.firstChild.dataset.at = label.at;
  takesHandle(item, drags);
  if (chunk === current) item.firstChild.setAttribute("aria-current", "true");
  else item.firstChild.removeAttribute("aria-current");
}

/** A handle to drag the boundary by, where it can be dragged; those who use keys are told which. */
function takesHandle(item, can) {
  if (can === Boolean(item.children[1])) return;
  if (can) {
    const handle = item.appendChild(document.createElement("span"));
    handle.className = "grip";
    handle.title = "Drag to move this boundary";
    handle.setAttribute("aria-hidden", "true");
    item.firstChild.setAttribute("aria-keyshortcuts", "Alt+ArrowUp Alt+ArrowDown");
  } else {
    item.children[1].remove();
    item.firstChild.removeAttribute("aria-keyshortcuts");
  }
}

/** @param {import("./payload.js").Run} run */
function paintGapLabel(item, label, run) {
  const rule = run.rules[run.gapRule[label.gap]];
  const what = rule === IN_CONTEXT ? ["", spoken(rule), "", ""] : ["", "left out", "", spoken(rule)];
  write(item, label, ["lbl", "gone"], what, gapSentence(run, label.gap));
  item.firstChild.dataset.gap = label.gap;
}

/** How much a label says in so much room, as a class. */
export function lengthOf(room) {
  if (room < WORDS_FROM) return ["brief"];
  return room < REASON_FROM ? ["short"] : [];
}

function write(item, label, names, words, sentence) {
  const torn = names.includes("torn"); // says what it cuts, also over the text, of which a phone has too little for that
  const length = lengthOf(label.room);
  if (label.below) names.push("below");
  const name = [...names, ...(torn ? length.map(() => "tight") : length)].join(" ");
  const width = torn || label.room < WORDS_FROM ? "" : `${Math.floor(label.room)}px`;
  if (item.style.maxWidth !== width) item.style.maxWidth = width;
  if (item.className !== name) item.className = name;
  item.style.transform = `translateY(${label.y}px)`;
  const button = item.firstChild;
  words.forEach((word, index) => {
    const span = button.children[index];
    if (span.textContent !== word) span.textContent = word;
  });
  const said = `${words.filter(Boolean).join(" ")}. ${sentence}`; // begins with what is seen, for those who speak to it
  if (button.getAttribute("aria-label") !== said) button.setAttribute("aria-label", said);
}

function emptyLabel(name) {
  const item = document.createElement("li");
  item.dataset.boundary = name;
  const button = item.appendChild(document.createElement("button"));
  button.type = "button";
  button.tabIndex = -1;
  // Why the chunk above ends, then what begins here, so that a reason does not read as that of the chunk below.
  for (const part of ["why", "num", "tok", "odd"]) {
    button.appendChild(document.createElement("span")).className = part;
    button.append(" "); // between words, for those who hear or speak them
  }
  return item;
}
