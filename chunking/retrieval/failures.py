"""Why a question failed: what kept its answer from being retrieved, and what would have found it.

The first reason that holds is named, in this order:

- `left-out`: the answer is in no chunk;
- `cut`: no chunk has it whole;
- `no-shared-word`: its chunk shares no word with the question, in a search by words;
- `not-embedded`: it lies past what the embedder reads of its chunk;
- `does-not-fit`: its chunk comes next, and is larger than the tokens that are left;
- `another-document`: only other documents were retrieved;
- `outranked`: other chunks were ranked higher.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunking.document import Document, Span
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import TOKENS_BY, Evaluation
from chunking.retrieval.ir_metrics import Corpus
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.ranking import Ranked, Searcher
from chunking.retrieval.returned import GiveBack, Retrieved, given_back, span_tokens
from chunking.text.spans import Length, minus
from chunking.tokens import counter
from chunking.tokens.embedder_windows import EmbedderWindow

Reason = Literal["left-out", "cut", "no-shared-word", "not-embedded", "does-not-fit", "another-document", "outranked"]
REASONS: Mapping[Reason, str] = {
    "left-out": "in no chunk",
    "cut": "cut",
    "no-shared-word": "shares no word with the question",
    "not-embedded": "past what the embedder reads",
    "does-not-fit": "larger than the tokens left",
    "another-document": "only other documents retrieved",
    "outranked": "outranked",
}
"""Each reason as people say it."""


@dataclass(frozen=True, slots=True)
class Outranking:
    """The last chunk that was retrieved in the place of the answer's."""

    at: int
    """The passage's number."""
    rank: int
    """From 1."""
    ahead_by: float | None
    """How much higher its score is than that of the answer's chunk; None where a reranker was asked
    about one of them only."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One question of which not every answer was retrieved whole."""

    question: int
    """Its number, from 0."""
    recall: float
    """Share of the answers' characters that was retrieved."""
    reason: Reason
    answer: Span
    """The first answer of which some is missing."""
    holder: int | None
    """The highest ranked passage that gives back the answer whole, or, where it is cut, a missing
    part of it; None where none is ranked."""
    rank: int | None
    """The holder's, from 1."""
    outranking: Outranking | None
    needed_chunks: int | None
    """With so many chunks retrieved, nothing of any answer is missing; None where no number does
    that."""
    needed_tokens: int | None
    """What so many chunks cost."""
    unread_from: int | None = None
    """Where it is not embedded: the tokens of the chunk before the answer, by the window's
    counter."""


def why_failed(
    passages: Sequence[Passage],
    questions: Sequence[Question],
    documents: Sequence[Document],
    searcher: Searcher,
    of: Evaluation,
    *,
    mode: Mode = "strict",
    counted_by: str = TOKENS_BY,
    window: EmbedderWindow | None = None,
    give_back: GiveBack | None = None,
) -> tuple[Failure, ...]:
    """The questions that failed, in their order. White space that is missing does not count.

    `of` is what `evaluate` measured with the same passages, questions, searcher and mode; `window`
    is what the embedder reads of a text, None where that is not known or nothing is embedded;
    `give_back` is as of `evaluate`. Raises ModelError.
    """
    search = _Search(Corpus(passages, documents, mode), span_tokens(documents, counted_by), window, give_back)
    texts = {document.name: document.text for document in documents}
    found = []
    for number, (question, taken) in enumerate(zip(questions, of.retrieved, strict=True)):
        text = texts[question.document]
        given = given_back(passages, taken, give_back)
        missing = [answer for answer in question.answers if _lacking(answer, given, question, text)]
        if missing:
            ranking = searcher.ranked(question.text, len(passages))
            limit = of.max_tokens
            found.append(
                search.failure(number, question, text, missing[0], taken, ranking, limit, of.values["recall"][number])
            )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Search:
    corpus: Corpus
    sizes: Mapping[str, Length]
    window: EmbedderWindow | None
    give_back: GiveBack | None

    def failure(
        self,
        number: int,
        question: Question,
        text: str,
        answer: Span,
        taken: Sequence[int],
        ranking: Sequence[Ranked],
        limit: int | None,
        recall: float,
    ) -> Failure:
        passages = self.corpus.passages
        touching = self.corpus.touching(question.document, [answer])
        whole = [at for at in touching if not _lacking(answer, [passages[at]], question, text)]
        ranks = {each.at: rank for rank, each in enumerate(ranking, start=1)}
        candidates = [at for at in (whole or touching) if at in ranks and at not in taken]
        holder = min(candidates, key=lambda at: ranks[at], default=None)
        rank = ranks[holder] if holder is not None else None
        unread = self._unread(passages[holder], text[answer.start : answer.end]) if holder is not None else None
        reason: Reason = "outranked"
        if not touching:
            reason = "left-out"
        elif not whole:
            reason = "cut"
        elif holder is None:
            reason = "no-shared-word"
        elif unread is not None:
            reason = "not-embedded"
        elif limit is not None and rank == len(taken) + 1:
            reason = "does-not-fit"
        elif all(passages[at].document != question.document for at in taken):
            reason = "another-document"
        chunks, tokens = self._needed(question, text, ranking)
        last = _last(taken, ranking, ranks, holder)
        return Failure(number, recall, reason, answer, holder, rank, last, chunks, tokens, unread)

    def _unread(self, holder: Passage, answer: str) -> int | None:
        """The tokens of the passage before the answer, where these fill the window; else None."""
        place = holder.text.find(answer)
        if self.window is None or place < 0:
            return None
        before = counter(self.window.counter)(holder.text[:place])
        return before if before >= self.window.room else None

    def _needed(self, question: Question, text: str, ranking: Sequence[Ranked]) -> tuple[int, int] | tuple[None, None]:
        """How many passages of the ranking it takes until nothing of an answer is missing, and
        what they cost."""
        relevant = set(self.corpus.touching(question.document, question.answers))
        together = Retrieved(self.corpus.passages, self.sizes, self.give_back)
        for rank, each in enumerate(ranking, start=1):
            tokens = together.add(each.at)
            if each.at not in relevant and self.give_back is None:
                continue
            given = together.given
            if not any(_lacking(answer, given, question, text) for answer in question.answers):
                return rank, tokens
        return None, None


def _last(
    taken: Sequence[int], ranking: Sequence[Ranked], ranks: Mapping[int, int], holder: int | None
) -> Outranking | None:
    """The last passage that was taken, against the holder."""
    if holder is None or not taken:
        return None
    last, own = ranking[len(taken) - 1], ranking[ranks[holder] - 1]
    comparable = (last.reranked is None) == (own.reranked is None)
    return Outranking(last.at, len(taken), last.score - own.score if comparable else None)


def _lacking(answer: Span, taken: Sequence[Passage], question: Question, text: str) -> bool:
    """Whether some of the answer is not given back, white space aside."""
    given = [span for passage in taken if passage.document == question.document for span in passage.given]
    return any(not text[span.start : span.end].isspace() for span in minus([answer], given))
