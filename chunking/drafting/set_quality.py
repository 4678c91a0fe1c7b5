"""A report on a set of questions before it is used: what it covers, which of its quotes are not
clear, whether it can be too easy, and the smallest difference that it can show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from statistics import median

import numpy as np

from chunking.document import Document, Span
from chunking.drafting.quotes import all_quotes
from chunking.export.store_search import terms
from chunking.gold.questions import Question, unreviewed
from chunking.retrieval.evaluation import too_easy
from chunking.retrieval.statistics import POWER, difference, minimum_sample_size

_ALIKE = 0.9
_DRAWS = 60
"""Simulated measurements for each size of a difference."""
_SEED = 20_251_125
_STEP = 0.02
_MOST_SIMULATED = 400
"""Questions of a simulation at most: of more, the difference is scaled by their root."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should look at, with the questions that it is about."""

    rule: str
    """Short and stable: same-question, same-answer, ambiguous-quote, gives-answer-away,
    short-answer."""
    detail: str
    questions: tuple[int, ...]
    """Their numbers in the file, from 0."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of something have a question."""

    covered: int
    all: int


@dataclass(frozen=True, slots=True)
class Quality:
    """The report."""

    questions: int
    unreviewed: int
    by_origin: Mapping[str, int]
    documents: Share
    sections: Share
    """Those with a quote that could answer something."""
    by_block: Mapping[str, Share]
    """By kind of block: the questions about it, and the quotes that could be asked about."""
    answers: int
    answer_characters: tuple[int, int, int]
    """Shortest, median, longest."""
    findings: tuple[Finding, ...]
    smallest_difference: float | None
    """Of recall, in a paired comparison of two configs, shown 8 times in 10; None where no
    difference can be shown."""
    chunks_retrieved: int
    """How many chunks are retrieved for a question."""
    chunks: int | None
    """How many chunks there are, of the config that was given; None without one."""

    @property
    def easy(self) -> bool:
        """Whether half of all chunks or more are retrieved, so that even a bad config finds the
        answers."""
        return self.chunks is not None and too_easy(min(self.chunks_retrieved, self.chunks), self.chunks)

    @property
    def few(self) -> bool:
        """Whether there are so few questions that no difference can be shown."""
        return self.questions < minimum_sample_size()


def quality(
    questions: Sequence[Question], documents: Sequence[Document], *, top: int = 5, chunks: int | None = None
) -> Quality:
    """The report on questions that were placed in these documents; `chunks` is how many a config
    makes of them, of which `top` are retrieved."""
    known = {document.name: document for document in documents}
    quotes = all_quotes(documents)
    answers = [(question.document, answer) for question in questions for answer in question.answers]
    sizes = sorted(answer.end - answer.start for _, answer in answers) or [0]
    has = {(quote.document.name, _section(quote.document, quote.span)) for quote in quotes}
    asked = {(name, _section(known[name], answer)) for name, answer in answers}
    asks, there = Counter(_kind(question, known) for question in questions), Counter(quote.block for quote in quotes)
    return Quality(
        questions=len(questions),
        unreviewed=unreviewed(questions),
        by_origin=dict(sorted(Counter(question.origin or "a person" for question in questions).items())),
        documents=Share(len({question.document for question in questions}), len(documents)),
        sections=Share(len(asked), len(has | asked)),
        by_block={kind: Share(asks[kind], there[kind]) for kind in sorted({*asks, *there})},
        answers=len(answers),
        answer_characters=(sizes[0], round(median(sizes)), sizes[-1]),
        findings=tuple(_findings(questions, known)),
        smallest_difference=smallest_difference(len(questions)),
        chunks_retrieved=top,
        chunks=chunks,
    )


def _section(document: Document, span: Span) -> int:
    return document.section_at(span.start).span.start


def _kind(question: Question, known: Mapping[str, Document]) -> str:
    """The kind of block of the first answer: as recorded, else as it stands in the document."""
    kind = question.block or known[question.document].block_at(question.answers[0].start).kind
    return "list" if kind == "task-list" else kind


def _findings(questions: Sequence[Question], known: Mapping[str, Document]) -> list[Finding]:
    found = [*_same_questions(questions), *_same_answers(questions)]
    for number, question in enumerate(questions):
        document, place = known[question.document], f"{question.document}: {question.text!r}"
        for answer in question.answers:
            quote = document[answer]
            times = sum(each.text.count(quote) for each in known.values())
            if times > 1:
                found.append(Finding("ambiguous-quote", f"{place}: the quote is there {times} times", (number,)))
            if len(quote) < 10:
                found.append(Finding("short-answer", f"{place}: the answer is {quote!r}", (number,)))
        words, of_answers = (
            set(terms(question.text)),
            {term for answer in question.answers for term in terms(document[answer])},
        )
        if of_answers and len(words & of_answers) >= _ALIKE * len(of_answers):
            found.append(Finding("gives-answer-away", f"{place}: the question has the words of its answer", (number,)))
    return found


def _same_questions(questions: Sequence[Question]) -> list[Finding]:
    by_words: dict[tuple[str, ...], list[int]] = {}
    for number, question in enumerate(questions):
        by_words.setdefault(tuple(sorted(set(terms(question.text)))), []).append(number)
    return [
        Finding("same-question", f"{questions[same[0]].text!r} is asked {len(same)} times", tuple(same))
        for same in by_words.values()
        if len(same) > 1
    ]


def _same_answers(questions: Sequence[Question]) -> list[Finding]:
    by_answer: dict[tuple[str, Span], list[int]] = {}
    for number, question in enumerate(questions):
        for answer in question.answers:
            by_answer.setdefault((question.document, answer), []).append(number)
    return [
        Finding("same-answer", f"{len(same)} questions have the same answer in {name}", tuple(same))
        for (name, _), same in by_answer.items()
        if len(same) > 1
    ]


@lru_cache(maxsize=32)
def smallest_difference(questions: int) -> float | None:
    """The smallest difference of mean recall between two configs that so many questions show 8
    times in 10, by simulation with the test that `evaluate` uses.

    An answer is found or not: the better config finds it where the other does not for the share
    `difference + 0.05` of the questions, the other way round for 0.05. None where not even 1 is
    shown. The same number gives the same answer.
    """
    if questions < minimum_sample_size():
        return None
    simulated = min(questions, _MOST_SIMULATED)
    low, high = 1, ceil(0.95 / _STEP)
    if _shown(simulated, high * _STEP) < POWER:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _shown(simulated, middle * _STEP) >= POWER else (middle + 1, high)
    found: float = round(low * _STEP * float(np.sqrt(simulated / questions)), 3)
    return found


def _shown(questions: int, size: float) -> float:
    """How often a difference of this size is shown."""
    draws = np.random.default_rng(_SEED).random((_DRAWS, questions))
    shown = 0
    for drawn in draws:
        better, worse = drawn < min(0.95, size + 0.05), drawn > 0.95
        shown += difference(worse.astype(float).tolist(), better.astype(float).tolist()).verdict == "higher"
    return shown / _DRAWS
