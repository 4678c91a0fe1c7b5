"""Drafting questions and reviewing them: what is asked for, the queue of drafts, and the decisions
that can be undone. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chunking import Annotations, Document, Question
from chunking.text import counted

MOST_QUESTIONS = 200
"""Drafts that are asked for at once."""
_MOST_DECISIONS = 50

_PROBE = "probe: "
"""How the origin of a draft begins that only names words of its quote."""


@dataclass(frozen=True, slots=True)
class Drafting:
    """What "Draft questions" is asked for."""

    provider: str = ""
    """Who words them; "" for rules, and then probes."""
    model: str = ""
    """"" for the provider's default."""
    count: int = 30
    fill: bool = True
    """Whether probes fill up where that has no question that passes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that waits for its review."""

    at: int
    """The number of its document on the page."""
    text_hash: str
    """Of that document."""
    question: Question

    @property
    def name(self) -> str:
        """A name that no other draft on the page has."""
        return f"{self.at} {self.text_hash[:16]} {self.question.text}"


@dataclass(frozen=True, slots=True)
class Queue:
    """The drafts of all documents on the page, and how many were reviewed."""

    drafts: tuple[Draft, ...]
    accepted: int
    """Questions that a program worded and a person accepted."""
    rejected: tuple[Draft, ...]

    @property
    def reviewed(self) -> int:
        return self.accepted + len(self.rejected)

    @property
    def total(self) -> int:
        return self.reviewed + len(self.drafts)

    @property
    def words(self) -> str:
        """`7 of 30 reviewed`."""
        return f"{self.reviewed:,} of {self.total:,} reviewed"

    def shown(self, name: str) -> Draft | None:
        """The draft with this name, else the first; None where none is left."""
        return next((each for each in self.drafts if each.name == name), self.drafts[0] if self.drafts else None)

    def after(self, draft: Draft) -> Draft:
        """The next draft, from the last on the first again."""
        names = [each.name for each in self.drafts]
        return self.drafts[(names.index(draft.name) + 1) % len(names)]


def queue_of(documents: Sequence[Document], marks: Sequence[Annotations]) -> Queue:
    """The queue of these documents, each with its marks; probes come last."""
    drafts: list[Draft] = []
    rejected: list[Draft] = []
    accepted = 0
    for at, (document, of) in enumerate(zip(documents, marks, strict=True)):
        drafts += [Draft(at, document.text_hash, each) for each in of.questions if each.review == "draft"]
        rejected += [Draft(at, document.text_hash, each) for each in of.rejected]
        accepted += sum(each.review == "accepted" and bool(each.origin) for each in of.questions)
    drafts.sort(key=lambda draft: draft.question.origin.startswith(_PROBE))
    return Queue(tuple(drafts), accepted, tuple(rejected))


@dataclass(frozen=True, slots=True)
class Decision:
    """One review: the marks of a document before it and after it."""

    draft: Draft
    done: str
    """What was done, as "accepted"."""
    before: Annotations
    after: Annotations


@dataclass(frozen=True, slots=True)
class Reviewing:
    """The review of drafts in a session."""

    chosen: str = ""
    """The name of the draft that is shown; "" for the first."""
    decisions: tuple[Decision, ...] = ()
    """The last ones, to be undone from the last on."""
    problem: str = ""
    """Why the last decision could not be kept."""
    begun: str = ""
    """The drafting that was asked for and of which nothing is decided yet: its first draft has the
    focus."""

    def decided(self, decision: Decision, following: str) -> Reviewing:
        """With one more decision, and the draft with the name `following` shown."""
        return replace(
            self, chosen=following, decisions=(*self.decisions, decision)[-_MOST_DECISIONS:], problem="", begun=""
        )


def tally(of: Queue) -> str:
    """`5 accepted, 2 rejected, 23 not reviewed`."""
    parts = [(of.accepted, "accepted"), (len(of.rejected), "rejected"), (len(of.drafts), "not reviewed")]
    return ", ".join(f"{number:,} {words}" for number, words in parts if number)


def kinds(questions: Sequence[Question]) -> str:
    """How many of what: `6 questions and 24 keyword probes`."""
    probes = sum(each.origin.startswith(_PROBE) for each in questions)
    asked = len(questions) - probes
    parts = [counted(asked, "question")] if asked or not probes else []
    return " and ".join([*parts, counted(probes, "keyword probe")] if probes else parts)


def about(draft: Draft, document: Document) -> str:
    """What a draft was made from and where its answer is, in a line."""
    start = draft.question.answers[0].start
    others = len(draft.question.answers) - 1
    more = [f"and {counted(others, 'more answer')}"] if others else []
    titles = [" > ".join(document.section_at(start).breadcrumb[1:])]
    origin = draft.question.origin
    made = f"keyword probe ({origin.removeprefix(_PROBE)}), not a question" if origin.startswith(_PROBE) else origin
    parts = [made, draft.question.block, f"{document.name}, line {document.line_of(start):,}"]
    return " · ".join(part for part in [*parts, *titles, *more] if part)
