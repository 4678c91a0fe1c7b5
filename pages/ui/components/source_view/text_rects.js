// Where a stretch of source stands on a page: one box for each row it touches. Reads layout only.

import { contentEnd, textPlace } from "./text.js";

/** Boxes of the source from `from` to `to` on one page, in the page's own pixels, from top to bottom. */
export function boxesOn(pages, page, from, to) {
  const home = page.element.getBoundingClientRect();
  const range = document.createRange();
  const boxes = [];
  const last = Math.min(pages.endLine(page.number) - 1, pages.lineAt(to - 1));
  for (let line = Math.max(page.first, pages.lineAt(from)); line <= last; line++) {
    const element = page.body.children[line - page.first];
    const begins = pages.lineStart(line);
    const start = Math.max(from, begins) - begins;
    const end = Math.min(to, contentEnd(pages.layout, line)) - begins;
    if (!element || end <= start) continue;
    const head = textPlace(element, start);
    const tail = textPlace(element, end - 1);
    if (!head || !tail) continue;
    range.setStart(head.node, head.offset);
    range.setEnd(tail.node, Math.min(tail.offset + 1, tail.node.length));
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right > left)
        boxes.push({
          left: left - home.left,
          right: right - home.left,
          top: top - home.top,
          bottom: bottom - home.top,
        });
    }
  }
  return boxes;
}

/** The first of `count` ascending stretches that ends after `offset`; `endOf` gives the end of each. */
export function firstEndingAfter(count, endOf, offset) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
