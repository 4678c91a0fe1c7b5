"""Single changes of a setting that keep a marked span whole, the smallest first, found by cutting
again.

It uses the search of `search.py` with the question whether one chunk contains the whole span. All
settings are searched together in order of the distance from their present value, so that a small
change is found before time is spent on large ones.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chunking.config.setting_spec import Number, spec_of
from chunking.core.chunk import Chunk, Part
from chunking.core.strategy import Strategy
from chunking.document import Document, Span
from chunking.explanation.recutting import Recutter
from chunking.explanation.search import DIRECTIONS, MOST_WORK, NumberSetting, SettingWalk
from chunking.explanation.setting_values import number_settings, other_values, rounded_outward
from chunking.gold.coverage import coverage_by

_ENOUGH = 3
"""The search ends after this many changes of numeric settings."""


@dataclass(frozen=True, slots=True)
class OfSpan:
    """What every question about a span of a document has (`CutTest`)."""

    document: Document
    span: Span

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end


@dataclass(frozen=True, slots=True)
class SpanWhole(OfSpan):
    """The question whether one chunk contains all of a span, in its overlap or its body."""

    of_text: bool = True

    def rule(self, parts: Sequence[Part]) -> str | None:
        """The rule of the first cut in the span; None where it is whole."""
        coverage = coverage_by(parts, self.document, self.span)
        if coverage.whole:
            return None
        if coverage.cuts:
            return coverage.cuts[0].reason.rule
        last = parts[-1]
        return (last.ended_by if isinstance(last, Chunk) else last.because).rule


@dataclass(frozen=True, slots=True)
class Change:
    """One setting at a value that keeps the span whole."""

    setting: str
    """In snake_case."""
    value: object
    strategy: Strategy
    size: float
    """How large the change is, as a share of the setting's slider; infinite for switches and
    choices."""
    nearest: bool
    """Whether no nearer value does it; False where that is not known."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The values of one setting at which the cut was seen to stay."""

    setting: str
    """In snake_case."""
    low: Number | None
    """Every value from here to `high`; None where it is any value below. Both None for a switch or
    a choice."""
    high: Number | None
    """None where it is any value above."""
    values: tuple[object, ...] = ()
    """Of a switch or a choice."""


class Search(NamedTuple):
    """What a search found."""

    changes: list[Change]
    """The smallest first."""
    complete: bool
    """Whether it came to its end."""
    tried: tuple[Tried, ...] = ()
    """Without the settings at whose present value alone the cut was seen."""


def changes(recutter: Recutter, goes_on: Callable[[], bool], of: Collection[str] | None = None) -> Search:
    """Changes for which the answer is that the cut is gone, and what else was tried.

    A few changes of numbers, each of another setting or in the other direction, and every switch
    and choice that does it: `of` these settings, in snake_case, of all where that is None.
    """
    of = type(recutter.strategy).model_fields if of is None else of
    found: list[Change] = []
    if recutter.answer(recutter.strategy).gone:
        return Search([], True)
    walks = list(_walks(recutter, of)) if goes_on() else []
    waiting = [(_size(walk, walk.next), number, walk) for number, walk in enumerate(walks) if walk.ends is None]
    heapq.heapify(waiting)
    while waiting and len(found) < _ENOUGH and recutter.work < 2 * MOST_WORK and goes_on():
        _, number, walk = heapq.heappop(waiting)
        walk.step()
        if walk.goes_at is not None:
            found += _changes_of(walk)
        elif walk.ends is None:
            heapq.heappush(waiting, (_size(walk, walk.next), number, walk))
    complete = goes_on() and not waiting and all(walk.side.exact for walk in walks)
    options, all_known, in_vain = _choices(recutter, of)
    in_order = sorted(found, key=lambda change: change.size) + options
    tried = (*_ranges(walks), *in_vain)
    return Search(in_order, (complete and all_known) or len(found) >= _ENOUGH, tried)


def _ranges(walks: Sequence[SettingWalk]) -> Iterator[Tried]:
    """How far each setting was walked, both ways."""
    ends: dict[str, dict[int, Number | None]] = {}
    for walk in walks:
        side = walk.side
        ends.setdefault(walk.setting.name, {})[walk.direction] = None if side.ends == "unlimited" else side.stays_to
    for name, each in ends.items():
        if each[-1] is None or each[-1] != each[1]:
            yield Tried(name, each[-1], each[1])


def _walks(recutter: Recutter, of: Collection[str]) -> Iterator[SettingWalk]:
    numbers = [(name, value) for name, value in number_settings(recutter.strategy) if name in of]
    for name, value in numbers:
        setting = NumberSetting(recutter, name, value)
        for direction in reversed(DIRECTIONS):
            yield SettingWalk(setting, direction, MOST_WORK // max(1, 2 * len(numbers)))


def _changes_of(walk: SettingWalk) -> list[Change]:
    """The change that a walk found, if any; a fraction with no more digits than it needs."""
    setting, side = walk.setting, walk.side
    if side.goes_at is None:
        return []
    value = rounded_outward(side.goes_at, setting.value, setting.gone_at)
    changed = setting.recutter.with_value(setting.name, value)
    return (
        [Change(setting.name, value, changed, _size(walk, value), side.exact and value == side.goes_at)]
        if changed is not None
        else []
    )


def _choices(recutter: Recutter, of: Collection[str]) -> tuple[list[Change], bool, list[Tried]]:
    """The switches and choices that do it, whether all of them could be tried, and those that do
    not."""
    found, all_known, in_vain = list[Change](), True, list[Tried]()
    numbers = dict(number_settings(recutter.strategy))
    for name in type(recutter.strategy).model_fields:
        if name in numbers or name not in of:
            continue
        stays: list[object] = []
        for other in other_values(recutter.strategy, name):
            changed = recutter.with_value(name, other)
            if changed is None:
                continue
            answer = recutter.answer(changed)
            all_known = all_known and answer.known
            if answer.gone:
                found.append(Change(name, other, changed, math.inf, True))
            elif answer.known:
                stays.append(other)
        if stays:
            in_vain.append(Tried(name, None, None, tuple(stays)))
    return found, all_known, in_vain


def _size(walk: SettingWalk, value: Number) -> float:
    """How large the change to a value is: as a share of the slider, else of the present value."""
    present, strategy = walk.setting.value, type(walk.setting.recutter.strategy)
    spec = spec_of(strategy, walk.setting.name)
    if spec and spec.slider and spec.slider[1] > spec.slider[0]:
        return abs(value - present) / float(spec.slider[1] - spec.slider[0])
    return abs(value - present) / max(abs(present), 1.0)
