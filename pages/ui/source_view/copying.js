// Copying gives the source itself, not the pictures that stand for control characters.

/** The stretch of source that a selection covers, null when it does not lie in the text. */
export function copiedSource(pages, selection) {
  if (!selection?.rangeCount) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const from = offsetOf(pages, startContainer, startOffset);
  const to = offsetOf(pages, endContainer, endOffset);
  return from === null || to === null || to <= from ? null : pages.layout.text.slice(from, to);
}

function offsetOf(pages, node, offset) {
  const line = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest?.(".ln");
  const page = [...pages.live.values()].find((one) => one.element.contains(line));
  if (!line || !page) return null;
  const before = document.createRange();
  before.selectNodeContents(line);
  before.setEnd(node, offset);
  return pages.lineStart(page.first + [...page.body.children].indexOf(line)) + before.toString().length;
}
