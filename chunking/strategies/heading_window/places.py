"""Places from which windows are found without a walk: headings, and offsets between them at which
maxTokens has cut before. In columns that do not change: threads share them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from chunking.core.cut_parts import NUMBERS, WIDTH
from chunking.core.sealed import Sealed
from chunking.splitting.source_code.structure import CodeFences
from chunking.strategies.heading_window.known_windows import KnownSealed, KnownWindow, Window

if TYPE_CHECKING:
    from chunking.strategies.heading_window.frames import WindowFrames
    from chunking.strategies.heading_window.strategy import HeadingWindow

_NEVER = np.iinfo(np.int64).max
_FEW = 64
"""Cuts that are not worth new columns."""
_ROOM = 1 << 13
"""With more places between headings than this and the headings, those that are not cut at just now
are forgotten."""
Numbers = npt.NDArray[np.int64]


class Around:
    """Of each place, what goes around every window that begins there and ends at a heading, in
    numbers: tokens and characters in front of the body, and the maximum from which on it is so."""

    def __init__(self, places: int) -> None:
        self.known = np.zeros(places, np.bool_)
        self.tokens, self.characters, self.least = np.zeros((3, places), np.int64)

    def with_room_for(self, places: int) -> Around:
        """The same, of as many of these places, and nothing of others."""
        more, both = Around(places), min(places, len(self.known))
        for column in ("known", "tokens", "characters", "least"):
            getattr(more, column)[:both] = getattr(self, column)[:both]
        return more


@dataclass(frozen=True)
class Cuts:
    """Of each place, the window from there that ended at the maximum, with which settings it does
    again, and what was sealed of it."""

    ends: Numbers
    """The place of its end; -1 where there is none."""
    passed: Numbers
    passed_deeper: Numbers
    """It does with minimums above these."""
    least: Numbers
    below: Numbers
    """It does with a maximum from `least` up to but not including `below`."""
    numbers: Numbers
    """A row for each of the numbers that a sealed chunk begins with."""
    known: dict[int, tuple[Window, Sealed]]
    """By place."""

    @classmethod
    def none(cls, places: int) -> Cuts:
        """No cut at any of so many places."""
        ends, (passed, deeper, least, below) = np.full(places, -1), np.zeros((4, places), np.int64)
        numbers = np.zeros((WIDTH, places), np.int64)
        return cls(ends, passed, deeper, least, below, numbers, {})

    def with_room_for(self, places: int) -> Cuts:
        """The same, with more places."""
        more, own = Cuts.none(places), len(self.ends)
        for one, other in zip(more.columns, self.columns, strict=True):
            one[..., :own] = other
        more.known.update(self.known)
        return more

    @property
    def columns(self) -> tuple[Numbers, ...]:
        return self.ends, self.passed, self.passed_deeper, self.least, self.below, self.numbers

    def hold(self, settings: HeadingWindow) -> npt.NDArray[np.bool_]:
        """Which are found again with these settings."""
        above = (self.passed < settings.min_tokens) & (self.passed_deeper < settings.min_tokens_deeper)
        held: npt.NDArray[np.bool_] = (
            above & (self.least <= settings.max_tokens) & (settings.max_tokens < self.below) & (self.ends >= 0)
        )
        return held


@dataclass(frozen=True)
class Places:
    """Headings by their numbers, then the offsets between them."""

    rules: tuple[bool, CodeFences]
    """The settings for which the cuts are: whether there is a rule for H1, and how fences are
    cut."""
    headings: int
    starts: Numbers
    following: Numbers
    """The number of the first heading behind each."""
    levels: Numbers
    """Of the section in which it is, which a heading begins."""
    before: Numbers
    """The tokens before it, as `TokenIndex.sums_at`."""
    around: Around
    cuts: Cuts = field(repr=False)

    @cached_property
    def offsets(self) -> list[int]:
        """`starts` as a list."""
        offsets: list[int] = self.starts.tolist()
        return offsets

    @cached_property
    def at(self) -> dict[int, int]:
        """By offset, which place that is."""
        return dict(zip(self.offsets, range(len(self.starts)), strict=True))

    @classmethod
    def of_headings(cls, frames: WindowFrames, rules: tuple[bool, CodeFences], around: Around | None) -> Places:
        """Those of a document that has not been cut."""
        levels, count = np.array(frames.tree.levels, np.int64), len(frames.tree.levels)
        around = around.with_room_for(count) if around else Around(count)
        sums = frames.sums
        return cls(rules, count, sums.starts, np.arange(1, count + 1), levels, sums.before, around, Cuts.none(count))

    def with_cuts(self, frames: WindowFrames, found: Sequence[tuple[KnownWindow, KnownSealed]]) -> Places:
        """With these windows that ended at the maximum."""
        if len(found) < _FEW:
            return self
        if len(self.starts) > 2 * self.headings + _ROOM:
            return Places.of_headings(frames, self.rules, self.around).with_cuts(frames, found)
        more = self._with_places(frames, (offset for known, _ in found for offset in known.window[:2]))
        cuts = more.cuts
        for (window, minimums, least, below), known in found:
            place, end = more.at.get(window.start), more.at.get(window.end)
            if place is None or end is None:
                continue
            cuts.ends[place] = end
            cuts.passed[place], cuts.passed_deeper[place] = minimums.passed, minimums.passed_deeper
            cuts.least[place] = max(least, known.least)
            cuts.below[place] = _NEVER if (lowest := min(below, known.below)) == math.inf else lowest
            cuts.numbers[:, place] = NUMBERS(known.sealed)
            cuts.known[place] = window, known.sealed
        return more

    def _with_places(self, frames: WindowFrames, offsets: Iterable[int]) -> Places:
        """With a copy of the cuts, and with the offsets from which windows can be found."""
        starts, following, before = list[int](), list[int](), list[int]()
        for offset in sorted({*offsets} - self.at.keys()):
            _, opens_with, after = frames.place(offset)
            tokens = frames.index.sums_at(np.array([offset])) if opens_with is None and after else None
            if tokens is not None:
                starts.append(offset)
                following.append(after)
                before.append(int(tokens[0]))
        places = len(self.starts) + len(starts)
        return Places(
            self.rules,
            self.headings,
            np.append(self.starts, np.array(starts, np.int64)),
            np.append(self.following, np.array(following, np.int64)),
            np.append(self.levels, self.levels[np.array(following, np.int64) - 1]),
            np.append(self.before, np.array(before, np.int64)),
            self.around.with_room_for(places),
            self.cuts.with_room_for(places),
        )
