"""Nearest first: which single change of a setting keeps a marked span whole, found by cutting again.

All settings are searched at once, in the order of how far a value is from where it stands, so that the smallest change
is found before a large one is paid for. Near the value those are tried at which some decision changes (`Tools.saw`),
which is exact; further out some of those are left out, and what lies before the first that does it is halved.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from chunking.chunk import Boundary, Chunk, Part
from chunking.document import Document, Span
from chunking.errors import ModelError
from chunking.gold_cut import fate
from chunking.setting_ranges import other_values
from chunking.settings_search import Number, Recutter, bisected, ever_further, last_legal, next_candidate
from chunking.strategy import Strategy
from chunking.tools import Tools

_ENOUGH = 3
"""Changes of numbers after which no more are looked for."""
_EVERY_ONE = 16
"""Decisions on each side of a value that are all tried; further out the next is a quarter further away."""
_FURTHER = 1.25
_MOST_RECUTS = 600
_FEWEST_RECUTS = 40
_MOST_CHARACTERS = 60_000_000
"""Of text cut again for one span. A count, not a clock: the same question has the same answer."""


@dataclass(frozen=True, slots=True)
class Change:
    """One setting at a value that keeps the span whole."""

    setting: str
    """In snake_case."""
    value: object
    strategy: Strategy
    size: float
    """How large the change is, as a share of the setting's slider; infinite for switches and choices."""
    nearest: bool
    """Whether no nearer value does it; else none of those that were tried."""


class SpanRecutter(Recutter):
    """Cuts one document again and watches one span: the cut is gone as soon as a chunk says all of the span."""

    def __init__(self, document: Document, strategy: Strategy, tools: Tools, span: Span) -> None:
        """`tools` cut the whole document before, watching, so that no model need be asked again."""
        super().__init__(document, strategy, tools, span.end, frozenset(tools.seen))
        self.span = span

    @property
    def most_recuts(self) -> int:
        return max(_FEWEST_RECUTS, min(_MOST_RECUTS, _MOST_CHARACTERS // max(self.offset, 1)))

    def cut(self, strategy: Strategy) -> tuple[Boundary | None, dict[str, set[float]]]:
        """The reason for the first cut in the span, None where it is whole, and the values compared on the way there.

        Nothing behind the span is cut.
        """
        self.recuts += 1
        tools = self.tools.again()
        touching: list[Part] = []
        for part in strategy.split(self.document, tools):
            if part.body.end > self.span.start:
                touching.append(part)
            if part.body.end >= self.span.end:
                break
        found = fate(touching, self.document, self.span)
        if found.whole:
            return None, tools.seen
        last = touching[-1]
        reason = last.ended_by if isinstance(last, Chunk) else last.because
        return (found.cuts[0].reason if found.cuts else reason), tools.seen

    def keeps(self, setting: str, value: object) -> Strategy | None:
        """The strategy with this value, where it is legal and keeps the span whole without asking a model."""
        changed = self.with_value(setting, value)
        try:
            return changed if changed is not None and self.cut(changed)[0] is None else None
        except ModelError:  # only a model could say
            return None


def changes(recutter: SpanRecutter, goes_on: Callable[[], bool]) -> tuple[list[Change], bool]:
    """Changes that keep the span whole, the smallest first, and whether the search came to its end.

    A few of numbers, each of another setting or the other way, and every switch and choice that does it.
    """
    found: list[Change] = []
    waiting = [(each.size, number, each) for number, each in enumerate(_frontiers(recutter)) if each.advance()]
    heapq.heapify(waiting)
    while waiting and len(found) < _ENOUGH and recutter.recuts < recutter.most_recuts and goes_on():
        _, number, nearest = heapq.heappop(waiting)
        change = nearest.tried()
        if change is not None:
            found.append(change)
        elif nearest.advance():
            heapq.heappush(waiting, (nearest.size, number, nearest))
    complete = not waiting or len(found) >= _ENOUGH
    return sorted(found, key=lambda change: change.size) + list(_choices(recutter)), complete


def _choices(recutter: SpanRecutter) -> Iterator[Change]:
    for name in type(recutter.strategy).model_fields:
        value: object = getattr(recutter.strategy, name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            for other in other_values(type(recutter.strategy), name, value):
                changed = recutter.keeps(name, other)
                if changed is not None:
                    yield Change(name, other, changed, math.inf, True)


def _frontiers(recutter: SpanRecutter) -> Iterator[_Frontier]:
    _, seen = recutter.baseline
    for name in type(recutter.strategy).model_fields:
        value: object = getattr(recutter.strategy, name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            for direction in (1, -1):
                compared = seen.get(name, set()) if name in recutter.reported else None
                yield _Frontier(recutter, name, value, direction, compared)


@dataclass(eq=False)
class _Frontier:
    """How far one setting has been tried in one direction. Mutable, and lives in one search."""

    recutter: SpanRecutter
    setting: str
    value: Number
    direction: int
    compared: set[float] | None
    """What the setting was compared with at the last value tried; None where the strategy does not say."""
    last: Number = field(init=False)
    """The last value tried, at which the span was cut."""
    candidate: Number | None = None
    skipped: bool = False
    count: int = 0

    def __post_init__(self) -> None:
        self.last = self.value
        self._steps = ever_further(self.recutter.most_recuts // 4)

    @property
    def size(self) -> float:
        """How large a change the candidate is."""
        return abs((self.candidate or 0) - self.value) / _range(type(self.recutter.strategy), self.setting, self.value)

    def advance(self) -> bool:
        """Go on to the next value worth trying; whether there is one."""
        self.candidate = self._next_reported() if self.compared is not None else self._next_tried()
        if self.candidate is None:
            return False
        self.count += 1
        if self.recutter.with_value(self.setting, self.candidate) is None:
            edge, _ = last_legal(self.recutter, self.setting, self.last, self.direction)
            # What lies between was compared with nothing: only where values are just tried is the last one worth it.
            self.candidate = edge if edge != self.last and self.compared is None else None
        return self.candidate is not None

    def _next_reported(self) -> Number | None:
        compared, whole = self.compared or set(), isinstance(self.value, int)
        nearest = next_candidate(compared, self.last, self.direction, whole=whole)
        if nearest is None or self.count < _EVERY_ONE:
            return nearest
        far = self.value + self.direction * abs(self.last - self.value) * _FURTHER
        leap = next_candidate(compared, int(far) if whole else far, self.direction, whole=whole)
        if leap is None or self.recutter.with_value(self.setting, leap) is None:
            return nearest
        self.skipped = self.skipped or leap != nearest
        return leap

    def _next_tried(self) -> Number | None:
        step: Number = 1 if isinstance(self.value, int) else max(abs(self.value), 1.0) / 64
        steps = next(self._steps, None)
        if steps is None:
            return None
        candidate = self.value + self.direction * step * steps
        self.skipped = self.skipped or abs(candidate - self.last) != 1 or not isinstance(candidate, int)
        return candidate

    def tried(self) -> Change | None:
        """Cut with the candidate: the change, where that keeps the span whole."""
        if self.candidate is None:
            return None
        changed = self.recutter.with_value(self.setting, self.candidate)
        if changed is None:
            return None
        try:
            reason, seen = self.recutter.cut(changed)
        except ModelError:  # only a model could say
            return None
        if reason is not None:
            self.last = self.candidate
            if self.compared is not None:
                self.compared = seen.get(self.setting, set())
            return None
        return self._closed_in(self.candidate)

    def _closed_in(self, value: Number) -> Change | None:
        """The change with the nearest such value, and of a fraction with no more digits than that needs."""
        if self.skipped:
            value = bisected(value, self.last, lambda tried: self.recutter.keeps(self.setting, tried) is not None)
        if isinstance(value, float):
            value = self._short(value)
        changed = self.recutter.with_value(self.setting, value)
        if changed is None:
            return None
        self.candidate = value
        return Change(self.setting, value, changed, self.size, not self.skipped)

    def _short(self, value: float) -> float:
        """A person would not type the nearest float there is."""
        outward = math.ceil if self.direction > 0 else math.floor
        for digits in (2, 3, 4, 6):
            near = outward(value * 10**digits) / 10**digits
            if self.recutter.keeps(self.setting, near) is not None:
                return near
        return value


def _range(strategy: type[Strategy], setting: str, value: Number) -> float:
    """What a change of this setting is measured against: the range worth dragging over, else its value."""
    extra = strategy.model_fields[setting].json_schema_extra
    slider = extra.get("slider") if isinstance(extra, dict) else None
    if isinstance(slider, list) and len(slider) == 2:
        low, high = slider
        if isinstance(low, int | float) and isinstance(high, int | float) and high > low:
            return float(high - low)
    return max(abs(value), 1.0)
