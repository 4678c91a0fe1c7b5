"""How much of the source is seen on a phone, over its sheet."""

from __future__ import annotations

LINES = """(scroller) => {
  const sheet = document.querySelector(".st-key-rail").getBoundingClientRect();
  const { top, bottom } = scroller.getBoundingClientRect();
  return (Math.min(bottom, sheet.top, innerHeight) - top) / parseFloat(getComputedStyle(scroller).lineHeight);
}"""
"""Lines of what scrolls that can be seen over the sheet."""
