"""What a person marked in one document: answers to questions, and spans that must stay whole.

Values only; `mark_store.py` keeps them on disk. Annotations never change: each method returns new
ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.gold.questions import (
    Gold,
    Question,
    WholeMark,
    elsewhere_words,
    gold_json_lines,
    read_gold,
    strangers_gold,
)

LONGEST_QUESTION = 2_000
"""Maximum characters of a question that is typed; files may contain longer ones."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """The marks of one document: each question once, with every answer once; spans that must stay
    whole, in order."""

    questions: tuple[Question, ...] = ()
    whole: tuple[Span, ...] = ()
    rejected: tuple[Question, ...] = ()
    """Drafts that a reviewer rejected: no marks, and kept only so that none is proposed again."""

    def __bool__(self) -> bool:
        """Whether anything is marked."""
        return bool(self.questions or self.whole)

    @property
    def answers(self) -> tuple[tuple[str, Span], ...]:
        """Every answer with the text of its question, in the order of the questions."""
        return tuple((question.text, answer) for question in self.questions for answer in question.answers)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Every marked span, once for each question it answers and once where it must stay
        whole."""
        return (*(span for _, span in self.answers), *self.whole)

    def with_answer(self, document: Document, question: str, answer: Span) -> Annotations:
        """One more answer, to an existing question or a new one. Raises GoldError for an empty
        mark."""
        new = Question(_question(question), document.name, (marked(document, answer),))
        return _of(document, [*self.questions, new], self.whole, self.rejected)

    def without_answer(self, document: Document, question: str, answer: Span) -> Annotations:
        """Without this answer; a question whose last answer this was is removed as well."""
        remaining = [each for each in _apart(self.questions) if (each.text, *each.answers) != (question, answer)]
        return _of(document, remaining, self.whole, self.rejected)

    def rejecting(self, document: Document, question: str) -> Annotations:
        """With a draft put among the rejected ones; a question of a person stays as it is."""
        gone = [each for each in self.questions if each.text == question and each.review == "draft"]
        remaining = [each for each in self.questions if each not in gone]
        return _of(document, remaining, self.whole, [*self.rejected, *gone])

    def reopened(self, document: Document, question: str) -> Annotations:
        """With a rejected draft put among the drafts again."""
        back = [each for each in self.rejected if each.text == question]
        rejected = [each for each in self.rejected if each not in back]
        return _of(document, [*self.questions, *back], self.whole, rejected)

    def renamed(self, document: Document, question: str, text: str) -> Annotations:
        """With the question's text changed; if another question has that text, the two are joined.

        Whoever words a draft anew has reviewed it.
        """
        new = _question(text)
        renamed = (
            replace(each, text=new, review="accepted") if each.text == question else each for each in self.questions
        )
        return _of(document, renamed, self.whole, self.rejected)

    def with_whole(self, document: Document, span: Span) -> Annotations:
        """With one more span that must stay whole. Raises GoldError for an empty mark."""
        return _of(document, self.questions, [*self.whole, marked(document, span)], self.rejected)

    def without_whole(self, document: Document, span: Span) -> Annotations:
        return _of(document, self.questions, [each for each in self.whole if each != span], self.rejected)

    def with_all(self, document: Document, others: Annotations | Gold) -> Annotations:
        """With the marks of others as well, such as those read from a file."""
        here = [question for question in others.questions if question.document == document.name]
        rejected = others.rejected if isinstance(others, Annotations) else ()
        whole = [*self.whole, *_spans(others.whole, document)]
        return _of(document, [*self.questions, *here], whole, [*self.rejected, *rejected])

    def merged(self, document: Document, before: Annotations, after: Annotations) -> Annotations:
        """With the change from `before` to `after` applied; changes by others since `before` are
        kept."""
        gone_answers, gone_whole = set(before.answers) - set(after.answers), set(before.whole) - set(after.whole)
        remaining = [each for each in _apart(self.questions) if (each.text, *each.answers) not in gone_answers]
        # In the order of `after`, so that a reworded question stays in its place.
        order = {text: at for at, text in enumerate(dict.fromkeys(text for text, _ in after.answers))}
        answers = sorted([*remaining, *after.questions], key=lambda each: order.get(each.text, len(order)))
        whole = [*(span for span in self.whole if span not in gone_whole), *after.whole]
        back = set(before.rejected) - set(after.rejected)
        rejected = [*(each for each in self.rejected if each not in back), *after.rejected]
        return _of(document, answers, whole, rejected)._noted(before, after)

    def _noted(self, before: Annotations, after: Annotations) -> Annotations:
        """With the notes of each question that has others in `after` than in `before`."""
        earlier = {each.text: each.notes for each in before.questions}
        changed = {each.text: each for each in after.questions if earlier.get(each.text) != each.notes}
        return replace(self, questions=tuple(_with_notes(each, changed.get(each.text)) for each in self.questions))

    def to_json_lines(self, document: Document) -> str:
        """As JSON lines that `load_gold` reads: one for each question, and one for the spans that
        must stay whole."""
        whole = [WholeMark(document.name, span) for span in self.whole]
        return gold_json_lines(self.questions, {document.name: document}, whole)


def read_annotations(
    text: str, document: Document, *, json_lines: bool, called: str = "questions"
) -> tuple[Annotations, tuple[str, ...]]:
    """The marks of one document in a CSV or JSON lines file, and one line for each that could not
    be placed.

    The last line counts those that are about other documents. Raises GoldError when nothing can be
    placed.
    """
    return _of_one(read_gold(text, [document], json_lines=json_lines, called=called, as_marks=True), document, called)


def strangers_annotations(
    raw: bytes, document: Document, *, json_lines: bool, called: str
) -> tuple[Annotations, tuple[str, ...]]:
    """The same for the bytes of a file, where nobody knows who sends it (read_apart.py). Raises
    ChunkscopeError."""
    gold = strangers_gold(raw, [document], json_lines=json_lines, called=called, as_marks=True)
    return _of_one(gold, document, called)


def _of_one(gold: Gold, document: Document, called: str) -> tuple[Annotations, tuple[str, ...]]:
    elsewhere = [f"{called}: {elsewhere_words(gold.elsewhere)}; left out"] if gold.elsewhere else []
    return Annotations().with_all(document, gold), (*gold.problems, *elsewhere)


def marked(document: Document, span: Span) -> Span:
    """A selection without the white space at its edges. Raises GoldError when nothing is left, or
    the span is not inside the document."""
    if not 0 <= span.start < span.end <= len(document.text):
        raise GoldError(f"{span.start} to {span.end} is not a span of {document.name}, which has {len(document.text)}")
    text = document[span]
    if not text.strip():
        raise GoldError("only white space is selected; select the text to mark")
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


def _question(text: str) -> str:
    question = " ".join(text.split())
    if not question:
        raise GoldError("the question is empty; type what the marked text answers")
    if len(question) > LONGEST_QUESTION:
        raise GoldError(f"the question has {len(question)} characters, more than {LONGEST_QUESTION}; shorten it")
    return question


def _of(
    document: Document, questions: Iterable[Question], whole: Iterable[Span], rejected: Iterable[Question]
) -> Annotations:
    """Annotations without duplicates: questions by their first occurrence, spans in order.

    Of equal texts one that a person has accepted makes the question accepted.
    """
    by_text: dict[str, Question] = {}
    for each in questions:
        known = by_text.get(each.text, replace(each, document=document.name, answers=()))
        by_text[each.text] = replace(
            known,
            answers=tuple(dict.fromkeys((*known.answers, *each.answers))),
            review="draft" if known.review == each.review == "draft" else "accepted",
            origin=known.origin or each.origin,
            block=known.block or each.block,
        )
    named = (replace(each, document=document.name) for each in rejected)
    return Annotations(tuple(by_text.values()), tuple(sorted(set(whole))), tuple(dict.fromkeys(named)))


def _apart(questions: Iterable[Question]) -> Iterator[Question]:
    """Each answer as a question of its own."""
    return (replace(each, answers=(answer,)) for each in questions for answer in each.answers)


def _with_notes(question: Question, of: Question | None) -> Question:
    return replace(question, review=of.review, origin=of.origin, block=of.block) if of else question


def _spans(whole: Iterable[Span | WholeMark], document: Document) -> Iterable[Span]:
    for each in whole:
        if isinstance(each, Span):
            yield each
        elif each.document == document.name:
            yield each.span
