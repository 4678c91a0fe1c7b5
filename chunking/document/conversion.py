"""What a converter made of a file that is not Markdown: its text, where each page begins, and what
was lost or guessed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunking.text.decoding import with_whole_characters
from chunking.text.display import counted
from chunking.text.spans import Span


@dataclass(frozen=True, slots=True)
class Conversion:
    """How a document's text was made."""

    loader: str
    """The library that converted it, with its version."""
    page_starts: tuple[int, ...] = ()
    """Offset of each page's first character in the text, the first of them 0; empty where the
    format has no pages."""
    notes: tuple[str, ...] = ()
    """What was lost or guessed, a sentence each."""

    def __str__(self) -> str:
        """All of it, in one line."""
        pages = f", {counted(len(self.page_starts), 'page')}" if self.page_starts else ""
        said = f": {'; '.join(self.notes)}" if self.notes else ""
        return f"converted by {self.loader}{pages}{said}"

    def pages(self, span: Span) -> tuple[int, int] | None:
        """The first and the last page of a stretch of the text, from 1; None without pages."""
        if not self.page_starts:
            return None
        return bisect_right(self.page_starts, span.start), bisect_right(self.page_starts, max(span.start, span.end - 1))


@dataclass(frozen=True, slots=True)
class Converted:
    """What a loader returns: Markdown, and how it was made."""

    text: str
    conversion: Conversion


def whole_characters(converted: Converted) -> Converted:
    """The same without lone surrogates, and with a note of them."""
    text, halves = with_whole_characters(converted.text)
    if not halves:
        return converted
    said = f"{counted(halves, 'half', 'halves')} of a character (lone surrogates) became U+FFFD"
    made = converted.conversion
    return Converted(text, replace(made, notes=(*made.notes, said)))


def refused_pages(page_starts: Sequence[int], text: str) -> str:
    """Why these cannot be a text's pages; "" where they can."""
    if page_starts and page_starts[0] != 0:
        return "the first page has to begin at 0"
    if any(before > after for before, after in pairwise((*page_starts, len(text)))):
        return "pages have to begin one after another within the text"
    return ""
