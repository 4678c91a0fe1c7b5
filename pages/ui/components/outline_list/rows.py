"""The headings of a document as lines to draw. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from chunking import Document
from chunking.text import safe_name


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of the outline."""

    title: str
    level: int
    """1 to 6."""
    line: int
    start: int
    """Where its section begins."""


def headings(document: Document) -> tuple[Heading, ...]:
    """The headings in source order."""
    return tuple(
        Heading(
            safe_name(section.title) or "(no title)",
            section.level,
            document.line_of(section.span.start),
            section.span.start,
        )
        for section in document.sections
        if section.heading is not None
    )
