"""Passages ranked for a question: by vectors, by words, or by both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np

from chunking.errors import GoldError
from chunking.models.embedders import RememberingEmbedder
from chunking.passages import Passage
from chunking.store import Vectors, fused, terms, unit, valid

Search = Literal["cosine", "bm25", "hybrid", "none"]
SEARCHES: tuple[Search, ...] = get_args(Search)


class Searcher:
    """Passages made ready to be searched: embedded, and their words counted, once for all questions."""

    def __init__(
        self,
        passages: Sequence[Passage],
        search: Search,
        embed: RememberingEmbedder | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """`embed` is needed for all but `bm25`; `progress` hears how many texts are embedded. Raises ModelError."""
        if search == "none" or (search != "bm25" and embed is None):
            raise GoldError(f"search {search}: there is nothing to rank passages by")
        self.search: Search = search
        self._embed = embed if search != "bm25" else None
        self._vectors = self._unit([passage.text for passage in passages], progress) if self._embed else None
        self._words = _Words([passage.text for passage in passages]) if search != "cosine" else None

    def ranking(self, question: str) -> list[int]:
        """The numbers of the passages, best first; equals in the passages' order. By words, only those that share one.

        Raises ModelError.
        """
        cosines: Vectors | None = None
        if self._vectors is not None:
            cosines = np.asarray(self._vectors @ self._unit([question], None)[0], dtype=np.float32)
        words = self._words.scores(question) if self._words is not None else None
        scored = words if cosines is None else cosines if words is None else fused(cosines, words)
        if scored is None:
            return []
        order = np.argsort(-scored, kind="stable")
        kept = order[scored[order] > 0] if cosines is None else order
        return [int(at) for at in kept]

    def ask_first(self, questions: Sequence[str]) -> None:
        """Embed all questions at once, so that each ranking finds its own remembered."""
        if self._embed:
            self._embed([valid(question) for question in questions])

    def _unit(self, texts: Sequence[str], progress: Callable[[int, int], None] | None) -> Vectors:
        if self._embed is None or not texts:
            return np.zeros((len(texts), 1), dtype=np.float32)
        return unit(self._embed([valid(text) for text in texts], progress))


class _Words:
    """Lucene's BM25 (k1 1.5, b 0.75) over some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        corpus = [terms(text) for text in texts]
        self._known = {term for words in corpus for term in words}
        self._count = len(corpus)
        self._index = bm25s.BM25()
        if self._known:
            self._index.index(corpus, show_progress=False)

    def scores(self, question: str) -> Vectors:
        asked = [term for term in terms(question) if term in self._known]
        if not asked:
            return np.zeros(self._count, dtype=np.float32)
        found: Vectors = np.asarray(self._index.get_scores(asked), dtype=np.float32)
        return found
