"""A recommended config, checked on all of a document: what looks best on its beginning need not be
on the rest; and its maximum lowered to the least value found that cuts as few blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic.alias_generators import to_camel

from chunking.config.config import Config
from chunking.config.setting_spec import Number
from chunking.core.metrics import over_with_context
from chunking.document import Document
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.explanation.setting_values import last_where
from chunking.explanation.unread_tokens import unread_in
from chunking.runs import run
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tuning.goal import Point
from chunking.tuning.recommendation import is_better, recommended
from chunking.tuning.summary import ConfigSummary, SummaryBuilder


@dataclass(frozen=True, slots=True)
class Checked:
    """A config that is recommended for a document, and the present one, measured on all of it."""

    config: Config
    summary: ConfigSummary
    now: ConfigSummary
    largest: tuple[int, int]
    """Tokens of the largest chunk, with the recommended config and now."""
    largest_by_context: bool
    """Whether the largest chunk is then over the maximum, and only with its context."""
    unread: tuple[int, int]
    """Tokens beyond the window of an embedder that reads `READS`, likewise."""


def checked(
    document: Document, config: Config, found: Sequence[Config], limits: RunLimits = NO_LIMITS
) -> Checked | None:
    """The best of the configs that were `found` on a part of the document; None where on all of it
    none is better than the present `config`."""

    def measured(each: Config) -> ConfigSummary:
        return within(limits, partial(_summary, document, each))

    now = measured(config)
    points = [Point(each, 0.0, measured(each), (), 0.0) for each in found]
    best = next(iter(recommended(points, config, now)), None)
    if best is None:
        return None
    least = _least(best, config, now, measured)
    pair = (least, config)
    then, before = (within(limits, partial(_sizes, document, each)) for each in pair)
    return Checked(
        *(least, measured(least), now),
        largest=(then.largest, before.largest),
        largest_by_context=then.by_context,
        unread=(then.unread, before.unread),
    )


def checked_of_text(
    name: str, text: str, config: Config, found: Sequence[Config], limits: RunLimits = NO_LIMITS
) -> Iterator[Checked | None]:
    """As `checked`: the work of a worker process."""
    yield checked(within(limits, partial(parse, text, name)), config, found, limits)


def _least(best: Point, config: Config, now: ConfigSummary, measured: Callable[[Config], ConfigSummary]) -> Config:
    """The same with the least raised maximum that cuts as few blocks, by bisection."""
    name = best.config.strategy.limits().maximum_setting
    if name is None or best.config.strategy.name != config.strategy.name:
        return best.config
    was, then = getattr(config.strategy, name), getattr(best.config.strategy, name)
    if not (isinstance(was, int) and isinstance(then, int) and then > was):
        return best.config

    def with_maximum(value: Number) -> Config:
        return best.config.with_settings({to_camel(name): value})

    def as_good(value: Number) -> bool:
        try:
            summary = measured(with_maximum(value))
        except ConfigError:  # not beside the other settings
            return False
        return summary.atomic_split <= best.summary.atomic_split and is_better(summary, now)

    return with_maximum(last_where(then, was, as_good))


def _summary(document: Document, config: Config) -> ConfigSummary:
    builder = SummaryBuilder(config)
    builder.add(run(document, config))
    return builder.summary()


@dataclass(frozen=True, slots=True)
class _Sizes:
    """As in `Checked`, of one config."""

    largest: int
    by_context: bool
    unread: int


def _sizes(document: Document, config: Config) -> _Sizes:
    made = run(document, config)
    sizes, largest = made.columns.tokens, made.metrics.max_tokens
    by_context = any(sizes[number] == largest for number in over_with_context(made))
    return _Sizes(largest, by_context, unread_in(made.document, made.chunks, config.counter))
