"""For one boundary and one setting: the nearest value on each side at which the boundary goes, found by re-cutting.

Only values at which some decision can change are tried: the strategy reports what a setting was compared with
(`Tools.saw`), and between two such values every decision is the same. DECISIONS, "Explaining".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from annotated_types import Ge, Le
from pydantic import ValidationError

from chunking.chunk import Boundary, Chunk
from chunking.document import Document
from chunking.errors import ConfigError
from chunking.strategy import Strategy
from chunking.tools import Tools

Number = int | float
SettingValue = Number | bool | str | None

_MOST_RECUTS = 400
_MOST_CHARACTERS = 60_000_000
"""Of text cut again for one side of one setting. A count, not a clock: the same question has the same answer."""
_FEWEST_RECUTS = 24
_FARTHEST = 2**40
"""Beyond this a setting without a bound counts as unlimited."""


@dataclass(frozen=True, slots=True)
class Side:
    """What happens to a boundary as one setting moves one way from its value."""

    stays_to: Number
    """The farthest value known to keep the boundary, with everything between it and the setting's value."""
    goes_at: Number | None
    """The nearest value at which it is gone; None when none was found."""
    ends: Literal["goes", "last-legal", "unlimited", "searched"]
    """Why the search ended: the boundary goes; no value beyond is legal; it stays at any value; the work was capped."""
    rules: tuple[tuple[Number, str], ...] = ()
    """Where another rule takes the boundary over: the value, going outward, and the rule from there on."""


class Recutter:
    """Cuts one document again under other settings and watches one offset."""

    def __init__(
        self, document: Document, strategy: Strategy, tools: Tools, offset: int, reported: frozenset[str]
    ) -> None:
        """`tools` cut the document before, so that no model need be asked again.

        `reported` names the settings for which the strategy says, anywhere in the document, what it compared.
        """
        self.document = document
        self.strategy = strategy
        self.tools = tools
        self.offset = offset
        self.reported = reported
        self.recuts = 0

    @cached_property
    def baseline(self) -> tuple[Boundary | None, dict[str, set[float]]]:
        """The cut at the offset under the settings as they are, and the values compared on the way there."""
        return self.cut(self.strategy)

    @property
    def most_recuts(self) -> int:
        """How many re-cuts one side may cost: fewer where each reads more text."""
        return max(_FEWEST_RECUTS, min(_MOST_RECUTS, _MOST_CHARACTERS // max(self.offset, 1)))

    def with_value(self, setting: str, value: object) -> Strategy | None:
        """The strategy with one setting changed; None when that is not legal, alone or against another setting."""
        values: dict[str, object] = {name: getattr(self.strategy, name) for name in type(self.strategy).model_fields}
        try:
            return type(self.strategy).model_validate({**values, setting: value})
        except (ValidationError, ConfigError):
            return None

    def cut(self, strategy: Strategy) -> tuple[Boundary | None, dict[str, set[float]]]:
        """The reason for the cut at the offset, None without one, and the values compared on the way there.

        Strategies are generators: nothing behind the offset is cut, and nothing there can change the answer.
        """
        self.recuts += 1
        tools = self.tools.again()
        for part in strategy.split(self.document, tools):
            if part.body.end >= self.offset:
                ended = isinstance(part, Chunk) and part.body.end == self.offset
                return (part.ended_by if ended and isinstance(part, Chunk) else None), tools.seen
        return None, tools.seen


def search(recutter: Recutter, setting: str, value: Number, direction: Literal[-1, 1]) -> tuple[Side, bool]:
    """One side of one setting, and whether the answer is exact.

    Exact where the strategy reports what the setting was compared with. Where it never does, values ever further away
    are tried instead, and a gap between two tries could hide another answer.
    """
    reason, seen = recutter.baseline
    rule = reason.rule if reason else ""
    if setting in recutter.reported:
        return _walk(recutter, setting, value, direction, seen.get(setting, set()), rule), True
    return _probe(recutter, setting, value, direction, rule), False


def _walk(recutter: Recutter, setting: str, value: Number, direction: int, compared: set[float], rule: str) -> Side:
    """From one value at which a decision changes to the next, until the boundary is gone or no value is left."""
    at, rules = value, list[tuple[Number, str]]()
    for _ in range(recutter.most_recuts):
        candidate = next_candidate(compared, at, direction, whole=isinstance(value, int))
        if candidate is None:
            edge, ends = last_legal(recutter, setting, at, direction)
            return Side(edge, None, ends, tuple(rules))
        changed = recutter.with_value(setting, candidate)
        if changed is None:
            edge, ends = last_legal(recutter, setting, at, direction)
            return Side(edge, None, ends, tuple(rules))
        reason, seen = recutter.cut(changed)
        if reason is None:
            return Side(_neighbour(candidate, -direction), candidate, "goes", tuple(rules))
        if reason.rule != rule:
            rule = reason.rule
            rules.append((candidate, rule))
        at, compared = candidate, seen.get(setting, set())
    return Side(at, None, "searched", tuple(rules))


def next_candidate(compared: set[float], at: Number, direction: int, *, whole: bool) -> Number | None:
    """The nearest value beyond `at` at which a comparison can turn, whether it was `<` or `<=`."""
    if whole:
        nearer = (math.floor(x) if direction > 0 else math.ceil(x) for x in compared)
        candidates: set[Number] = {each for x in nearer for each in (x, x + direction)}
    else:
        candidates = {each for x in compared for each in (float(x), math.nextafter(x, direction * math.inf))}
    # Compared, not subtracted: two neighbouring fractions can be equally far away as far as a float can tell.
    beyond = [candidate for candidate in candidates if (candidate > at if direction > 0 else candidate < at)]
    return min(beyond, key=lambda candidate: candidate * direction, default=None)


def _neighbour(value: Number, direction: int) -> Number:
    return value + direction if isinstance(value, int) else math.nextafter(value, direction * math.inf)


def last_legal(
    recutter: Recutter, setting: str, at: Number, direction: int
) -> tuple[Number, Literal["last-legal", "unlimited"]]:
    """The farthest legal value from `at` on: the setting's own bound, or where it would contradict another setting."""
    bound = declared_bound(type(recutter.strategy), setting, direction)
    far: Number = direction * _FARTHEST if bound is None else bound
    if isinstance(at, float):
        far = float(far)
    if recutter.with_value(setting, far) is not None:
        return far, "unlimited" if bound is None else "last-legal"
    return bisected(at, far, lambda tried: recutter.with_value(setting, tried) is not None), "last-legal"


def declared_bound(strategy: type[Strategy], setting: str, direction: int) -> Number | None:
    """The `ge` (direction -1) or `le` (direction 1) the setting was declared with, in the setting's own type."""
    for bound in strategy.model_fields[setting].metadata:
        if direction < 0 and isinstance(bound, Ge):
            return _number(bound.ge)
        if direction > 0 and isinstance(bound, Le):
            return _number(bound.le)
    return None


def _number(bound: object) -> Number | None:
    return bound if isinstance(bound, int | float) else None


def bisected(holds_at: Number, fails_at: Number, holds: Callable[[Number], bool]) -> Number:
    """The last value from `holds_at` towards `fails_at` for which `holds` is true, if it turns once between them.

    Whole numbers exactly; other numbers to the last bit, or as close as 200 halvings come.
    """
    good, bad = holds_at, fails_at
    for _ in range(200):
        middle = (good + bad) // 2 if isinstance(good, int) and isinstance(bad, int) else (good + bad) / 2
        if middle in (good, bad):
            nearer = _neighbour(good, 1 if bad > good else -1)
            if nearer == bad or not holds(nearer):
                break
            middle = nearer
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def _probe(recutter: Recutter, setting: str, value: Number, direction: int, rule: str) -> Side:
    """Every value near the setting's, then values ever further away; then closer between the last two tries."""
    step: Number = 1 if isinstance(value, int) else max(abs(value), 1.0) / 64
    at, rules = value, list[tuple[Number, str]]()
    for steps in ever_further(recutter.most_recuts // 2):
        candidate = value + direction * step * steps
        last = recutter.with_value(setting, candidate) is None
        if last:
            candidate, _ = last_legal(recutter, setting, at, direction)
        changed = recutter.with_value(setting, candidate) if candidate != at else None
        if changed is None:
            return Side(at, None, "last-legal", tuple(rules))
        reason, _ = recutter.cut(changed)
        if reason is None:
            stays = bisected(at, candidate, lambda tried: _stays(recutter, setting, tried))
            return Side(stays, _neighbour(stays, direction), "goes", tuple(rules))
        if reason.rule != rule:
            rule = reason.rule
            rules.append((candidate, rule))
        at = candidate
        if last:
            return Side(at, None, "last-legal", tuple(rules))
    return Side(at, None, "searched", tuple(rules))


def ever_further(tries: int) -> Iterator[int]:
    """1, 2, 3, ... for the first quarter of the tries, then each a quarter further than the one before."""
    steps = 0
    for number in range(tries):
        steps += 1 if number < tries // 4 else max(1, steps // 4)
        yield steps


def _stays(recutter: Recutter, setting: str, value: Number) -> bool:
    changed = recutter.with_value(setting, value)
    return changed is not None and recutter.cut(changed)[0] is not None
