"""What each setting of the best config does: one is changed at a time, to the next values that were
to be tried, and the rest stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from chunking.config.config import Config
from chunking.config.validation import plain_settings
from chunking.config.values import Value
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.gold.questions import Question, WholeMark
from chunking.retrieval.statistics import Difference, differences
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tuning.goal import Goal, Point
from chunking.tuning.space import Space
from chunking.tuning.sweeps import Axis
from chunking.tuning.tune import measuring


@dataclass(frozen=True, slots=True)
class Effect:
    """One setting of the best config with another value."""

    setting: str
    """In camelCase, as in the YAML."""
    before: Value
    after: Value
    point: Point
    """The config with that value, measured."""
    difference: Difference | None
    """How much higher the changed config is, question by question; all effects hold together. None
    for a goal without questions."""


def effects(best: Point, space: Space, measure: Callable[[Config], Point]) -> tuple[Effect, ...]:
    """The effects of all settings that the space varies, the largest changes of quality first; none
    for a config that is not of the space.

    `measure` gives the point of a config (`tune.measuring`); it is asked about each change once.
    """
    found = [(setting, before, after, measure(config)) for setting, before, after, config in _changes(best, space)]
    leads: dict[tuple[str, str], Difference] = {}
    if best.values and found:
        columns = {"best": best.values, **{str(at): point.values for at, (*_, point) in enumerate(found)}}
        if all(len(values) == len(best.values) for values in columns.values()):
            leads = differences(columns)
    made = [
        Effect(setting, before, after, point, leads.get(("best", str(at))))
        for at, (setting, before, after, point) in enumerate(found)
    ]
    return tuple(sorted(made, key=lambda each: -abs(each.point.quality - best.quality)))


def effects_of_texts(
    texts: Sequence[tuple[str, str]],
    goal: Goal,
    space: Space,
    questions: Sequence[Question],
    whole: Sequence[WholeMark],
    best: Point,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[tuple[Effect, ...]]:
    """As `effects`, for pairs of name and text, all at once: the work of a worker process."""
    documents = [within(limits, partial(parse, text, name)) for name, text in texts]
    measure = measuring(documents, goal, questions, whole)
    yield effects(best, space, lambda config: within(limits, partial(measure, config)))


def change_words(of: Effect, best: Point, goal: Goal) -> str:
    """How much better the changed config is by the goal: `+0.100 [-0.050, +0.250] inconclusive`."""
    if of.point.summary.faults:
        return "not measured"
    if of.difference is None:
        by = of.point.quality - best.quality
        return f"{-by:+,.0f}" if goal.counted else f"{by:+.3f}"
    lead = of.difference
    return f"{lead.mean:+.3f} [{lead.low:+.3f}, {lead.high:+.3f}] {lead.verdict}"


def _changes(best: Point, space: Space) -> Iterator[tuple[str, Value, Value, Config]]:
    """Every legal change of one setting to a value next to its own."""
    settings = plain_settings(best.config.strategy)
    for options in space.options:
        if best.config not in options:
            continue
        for axis in options.axes:
            for after in _next_to(settings[axis.setting], axis):
                try:
                    yield axis.setting, settings[axis.setting], after, best.config.with_settings({axis.setting: after})
                except ConfigError:
                    continue
        return


def _next_to(value: Value, axis: Axis) -> Sequence[Value]:
    """The values before and behind it on the axis; of a switch or a choice all others."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return [other for other in axis.values if other != value]
    at = axis.values.index(value)
    return [axis.values[near] for near in (at - 1, at + 1) if 0 <= near < len(axis.values)]
