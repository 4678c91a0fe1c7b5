"""What is marked in a document, and what a session is doing with its marks: values only, no
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chunking import Annotations, Span

MarkKind = Literal["answer", "whole"]
"""An answer to a question, or a stretch that is to be kept whole."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One mark of a document: an answer with its question, or a span that must stay whole."""

    kind: MarkKind
    span: Span
    question: str = ""

    @property
    def name(self) -> str:
        """Tells it from every other mark of the document."""
        return f"{self.kind} {self.span.start} {self.span.end} {self.question}"


@dataclass(frozen=True, slots=True)
class Marking:
    """What a session is doing with marks at the moment."""

    asking: Span | None = None
    """Was selected as an answer, and waits for its question."""
    renaming: str | None = None
    """The question that is being put in other words."""
    chosen: Marked | None = None
    """The mark whose coverage is shown."""
    removed: tuple[str, Annotations] | None = None
    """The sha256 of a text and what was last taken from its marks, to be put back."""
    problems: tuple[str, ...] = ()
    """One line each: what could not be marked, kept or placed."""
    searching: bool = False
    """Whether a change was asked for that keeps the chosen mark whole, in a document where that
    takes a while."""
    said: str = ""
    """What came of the last file that was loaded."""


def marked_of(annotations: Annotations) -> tuple[Marked, ...]:
    """Every mark: answers in the order of their questions, then what must stay whole."""
    answers = [Marked("answer", span, question) for question, span in annotations.answers]
    return (*answers, *(Marked("whole", span) for span in annotations.whole))


def spans(marks: Sequence[Marked]) -> tuple[Span, ...]:
    """Each marked span once, in the order of the marks."""
    return tuple(dict.fromkeys(mark.span for mark in marks))
