"""For which values of one setting a property of the cut holds: a search by cutting again.

`explanation.py` asks how far a boundary stays, `remove_boundary.py` what removes it, `nearest.py`
what keeps a span whole. Each cut reports the interval of values for which it would be the same
(`tracing.py`), so the search walks from one interval to the next and misses no value between.
DECISIONS, "Explaining".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeGuard

from pydantic import ValidationError

from chunking.config.setting_spec import Number, spec_of
from chunking.core.chunk import Chunk, Part
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.errors import ConfigError, ModelError
from chunking.models.access import Tools
from chunking.tracing import Memory, Trace, is_ours

SettingValue = Number | bool | str | None

MOST_WORK = 650_000
"""Limit of work in one direction from a setting's value: comparisons with it, plus cached steps of
cuts. A count and not a time, so that the same question always has the same answer."""
_CUT_WORK, _CHARACTERS = 300, 200
"""The fixed cost of a cut in that unit, and how many characters cost one unit more."""
_REMEMBERED = 1 << 17
"""Maximum steps of cuts cached for one setting; the cache is then emptied."""
_LEAPS = 32
"""Maximum number of attempts beyond the known interval, each farther away than the last."""
_FURTHER = 1.5
_NEAR = 64
"""Adjacent values on each side at which a plug-in's validation is tried."""
_FARTHEST = 2**40
"""From this value on, a setting without a bound counts as unlimited."""

WAYS: tuple[Literal[-1, 1], Literal[-1, 1]] = (-1, 1)
Ends = Literal["goes", "last-legal", "unlimited", "at-least"]


class CutTest(Protocol):
    """A property that is examined in every cut: whether some rule still cuts here."""

    @property
    def start(self) -> int:
        """Parts that end at this offset or before do not matter."""

    @property
    def end(self) -> int:
        """The document is cut up to this offset."""

    @property
    def of_text(self) -> bool:
        """Whether it depends on the chunks' texts (and so on overlap), not only on their ends."""

    def rule(self, parts: Sequence[Part]) -> str | None:
        """The name of the rule that cuts here in these parts; None if the cut is gone."""


@dataclass(frozen=True, slots=True)
class BoundaryAt:
    """The question whether a chunk ends at an offset."""

    end: int
    of_text: bool = False

    @property
    def start(self) -> int:
        return self.end - 1

    def rule(self, parts: Sequence[Part]) -> str | None:
        last = parts[-1] if parts else None
        return last.ended_by.rule if isinstance(last, Chunk) and last.body.end == self.end else None


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What one cut said."""

    rule: str | None
    """The rule that cuts; None where the cut is gone, or nobody knows."""
    known: bool = True
    """False where the cut failed, or only a model could say."""
    for_a_model: bool = False
    """Whether only a model could say."""
    low: Number = 0
    high: Number = 0
    """Of one setting the values from and to which the cut goes alike."""
    parts: tuple[object, ...] = ()
    """What was cut around the place that is asked about: where, and by which rule."""

    @property
    def gone(self) -> bool:
        return self.known and self.rule is None


class Recutter:
    """Cuts one document again under other settings and asks one question of each cut."""

    def __init__(self, document: Document, strategy: Strategy, tools: Tools, question: CutTest) -> None:
        """`tools` cut the document before, so that no model need be asked again."""
        self.document = document
        self.strategy = strategy
        self.tools = tools
        self.question = question
        self.recuts = 0
        self.work = 0
        """What the cuts cost, as a count: about comparisons."""
        self._unwatched: set[str] = set()
        """The settings of a plug-in that was seen to cut otherwise while they are watched."""

    def with_value(self, setting: str, value: object) -> Strategy | None:
        """The strategy with one setting changed; None when that is not legal, alone or against
        another setting."""
        values: dict[str, object] = {name: getattr(self.strategy, name) for name in type(self.strategy).model_fields}
        try:
            return type(self.strategy).model_validate({**values, setting: value})
        except (ValidationError, ConfigError):
            return None

    def changes_only(self, setting: str, value: object) -> bool:
        """Whether a value may be set, and no other setting is changed by it."""
        changed, of = self.with_value(setting, value), self.strategy
        return changed is not None and all(
            getattr(changed, name) == (value if name == setting else getattr(of, name))
            for name in type(of).model_fields
        )

    def asked(self, strategy: Strategy) -> Answer:
        """The answer under these settings."""
        return self._cut(strategy, self.tools.again())

    def traced(self, strategy: Strategy, setting: str, low: Number, high: Number, memory: Memory) -> Answer:
        """The answer under these settings, with the values of one of them, from low to high, that
        give the same.

        `memory` is for this setting alone.
        """
        value: Number = getattr(strategy, setting)
        if setting in self._unwatched or _derives(strategy):  # what was worked out when it was made cannot be followed
            low = high = value
        foreign = not is_ours(type(strategy).__module__)
        trace = Trace(value, low, high, of_text=self.question.of_text, foreign=foreign, memory=memory)
        watched = strategy.model_copy(update={setting: trace.number()}) if low < high else strategy
        answer = self._cut(watched, self.tools.again(trace))
        if low < high and not answer.for_a_model and (foreign or not answer.known):
            # Perhaps it cannot work with a number that is watched, or works otherwise:
            # `type(number) is int`.
            plainly = self.asked(strategy)
            if not answer.known or plainly.parts != answer.parts or not self._alike(setting, answer, trace):
                answer, trace.low, trace.high = plainly, value, value
                self._unwatched |= {setting} if answer.known else set()
        self.work += trace.work
        return replace(answer, low=trace.low, high=trace.high)

    def _alike(self, setting: str, answer: Answer, trace: Trace) -> bool:
        """Whether a plug-in cuts at the ends of an interval as it does in it, with nothing
        watched."""
        ends = [self.with_value(setting, value) for value in {trace.low, trace.high} - {trace.value}]
        return all(each is None or self.asked(each).parts == answer.parts for each in ends)

    def _cut(self, strategy: Strategy, tools: Tools) -> Answer:
        """Strategies are generators: nothing behind what is asked about is cut, nor could it change
        the answer."""
        self.recuts += 1
        self.work += _CUT_WORK + self.question.end // _CHARACTERS
        parts: list[Part] = []
        try:
            for part in strategy.split(self.document, tools):
                if part.body.end > self.question.start:
                    parts.append(part)
                if part.body.end >= self.question.end:
                    break
            return Answer(self.question.rule(parts), parts=_told(parts))
        except ModelError:
            return Answer(None, known=False, for_a_model=True)
        except Exception:  # of a strategy, at this one value: nothing is known of it, and all else still is
            return Answer(None, known=False)


def _told(parts: Sequence[Part]) -> tuple[object, ...]:
    return tuple((part.body, part.ended_by.rule if isinstance(part, Chunk) else part.because.rule) for part in parts)


def _derives(strategy: Strategy) -> bool:
    """Whether a strategy may keep more than its settings as given: numbers, perhaps, that were
    worked out from them."""
    made, hooks = type(strategy), ("__init__", "__new__", "model_post_init")
    return (
        bool(made.__private_attributes__)
        or set(strategy.__dict__) != set(made.model_fields)
        or any(hook in vars(each) for each in made.__mro__ if not _known(each) for hook in hooks)
    )


def _checks_itself(made: type[Strategy], setting: str) -> bool:
    """Whether a plug-in has checks of its own: they may refuse any value, or change another setting
    with one."""
    said = made.__pydantic_decorators__
    checks = [each.func for each in said.model_validators.values()]
    checks += [each.func for each in said.field_validators.values()]
    spec = spec_of(made, setting)
    foreign = any(not is_ours(str(getattr(each, "__module__", ""))) for each in checks)
    return foreign or (spec is not None and not spec.only_bounds)


def _probes(at: Number, far: Number) -> Iterator[Number]:
    """Values from `at` to `far`, the nearest ones first and then in growing steps."""
    way = 1 if far > at else -1
    if isinstance(at, int):
        steps = (*range(1, _NEAR + 1), *(_NEAR + 3**power for power in range(1, 26)))
        yield from (at + way * step for step in steps if step <= abs(far - at))
    else:
        yield from (at + (far - at) * share / _NEAR for share in range(1, _NEAR + 1))


def _known(made: type) -> bool:
    """Whether a class is ours, or what all strategies are made of."""
    return is_ours(made.__module__) or not issubclass(made, Strategy)


def numbers_of(strategy: Strategy) -> Iterator[tuple[str, Number]]:
    """The settings that are numbers, with their values; not those that have a few numbers to choose
    from."""
    for name in type(strategy).model_fields:
        value: object = getattr(strategy, name)
        if is_number(value) and not other_values(strategy, name):
            yield name, value


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a setting's value is a number, and no switch."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def other_values(strategy: Strategy, setting: str) -> list[object]:
    """The other values of a switch, an enum or a Literal; none for numbers, free text and lists."""
    spec = spec_of(type(strategy), setting)
    return spec.other_values(getattr(strategy, setting)) if spec else []


class Setting:
    """One setting that is a number, to be moved: what is legal, and what the cut says of it as it
    is."""

    def __init__(self, recutter: Recutter, name: str, value: Number) -> None:
        self.recutter = recutter
        self.name = name
        self.value = value
        (self.lowest, self.ends_below), (self.highest, self.ends_above) = (
            last_legal(recutter, name, value, way) for way in (-1, 1)
        )
        as_it_is = recutter.with_value(name, value) or recutter.strategy
        self._memory: Memory = {}
        self._is_even = not _checks_itself(type(recutter.strategy), name) or all(
            recutter.changes_only(name, probe) for far in (self.lowest, self.highest) for probe in _probes(value, far)
        )
        self.now = recutter.traced(as_it_is, name, self.lowest, self.highest, self._memory)
        if not self._is_even:
            self.now = replace(self.now, low=value, high=value)

    def at(self, value: Number) -> Answer | None:
        """What the cut says of another value; None where that is not legal."""
        changed = self.recutter.with_value(self.name, value)
        if changed is None:
            return None
        if len(self._memory) > _REMEMBERED or sum(len(lows) for lows, _ in self._memory.values()) > _REMEMBERED:
            self._memory.clear()
        low, high = (self.lowest, self.highest) if self._is_even else (value, value)
        return self.recutter.traced(changed, self.name, low, high, self._memory)

    def gone_at(self, value: Number) -> bool:
        """Whether the cut is gone at a value."""
        changed = self.recutter.with_value(self.name, value)
        return changed is not None and self.recutter.asked(changed).gone


@dataclass(eq=False)
class SettingWalk:
    """One setting moved one way, from interval to interval, and then by leaps. Mutable, and lives
    in one search."""

    setting: Setting
    way: Literal[-1, 1]
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
        self._rule = self.setting.now.rule
        self._arrive(self.setting.value, self.setting.now)

    @property
    def side(self) -> Side:
        """What was found."""
        return Side(self.stays_to, self.goes_at, self.ends or "at-least", tuple(self._rules))

    @property
    def next(self) -> Number:
        """The value that is tried next."""
        return self._leap if self._leap is not None else neighbour(self.stays_to, self.way)

    def step(self) -> None:
        """Cut once more."""
        if self._leap is not None:
            self._leaped(self._leap)
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
            self._arrive(value, answer)

    def _arrive(self, value: Number, answer: Answer) -> None:
        """Go on to the end of the interval in which everything is as it is at the value."""
        far = answer.high if self.way > 0 else answer.low
        if not answer.known:
            self.ends = "at-least"
            return
        self.stays_to = far if self._is_legal(far) else value
        legal, ends = (
            (self.setting.highest, self.setting.ends_above)
            if self.way > 0
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
        self._leap_on()

    def _leap_on(self) -> None:
        at, value = self._leap, self.setting.value
        legal = self.setting.highest if self.way > 0 else self.setting.lowest
        if at is None or at == legal or self._leaps >= _LEAPS or self._work >= 2 * self.most_work:
            self.ends = "at-least"
            return
        self._leaps += 1
        whole = isinstance(value, int)
        least: Number = 1 if whole else max(abs(value), 1.0) / 64
        far = value + self.way * max(abs(at - value) * _FURTHER, abs(at - value) + least)
        leap: Number = (math.ceil(far) if self.way > 0 else math.floor(far)) if whole else far
        self._leap = min(leap, legal) if self.way > 0 else max(leap, legal)

    def _leaped(self, value: Number) -> None:
        if self._gone_at(value):
            self.goes_at = bisected(value, self.stays_to, self._gone_at)
            self.ends = "at-least"
        else:
            self._leap_on()

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
    setting = Setting(recutter, name, value)
    below, above = (SettingWalk(setting, way, most_work) for way in WAYS)
    for walk in (below, above):
        while walk.ends is None:
            walk.step()
    return below.side, above.side


def neighbour(value: Number, direction: int) -> Number:
    """The next value there is."""
    return value + direction if isinstance(value, int) else math.nextafter(value, direction * math.inf)


def last_legal(
    recutter: Recutter, setting: str, at: Number, direction: int
) -> tuple[Number, Literal["last-legal", "unlimited", "at-least"]]:
    """The farthest legal value from `at` on: the setting's own bound, or where it would contradict
    another setting.

    "at-least" where a plug-in's own checks take values beyond one that they refuse.
    """
    spec = spec_of(type(recutter.strategy), setting)
    bound = spec.last_legal(direction) if spec else None
    far: Number = direction * _FARTHEST if bound is None else bound
    if isinstance(at, float):
        far = float(far)
    if recutter.with_value(setting, far) is not None:
        return far, "unlimited" if bound is None else "last-legal"
    legal = bisected(at, far, lambda tried: recutter.with_value(setting, tried) is not None)
    if _checks_itself(type(recutter.strategy), setting):
        beyond = _probes(legal, far)
        if any(recutter.with_value(setting, probe) is not None for probe in beyond if probe != legal):
            return legal, "at-least"
    return legal, "last-legal"


def bisected(holds_at: Number, fails_at: Number, holds: Callable[[Number], bool]) -> Number:
    """The last value from `holds_at` towards `fails_at` for which `holds` is true, if it turns once
    between them.

    Whole numbers exactly; other numbers to the last bit, or as close as 200 halvings come.
    """
    good, bad = holds_at, fails_at
    for _ in range(200):
        middle = (good + bad) // 2 if isinstance(good, int) and isinstance(bad, int) else (good + bad) / 2
        if middle in (good, bad):
            nearer = neighbour(good, 1 if bad > good else -1)
            if nearer == bad or not holds(nearer):
                break
            middle = nearer
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def short(value: Number, now: Number, holds: Callable[[Number], bool]) -> Number:
    """A fraction with no more digits than it needs, a little further out: a person would not type
    the nearest."""
    if isinstance(value, float):
        outward = math.ceil if value > now else math.floor
        for digits in (2, 3, 4, 6):
            near = outward(value * 10**digits) / 10**digits
            if holds(near):
                return near
    return value
