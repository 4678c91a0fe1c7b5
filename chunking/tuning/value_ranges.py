"""The values of a setting between which some documents are cut differently: where a sweep of it is
worth beginning and ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.config.config import Config
from chunking.config.setting_spec import Number
from chunking.config.values import Value
from chunking.core.chunk import Chunk, Part
from chunking.document import Document
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.models.access import Tools
from chunking.runs import run
from chunking.runtime.run_limits import NO_LIMITS, RunLimits
from chunking.tokens import counter

CUTS = 200
"""About how many cuts of each document it takes to find the ranges of two settings, at most."""
_PROBES = 12
"""Steps between the values that are tried first."""
_ROUNDS = 4
"""How often each range is searched again beside the other one, which has become wider."""
_BESIDE = 2
"""Steps between the values of the other setting beside which a range is searched."""
_REACH = 3
"""A range goes on up to so many times its usual end, where nothing changes any more by then."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A setting, and the values among which its range is searched."""

    setting: str
    """In camelCase, as in the YAML; of a wrapped strategy after a dot, as `base.minTokens`."""
    now: Value
    low: Number = 0
    """Where a range usually begins; it never begins lower."""
    high: Number = 0
    """Where a range usually ends."""
    unit: Number = 1
    """How far two values are apart."""
    least: Number | None = None
    """The least and the largest that is legal: there, too, is looked for changes. None for `low`
    and `high`."""
    most: Number | None = None
    choices: tuple[Value, ...] = ()
    """Of a setting that is no number: it has no range, and those of others hold for each of
    these."""

    def value(self, step: int) -> Number:
        return round(self.low + step * self.unit, 6)

    def step(self, value: Number) -> int:
        return round((value - self.low) / self.unit)

    def steps(self) -> list[int]:
        """Those that are tried first: a dozen from `low` to `high`, a few beyond, and the present
        one."""
        top = self.step(self.high)
        within = {top * probe // _PROBES for probe in range(_PROBES + 1)}
        half = self.step(self.low / 2)
        below = {half} if self.least is not None and self.value(half) > self.least else set[int]()
        ends = (self.high * 2, self.high * _REACH, self.most) if self.most is not None else ()
        above = {self.step(end) for end in ends if self.most is not None and self.high < end <= self.most}
        now = {self.step(self.now)} if isinstance(self.now, int | float) else set[int]()
        return sorted(within | below | above | now)


@dataclass(frozen=True, slots=True)
class ChangingRange:
    """The values of a setting between which documents are cut differently."""

    low: Number
    """The largest value up to which nothing changes from the lowest one on that was tried."""
    high: Number
    """The smallest value from which nothing changes to the largest one that was tried."""
    below: bool = False
    """Whether smaller values change the chunks as well, so that `low` is only where a range usually
    begins."""
    above: bool = False
    """Whether larger values do."""


def changing_ranges(
    documents: Sequence[Document], config: Config, searched: Sequence[Searched], *, limits: RunLimits = NO_LIMITS
) -> dict[str, ChangingRange | None]:
    """The range of each setting in which some document changes, whatever the value of the others
    within theirs; None where no value that is tried changes a chunk.

    Values that are illegal together are left out. First each range is searched with the others as
    they are, by a dozen values and by bisection between two of them; then again beside some values
    of the range of each other, until none becomes wider. What was tried and lies outside a range
    gives the chunks of its nearest end, but where the range says that it goes on. Raises
    ChunkscopeError for a document that cannot be cut.
    """
    cuts = _Cuts(documents, config, limits)
    numbers = [each for each in searched if not each.choices]
    found = {each.setting: _wider(None, each, cuts, {}) for each in numbers}
    for _ in range(_ROUNDS):
        before = dict(found)
        for each in numbers:
            for other in searched:
                for value in _beside(other, found) if other is not each else ():
                    found[each.setting] = _wider(found[each.setting], each, cuts, {other.setting: value})
            found[each.setting] = _wider(found[each.setting], each, cuts, {})
        if found == before:
            break
    return found


def ranges_of_texts(
    texts: Sequence[tuple[str, str]], config: Config, searched: Sequence[Searched], limits: RunLimits = NO_LIMITS
) -> Iterator[tuple[str, ChangingRange | None]]:
    """Each setting with its range; `texts` are pairs of name and text: the work of a worker
    process (processes.py)."""
    documents = [parse(text, name) for name, text in texts]
    yield from changing_ranges(documents, config, searched, limits=limits).items()


def _beside(other: Searched, found: Mapping[str, ChangingRange | None]) -> Sequence[Value]:
    """The values of another setting beside which a range has to hold."""
    ends = found.get(other.setting)
    if other.choices or ends is None:
        return other.choices
    low, high = other.step(ends.low), other.step(ends.high)
    return [other.value(low + (high - low) * part // _BESIDE) for part in range(_BESIDE + 1)]


def _wider(
    known: ChangingRange | None, searched: Searched, cuts: _Cuts, others: Mapping[str, Value]
) -> ChangingRange | None:
    """The range that holds with these values of the others, too. Only outside of what is known is
    anything tried."""
    if known is None:
        return _changes(searched.steps(), searched, cuts, others)
    low, high = searched.step(known.low), searched.step(known.high)
    lower = _changes([*(step for step in searched.steps() if step < low), low], searched, cuts, others)
    upper = _changes([high, *(step for step in searched.steps() if step > high)], searched, cuts, others)
    return ChangingRange(
        min(known.low, lower.low) if lower else known.low,
        max(known.high, upper.high) if upper else known.high,
        known.below or bool(lower and lower.below),
        known.above or bool(upper and upper.above),
    )


def _changes(
    steps: Sequence[int], searched: Searched, cuts: _Cuts, others: Mapping[str, Value]
) -> ChangingRange | None:
    """Between which of these steps, which ascend, the chunks change; None where they do not."""

    def legal(step: int) -> bool:
        return cuts.legal({searched.setting: searched.value(step), **others})

    def at(step: int) -> int:
        return cuts.at({searched.setting: searched.value(step), **others})

    tried = _legal(steps, legal)
    chunks = [at(step) for step in tried]
    if len(set(chunks)) < 2:
        return None
    top, reach = searched.step(searched.high), searched.step(searched.high * _REACH)
    after = next(number for number, each in enumerate(chunks) if each != chunks[0])
    before = next(number for number in reversed(range(len(chunks))) if chunks[number] != chunks[-1])
    # Changes further out are only noted: the few steps of a sweep would be too far apart.
    below, above = tried[after] <= 0, tried[before] >= reach
    far = below or tried[after - 1] >= reach
    low = 0 if far else _last(tried[after - 1], tried[after], lambda step: at(step) == chunks[0])
    high = top if above else _last(tried[before + 1], tried[before], lambda step: at(step) == chunks[-1])
    high = max(high, 0)
    return ChangingRange(searched.value(min(low, high)), searched.value(high), below, above)


def _legal(steps: Sequence[int], legal: Callable[[int], bool]) -> list[int]:
    """The legal ones of these steps, and the last legal one before one that is not."""
    there = [legal(step) for step in steps]
    found = {step for step, holds in zip(steps, there, strict=True) if holds}
    for number in range(1, len(steps)):
        good, bad = (number, number - 1) if there[number] else (number - 1, number)
        if there[number] != there[number - 1]:
            found.add(_last(steps[good], steps[bad], legal))
    return sorted(found)


class _Cuts:
    """The chunks with each value of some settings."""

    def __init__(self, documents: Sequence[Document], config: Config, limits: RunLimits) -> None:
        self._documents, self._config, self._limits = documents, config, limits
        self._tools = Tools(counter(config.counter), asks_models=False)
        self._known: dict[Config, int] = {}

    def legal(self, settings: Mapping[str, Value]) -> bool:
        try:
            self._config.with_settings(settings)
        except ConfigError:
            return False
        return True

    def at(self, settings: Mapping[str, Value]) -> int:
        """A number that is the same for the same chunks."""
        config = self._config.with_settings(settings)
        if config not in self._known:
            runs = (run(each, config, self._tools.for_base(), limits=self._limits) for each in self._documents)
            self._known[config] = hash(tuple(_text_of(part) for each in runs for part in each.parts))
        return self._known[config]


def _text_of(part: Part) -> tuple[object, ...]:
    """What decides the text of a part."""
    if isinstance(part, Chunk):
        return part.body, part.overlap, part.context, part.closing, tuple(hole.body for hole in part.holes)
    return (part.body,)


def _last(good: int, bad: int, holds: Callable[[int], bool]) -> int:
    """The last step from `good` towards `bad` for which `holds` is true, if it turns once between
    them."""
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good
