"""Evaluation of a config's passages on questions with known answers: every metric, by question.

Precision-omega and the answers that are cut need no search; all other metrics need a Searcher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.document import Document, Span
from chunking.gold.questions import Question
from chunking.retrieval.ir_metrics import RANKED, Corpus, in_characters, in_tokens, precision_omega, rank_scores, scores
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.ranking import Searcher
from chunking.retrieval.returned import GiveBack, cost, fitting, given_back, span_tokens
from chunking.text.spans import Length
from chunking.tokens import counter, token_index

TOKENS_BY = "cl100k_base"
"""Counter of the token-wise metrics, whatever the configs count with, so that they compare."""
UNSEARCHED = ("answers_kept", "precision_omega", "token_precision_omega")
SEARCHED = ("recall", "precision", "iou", "token_recall", "token_precision", "token_iou", *RANKED)

_EASY = 0.5
"""Share of a config's chunks: with so many retrieved, a random chunk is among them every other
time."""


@dataclass(frozen=True)
class Evaluation:
    """Every metric of one config on some questions."""

    passages: int
    values: Mapping[str, tuple[float, ...]]
    """By metric, one value from 0 to 1 for each question, in their order. `answers_kept` is the
    share of a question's answers that some passage contains whole. Metrics that need a search are
    missing without one."""
    cut: tuple[tuple[Span, ...], ...]
    """For each question, its answers that no passage contains whole."""
    retrieved: tuple[tuple[int, ...], ...]
    """For each question, the numbers of the passages that were retrieved, best first; none without
    a search."""
    retrieved_tokens: float
    """Mean over the questions, in the passages' own count; of what hits give back, each place
    once."""
    tokens: int
    """Of all passages together: the tokens to embed."""
    max_tokens: int | None = None
    """Limit of the tokens retrieved for a question; None where a number of passages was the
    limit."""
    returned: bool = False
    """Whether what hits give back was measured in the place of the chunks that were found."""

    @property
    def answers_cut(self) -> int:
        return sum(map(len, self.cut))

    @property
    def retrieved_chunks(self) -> float:
        """Mean over the questions; 0 without a search."""
        return sum(map(len, self.retrieved)) / len(self.retrieved) if self.retrieved else 0.0

    @property
    def returns_most(self) -> bool:
        """Whether hits give back half of all tokens or more, so that even a bad config finds the
        answers."""
        return self.returned and self.tokens > 0 and self.retrieved_tokens >= _EASY * self.tokens


def too_easy(retrieved: float, passages: int) -> bool:
    """Whether half of all chunks or more are retrieved, so that even a bad config finds the
    answers."""
    return passages > 0 and retrieved >= _EASY * passages


def document_means(values: Sequence[float], documents: Sequence[str]) -> dict[str, float]:
    """The mean of one metric over the questions of each document. `documents` has the name of each
    question's document; the means are in the order in which they are first named."""
    of: dict[str, list[float]] = {}
    for value, name in zip(values, documents, strict=True):
        of.setdefault(name, []).append(value)
    return {name: sum(each) / len(each) for name, each in of.items()}


def evaluate(
    passages: Sequence[Passage],
    questions: Sequence[Question],
    documents: Sequence[Document],
    searcher: Searcher | None = None,
    *,
    mode: Mode = "strict",
    top: int = 5,
    max_tokens: int | None = None,
    counted_by: str = TOKENS_BY,
    give_back: GiveBack | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Measure passages. `top` of them are retrieved for each question, over all documents; with
    `max_tokens` as many, best first, as fit in that many tokens, so that configs are compared at
    equal cost. `counted_by` is what counts the passages' tokens; `give_back` says what hits give
    back together (`AutoMerge`), which only what needs a search depends on. `progress` is called
    with the questions done and their number. Raises ModelError."""
    corpus, characters, tokens = Corpus(passages, documents, mode), _lengths(documents), _token_lengths(documents)
    values: dict[str, list[float]] = {name: [] for name in (*UNSEARCHED, *(SEARCHED if searcher else ()))}
    cut, retrieved, sizes = [], [], span_tokens(documents, counted_by)
    if searcher:
        searcher.embed_questions([question.text for question in questions])
    for number, question in enumerate(questions, start=1):
        relevant = corpus.touching(question.document, question.answers)
        touching = [passages[at] for at in relevant]
        cut.append(corpus.cut_answers(question))
        values["answers_kept"].append(1 - len(cut[-1]) / len(question.answers))
        for prefix, lengths in (("", characters), ("token_", tokens)):
            bound = precision_omega(question, touching, lengths[question.document], mode)
            values[f"{prefix}precision_omega"].append(bound)
        ranking = searcher.ranking(question.text) if searcher else []
        taken = ranking[:top] if max_tokens is None else fitting(ranking, passages, max_tokens, sizes, give_back)
        retrieved.append(tuple(taken))
        given = given_back(passages, taken, give_back)
        for name, value in _search_values(question, given, ranking, relevant, characters, tokens, mode):
            if searcher:
                values[name].append(value)
        if progress:
            progress(number, len(questions))
    spent = [cost(given_back(passages, each, give_back), sizes) for each in retrieved]
    return Evaluation(
        len(passages),
        {name: tuple(each) for name, each in values.items()},
        tuple(cut),
        tuple(retrieved),
        sum(spent) / len(spent) if spent else 0.0,
        sum(passage.tokens for passage in passages),
        max_tokens,
        give_back is not None or any(passage.returned for passage in passages),
    )


def _search_values(
    question: Question,
    retrieved: Sequence[Passage],
    ranking: Sequence[int],
    relevant: Sequence[int],
    characters: dict[str, Length],
    tokens: dict[str, Length],
    mode: Mode,
) -> Iterator[tuple[str, float]]:
    """Every metric that needs a search, for one question."""
    for prefix, lengths in (("", characters), ("token_", tokens)):
        found = scores(question, retrieved, lengths, mode)
        yield from (
            (f"{prefix}recall", found.recall),
            (f"{prefix}precision", found.precision),
            (f"{prefix}iou", found.iou),
        )
    yield from rank_scores(ranking, relevant, len(retrieved)).items()


def _lengths(documents: Sequence[Document]) -> dict[str, Length]:
    return {document.name: in_characters for document in documents}


def _token_lengths(documents: Sequence[Document]) -> dict[str, Length]:
    by = counter(TOKENS_BY)
    return {document.name: in_tokens(token_index(document.text, by)) for document in documents}
