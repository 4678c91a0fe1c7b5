"""Windows that were found before, each with the settings with which it is found again: while a
threshold moves, most windows end where they ended."""

from __future__ import annotations

import math
from typing import NamedTuple

from chunking.core.chunk import Boundary, Chunk
from chunking.document import Span
from chunking.splitting.document_cache import Memo
from chunking.splitting.source_code.structure import CodeFences


class Draft(NamedTuple):
    """A window before it is counted and framed."""

    body: Span
    ended_by: Boundary
    flags: tuple[Boundary, ...] = ()
    in_line: bool = False
    """Whether it is a piece of a line that is too long alone."""
    tokens: int | None = None
    """The exact count of the body, where a decision asked for it."""


class Minimums(NamedTuple):
    """The minimums with which the same headings are passed over: above `passed` and at most
    `reached`, each for a heading that is not deeper, and for a deeper one."""

    passed: int = -1
    reached: float = math.inf
    passed_deeper: int = -1
    reached_deeper: float = math.inf

    def hold(self, least: int, least_deeper: int) -> bool:
        """Whether these minimums are among them."""
        return self.passed < least <= self.reached and self.passed_deeper < least_deeper <= self.reached_deeper

    def passing(self, tokens: int, *, deeper: bool) -> Minimums:
        """Those with which a heading with so many tokens before it is passed over too."""
        if deeper:
            return self._replace(passed_deeper=max(self.passed_deeper, tokens))
        return self._replace(passed=max(self.passed, tokens))

    def sealing(self, tokens: int, *, deeper: bool) -> Minimums:
        """Those with which a heading with so many tokens before it seals."""
        return self._replace(reached_deeper=tokens) if deeper else self._replace(reached=tokens)


class KnownWindow(NamedTuple):
    """A window, and with which settings it is found again."""

    draft: Draft
    minimums: Minimums
    max_tokens: int
    heading: str = ""
    """The heading that sealed it, as its reason names it; empty where no minimum did."""


class KnownWindows(Memo[tuple[int, bool, CodeFences], KnownWindow]):
    """The window found last from each start, with and without the rule for H1, and by how fences
    are cut."""


class SealedChunks(Memo[int, tuple[tuple[int, bool], Chunk]]):
    """The chunk sealed last from each start, with the maximum and whether the context counts."""
