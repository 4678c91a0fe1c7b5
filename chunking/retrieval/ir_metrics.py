"""How well retrieved passages answer questions whose answers are known: recall, precision, IoU,
precision-omega.

The definitions are those of Chroma's "Evaluating Chunking Strategies for Retrieval", measured in
characters or tokens:

- E: the question's answers. R: the passages retrieved for it. num: the length of the parts of E
  that R contains, each part counted once.
- recall = num / sum of the answers' lengths; precision = num / sum of the lengths of R, those of
  other documents included; IoU = num / (that sum + the parts of E that R does not contain).
- precision-omega: the precision if exactly the passages that touch an answer were retrieved and
  overlap cost nothing: num of these passages / (their union, with the parts of E that none
  contains). 0 without a hit.

Where a hit gives back more than its chunk (`Passage.returned`), that takes the chunk's place in all
of them, and a place that several hits give back counts once in R.

`published` mode counts passages that only touch an answer as hits, as the original does; `strict`
mode does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt

from chunking.document import Document, Span
from chunking.gold.questions import Question
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.returned import retrieved_length
from chunking.text.spans import Length, minus, total, union
from chunking.tokens.index import TokenIndex


def in_characters(span: Span) -> int:
    return len(span)


def in_tokens(index: TokenIndex) -> Length:
    """Lengths in tokens of the whole text: a token belongs to the span that it begins in."""
    return lambda span: index.tokens_before(span.end) - index.tokens_before(span.start)


@dataclass(frozen=True, slots=True)
class Scores:
    """The metrics of one question, each from 0 to 1."""

    recall: float
    precision: float
    iou: float


def scores(
    question: Question, retrieved: Sequence[Passage], lengths: dict[str, Length], mode: Mode = "strict"
) -> Scores:
    """The metrics of the retrieved passages; `lengths` measures spans, by document name."""
    length = lengths[question.document]
    covered = covered_parts(question, retrieved, mode)
    found = total(covered, length)
    answers = total(question.answers, length)
    size = retrieved_length(retrieved, lengths)
    missing = sum(total(minus([answer], covered), length) for answer in question.answers)
    return Scores(_share(found, answers), _share(found, size), _share(found, size + missing))


def precision_omega(question: Question, touching: Sequence[Passage], length: Length, mode: Mode = "strict") -> float:
    """The highest precision that a retrieval of whole answers can have. `touching` are all passages
    that touch an answer."""
    covered = covered_parts(question, touching, mode)
    around = [span for passage in touching for span in passage.given]
    whole = union([*around, *(part for answer in question.answers for part in minus([answer], covered))])
    return _share(total(covered, length), total(whole, length))


def covered_parts(question: Question, passages: Iterable[Passage], mode: Mode) -> list[Span]:
    """The union of the parts of the answers that the passages contain; passages of other documents
    contain none."""
    found = []
    for passage in passages:
        if passage.document == question.document:
            for answer in question.answers:
                found += [_intersection(span, answer) for span in passage.given if touches(span, answer, mode)]
    return union(found)


def touches(span: Span, answer: Span, mode: Mode) -> bool:
    if mode == "published":  # closed ranges: an end that is the other's start is a hit
        return span.start <= answer.end and answer.start <= span.end
    return span.start < answer.end and answer.start < span.end


class Corpus:
    """All passages of a config, indexed by span: which of them contain a question's answers."""

    def __init__(self, passages: Sequence[Passage], documents: Sequence[Document], mode: Mode = "strict") -> None:
        self.passages = tuple(passages)
        self.mode: Mode = mode
        self._text = {document.name: document.text for document in documents}
        self._rows: dict[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]] = {}
        for name in self._text:
            rows = [(s.start, s.end, at) for at, p in enumerate(self.passages) if p.document == name for s in p.given]
            columns = np.array(rows, dtype=np.int64).reshape(len(rows), 3).T
            self._rows[name] = (columns[0], columns[1], columns[2])

    def touching(self, document: str, answers: Iterable[Span]) -> list[int]:
        """The numbers, ascending, of the passages that touch any of the answers."""
        starts, ends, at = self._rows[document]
        hit = np.zeros(len(at), dtype=np.bool_)
        for answer in answers:
            if self.mode == "published":
                hit |= (starts <= answer.end) & (answer.start <= ends)
            else:
                hit |= (starts < answer.end) & (answer.start < ends)
        return [int(number) for number in np.unique(at[hit])]

    def cut_answers(self, question: Question) -> tuple[Span, ...]:
        """The answers that no single passage contains whole, white space aside."""
        return tuple(answer for answer in question.answers if not self._whole(question.document, answer))

    def _whole(self, document: str, answer: Span) -> bool:
        text = self._text[document]
        for at in self.touching(document, [answer]):
            missing = minus([answer], list(self.passages[at].given))
            if all(text[span.start : span.end].isspace() for span in missing):
                return True
        return False


RANKED = ("recall_at_k", "precision_at_k", "mrr", "map", "ndcg")
"""Metrics of a ranking of passages."""


def rank_scores(ranking: Sequence[int], relevant: Sequence[int], top: int) -> dict[str, float]:
    """The metrics `RANKED` of the first `top` passages of a ranking, where some are relevant, all
    equally so.

    As trec_eval has them: recall and precision at `top`, reciprocal rank, average precision over
    all that are relevant, and nDCG. All are 0 when none of the first is relevant.
    """
    wanted = set(relevant)
    hits = [rank for rank, at in enumerate(ranking[:top], start=1) if at in wanted]
    if not wanted or not hits:
        return dict.fromkeys(RANKED, 0.0)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(wanted), top) + 1))
    return {
        "recall_at_k": len(hits) / len(wanted),
        "precision_at_k": len(hits) / top,
        "mrr": 1 / hits[0],
        "map": sum(number / rank for number, rank in enumerate(hits, start=1)) / len(wanted),
        "ndcg": sum(1 / log2(rank + 1) for rank in hits) / ideal,
    }


def _intersection(span: Span, answer: Span) -> Span:
    return Span(max(span.start, answer.start), min(span.end, answer.end))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
