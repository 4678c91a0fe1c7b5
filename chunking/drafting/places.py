"""The ranker that a drafted question has to pass: it must find the quote, and not many other places
as well as it.

What is ranked are pieces of blocks with their headings, not the chunks of any config, so that no
config is favoured.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chunking.document import Document, Span
from chunking.drafting.quotes import Quote
from chunking.export.store_search import terms
from chunking.models.embedders import CachedEmbedder
from chunking.retrieval.passages import Passage
from chunking.retrieval.ranking import Searcher

WITHIN = 3
"""The ranker must have the quote among so many first places."""
_AS_WELL = 0.9
"""Share of the quote's score from which another place answers as well."""
MOST_RIVALS = 2
"""Other places that may answer as well: one question may be answered twice."""
_LONGEST = 1_000
"""Characters of one place."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a ranker finds a quote for a question."""

    rank: int
    """Of the place with the quote, from 1; 0 where it was not among the first."""
    rivals: int
    """Other places whose score is nearly that of the quote's, or higher."""
    score: float
    """Of the place with the quote, as a share of the highest."""


class Places:
    """The pieces of all documents, searched by words, and by an embedder's vectors where one is
    given."""

    def __init__(
        self,
        documents: Sequence[Document],
        embed: CachedEmbedder | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """`progress` is called with the places embedded and their number. Raises ModelError."""
        self.passages = [piece for document in documents for piece in _pieces(document)]
        self._searchers = [Searcher(self.passages, "bm25")]
        if embed is not None:
            self._searchers.append(Searcher(self.passages, "cosine", embed, progress))
        self._terms = [frozenset(terms(passage.text)) for passage in self.passages]
        self.frequency: Counter[str] = Counter(term for each in self._terms for term in each)
        """In how many places each word is."""
        self._starts: dict[str, list[int]] = {}
        self._numbers: dict[str, list[int]] = {}
        for number, passage in enumerate(self.passages):
            self._starts.setdefault(passage.document, []).append(passage.spans[0].start)
            self._numbers.setdefault(passage.document, []).append(number)

    def number_of(self, quote: Quote) -> int:
        """The number of the place that the quote begins in."""
        at = bisect_right(self._starts[quote.document.name], quote.span.start) - 1
        return self._numbers[quote.document.name][max(0, at)]

    def found(self, question: str, quote: Quote) -> Found:
        """How the better of the rankers finds the quote. Raises ModelError."""
        return max(
            (self._by(searcher, question, self.number_of(quote)) for searcher in self._searchers),
            key=lambda each: (each.rank > 0, -each.rivals, -each.rank, each.score),
        )

    def rare(self, word: str) -> bool:
        """Whether a word is in few places: it tells them apart. Unknown words tell nothing."""
        return 0 < self.frequency[word] <= max(2, len(self.passages) // 10)

    @staticmethod
    def _by(searcher: Searcher, question: str, wanted: int) -> Found:
        ranked = searcher.ranked(question, 20)
        score = next((each.score for each in ranked if each.at == wanted), 0.0)
        if score <= 0:
            return Found(0, 0, 0.0)
        rank = next(number for number, each in enumerate(ranked, start=1) if each.at == wanted)
        rivals = sum(each.at != wanted and each.score >= _AS_WELL * score for each in ranked)
        return Found(rank if rank <= WITHIN else 0, rivals, score / ranked[0].score)


def _pieces(document: Document) -> Iterator[Passage]:
    """The blocks of a document, long ones cut between lines, each with the headings above it."""
    for block in document.blocks:
        if block.kind in ("heading", "rule", "blank", "front-matter"):
            continue
        titles = " > ".join(document.section_at(block.span.start).breadcrumb[1:])
        for span in _cut(document, Span(block.span.start, block.content_end)):
            yield Passage(document.name, f"{titles}\n{document[span]}", 0, (span,))


def _cut(document: Document, whole: Span) -> Iterator[Span]:
    start = whole.start
    while whole.end - start > _LONGEST:
        line = document.text.rfind("\n", start + 1, start + _LONGEST)
        end = line + 1 if line >= 0 else start + _LONGEST
        yield Span(start, end)
        start = end
    if start < whole.end:
        yield Span(start, whole.end)
