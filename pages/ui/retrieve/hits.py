"""What a question brings up in one config: passages as they are shown, and what they say of the
answers.

No Streamlit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Chunk, Document, Span
from chunking.gold import Question
from chunking.retrieval import (
    GiveBack,
    Passage,
    Ranked,
    cost,
    covered_parts,
    fitting,
    given_back,
    in_characters,
    too_easy,
    touches,
)
from chunking.text import minus, total
from pages.ui.choices.retrieving import Retrieving
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus, HitPiece, answers_to, pieces_of


@dataclass(frozen=True, slots=True)
class ReturnedStretch:
    """What one hit gives back around its chunk."""

    tokens: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class FoundHits:
    """One passage that was retrieved."""

    rank: int
    """From 1."""
    ranked: Ranked
    number: int
    """The document's, from 0."""
    chunk: Chunk
    tokens: int
    """Of the chunk, by the counter of the comparison."""
    pieces: tuple[HitPiece, ...]
    holds: str
    """What it holds of the answers: `the answer`, `part of the answer`; "" for nothing, or where
    none is known."""
    share: float = 1.0
    """Where it holds a part: how much of an answer that is, 0 to 1; of several answers, of the one
    it says most of."""
    returned: ReturnedStretch | None = None
    """What a hit gives back in the place of the chunk; None where it is the chunk."""


@dataclass(frozen=True, slots=True)
class Results:
    """All that one config retrieved for a question."""

    found: tuple[FoundHits, ...]
    tokens: int
    recall: float | None
    """Of the answers' characters, the share that was retrieved; None where no answer is known."""
    chunks: int = 0
    """Of all that there are to be retrieved."""

    @property
    def too_easy(self) -> bool:
        """Whether so much is retrieved that any config finds the answer."""
        return too_easy(len(self.found), self.chunks)


def results(
    of: ChunkedCorpus,
    retrieving: Retrieving,
    ranking: Sequence[Ranked],
    known: Sequence[Question],
    together: GiveBack | None = None,
) -> Results:
    """The first of the ranking that are taken: so many, or as many as fit in so many tokens;
    `together` says what they give back where that depends on all of them."""
    passages = of.passages(retrieving.mode, retrieving.neighbours)
    by_number = {each.at: each for each in ranking}
    taken = [each.at for each in ranking[: retrieving.chunks]]
    if retrieving.max_tokens is not None:
        taken = fitting([each.at for each in ranking], passages, retrieving.max_tokens, of.span_tokens, together)
    given = given_back(passages, taken, together)
    answers = [answers_to(retrieving.question, known, document.name) for document in of.documents]
    found = []
    for rank, (at, passage) in enumerate(zip(taken, given, strict=True), start=1):
        number, chunk = of.chunks[at]
        here = answers[number]
        pieces = pieces_of(chunk, of.documents[number], here, passage.returned)
        holds = _holds(passage, here, of.documents[number])
        found.append(
            FoundHits(
                *(rank, by_number[at], number, chunk, passage.tokens, pieces, holds),
                _share(passage, here),
                _returned(of, number, passage),
            )
        )
    return Results(
        tuple(found),
        cost(given, of.span_tokens),
        _recall(given, [document.name for document in of.documents], answers),
        len(passages),
    )


def _returned(of: ChunkedCorpus, number: int, passage: Passage) -> ReturnedStretch | None:
    if not passage.returned:
        return None
    document = of.documents[number]
    first, last = passage.returned[0].start, passage.returned[-1].end - 1
    tokens = cost([passage], of.span_tokens)
    return ReturnedStretch(tokens, document.line_of(first), document.line_of(last))


def first_rank(
    of: ChunkedCorpus, retrieving: Retrieving, ranking: Sequence[int], known: Sequence[Question]
) -> int | None:
    """The rank, from 1, of the first passage that holds a part of an answer to the question that
    was asked."""
    passages = of.passages(retrieving.mode, retrieving.neighbours)
    answers = {document.name: answers_to(retrieving.question, known, document.name) for document in of.documents}
    ranks = (rank for rank, at in enumerate(ranking, start=1) if _touched(passages[at], answers[passages[at].document]))
    return next(ranks, None)


def _touched(passage: Passage, answers: Sequence[Span]) -> bool:
    return any(touches(span, answer, "strict") for answer in answers for span in passage.given)


def _holds(passage: Passage, answers: Sequence[Span], document: Document) -> str:
    for answer in answers:
        missing = minus([answer], list(passage.given))
        if all(document.text[span.start : span.end].isspace() for span in missing):
            return "the answer" if len(answers) == 1 else "a whole answer"
    return "part of the answer" if _touched(passage, answers) else ""


def _share(passage: Passage, answers: Sequence[Span]) -> float:
    """Of the answer that a hit on the passage gives back most of."""
    shares = [1 - total(minus([answer], list(passage.given)), in_characters) / len(answer) for answer in answers]
    return max(shares, default=0.0)


def _recall(taken: Sequence[Passage], names: Sequence[str], answers: Sequence[Sequence[Span]]) -> float | None:
    """Over all documents that answer the question."""
    covered = whole = 0
    for name, here in zip(names, answers, strict=True):
        if here:
            covered += total(covered_parts(Question("", name, tuple(here)), taken, "strict"), in_characters)
            whole += total(here, in_characters)
    return covered / whole if whole else None
