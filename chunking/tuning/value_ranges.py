"""The values of a setting between which some documents are cut differently: where a sweep of it is
worth beginning and ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chunking.config.config import Config
from chunking.config.setting_spec import Number
from chunking.core.chunk import Chunk, Part
from chunking.document import Document
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.models.access import Tools
from chunking.runs import run
from chunking.runtime.run_limits import NO_LIMITS, RunLimits
from chunking.tokens import counter

CUTS = 30
"""About how many cuts of each document it takes to find the range of one setting."""
_PROBES = 12
"""Steps between the values that are tried first."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A setting, and the values among which its range is searched."""

    setting: str
    """In camelCase, as in the YAML; of a wrapped strategy after a dot, as `base.minTokens`."""
    now: Number
    low: Number
    high: Number
    unit: Number
    """How far two values are apart."""

    def value(self, step: int) -> Number:
        return round(self.low + step * self.unit, 6)

    def step(self, value: Number) -> int:
        return round((value - self.low) / self.unit)


def changing_range(
    documents: Sequence[Document], config: Config, searched: Searched, *, limits: RunLimits = NO_LIMITS
) -> tuple[Number, Number] | None:
    """The largest value up to which nothing changes from the lower end on, and the smallest one
    from which nothing changes to the upper end; None where no value that is tried changes a chunk.

    The other settings stay as they are, and values that are illegal with them are left out. A dozen
    values are tried, then both ends are found by bisection between two of them. Raises
    ChunkscopeError for a document that cannot be cut.
    """
    cuts = _Cuts(documents, config, searched, limits)
    top, now = searched.step(searched.high), searched.step(searched.now)
    first = 0 if cuts.legal(0) else _last(now, 0, cuts.legal)
    last = top if cuts.legal(top) else _last(now, top, cuts.legal)
    tried = sorted({now, *(first + (last - first) * probe // _PROBES for probe in range(_PROBES + 1))})
    chunks = [cuts.at(step) for step in tried]
    if len(set(chunks)) == 1:
        return None
    after = next(number for number, each in enumerate(chunks) if each != chunks[0])
    before = next(number for number in reversed(range(len(chunks))) if chunks[number] != chunks[-1])
    low = _last(tried[after - 1], tried[after], lambda step: cuts.at(step) == chunks[0])
    high = _last(tried[before + 1], tried[before], lambda step: cuts.at(step) == chunks[-1])
    return searched.value(low), searched.value(high)


def ranges_of_texts(
    texts: Sequence[tuple[str, str]], config: Config, searched: Sequence[Searched], limits: RunLimits = NO_LIMITS
) -> Iterator[tuple[str, tuple[Number, Number] | None]]:
    """Each setting with its range; `texts` are pairs of name and text: the work of a worker
    process (processes.py)."""
    documents = [parse(text, name) for name, text in texts]
    for each in searched:
        yield each.setting, changing_range(documents, config, each, limits=limits)


class _Cuts:
    """The chunks at each value of a setting."""

    def __init__(
        self, documents: Sequence[Document], config: Config, searched: Searched, limits: RunLimits = NO_LIMITS
    ) -> None:
        self._documents, self._config, self._searched, self._limits = documents, config, searched, limits
        self._tools = Tools(counter(config.counter), asks_models=False)
        self._known: dict[int, int] = {}

    def legal(self, step: int) -> bool:
        try:
            self._with(step)
        except ConfigError:
            return False
        return True

    def at(self, step: int) -> int:
        """A number that is the same for the same chunks."""
        if step not in self._known:
            config = self._with(step)
            runs = (run(each, config, self._tools.for_base(), limits=self._limits) for each in self._documents)
            self._known[step] = hash(tuple(_text_of(part) for each in runs for part in each.parts))
        return self._known[step]

    def _with(self, step: int) -> Config:
        return self._config.with_settings({self._searched.setting: self._searched.value(step)})


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
