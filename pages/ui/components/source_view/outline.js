// The shape of a stretch of text on one page.

/** The shape of a stretch of text, as a selection has it: part of a row, whole rows, part of a row. */
export function outline(pages, page, from, to, start, end, shapes, look) {
  const head = from > start ? pages.locate(page, from) : { top: 0, inside: false };
  const tail = to < end ? pages.locate(page, to) : { top: pages.rowTops(page).at(-1), inside: false };
  const opens = from >= start;
  const closes = to <= end;
  const add = (left, right, top, bottom, extra) => {
    if (bottom > top) shapes.push({ ...look, left, right, top, bottom, ...extra });
  };
  if (head.inside && tail.inside && head.top === tail.top) {
    const [left, right] = head.x <= tail.x ? [head.x, tail.x] : [tail.x, head.x];
    add(left, right, head.top, head.bottom, { opens, closes, part: true, cut: opens });
    return;
  }
  if (head.inside) {
    const [left, right] = head.rtl ? [0, head.x] : [head.x, null];
    add(left, right, head.top, head.bottom, { opens, part: true, cut: opens, rtl: head.rtl });
  }
  const top = head.inside ? head.bottom : head.top;
  add(0, null, top, tail.top, { opens: opens && !head.inside, closes: closes && !tail.inside });
  if (tail.inside) {
    const [left, right] = tail.rtl ? [tail.x, null] : [0, tail.x];
    add(left, right, tail.top, tail.bottom, { closes, part: true, rail: !tail.rtl });
  }
}
