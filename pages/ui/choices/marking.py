"""The marks of a document as a list, and the state of editing them in a session. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from chunking import Annotations, Span

MarkKind = Literal["answer", "whole"]
"""An answer to a question, or a span that must stay whole."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One mark of a document: an answer with its question, or a span that must stay whole."""

    kind: MarkKind
    span: Span
    question: str = ""
    draft: bool = field(default=False, compare=False)
    """Whether a program worded its question and no person has accepted it."""

    @property
    def name(self) -> str:
        """A name that no other mark of the document has."""
        return f"{self.kind} {self.span.start} {self.span.end} {self.question}"


@dataclass(frozen=True, slots=True)
class Marking:
    """The state of editing marks in a session."""

    asking: Span | None = None
    """The span selected as an answer, which waits for its question."""
    renaming: str | None = None
    """The question whose text is being edited."""
    chosen: Marked | None = None
    """The mark whose coverage is shown."""
    made: Marked | None = None
    """The mark that was made last."""
    removed: tuple[str, Annotations] | None = None
    """The sha256 of a text and the marks last removed from it, to be put back."""
    problems: tuple[str, ...] = ()
    """One line each: what could not be marked, kept or placed."""
    searching: bool = False
    """Whether the search for a change that keeps the chosen mark whole was started by hand, in a
    document where it takes long."""
    row: str = ""
    """The letter of the config on Retrieve for which a change is looked for that keeps the chosen
    mark whole."""
    message: str = ""
    """The result of the last file that was loaded."""


def marked_of(annotations: Annotations) -> tuple[Marked, ...]:
    """Every mark: answers in the order of their questions, then what must stay whole."""
    drafts = {question.text for question in annotations.questions if question.review == "draft"}
    answers = [Marked("answer", span, question, question in drafts) for question, span in annotations.answers]
    return (*answers, *(Marked("whole", span) for span in annotations.whole))


def spans(marks: Sequence[Marked]) -> tuple[Span, ...]:
    """Each marked span once, in the order of the marks."""
    return tuple(dict.fromkeys(mark.span for mark in marks))
