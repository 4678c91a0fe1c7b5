// What the marks of the source mean, each in words, in one line at its foot: those that are there. While a threshold moves,
// also those that were there before it began, so that none moves while boundaries do.

import { make } from "../shared/component.js";
import { comparedWith, onlyThere } from "./baseline_marks.js";
import { IN_CONTEXT } from "./labels.js";

/** @typedef {import("./payload.js").Run} Run */

/** Each by its look, its words, more about it, and whether a run has it. In the order in which they are said.
 * @type {(run: Run) => [string, string, string, (run: Run, marks: {kind: string, cut: boolean, draft: boolean}[]) => boolean][]} */
const wordsFor = (shown) => [
  [
    "tear",
    "torn: cuts a block in two",
    "This boundary cuts a table, code or a list in two",
    (run) => run.torn.length > 0,
  ],
  ["tick", `cut by ${comparedWith(shown)} only`, onlyThere(shown), (run) => Boolean(run.baseline?.length)],
  [
    "split",
    "marked, and cut in two",
    "What somebody marked, cut by a chunk boundary",
    (_, marks) => marks.some((each) => each.cut),
  ],
  [
    "answer",
    "marked",
    "An answer (A), or what is to be kept whole (W)",
    (_, marks) => marks.some((each) => !each.cut && !each.draft),
  ],
  [
    "answer draft",
    "draft, not reviewed",
    "An answer to a question that a program worded and nobody has accepted (?)",
    (_, marks) => marks.some((each) => each.draft),
  ],
  [
    "skip",
    "left out",
    "In no chunk, for the reason at its right",
    (run) => rulesOfGaps(run).some((rule) => rule !== "blank" && rule !== IN_CONTEXT),
  ],
  [
    "hole",
    "in the context",
    "A heading that is in the context before the chunk's text, so that the text has it no second time",
    (run) => rulesOfGaps(run).includes(IN_CONTEXT),
  ],
  [
    "lap",
    "overlap",
    "Text of this chunk that the next one repeats: a thin edge and stripes in the colour of the next one",
    (run) => run.overlapEnd.some((end, at) => end > run.overlapStart[at]),
  ],
  ["blank", "blank, not embedded", "White space in no chunk", (run) => rulesOfGaps(run).includes("blank")],
  ["band", "chunk: colours repeat", "Colour and edge only tell a chunk from the next one", (run) => run.chunks > 1],
];

/** @param {Run} run */
const rulesOfGaps = (run) => Array.from(run.gapRule, (rule) => run.rules[rule]);

export class MarksKey {
  /** What explains each look. @type {Map<string, HTMLElement>} */
  said = new Map();

  constructor(root) {
    this.line = make("p", "marks-key", root);
  }

  /** @param {Run} run
   * @param {{kind: string, cut: boolean, draft: boolean}[]} marks
   * @param {boolean} dragged whether a hand moves the boundaries just now */
  show(run, marks, dragged) {
    for (const [look, words, more, has] of wordsFor(run)) {
      const known = this.said.get(look);
      if (!has(run, marks)) {
        if (dragged) continue;
        known?.remove();
        this.said.delete(look);
      } else if (known) {
        known.title = more; // another baseline has another name
        if (known.lastChild?.textContent !== words) known.lastChild?.replaceWith(words);
      } else {
        const entry = make("span", "", this.line, { title: more });
        make("i", `key ${look}`, entry, { "aria-hidden": "true" });
        entry.append(words);
        this.said.set(look, entry);
      }
    }
  }
}
