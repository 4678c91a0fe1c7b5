"""The line in front of each chunk of block-packing: its section path, in at most half the
maximum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Document
from chunking.splitting.breadcrumbs import ELLIPSIS, arrow, shorten
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.block_packing.units import NO_CONTEXT, Path, ShortenedPath


class _Lines(Memo[Path, ShortenedPath]):
    """By section path: its line in full, whatever the maximum."""


class ContextLines:
    """The context lines of a document's chunks, by section path."""

    def __init__(self, document: Document, tools: SplitContext, maximum: int, *, include: bool) -> None:
        """None has a line unless they are `include`d."""
        self._tools = tools
        self._maximum = maximum
        self._include = include
        self._ending = document.line_ending * 2
        self._full = once_per_counter(document, tools.counter, _Lines)
        self._shortened: dict[Path, ShortenedPath] = {}
        self.half = KnownLimits()
        """With which halves of the maximum the lines are the same that were asked for since this
        was set."""

    def of(self, path: Path) -> ShortenedPath:
        """`# A > B` and a blank line, in at most half the maximum (DECISIONS all-6)."""
        if not self._include:
            return NO_CONTEXT
        full = self._full.get(path) or self._full.keep(path, self._in_full(path))
        if not full.text:
            return full
        if self._tools.tracing:
            return self._tools.remembered(("context", path), partial(self._within_half, path, full))
        half = self._maximum // 2
        if self.half.admit(full.tokens, half):
            return full
        self.half.pin(half)
        known = self._shortened.get(path)
        if known is None:
            known = self._shortened[path] = self._within_half(path, full)
        return known

    def _within_half(self, path: Path, full: ShortenedPath) -> ShortenedPath:
        limit = self._maximum // 2
        if full.tokens <= limit:
            return full
        titles = _titles(path)
        line, _ = shorten(titles, self._line, limit, self._tools.count)
        whole = next(
            (left for left in range(len(titles) - 1, 0, -1) if self._line([ELLIPSIS, *titles[-left:]]) == line), 0
        )
        detail = f"the section path is over half of maxTokens {self._maximum}, and was shortened from the left"
        flag = Boundary("context-shortened", detail, None, None, limit, ("max_tokens",))
        return ShortenedPath(line, (flag,), whole, full.tokens)

    def _in_full(self, path: Path) -> ShortenedPath:
        line = self._line(titles) if (titles := _titles(path)) else ""
        return ShortenedPath(line, (), len(path), self._tools.count(line) if line else 0)

    def _line(self, titles: Sequence[str]) -> str:
        return f"# {arrow(titles)}{self._ending}"


def _titles(path: Path) -> list[str]:
    return [title for title in path if title.strip()]
