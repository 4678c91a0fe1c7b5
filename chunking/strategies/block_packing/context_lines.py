"""The line in front of each chunk of block-packing: its section path, in at most half the
maximum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Document
from chunking.splitting.breadcrumbs import ARROW, ELLIPSIS, arrow, shorten
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.block_packing.units import NO_CONTEXT, Path, ShortenedPath

_MARK = "#"


class _Lines(Memo[Path, ShortenedPath]):
    """By section path: its line in full, whatever the maximum."""


class _Unended(Memo[Path, tuple[str, int]]):
    """By section path: the same without what ends the line, and its tokens."""


class ContextLines:
    """The context lines of a document's chunks, by section path."""

    def __init__(self, document: Document, tools: SplitContext, maximum: int, *, include: bool) -> None:
        """None has a line unless they are `include`d."""
        self._tools = tools
        self._maximum = maximum
        self._include = include
        self._ending = document.line_ending * 2
        self._index = tools.index(document)
        self._full = once_per_counter(document, tools.counter, _Lines)
        self._unended = once_per_counter(document, tools.counter, _Unended)
        self._shortened: dict[Path, ShortenedPath] = {}
        self.half = KnownLimits()
        """With which halves of the maximum the lines are the same that were asked for since this
        was set."""

    def of(self, path: Path) -> ShortenedPath:
        """`# A > B` and a blank line, in at most half the maximum (DECISIONS all-6)."""
        if not self._include:
            return NO_CONTEXT
        full = self.in_full(path)
        if not full.text:
            return full
        if self._tools.tracing:
            return self._tools.remembered(("context", path), partial(self._shorten, path, full))
        half = self._maximum // 2
        if self.half.admit(full.tokens, half):
            return full
        self.half.pin(half)
        known = self._shortened.get(path)
        if known is None:
            known = self._shortened[path] = self._shorten(path, full)
        return known

    def in_full(self, path: Path) -> ShortenedPath:
        """The line of a path, whatever the maximum."""
        return self._full.get(path) or self._full.keep(path, self._in_full(path))

    def _shorten(self, path: Path, full: ShortenedPath) -> ShortenedPath:
        limit = self._maximum // 2
        if full.tokens <= limit:
            return full
        titles = _titles(path)
        line, _ = shorten(titles, self._line, limit, self._tools.count)
        whole = next(
            (left for left in range(len(titles) - 1, 0, -1) if self._line([ELLIPSIS, *titles[-left:]]) == line), 0
        )
        detail = f"the section path has more than half of maxTokens ({self._maximum}), so only its end is kept"
        flag = Boundary("context-shortened", detail, None, None, limit, ("max_tokens",))
        return ShortenedPath(line, (flag,), whole, full.tokens)

    def _in_full(self, path: Path) -> ShortenedPath:
        if not path:
            return NO_CONTEXT
        before, tokens = self._without_ending(path[:-1])
        rest = _appended(before, path[-1]) + self._ending
        if before == _MARK and rest == self._ending:
            return ShortenedPath("", (), len(path), 0)
        return ShortenedPath(before + rest, (), len(path), self._index.count_behind(before, tokens, [rest]))

    def _without_ending(self, path: Path) -> tuple[str, int]:
        """The line of a path, which others go on from, and its tokens."""
        if not path:
            return _MARK, self._tools.count(_MARK)
        known = self._unended.get(path)
        if known is None:
            before, tokens = self._without_ending(path[:-1])
            rest = _appended(before, path[-1])
            known = self._unended.keep(path, (before + rest, self._index.count_behind(before, tokens, [rest])))
        return known

    def _line(self, titles: Sequence[str]) -> str:
        return f"{_MARK} {arrow(titles)}{self._ending}"


def _titles(path: Path) -> list[str]:
    return [title for title in path if title.strip()]


def _appended(line: str, title: str) -> str:
    """What a title adds to the line of the titles before it."""
    shown = arrow((title,))
    return f"{' ' if line == _MARK else ARROW}{shown}" if shown else ""
