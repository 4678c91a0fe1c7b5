"""Windows of heading-window, and those that were found before, each with the settings with which it
is found again: while a threshold moves, most windows end where they ended."""

from __future__ import annotations

import math
from typing import NamedTuple

from chunking.core.chunk import END, Boundary
from chunking.core.sealed import Metadata, Sealed
from chunking.splitting.document_cache import Memo
from chunking.splitting.source_code.structure import CodeFences

MINIMUM_RULES = ("minimum-reached", "deeper-minimum-reached")
HEADING_RULES = ("second-h2", *MINIMUM_RULES)


class Reason(NamedTuple):
    """Why a window ends, without the settings' numbers, which another cut may have others of."""

    rule: str
    held: int = 0
    """The window's tokens."""
    more: int = 0
    """Those of what does not fit."""
    heading: int = -1
    """The number of the heading at which it ends."""
    line: int = 0
    """The line that does not fit."""
    statement: int = 0
    """The line of the statement before which a fence is cut; 0 where it is cut at a line."""
    in_line: bool = False
    """Whether that line does not fit alone either, and is cut."""


THE_END = Reason(END.rule)


class Window(NamedTuple):
    """A window before it is counted and framed. Offsets are code points."""

    start: int
    end: int
    reason: Reason
    flags: tuple[Boundary, ...] = ()
    tokens: int | None = None
    """The exact count of the body, where a decision asked for it."""
    place: int = -1
    """Which of the places (places.py) it begins at, where it ends at a heading and was found by the
    sums of tokens."""


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
    """A window, and with which settings it is found again: with these minimums, and a maximum from
    `least` up to but not including `below`."""

    window: Window
    minimums: Minimums
    least: int
    below: float


class KnownWindows(Memo[tuple[int, bool, CodeFences], KnownWindow]):
    """The window found last from each start, with and without the rule for H1, and by how fences
    are cut."""


class KnownSealed(NamedTuple):
    """What was sealed of a window, with a maximum from `least` up to but not including `below`."""

    sealed: Sealed
    least: float
    below: float
    count_context: bool


class Opening(NamedTuple):
    """What is sealed of every window that begins at one place and ends at a heading."""

    context: str
    context_tokens: int
    least: int
    """The maximum from which on it is so: for a smaller one the headings above are shortened."""
    breadcrumb: tuple[str, ...]
    metadata: Metadata | None
    """None where it depends on what is in the window."""


class Openings(Memo[int, Opening]):
    """By where it begins."""


class SealedWindows(Memo[int, KnownSealed]):
    """By start what was sealed last."""
