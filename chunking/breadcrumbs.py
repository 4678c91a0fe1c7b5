"""A heading path as text: heading lines, "guide.md > A > B", and both shortened from the left to a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunking.document import Block
from chunking.graphemes import grapheme_stops

ELLIPSIS = "..."
ARROW = " > "


def heading_line(heading: Block) -> str:
    """A heading as one line of Markdown: its `#`s and its title as written, without a `{#id}` (DECISIONS hw-12)."""
    title = " ".join(heading.raw_title.split())
    return f"{'#' * heading.level} {title}".rstrip()


def heading_lines(headings: Sequence[Block], line_ending: str) -> str:
    """Parent headings to put in front of a chunk, outermost first, one to a line, each line ended."""
    return "".join(heading_line(heading) + line_ending for heading in headings)


def arrow(breadcrumb: Sequence[str]) -> str:
    """A breadcrumb on one line: `guide.md > Install > Linux`. Line breaks in titles become blanks."""
    return ARROW.join(" ".join(title.split()) for title in breadcrumb)


def shorten(
    parts: Sequence[str], joined: Callable[[Sequence[str]], str], limit: int, count: Callable[[str], int]
) -> tuple[str, bool]:
    """The parts joined, without as many of the first as it takes to count at most `limit`, and whether it was cut.

    `...` stands for what is left out: whole parts first, then the first words of the last part, then its first
    characters. Empty when not even `...` is within the limit. For `arrow` pass it as `joined`; see also `clip`.
    """
    whole = joined(parts)
    if count(whole) <= limit:
        return whole, False
    for left in range(1, len(parts)):
        text = joined([ELLIPSIS, *parts[left:]])
        if count(text) <= limit:
            return text, True
    last = parts[-1] if parts else ""
    return next(
        (text for text in (_tail(last, joined, limit, count), joined([ELLIPSIS])) if count(text) <= limit), ""
    ), True


def clip(text: str, characters: int) -> str:
    """A text for display, at most so many characters with the ellipsis counted (DECISIONS hw-8), in whole clusters."""
    if len(text) <= characters:
        return text
    kept = 0
    for stop in grapheme_stops(text, 0, min(len(text), characters * 2)):
        if stop > characters - 1:
            break
        kept = stop
    return text[:kept].rstrip() + "…"


def _tail(last: str, joined: Callable[[Sequence[str]], str], limit: int, count: Callable[[str], int]) -> str:
    """The longest end of the last part that fits behind `...`, at a word if one fits, found by halving."""
    for starts in (
        [at + 1 for at, character in enumerate(last) if character.isspace()],
        [0, *grapheme_stops(last, 0, len(last))],
    ):
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if count(joined([ELLIPSIS + last[starts[middle] :]])) <= limit:
                high = middle
            else:
                low = middle + 1
        if low < len(starts):
            return joined([ELLIPSIS + last[starts[low] :]])
    return joined([ELLIPSIS])
