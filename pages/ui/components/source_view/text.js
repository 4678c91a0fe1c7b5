// The source text as lines and pages, and a line as DOM: Text nodes only, hidden characters made visible or harmless.

const PAGE_LINES = 40;
const PAGE_UNITS = 4000;

/** Splits a text into lines (CommonMark's line ends) and groups these into pages. Very long lines become pieces. */
export function layOutText(text) {
  let lines = new Int32Array(1024);
  let lineCount = 0;
  const pages = [];
  let pageUnits = 0;
  let pageLines = PAGE_LINES;
  const add = (start, end) => {
    if (pageLines >= PAGE_LINES || pageUnits + (end - start) > PAGE_UNITS) {
      pages.push(lineCount);
      pageLines = pageUnits = 0;
    }
    if (lineCount === lines.length) {
      const wider = new Int32Array(lines.length * 2);
      wider.set(lines);
      lines = wider;
    }
    lines[lineCount++] = start;
    pageLines += 1;
    pageUnits += end - start;
  };
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    while (end - start > PAGE_UNITS) {
      let cut = start + PAGE_UNITS;
      if ((text.charCodeAt(cut) & 0xfc00) === 0xdc00) cut -= 1;
      add(start, cut);
      start = cut;
    }
    add(start, end);
    start = end;
  }
  if (lineCount === 0) add(0, 0);
  return { text, lines: lines.slice(0, lineCount), pages: Int32Array.from(pages) };
}

const scan = { text: null, lf: -1, cr: -1 };

function lineEnd(text, start) {
  if (scan.text !== text || start === 0) Object.assign(scan, { text, lf: -1, cr: -1 });
  if (scan.lf < start) scan.lf = indexOr(text, "\n", start);
  if (scan.cr < start) scan.cr = indexOr(text, "\r", start);
  const at = Math.min(scan.lf, scan.cr);
  if (at === text.length) return text.length;
  return scan.cr < scan.lf && scan.lf === scan.cr + 1 ? at + 2 : at + 1;
}

function indexOr(text, mark, start) {
  const at = text.indexOf(mark, start);
  return at < 0 ? text.length : at;
}

/** Where a line's visible text ends: before its line ending. */
export function contentEnd(layout, line) {
  let end = line + 1 < layout.lines.length ? layout.lines[line + 1] : layout.text.length;
  const start = layout.lines[line];
  if (end > start && layout.text[end - 1] === "\n") end -= 1;
  if (end > start && layout.text[end - 1] === "\r") end -= 1;
  return end;
}

// Controls are replaced one unit for one unit, so that offsets hold; zero-width characters stay, with a mark.
const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\xad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]|\udb40[\udc00-\udc7f]/g;
const HIDDEN_ONCE = new RegExp(HIDDEN.source);

function picture(unit) {
  if (unit < 0x20) return String.fromCharCode(0x2400 + unit);
  if (unit === 0x7f) return "␡";
  if (unit < 0xa0) return "␦";
  if (unit < 0x202a) return "↵";
  return "⇄";
}

/** One line of source as an element. `dir=auto` with isolation keeps a bidirectional line from reaching its neighbours. */
export function lineElement(text, start, end) {
  const line = document.createElement("div");
  line.className = "ln";
  line.dir = "auto";
  const content = text.slice(start, end);
  if (!HIDDEN_ONCE.test(content)) {
    line.textContent = content;
    return line;
  }
  let from = 0;
  for (const match of content.matchAll(HIDDEN)) {
    if (match.index > from) line.append(content.slice(from, match.index));
    const unit = content.codePointAt(match.index);
    const mark = document.createElement("span");
    const replaced =
      match[0].length === 1 &&
      (unit < 0xad || (unit >= 0x2028 && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069));
    mark.className = replaced ? "ctl" : "zw";
    mark.textContent = replaced ? picture(unit) : match[0];
    mark.title = `U+${unit.toString(16).toUpperCase().padStart(4, "0")}`;
    line.append(mark);
    from = match.index + match[0].length;
  }
  if (from < content.length) line.append(content.slice(from));
  return line;
}

/** The Text node and the place in it that hold unit `offset` of a line.
 * @returns {{node: Text, offset: number} | null} */
export function textPlace(line, offset) {
  const only = line.childNodes.length === 1 ? line.firstChild : null;
  if (only?.nodeType === Node.TEXT_NODE) return { node: only, offset: Math.min(offset, only.length) };
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let node = /** @type {Text | null} */ (walker.nextNode());
  while (node && offset >= node.length) {
    const next = /** @type {Text | null} */ (walker.nextNode());
    if (!next) return { node, offset: node.length };
    offset -= node.length;
    node = next;
  }
  return node ? { node, offset } : null;
}
