"""What a person marked in one document: answers to questions, and spans that must stay whole.

Values only; `mark_store.py` keeps them on disk. Annotations never change: each method returns new
ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.gold.questions import Gold, Question, WholeMark, elsewhere_words, gold_json_lines, read_gold

LONGEST_QUESTION = 2_000
"""Maximum characters of a question that is typed; files may contain longer ones."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """The marks of one document: each question once, with every answer once; spans that must stay
    whole, in order."""

    questions: tuple[Question, ...] = ()
    whole: tuple[Span, ...] = ()

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
        text = _question(question)
        return _of(document, [*self.answers, (text, marked(document, answer))], self.whole)

    def without_answer(self, document: Document, question: str, answer: Span) -> Annotations:
        """Without this answer; a question whose last answer this was is removed as well."""
        return _of(document, [each for each in self.answers if each != (question, answer)], self.whole)

    def renamed(self, document: Document, question: str, text: str) -> Annotations:
        """With the question's text changed; if another question has that text, the two are
        joined."""
        new = _question(text)
        answers = [(new if each == question else each, span) for each, span in self.answers]
        return _of(document, answers, self.whole)

    def with_whole(self, document: Document, span: Span) -> Annotations:
        """With one more span that must stay whole. Raises GoldError for an empty mark."""
        return _of(document, self.answers, [*self.whole, marked(document, span)])

    def without_whole(self, document: Document, span: Span) -> Annotations:
        return _of(document, self.answers, [each for each in self.whole if each != span])

    def with_all(self, document: Document, others: Annotations | Gold) -> Annotations:
        """With the marks of others as well, such as those read from a file."""
        added = Annotations(others.questions, tuple(_spans(others.whole, document)))
        here = [question for question in added.questions if question.document == document.name]
        answers = [*self.answers, *Annotations(tuple(here)).answers]
        return _of(document, answers, [*self.whole, *added.whole])

    def merged(self, document: Document, before: Annotations, after: Annotations) -> Annotations:
        """With the change from `before` to `after` applied; changes by others since `before` are
        kept."""
        gone_answers, gone_whole = set(before.answers) - set(after.answers), set(before.whole) - set(after.whole)
        remaining = [each for each in self.answers if each not in gone_answers]
        # In the order of `after`, so that a reworded question stays in its place.
        order = {text: at for at, text in enumerate(dict.fromkeys(text for text, _ in after.answers))}
        answers = sorted([*remaining, *after.answers], key=lambda each: order.get(each[0], len(order)))
        return _of(document, answers, [*(span for span in self.whole if span not in gone_whole), *after.whole])

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
    gold = read_gold(text, [document], json_lines=json_lines, called=called, as_marks=True)
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


def _of(document: Document, answers: Iterable[tuple[str, Span]], whole: Iterable[Span]) -> Annotations:
    """Annotations without duplicates: questions by their first occurrence, spans in order."""
    by_question: dict[str, dict[Span, None]] = {}
    for text, span in answers:
        by_question.setdefault(text, {})[span] = None
    questions = (Question(text, document.name, tuple(spans)) for text, spans in by_question.items())
    return Annotations(tuple(questions), tuple(sorted(set(whole))))


def _spans(whole: Iterable[Span | WholeMark], document: Document) -> Iterable[Span]:
    for each in whole:
        if isinstance(each, Span):
            yield each
        elif each.document == document.name:
            yield each.span
