"""How much of the source is seen: of its lines on a phone, over its sheet, and of the columns of a
line."""

from __future__ import annotations

LINES = """(scroller) => {
  const sheet = document.querySelector(".st-key-rail").getBoundingClientRect();
  const { top, bottom } = scroller.getBoundingClientRect();
  return (Math.min(bottom, sheet.top, innerHeight) - top) / parseFloat(getComputedStyle(scroller).lineHeight);
}"""
"""Lines of what scrolls that can be seen over the sheet."""

COLUMNS = """scroller => {
    const line = scroller.querySelector(".ln");
    const ruler = line.appendChild(document.createElement("span"));
    ruler.textContent = "0".repeat(10);
    const style = getComputedStyle(line.parentElement);
    const wide = scroller.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const columns = wide / (ruler.getBoundingClientRect().width / 10);
    ruler.remove();
    return columns;
}"""
"""Characters of a line of what scrolls before it is wrapped."""
