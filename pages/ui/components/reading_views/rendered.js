// A stretch of the document as Markdown looks, with the cuts between and inside its blocks.

import { make, mounted } from "../shared/component.js";
import { heardLevels } from "./heading_levels.js";
import { cleanNodes } from "./sanitize.js";
import { look, StretchView, tornLook } from "./stretch.js";

const FIRST = "tr.cutrow > :first-child";

class RenderedView extends StretchView {
  constructor(parent) {
    super(parent, "rendered", "Rendered Markdown with chunk boundaries");
  }

  take(data) {
    super.take(data);
    const headings = [...this.page.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    const levels = heardLevels(headings.map(({ localName }) => Number(localName[1])));
    for (const [index, heading] of headings.entries()) heading.setAttribute("aria-level", String(levels[index]));
  }

  /** A block's element is kept while nothing of it changes: its name is all that it shows. */
  blockElement(block) {
    const labels = block.before.map((at) => this.cuts.get(at)).filter(Boolean);
    const inside = block.inside.map((at) => this.cuts.get(at));
    const name = JSON.stringify([block.start, block.html, labels, inside]);
    const known = this.blocks.get(name);
    if (known) return known;
    // What a label says of its chunk's number and of how many there are is written over: a large table is not made anew.
    const places = inside.map((cut) => cut && [cut.at, cut.torn, look(cut), this.saidAt(cut, []).why]);
    const element = this.withOver(
      JSON.stringify([block.start, block.html, places]),
      () => this.bodyElement(block, inside),
      labels.map((cut) => this.divider(cut)),
    );
    element.name = name;
    for (const pill of inside.length ? element.querySelectorAll("span.pill[data-at]") : [])
      this.relabel(pill, this.cuts.get(Number(pill.dataset.at)));
    return element;
  }

  bodyElement(block, inside) {
    const element = make("div", `blk ${block.kind}`, null, { "data-start": block.start, "data-end": block.end });
    const body = make("div", "md", element, { dir: "auto" });
    body.append(cleanNodes(block.html));
    for (const table of body.querySelectorAll("table")) {
      const box = make("div", "wide", null, { tabindex: "0", role: "group", "aria-label": "Table" });
      table.replaceWith(box);
      box.append(table);
    }
    for (const mark of body.querySelectorAll("i.cut")) mark.replaceWith(this.pill(inside[Number(mark.dataset.at)]));
    for (const row of body.querySelectorAll("tr:has(> :first-child .pill)"))
      row.classList.add("cutrow", ...row.querySelector(".pill").classList);
    for (const row of body.querySelectorAll("tr.cutrow")) row.classList.remove("pill");
    for (const pill of body.querySelectorAll("tr .pill.ripped")) if (!pill.closest(FIRST)) tearRow(pill);
    if (block.note) make("p", "said", element).textContent = block.note;
    return element;
  }

  relabel(pill, cut) {
    const known = pill.querySelector("button");
    const made = this.label(cut);
    if (known.textContent !== made.textContent) return known.replaceWith(made);
    known.title = made.title;
    known.setAttribute("aria-label", made.getAttribute("aria-label"));
  }

  pill(cut) {
    if (!cut) return document.createTextNode("");
    const mark = make("span", `pill ${look(cut)} ${tornLook(cut)}`, null, { "data-at": cut.at });
    mark.append(this.label(cut));
    return mark;
  }
}

/** The edge where a row is cut: below the cells before, across its own cell, over the cells after. So it is in a line of the
 * source. */
function tearRow(pill) {
  const own = pill.closest("td, th");
  const row = pill.closest("tr");
  let side = "below";
  for (const cell of row.cells) {
    const edge = make("i", `tear ${cell === own ? "" : side}`, cell, { "aria-hidden": "true" });
    if (cell !== own) continue;
    pill.before(edge);
    side = "above";
  }
  row.classList.add("rips");
}

export default mounted(RenderedView);
