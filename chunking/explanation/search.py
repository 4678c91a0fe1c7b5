"""The search for the values of one setting at which a cut stays: by cutting again.

`explanation.py` asks how far a boundary stays, `remove_boundary.py` what removes it, `nearest.py`
what keeps a span whole. Each cut reports the interval of values for which it would be the same
(`tracing/trace.py`), so the search walks from one interval to the next and misses no value between.
DECISIONS, "Explaining".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from chunking.config.setting_spec import Number
from chunking.explanation.recutting import CutAnswer, Recutter
from chunking.explanation.setting_values import has_own_checks, last_legal, last_where, next_value, probes
from chunking.tracing import Memory

MOST_WORK = 650_000
"""Limit of work in one direction from a setting's value: comparisons with it, plus cached steps of
cuts. A count and not a time, so that the same question always has the same answer."""
CLICK_WORK = 200_000
"""The same for all settings together, where a person waits for what a click shows."""
_REMEMBERED = 1 << 17
"""Maximum steps of cuts cached for one setting; the cache is then emptied."""
_LEAPS = 32
"""Maximum number of attempts beyond the known interval, each farther away than the last."""
_FURTHER = 1.5
"""How much farther from the setting's value each attempt is than the last, as a factor."""

DIRECTIONS: tuple[Literal[-1, 1], Literal[-1, 1]] = (-1, 1)
Ends = Literal["goes", "last-legal", "unlimited", "at-least"]


@dataclass(frozen=True, slots=True)
class Side:
    """What happens to the cut as one setting moves from its value in one direction."""

    stays_to: Number
    """The farthest value known to change nothing, with everything between it and the setting's
    value."""
    goes_at: Number | None
    """The nearest value at which the cut is gone; with "at-least" one at which it is gone, and
    others may be nearer. None when none was found."""
    ends: Ends
    """How sure that is. "goes": it goes at the next value; "last-legal": no value beyond is legal;
    "unlimited": it stays at any value; "at-least": what lies beyond is not known: a cut failed
    there, or the work was capped."""
    rules: tuple[tuple[Number, str], ...] = ()
    """Where another rule causes the boundary: the value, going outward, and the rule from there
    on."""

    @property
    def exact(self) -> bool:
        """Whether the answer is complete: nothing was left unexamined."""
        return self.ends != "at-least"


class NumberSetting:
    """One numeric setting that is moved: its legal values, and the cut at the present one."""

    def __init__(self, recutter: Recutter, name: str, value: Number) -> None:
        self.recutter = recutter
        self.name = name
        self.value = value
        (self.lowest, self.ends_below), (self.highest, self.ends_above) = (
            last_legal(recutter, name, value, direction) for direction in DIRECTIONS
        )
        unchanged = recutter.with_value(name, value) or recutter.strategy
        self._memory: Memory = {}
        self._full_at = recutter.work
        """The work with which more may be remembered than is allowed."""
        self._no_gaps = not has_own_checks(type(recutter.strategy), name) or all(
            recutter.changes_only(name, probe) for far in (self.lowest, self.highest) for probe in probes(value, far)
        )
        """False where a plug-in's own checks refused a value between: then no interval counts."""
        self.present = recutter.traced_answer(unchanged, name, self.lowest, self.highest, self._memory)
        if not self._no_gaps:
            self.present = replace(self.present, low=value, high=value)

    def at(self, value: Number) -> CutAnswer | None:
        """What the cut says of another value; None where that is not legal."""
        changed = self.recutter.with_value(self.name, value)
        if changed is None:
            return None
        if self.recutter.work >= self._full_at:
            remembered = sum(len(lows) for lows, _ in self._memory.values())
            if remembered > _REMEMBERED:
                self._memory.clear()
                remembered = 0
            # Whatever is remembered costs work.
            self._full_at = self.recutter.work + _REMEMBERED - remembered
        low, high = (self.lowest, self.highest) if self._no_gaps else (value, value)
        return self.recutter.traced_answer(changed, self.name, low, high, self._memory)

    def gone_at(self, value: Number) -> bool:
        """Whether the cut is gone at a value."""
        changed = self.recutter.with_value(self.name, value)
        return changed is not None and self.recutter.answer(changed).gone


@dataclass(eq=False)
class SettingWalk:
    """One setting moved in one direction, from interval to interval, and then by leaps. Mutable,
    for one search only."""

    setting: NumberSetting
    direction: Literal[-1, 1]
    most_work: int
    stays_to: Number = field(init=False)
    goes_at: Number | None = None
    ends: Ends | None = None
    """None while there is more to do."""
    _rule: str | None = field(init=False)
    _rules: list[tuple[Number, str]] = field(default_factory=list)
    _work: int = 0
    _leaps: int = 0
    _leap: Number | None = None
    """Where the next leap goes; None while it walks."""

    def __post_init__(self) -> None:
        self.stays_to = self.setting.value
        self._rule = self.setting.present.rule
        self._extend(self.setting.value, self.setting.present)

    @property
    def side(self) -> Side:
        """What was found."""
        return Side(self.stays_to, self.goes_at, self.ends or "at-least", tuple(self._rules))

    @property
    def next(self) -> Number:
        """The value that is tried next."""
        return self._leap if self._leap is not None else next_value(self.stays_to, self.direction)

    def step(self) -> None:
        """Cut once more."""
        if self._leap is not None:
            self._try_leap(self._leap)
            return
        value, before = self.next, self.setting.recutter.work
        answer = self.setting.at(value)
        self._work += self.setting.recutter.work - before
        if answer is None or not answer.known:
            self._leap_from(value)
        elif answer.gone:
            self.goes_at, self.ends = value, "goes"
        else:
            if answer.rule is not None and answer.rule != self._rule:
                self._rule = answer.rule
                self._rules.append((value, answer.rule))
            self._extend(value, answer)

    def _extend(self, value: Number, answer: CutAnswer) -> None:
        """Go on to the end of the interval in which everything is as it is at the value."""
        far = answer.high if self.direction > 0 else answer.low
        if not answer.known:
            self.ends = "at-least"
            return
        self.stays_to = far if self._is_legal(far) else value
        legal, ends = (
            (self.setting.highest, self.setting.ends_above)
            if self.direction > 0
            else (self.setting.lowest, self.setting.ends_below)
        )
        if self.stays_to == legal:
            self.ends = ends
        elif self._work >= self.most_work:
            self._leap_from(self.next)

    def _is_legal(self, value: Number) -> bool:
        """Whether a value may be set, and nothing else is changed by it."""
        return self.setting.recutter.changes_only(self.setting.name, value)

    def _leap_from(self, value: Number) -> None:
        """From here on only leaps: what is found is true, and what lies between is not known."""
        self._leap = value
        self._next_leap()

    def _next_leap(self) -> None:
        at, value = self._leap, self.setting.value
        legal = self.setting.highest if self.direction > 0 else self.setting.lowest
        if at is None or at == legal or self._leaps >= _LEAPS or self._work >= 2 * self.most_work:
            self.ends = "at-least"
            return
        self._leaps += 1
        whole = isinstance(value, int)
        least: Number = 1 if whole else max(abs(value), 1.0) / 64
        far = value + self.direction * max(abs(at - value) * _FURTHER, abs(at - value) + least)
        leap: Number = (math.ceil(far) if self.direction > 0 else math.floor(far)) if whole else far
        self._leap = min(leap, legal) if self.direction > 0 else max(leap, legal)

    def _try_leap(self, value: Number) -> None:
        if self._gone_at(value):
            self.goes_at = last_where(value, self.stays_to, self._gone_at)
            self.ends = "at-least"
        else:
            self._next_leap()

    def _gone_at(self, value: Number) -> bool:
        """Whether the cut is gone at a value; once the work is used up nothing nearer is looked
        for."""
        if self._work >= 2 * self.most_work:
            return False
        before = self.setting.recutter.work
        gone = self.setting.gone_at(value)
        self._work += self.setting.recutter.work - before
        return gone


def sides(recutter: Recutter, name: str, value: Number, most_work: int = MOST_WORK) -> tuple[Side, Side]:
    """Both sides of one setting: below its value and above. `most_work` is for each."""
    setting = NumberSetting(recutter, name, value)
    below, above = (SettingWalk(setting, direction, most_work) for direction in DIRECTIONS)
    for walk in (below, above):
        while walk.ends is None:
            walk.step()
    return below.side, above.side
