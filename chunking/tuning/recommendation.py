"""A config recommended for a document: the smallest change that cuts fewer of its tables, code and
lists, and makes nothing else worse."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log

from chunking import strategies
from chunking.config.config import Config
from chunking.config.setting_spec import spec_of
from chunking.models.requests import steps
from chunking.tuning.goal import Goal, Point
from chunking.tuning.space import Options, Space, two_digits
from chunking.tuning.summary import ConfigSummary
from chunking.tuning.sweeps import Axis

KEEP_WHOLE = Goal("whole-blocks")
"""What configs are measured for."""
_OTHERS = ("heading-window", "block-packing")
"""Strategies that are tried beside the present one."""
_FACTORS = (0.6, 0.8, 1.2, 1.5, 2.0)
"""What each limit is multiplied by."""
_AROUND, _FARTHEST = 1.15, 4
"""A maximum that is to hold a block, times the block's tokens; how many times the present maximum a
block may have for that."""
_MOST_TOKENS = 1.25
"""Tokens to embed that a recommended config may take, times those of the present one."""


def nearby(config: Config, cut: Collection[int] = ()) -> Space | None:
    """The present config and other strategies at their defaults, each with its limits at some
    values around where they stand; None where the present one asks a model.

    `cut` are tokens of blocks that are cut in two now: a maximum that holds the smallest of them
    with what is around it is tried too, and one that holds the largest that is not far off."""
    if steps(config.strategy) or config.strategy.describes:
        return None
    there = [name for name in _OTHERS if name in strategies.names() and name != config.strategy.name]
    others = (config.with_strategy(strategies.get(name)()) for name in there)
    return Space(tuple(_options(each, cut) for each in (config, *others)))


def _options(config: Config, cut: Collection[int]) -> Options:
    axes, maximum = [], config.strategy.limits().maximum_setting
    for name in _limit_settings(config):
        spec, value = spec_of(type(config.strategy), name), getattr(config.strategy, name)
        if spec and isinstance(value, int):
            values = {value, *(two_digits(value * factor) for factor in _FACTORS)}
            if name == maximum:
                holding = sorted(two_digits(tokens * _AROUND) for tokens in cut if tokens <= value * _FARTHEST)
                values.update(holding[:1] + holding[-1:])
            axes.append(Axis(spec.label, tuple(sorted(values))))
    return Options(config, tuple(axes))


def recommended(points: Sequence[Point], config: Config, now: ConfigSummary) -> tuple[Point, ...]:
    """Of what was measured, the configs that cut fewer blocks than `now` and make nothing else
    worse: those that cut the fewest first, and of these the nearest to the present one."""
    better = [point for point in points if is_better(point.summary, now)]
    return tuple(sorted(better, key=lambda point: (point.summary.atomic_split, *_change(config, point.config))))


def is_better(summary: ConfigSummary, now: ConfigSummary) -> bool:
    """Whether fewer blocks are cut, and nothing else is worse."""
    return (
        not summary.faults
        and summary.atomic_split < now.atomic_split
        and summary.tables_cut <= now.tables_cut
        and summary.code_cut <= now.code_cut
        and summary.left_out <= now.left_out
        and summary.over_limit <= now.over_limit
        and summary.heading_only <= now.heading_only
        and summary.tokens_to_embed <= now.tokens_to_embed * _MOST_TOKENS
    )


def _change(one: Config, other: Config) -> tuple[bool, float]:
    """How much is different: another strategy comes after any change of limits, and is the nearer,
    the nearer it is to its defaults."""
    another = one.strategy.name != other.strategy.name
    before = type(other.strategy)() if another else one.strategy
    apart = 0.0
    for name in _limit_settings(other):
        was, now = getattr(before, name), getattr(other.strategy, name)
        apart += abs(log(now / was)) if was and now else float(was != now)
    return another, apart


def _limit_settings(config: Config) -> tuple[str, ...]:
    """The settings of this strategy's minimum and maximum, in snake_case."""
    limits = config.strategy.limits()
    return tuple(dict.fromkeys(filter(None, (limits.minimum_setting, limits.maximum_setting))))
