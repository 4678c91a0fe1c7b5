"""What was chosen, and what it comes to: the choices as a value, the config they make, the link that says them.

No Streamlit. A choice may be illegal (minTokens above maxTokens); `settle` says what is wrong with which setting and
which config to go on showing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chunking import Config, strategies
from chunking.errors import ConfigError, SettingError, UnknownCounterError
from chunking.settings import make_strategy
from chunking.strategy import Strategy
from chunking.tokens import counter as counter_named
from pages.ui.declared import declared_settings
from pages.ui.plans import Plan

EXACT_COUNTERS = ("cl100k_base", "o200k_base")
"""Known to be exact without unpacking their tables."""
COUNTERS = (*EXACT_COUNTERS, "words", "words-1.3", "chars-4", "block-ratio")
"""Offered on screen; a link may name any other encoding of tiktoken."""


def offered_counters(now: str, strategy: Strategy | None = None) -> list[str]:
    """What a choice of counters lists: the chosen one, exact ones, then what the strategy's spec counts with."""
    spec = strategy.spec_counter if strategy is not None else ""
    return list(dict.fromkeys([now, *EXACT_COUNTERS, *([spec] if spec else []), *COUNTERS]))


def counter_label(name: str, strategy: Strategy | None = None) -> str:
    """A counter as a choice says it: an approximate one is labelled so, and the one of the strategy's spec as well."""
    if name in EXACT_COUNTERS:
        return name
    notes = ["approximate"] if counter_named(name).approximate else []
    notes += ["as the spec counts"] if strategy is not None and name == strategy.spec_counter else []
    return f"{name} ({', '.join(notes)})" if notes else name


@dataclass(frozen=True, slots=True)
class Settled:
    """What a plan comes to: the config to show, and what is wrong with the settings that could not be followed."""

    config: Config
    problems: Mapping[str, str] = field(default_factory=dict)
    """By the setting's name in snake_case; "" for a problem of the plan as a whole."""


def settle(plan: Plan, counter: str, last_good: Config | None = None) -> Settled:
    """The plan's config, or the last good one of the same strategy with the reasons.

    `counter` is "" for the strategy's own default.
    """
    known, problems = _known_counter(plan, counter)
    try:
        return Settled(Config(build(plan), known), problems)
    except SettingError as wrong:
        problems[_snake(plan, wrong.setting)] = wrong.problem
    except ConfigError as wrong:
        problems[""] = str(wrong)
    same = last_good is not None and last_good.strategy.name == plan.strategy
    strategy = last_good.strategy if same and last_good else build(Plan(plan.strategy))
    return Settled(Config(strategy, known), problems)


def build(plan: Plan) -> Strategy:
    """The strategy with its settings. Raises SettingError for what is not legal."""
    return make_strategy(plan.strategy, plan.plain_settings())


def _known_counter(plan: Plan, counter: str) -> tuple[str, dict[str, str]]:
    default = strategies.get(plan.strategy).default_counter
    if not counter:
        return default, {}
    try:
        counter_named(counter)
    except UnknownCounterError as unknown:
        return default, {"counter": str(unknown)}
    return counter, {}


def _snake(plan: Plan, label: str) -> str:
    """The setting's name in Python; "" when the label names none of this strategy's."""
    first = label.partition(".")[0]
    for declared in declared_settings(strategies.get(plan.strategy)):
        if first in (declared.label, declared.name):
            return declared.name
    return ""
