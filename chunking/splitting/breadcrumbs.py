"""A heading path as text: heading lines, "guide.md > A > B", and both shortened from the left to a
budget."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

from chunking.document import Block
from chunking.text.graphemes import grapheme_stops

ELLIPSIS = "..."
ARROW = " > "


def heading_line(level: int, title: str) -> str:
    """A heading as one line of Markdown: its `#`s and its title as written, without a `{#id}`
    (DECISIONS hw-12)."""
    return f"{'#' * level} {' '.join(title.split())}".rstrip()


def heading_lines(
    headings: Sequence[Block], line_ending: str, limit: int | None = None, count: Callable[[str], int] = len
) -> tuple[str, bool]:
    """Parent headings to put in front of a chunk, outermost first, each line ended; and whether
    they were shortened.

    With a `limit`, in what `count` counts, they are shortened from the left to fit it (flag
    `context-shortened`).
    """
    levels = [heading.level for heading in headings]

    def joined(titles: Sequence[str]) -> str:
        lines = [
            ELLIPSIS if title == ELLIPSIS else heading_line(level, title)
            for level, title in zip(levels[len(levels) - len(titles) :], titles, strict=True)
        ]
        return "".join(line + line_ending for line in lines)

    titles = [heading.raw_title for heading in headings]
    return (joined(titles), False) if limit is None else shorten(titles, joined, limit, count)


def arrow(breadcrumb: Sequence[str]) -> str:
    """A breadcrumb on one line: `guide.md > Install > Linux`. Line breaks in titles become
    blanks."""
    return ARROW.join(map(_on_one_line, breadcrumb))


@lru_cache(maxsize=1 << 12)
def _on_one_line(title: str) -> str:
    """Cached: a title is in the breadcrumbs of all sections below its own."""
    return " ".join(title.split())


def shorten(
    parts: Sequence[str], joined: Callable[[Sequence[str]], str], limit: int, count: Callable[[str], int]
) -> tuple[str, bool]:
    """The parts joined, without as many of the first as it takes to count at most `limit`, and
    whether it was cut.

    `...` stands for what is left out: whole parts first, then the first words of the last part,
    then its first characters. Empty when not even `...` is within the limit. For one line pass
    `arrow` as `joined`.
    """
    whole = joined(parts)
    if not parts or count(whole) <= limit:
        return whole, False
    for left in range(1, len(parts)):
        # `...` takes the place of the last part that is left out.
        text = joined([ELLIPSIS, *parts[left:]])
        if count(text) <= limit:
            return text, True
    for text in (_tail(parts[-1], joined, limit, count), joined([ELLIPSIS])):
        if count(text) <= limit:
            return text, True
    return "", True


@lru_cache(maxsize=1 << 12)
def clip(text: str, characters: int) -> str:
    """A text for display, at most so many characters with the ellipsis counted (DECISIONS hw-8), in
    whole clusters."""
    if len(text) <= characters:
        return text
    end = 0
    for stop in grapheme_stops(text, 0, min(len(text), characters * 2)):
        if stop > characters - 1:
            break
        end = stop
    return text[:end].rstrip() + "…"


def _tail(last: str, joined: Callable[[Sequence[str]], str], limit: int, count: Callable[[str], int]) -> str:
    """The longest end of the last part that fits behind `...`, at a word if one fits, found by
    halving."""
    for starts in (
        [at + 1 for at, character in enumerate(last) if character.isspace()],
        [0, *grapheme_stops(last, 0, len(last))],
    ):
        first = bisect_left(starts, True, key=lambda start: count(joined([ELLIPSIS + last[start:]])) <= limit)
        if first < len(starts):
            return joined([ELLIPSIS + last[starts[first] :]])
    return joined([ELLIPSIS])
