"""Chunks that were sealed in an earlier cut of a document: while a threshold moves, most of them
come again with another number or reason, and need not be counted again."""

from __future__ import annotations

from collections.abc import Hashable

from chunking.core.context import SplitContext
from chunking.core.sealed import Sealed
from chunking.document import Document
from chunking.splitting.document_cache import Memo, once_per_counter


class _Sealed(Memo[tuple[str, int], tuple[Hashable, Sealed]]):
    """By strategy and start of the body what was sealed last, with all that it was made of."""


class _Known:
    """What a document's cuts share."""

    def __init__(self) -> None:
        self.chunks = _Sealed()
        self.cut: set[str] = set()
        """Names of the strategies that have cut the document."""


class SealedChunks:
    """The sealed chunks of a document, for one cut of it by a strategy.

    They are remembered from the second cut on: most documents are cut once. None are while a
    setting is traced.
    """

    def __init__(self, document: Document, tools: SplitContext, strategy: str) -> None:
        known = once_per_counter(document, tools.counter, _Known)
        self._chunks = known.chunks
        self._strategy = strategy
        self._remembers = not tools.tracing and strategy in known.cut
        if not tools.tracing:
            known.cut.add(strategy)

    @property
    def remembers(self) -> bool:
        """Whether the document was cut before, and what is found may be remembered."""
        return self._remembers

    def known(self, start: int, made_of: Hashable) -> Sealed | None:
        """What was sealed last of a body from `start`; None where it was made of something else.
        `made_of` is all that decides on it."""
        if not self._remembers:
            return None
        known = self._chunks.get((self._strategy, start))
        return known[1] if known is not None and known[0] == made_of else None

    def keep(self, made_of: Hashable, sealed: Sealed) -> Sealed:
        """Remember what was sealed for `known`, and return it."""
        if self._remembers:
            self._chunks.keep((self._strategy, sealed.start), (made_of, sealed))
        return sealed
