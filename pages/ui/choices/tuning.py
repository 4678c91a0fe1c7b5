"""The choices of the Tune page: a sweep of one or two settings, with default ranges from their
declarations, and a goal. No Streamlit.

The current config's own value is always among those of an axis, so that it is a cell like any
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, isfinite, log10
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

from chunking import Config
from chunking.config import SettingSpec, Value, plain_settings, setting_specs
from chunking.core import Strategy
from chunking.errors import ConfigError, SettingError
from chunking.tuning import INVARIANTS, Axis, Invariant

if TYPE_CHECKING:  # the session holds choices only: importing what carries them out would be slow
    from chunking.retrieval import Search
    from chunking.tuning import Objective

MOST_TRIALS = 2_000
"""Configs that auto-tune tries at most."""
MOST_VALUES = 60
"""Maximum number of values of one axis."""
_ABOUT = 12
"""Maximum number of steps of a default range."""
_FAR_APART = 10
"""Times the lower end from which on steps of one size are too wide below, or too many above."""
_ROUND = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 3, 5), (1, 2, 5), (1,))
"""The values of a decade that steps which grow have, the closest first."""
_NEAR_END = 1.15
"""Times: what is nearer to an end than that stands beside it for nothing."""
NONE = ""
"""The second setting where only one is swept."""


@dataclass(frozen=True, slots=True)
class Sweepable:
    """A setting that can be swept, and its present value."""

    label: str
    """In camelCase; of a wrapped strategy after a dot, as `base.minTokens`."""
    spec: SettingSpec
    now: Value

    @property
    def title(self) -> str:
        """As on screen: `Minimum minTokens`."""
        return f"{self.spec.title} {self.label}"


@dataclass(frozen=True, slots=True)
class Range:
    """The ends of an axis of numbers, with the multiples of the step between them. Unused for
    choices."""

    low: float
    high: float
    step: float
    """0 for steps that grow with the values, where the ends are far apart."""


@dataclass(frozen=True, slots=True)
class SweepChoice:
    """The choices for the sweep of one strategy."""

    across: str
    down: str
    ranges: tuple[tuple[str, Range], ...] = ()
    """The ranges that differ from their defaults, by setting."""
    measure: str = "chunks"
    must: tuple[Invariant, ...] = tuple(INVARIANTS)
    chosen: tuple[Value, ...] | None = None
    """The values of the cell that was clicked."""

    def range_of(self, setting: Sweepable, start: Mapping[str, Range] = MappingProxyType({})) -> Range:
        """The chosen range; else the one to start with, of the documents; else the declared one."""
        return dict(self.ranges).get(setting.label) or start.get(setting.label) or default_range(setting)

    def with_range(self, setting: str, changed: Range) -> tuple[tuple[str, Range], ...]:
        return (*((name, own) for name, own in self.ranges if name != setting), (setting, changed))

    def settings(self, of: Sequence[Sweepable]) -> tuple[Sweepable, ...]:
        """The one or two that are swept."""
        known = {each.label: each for each in of}
        return tuple(known[label] for label in dict.fromkeys((self.across, self.down)) if label in known)

    def axes(self, of: Sequence[Sweepable], start: Mapping[str, Range] = MappingProxyType({})) -> tuple[Axis, ...]:
        return tuple(Axis(each.label, values_of(each, self.range_of(each, start))) for each in self.settings(of))


def sweepable(config: Config) -> tuple[Sweepable, ...]:
    """The settings of a config that have numbers or choices, those of a wrapped strategy
    included."""
    return tuple(_sweepable(config.strategy, plain_settings(config.strategy), ""))


def _sweepable(strategy: Strategy, known: dict[str, Value], where: str) -> list[Sweepable]:
    found = []
    for each in setting_specs(type(strategy)):
        inner, value = getattr(strategy, each.name), known[each.label]
        if isinstance(inner, Strategy):
            found += _sweepable(inner, plain_settings(inner), f"{where}{each.label}.")
        elif each.kind in ("switch", "choice") or (each.numeric and each.slider):
            found.append(Sweepable(where + each.label, each, value))
    return found


def default_sweeping(config: Config) -> SweepChoice | None:
    """The settings that limit sizes, smallest first, else the first there are; None where nothing
    can be swept."""
    settings = sweepable(config)
    limits = config.strategy.limits()
    named = [limits.minimum_setting, limits.target_setting, limits.maximum_setting]
    limiting = [each for name in named if name for each in settings if _snake_path(each) == name]
    numbers = [each for each in settings if each.spec.numeric]
    first = list(dict.fromkeys(each.label for each in (*limiting, *numbers, *settings)))
    return SweepChoice(first[0], first[1] if len(first) > 1 else NONE) if first else None


def _snake_path(of: Sweepable) -> str:
    return ".".join((*of.label.split(".")[:-1], of.spec.name))


def default_range(of: Sweepable) -> Range:
    """The range worth dragging over, in steps of a round size; wider where the current value is
    outside of it."""
    low, high = of.spec.slider or (0, 1)
    now = float(of.now) if isinstance(of.now, int | float) else low
    low, high = min(low, now), max(high, now)
    return range_between(of, low, high)


def range_between(of: Sweepable, low: float, high: float) -> Range:
    """From `low` to `high` in steps of a round size, which grow where the ends are far apart."""
    return Range(low, high, 0 if _grows(low, high) else _step_between(of, low, high))


def _grows(low: float, high: float) -> bool:
    return low > 0 and high > _FAR_APART * low


def _step_between(of: Sweepable, low: float, high: float) -> float:
    return _round_step((high - low) / _ABOUT, _least_step(of))


def possible_together(config: Config, of: Sequence[Sweepable], ranges: Mapping[str, Range]) -> dict[str, Range]:
    """The ranges of two settings, the one shortened that goes beyond what is possible with the
    other's upper end: a minimum does not go beyond the last maximum."""
    found = dict(ranges)
    if len(of) != 2 or any(each.label not in ranges for each in of):
        return found
    for each, other in (of, tuple(reversed(of))):
        over, end = ranges[each.label], _as_value(other, ranges[other.label].high)

        def possible(value: float, each: Sweepable = each, other: Sweepable = other, end: Value = end) -> bool:
            try:
                config.with_settings({each.label: _as_value(each, value), other.label: end})
            except ConfigError:
                return False
            return True

        if possible(over.high):
            return found
        if possible(over.low):
            found[each.label] = range_between(each, over.low, _last_possible(each, over, possible))
            return found
    return found


def _last_possible(of: Sweepable, over: Range, possible: Callable[[float], bool]) -> float:
    """The largest value of a range that is possible, where only smaller ones are."""
    low, high, least = over.low, over.high, _least_step(of)
    while high - low > 1.5 * least:  # fractions are a little off their steps
        middle = low + round((high - low) / 2 / least) * least
        low, high = (middle, high) if possible(middle) else (low, middle)
    return low


def _as_value(of: Sweepable, number: float) -> Value:
    return round(number) if of.spec.kind == "whole" else number


def _least_step(of: Sweepable) -> float:
    return 1 if of.spec.kind == "whole" else 0.0001


def _round_step(rough: float, least: float) -> float:
    """The rough step rounded up to 1, 2, 2.5, 5 or 10 times a power of ten; never below the least,
    and whole if that is."""
    size = 10.0 ** floor(log10(max(rough, least)))
    steps = [each * size for each in (1, 2, 2.5, 5, 10) if least < 1 or (each * size).is_integer()]
    return max(least, next((round(step, 6) for step in steps if step >= rough), least))


def values_of(of: Sweepable, over: Range) -> tuple[Value, ...]:
    """Both ends, the multiples of the step between them, and the current value; all choices of a
    setting that is not a number.

    Raises SettingError for more than `MOST_VALUES`.
    """
    if of.spec.kind == "switch":
        return (False, True)
    if of.spec.kind == "choice":
        return cast(tuple[Value, ...], of.spec.options)
    low, high = sorted((over.low, over.high))
    grows = not over.step and isfinite(high) and _grows(low, high)
    between = _growing(low, high) if grows else _multiples(of, low, high, over.step)
    now = [of.now] if isinstance(of.now, int | float) else []
    spread = [low, *between, high, *now]
    if of.spec.kind == "whole":
        return tuple(sorted({round(value) for value in spread}))
    return tuple(sorted({round(float(value), 4) for value in spread}))


def _growing(low: float, high: float) -> list[float]:
    """Round numbers between the ends, each larger by about the same factor; about as many as a
    range has steps."""
    decades = range(floor(log10(low)), floor(log10(high)) + 1)
    for digits in _ROUND:
        numbers = [round(digit * 10.0**decade, 6) for decade in decades for digit in digits]
        found = [each for each in numbers if low * _NEAR_END < each < high / _NEAR_END]
        if len(found) <= _ABOUT:
            return found
    return found


def _multiples(of: Sweepable, low: float, high: float, step: float) -> list[float]:
    """The multiples of the step between the ends; of one of a round size where it is 0."""
    step = step or (_step_between(of, low, high) if isfinite(high - low) else 0)
    if not (step > 0 and isfinite(high - low) and isfinite(low / step) and isfinite(high / step)):
        raise SettingError(of.label, f"{low:g} to {high:g} by {step:g} is not a range; take other numbers")
    first, last = ceil(low / step), floor(high / step)
    if last - first > MOST_VALUES:
        raise SettingError(of.label, f"{last - first + 1} values; at most {MOST_VALUES} are swept: take a larger step")
    return [number * step for number in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class GoalChoice:
    """The choices for auto-tune. A limit of 0 is none; tune/goal_options.py makes a goal of
    them."""

    objective: Objective | None = None
    """None until one is chosen: then recall with questions, else even sizes."""
    max_chunks: int = 0
    max_tokens: int = 0
    must: tuple[Invariant, ...] = ("code-whole", "tables-whole", "lists-whole", "nothing-left-out", "spans-whole")
    retrieved_tokens: int = 1000
    sizes: tuple[int, int] = (200, 800)
    search: Search = "bm25"
    strategies: tuple[str, ...] = ()
    """None named: all that need no model."""
    snapshots: tuple[str, ...] | None = None
    """The names of those that are tried too; None for all that can be."""
    trials: int = 0
    """0 for as many as are usual."""
    all_trials: bool = False
    """Whether all are made, where more cannot matter too."""
    chosen: str = ""
    """The YAML of the config that was clicked."""


View = Literal["sweep", "goal"]


@dataclass(frozen=True, slots=True)
class TuneChoices:
    """The choices of the Tune page in a session."""

    view: View = "sweep"
    sweeps: tuple[tuple[str, SweepChoice], ...] = ()
    """By strategy."""
    goal: GoalChoice = GoalChoice()
    problem: str = ""
    """One line on what the link got wrong; the rest of it is followed."""
    all_documents: bool = False
    """Whether all of the corpus are measured, in either view."""

    def sweeping(self, config: Config) -> SweepChoice | None:
        """The sweep chosen for this strategy, else the default one; None where nothing can be
        swept."""
        labels = {each.label for each in sweepable(config)}
        sweeping = dict(self.sweeps).get(config.strategy.name)
        return (
            sweeping
            if sweeping and sweeping.across in labels and sweeping.down in (*labels, NONE)
            else default_sweeping(config)
        )

    def with_sweeping(self, config: Config, changed: SweepChoice) -> TuneChoices:
        name = config.strategy.name
        return replace(self, sweeps=(*((each, own) for each, own in self.sweeps if each != name), (name, changed)))

    def following(self, query: Mapping[str, str], config: Config) -> TuneChoices:
        """With the sweep in the address for this config; what an address cannot hold stays as it
        was."""
        linked, sweeping = read_tuned(query, config), self.sweeping(config)
        here = replace(self, view=linked.view, problem=linked.problem, all_documents=linked.all_documents)
        swept = linked.sweeping(config)
        here = replace(here, goal=replace(linked.goal, chosen=self.goal.chosen))
        return here if swept is None or sweeping is None else here.with_sweeping(config, swept)


LINKED = ("across", "up", "shown", "must", "view", "documents", "goal")
"""The page's own parameters in its address."""


def write_tuned(tuned: TuneChoices, config: Config) -> dict[str, str]:
    """What differs from the defaults, as query parameters: `across=minTokens:0:1000:100`."""
    from pages.ui.choices.goal_link import write_goal

    query: dict[str, str] = {"view": tuned.view} if tuned.view != "sweep" else {}
    if goal := write_goal(tuned.goal):
        query["goal"] = goal
    if tuned.all_documents:
        query["documents"] = "all"
    sweeping, default = tuned.sweeping(config), default_sweeping(config)
    if sweeping is None or default is None:
        return query
    ranges = dict(sweeping.ranges)
    for name, setting, usual in (("across", sweeping.across, default.across), ("up", sweeping.down, default.down)):
        over = ranges.get(setting)
        if over:
            query[name] = f"{setting}:{over.low:g}:{over.high:g}:{over.step:g}"
        elif setting != usual:
            query[name] = setting or "none"
    if sweeping.measure != default.measure:
        query["shown"] = sweeping.measure
    if sweeping.must != default.must:
        query["must"] = ",".join(sweeping.must)
    return query


def read_tuned(query: Mapping[str, str], config: Config) -> TuneChoices:
    """This config's sweep in a link to the Tune page; what cannot be read keeps its default and is
    reported in `problem`."""
    from pages.ui.choices.goal_link import read_goal

    usual = default_sweeping(config)
    view: View = "goal" if query.get("view") == "goal" else "sweep"
    goal, problem = read_goal(query.get("goal", ""))
    every = query.get("documents") == "all"
    if usual is None or not any(name in query for name in LINKED):
        return TuneChoices(view, goal=goal, problem=problem, all_documents=every)
    labels, problems = {each.label for each in sweepable(config)}, [problem] if problem else []
    sweeping = usual
    for name in ("across", "up"):
        setting, _, text = query.get(name, "").partition(":")
        setting = NONE if setting == "none" and name == "up" else setting
        if name not in query:
            continue
        if setting not in labels and not (setting == NONE and name == "up"):
            problems.append(f"{name}: {config.strategy.name} has no setting {setting[:40]!r} to sweep")
            continue
        sweeping = replace(sweeping, across=setting) if name == "across" else replace(sweeping, down=setting)
        if text:
            over = _range(text)
            if over:
                sweeping = replace(sweeping, ranges=sweeping.with_range(setting, over))
            else:
                problems.append(f"{name}: {text[:40]!r} is not a range; write setting:lower:upper:step")
    must = tuple(name for name in INVARIANTS if name in query.get("must", ",".join(INVARIANTS)).split(","))
    sweeping = replace(sweeping, measure=query.get("shown", sweeping.measure)[:40], must=must)
    return TuneChoices(view, ((config.strategy.name, sweeping),), goal, "; ".join(problems), every)


def _range(text: str) -> Range | None:
    try:
        low, high, step = map(float, text.split(":"))
    except ValueError:
        return None
    legal = isfinite(low) and isfinite(high) and isfinite(step) and step >= 0
    return Range(low, high, step) if legal else None
