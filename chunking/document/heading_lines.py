"""Lines -> the headings among them that Markdown does not mark, by a config's `loader:` part.

They are found before the Markdown is read, and read as if they had `#` in front: a heading in a
fence or in HTML is none then, and one in the middle of a paragraph ends it. What Markdown marks
itself stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chunking.document.heading_kinds import (
    CAPITALS,
    HEADING_KINDS,
    LONGEST_LINE,
    NUMBERED,
    PAGE_TITLE,
    has_one_number,
    is_numbered_item,
    item_width,
)
from chunking.document.heading_templates import Template, compiled, level_of
from chunking.document.line_patterns import MARKER, SETEXT
from chunking.document.loader_settings import LoaderSettings
from chunking.document.parsed_block import ParsedBlock

_SENTENCE_ENDS = frozenset(".!?:;\"'”’»)]。！？：；」』")
_FORM_FEED = "\f"
_INDENTED = 4
"""Blanks before a line that Markdown reads as code: it is a heading where it stands alone."""


class FoundHeading(NamedTuple):
    """A heading by its lines."""

    level: int
    """1 to 6."""
    title: str
    end: int
    """The line after its last."""


class _Line(NamedTuple):
    """A heading before all of them are known."""

    place: int
    """Of its pattern; 0 for a delimiter."""
    level: int
    """That its pattern names for the outermost; 0 where it names none."""
    depth: int
    title: str
    end: int


@dataclass(frozen=True, slots=True)
class _Pattern:
    place: int
    """In the config's list, from 1; delimiters come before."""
    kind: str
    """Empty for a template."""
    template: Template | None

    def depth(self, text: str) -> int:
        return self.template.depth(text) if self.template else HEADING_KINDS[self.kind].depth(text)


def found_headings(
    lines: Sequence[str], first: int, settings: LoaderSettings, pages: Sequence[int] = ()
) -> dict[int, FoundHeading]:
    """The headings among the lines from `first` on, by the line on which each begins. `pages` are
    the lines on which pages begin, where a converter says so. Takes time linear in the text."""
    finder = _Finder(lines, first, settings, pages)
    finder.run()
    return _with_levels(finder.found)


def _with_levels(found: dict[int, _Line]) -> dict[int, FoundHeading]:
    """Patterns that found nothing take no level: the first one that did has level 1."""
    places = sorted({each.place for each in found.values() if not each.level})
    outermost = {place: level for level, place in enumerate(places, start=1)}
    return {
        at: FoundHeading(level_of(each.level or outermost[each.place], each.depth), each.title, each.end)
        for at, each in found.items()
    }


def marked(lines: list[str], found: dict[int, FoundHeading]) -> list[str]:
    """The lines with the found headings as Markdown marks them; further lines of one are blank."""
    if not found:
        return lines
    shown = lines.copy()
    for at, heading in found.items():
        shown[at] = f"{'#' * heading.level} heading"
        for further in range(at + 1, heading.end):
            shown[further] = ""
    return shown


def with_titles(pieces: Sequence[ParsedBlock], found: dict[int, FoundHeading]) -> list[ParsedBlock]:
    """The blocks that were read from `marked` lines, each found heading with its own title."""
    return [
        piece._replace(end=heading.end, title=heading.title)
        if piece.kind == "heading" and (heading := found.get(piece.start))
        else piece
        for piece in pieces
    ]


def _patterns(settings: LoaderSettings) -> list[_Pattern]:
    patterns: list[_Pattern] = []
    for place, written in enumerate(settings.heading_patterns, start=1):
        if written in HEADING_KINDS:
            patterns.append(_Pattern(place, written, None))
        elif isinstance(template := compiled(written), Template):
            patterns.append(_Pattern(place, "", template))
    return patterns


class _Finder:
    """One pass over a document's lines."""

    def __init__(self, lines: Sequence[str], first: int, settings: LoaderSettings, pages: Sequence[int]) -> None:
        self.lines = lines
        self.found: dict[int, _Line] = {}
        self._first = first
        self._patterns = _patterns(settings)
        self._delimiters = tuple(each.strip() for each in settings.delimiters)
        self._page_starts = frozenset(self._starts_of_pages(pages) if PAGE_TITLE in settings.heading_patterns else ())
        self._page_title = ""
        self._in_list = False
        self._last = -1
        """The last line that is not blank."""

    def run(self) -> None:
        at = self._first
        while at < len(self.lines):
            line = self.lines[at]
            text = line.strip()
            if not text:
                at += 1
                continue
            heading = self._heading(at, text) if len(text) <= LONGEST_LINE else None
            if heading:
                self.found[at] = heading
                self._in_list = False
                self._last, at = heading.end - 1, heading.end
                continue
            if MARKER.match(line):
                self._in_list = True
            elif self._last < at - 1 and not line[0].isspace():
                self._in_list = False
            self._last = at
            at += 1

    def _heading(self, at: int, text: str) -> _Line | None:
        if self._delimiters and text.startswith(self._delimiters):
            return _Line(0, 0, 1, text, at + 1)
        if self._is_underlined(at):
            return None
        for pattern in self._patterns:
            depth = pattern.depth(text)
            if depth and (pattern.template or self._may_stand(pattern.kind, at, text)):
                end = self._end_of_capitals(at) if pattern.kind == CAPITALS else at + 1
                if end:
                    title = " ".join(self.lines[each].strip() for each in range(at, end))
                    return _Line(pattern.place, pattern.template.level if pattern.template else 0, depth, title, end)
        return None

    def _may_stand(self, kind: str, at: int, text: str) -> bool:
        """Whether a line that looks like a heading of this kind is one where it stands."""
        line = self.lines[at]
        indent = len(line) - len(line.lstrip(" \t"))
        opens = not self._first <= self._last == at - 1 or self._is_heading(at - 1)
        closes = self._is_blank(at + 1)
        if indent and (self._in_list or (indent >= _INDENTED and not (opens and closes))):
            return False
        if kind == PAGE_TITLE:
            return at in self._page_starts and closes and self._is_another_page_title(text)
        if kind == NUMBERED and is_numbered_item(text):
            return opens and closes and not self._is_of_list(at)
        if kind == CAPITALS or (kind == NUMBERED and has_one_number(text)):
            return opens
        return opens or self.lines[at - 1].rstrip()[-1] in _SENTENCE_ENDS

    def _is_of_list(self, at: int) -> bool:
        """Whether a line such as `1. Title` has another one before or behind it, or goes on."""
        before = self.lines[self._last].strip() if self._last >= self._first else ""
        if is_numbered_item(before) and not self._is_heading(self._last):
            return True
        behind = at + 1
        while self._is_blank(behind) and behind < len(self.lines):
            behind += 1
        following = self.lines[behind] if behind < len(self.lines) else ""
        indent = len(following) - len(following.lstrip(" "))
        return is_numbered_item(following.strip()) or indent >= item_width(self.lines[at]) or following[:1] == "\t"

    def _end_of_capitals(self, at: int) -> int:
        """The line after a heading in capitals, which may take two lines; 0 for a paragraph of
        them."""
        depth, end = HEADING_KINDS[CAPITALS].depth, at + 1
        while end < len(self.lines) and end - at < 3 and (text := self.lines[end].strip()):
            if not depth(text) or self._is_underlined(end):
                # The last line of a paragraph in capitals ends with a full stop.
                return 0 if text.isupper() else end
            end += 1
        return end if end - at < 3 else 0

    def _starts_of_pages(self, pages: Sequence[int]) -> Iterator[int]:
        """The first line with text of each page: where a converter says, or form feeds part
        them."""
        if not pages and not any(_FORM_FEED in line for line in self.lines):
            return
        begins, waits = frozenset(pages), True
        for at in range(self._first, len(self.lines)):
            line = self.lines[at]
            waits = waits or at in begins or _FORM_FEED in line
            if waits and line.rpartition(_FORM_FEED)[2].strip():
                yield at
                waits = False

    def _is_another_page_title(self, text: str) -> bool:
        """False for the title of the page before, which a file may repeat on each page."""
        before, self._page_title = self._page_title, text
        return text != before

    def _is_heading(self, at: int) -> bool:
        """Whether this line is, or ends, a heading."""
        return at >= self._first and (at in self.found or self.lines[at].lstrip(" ").startswith("#") or self._ends(at))

    def _ends(self, at: int) -> bool:
        heading = self.found.get(at - 1)
        return heading is not None and heading.end == at + 1

    def _is_blank(self, at: int) -> bool:
        return at >= len(self.lines) or not self.lines[at].strip()

    def _is_underlined(self, at: int) -> bool:
        """Whether Markdown reads the line below as the underline of a heading."""
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        delimits = bool(self._delimiters) and below.strip().startswith(self._delimiters)
        return SETEXT.match(below) is not None and not delimits
