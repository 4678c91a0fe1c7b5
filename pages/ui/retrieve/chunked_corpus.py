"""What is searched: the chunks of each config over one or several documents, as passages, and where
each answer is.

No Streamlit. Documents that are called the same get names of their own here: metrics know them by
name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chunking import Chunk, Document, Run, Span
from chunking.gold import Question
from chunking.retrieval import Mode, Passage, cost, passages_of, span_tokens, with_neighbours


def with_unique_names(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The same documents, none called as another."""
    taken: set[str] = set()
    named = []
    for document in documents:
        name, number = document.name, 1
        while name in taken:
            number += 1
            name = f"{document.name} ({number})"
        taken.add(name)
        named.append(document if name == document.name else replace(document, name=name))
    return tuple(named)


@dataclass(frozen=True)
class ChunkedCorpus:
    """All chunks that one config makes of all documents, in the order of both."""

    documents: tuple[Document, ...]
    """Told apart."""
    runs: tuple[Run, ...]
    """One for each document, cut under its own name."""
    counter: str
    """Counts every passage, whatever the config counts with."""

    @cached_property
    def chunks(self) -> tuple[tuple[int, Chunk], ...]:
        """Each passage's chunk, with the number of its document."""
        return tuple((number, chunk) for number, run in enumerate(self.runs) for chunk in run.chunks)

    def passages(self, mode: Mode, neighbours: int = 0) -> tuple[Passage, ...]:
        """What is retrieved, in the order of `chunks`; a hit gives back so many neighbours too."""
        known = self._known.get((mode, neighbours))
        if known is None:
            known = tuple(self._made(mode)) if not neighbours else with_neighbours(self.passages(mode), neighbours)
            self._known[mode, neighbours] = known
        return known

    @cached_property
    def _known(self) -> dict[tuple[Mode, int], tuple[Passage, ...]]:
        return {}

    def hit_sizes(self, mode: Mode, neighbours: int = 0) -> tuple[int, ...]:
        """The tokens that a hit on each chunk gives back by itself, in the order of `chunks`."""
        known = self._sizes.get((mode, neighbours))
        if known is None:
            known = tuple(cost([each], self.span_tokens) for each in self.passages(mode, neighbours))
            self._sizes[mode, neighbours] = known
        return known

    @cached_property
    def _sizes(self) -> dict[tuple[Mode, int], tuple[int, ...]]:
        return {}

    @cached_property
    def span_tokens(self) -> dict[str, Callable[[Span], int]]:
        """By document name, what counts the tokens of a span."""
        return span_tokens(self.documents, self.counter)

    def _made(self, mode: Mode) -> list[Passage]:
        return [
            replace(passage, document=document.name)
            for document, run in zip(self.documents, self.runs, strict=True)
            for passage in passages_of(run, mode, counted_by=self.counter)
        ]


@dataclass(frozen=True, slots=True)
class HitPiece:
    """A stretch of a chunk's text, as it is shown."""

    text: str
    gold: bool = False
    """Whether it answers the question."""
    added: bool = False
    """Whether it is context, overlap or closing, or given back around the chunk: said here, and not
    of this chunk's own body."""
    leads: bool = False
    """Whether it begins with what is looked for where there is no answer."""


def pieces_of(
    chunk: Chunk, document: Document, answers: Sequence[Span], returned: Sequence[Span] = ()
) -> tuple[HitPiece, ...]:
    """A chunk's text in pieces, or what a hit gives back in its place: answers marked wherever the
    text is of the document."""
    if returned:
        return tuple(_given_back(chunk, document, answers, returned))
    found = [HitPiece(chunk.context, added=True)]
    if chunk.overlap:
        found += _marked(chunk.overlap, document, answers, added=True)
    for span in chunk.kept:
        found += _marked(span, document, answers, added=False)
    found.append(HitPiece(chunk.closing, added=True))
    return tuple(piece for piece in found if piece.text)


def _given_back(
    chunk: Chunk, document: Document, answers: Sequence[Span], returned: Sequence[Span]
) -> Iterator[HitPiece]:
    edges = {edge for span in chunk.kept for edge in (span.start, span.end)}
    for span in returned:
        places = [span.start, *sorted(edge for edge in edges if span.start < edge < span.end), span.end]
        for start, end in pairwise(places):
            own = any(each.start <= start and end <= each.end for each in chunk.kept)
            yield from _marked(Span(start, end), document, answers, added=not own)


def _marked(span: Span, document: Document, answers: Sequence[Span], *, added: bool) -> list[HitPiece]:
    """The span cut at the edges of answers."""
    inside = [edge for answer in answers for edge in (answer.start, answer.end) if span.start < edge < span.end]
    edges = [span.start, *sorted(set(inside)), span.end]
    pieces = []
    for start, end in pairwise(edges):
        gold = any(answer.start <= start and end <= answer.end for answer in answers)
        pieces.append(HitPiece(document.text[start:end], gold, added))
    return pieces


def answers_to(question: str, known: Sequence[Question], document: str) -> tuple[Span, ...]:
    """Where this document answers a question that was typed as one that is known."""
    folded = _folded(question)
    return tuple(
        span for each in known if each.document == document and _folded(each.text) == folded for span in each.answers
    )


def named(questions: Sequence[Question], document: Document) -> tuple[Question, ...]:
    """The same questions, about the document by this name."""
    return tuple(replace(each, document=document.name) for each in questions)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
