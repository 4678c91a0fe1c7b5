"""The config that the choices on a page make, and what is wrong with them.

No Streamlit. A choice may be illegal (minTokens above maxTokens); `resolve` says what is wrong with
which setting and which config to go on showing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from chunking import Config, strategies
from chunking.config import make_strategy, setting_specs
from chunking.core import Strategy
from chunking.document import NO_LOADER, LoaderSettings
from chunking.errors import ConfigError, SettingError, UnknownCounterError
from chunking.tokens import OFFERED, counter_title, offered, read_counter
from chunking.tokens import counter as counter_named
from pages.ui.choices.neighbours import above, below
from pages.ui.choices.plans import Plan, SettingValue, plan_of

EXACT_COUNTERS = ("cl100k_base", "o200k_base", "minilm")
"""Known to be exact without unpacking their tables."""
COUNTERS = (*EXACT_COUNTERS, "words", "words-1.3", "chars-4", "block-ratio")
"""Offered on screen; a link may name any other encoding of tiktoken."""


_SHORT = 40
"""Characters of a value that still fits into a sentence."""


def exact_counters() -> list[str]:
    """The counters that have tokens: exact ones, and tokenizers that the app was given at its
    start."""
    return [*EXACT_COUNTERS, *(one.name for one in offered())]


def offered_counters(now: str, strategy: Strategy | None = None) -> list[str]:
    """What a choice of counters lists: the chosen one, exact ones, tokenizers that the app was
    given at its start, what the strategy's spec counts with, the rest."""
    spec = strategy.spec_counter if strategy is not None else ""
    return list(dict.fromkeys([now, *exact_counters(), *([spec] if spec else []), *COUNTERS]))


def check_counter(name: str) -> None:
    """Raises UnknownCounterError for a counter that is none, and for a file's, which is not
    opened: the name may come from a browser."""
    counter_named(read_counter(name))


def counter_label(name: str, strategy: Strategy | None = None) -> str:
    """A counter as a choice says it: an approximate one is labelled so, and the one of the
    strategy's spec as well."""
    if name in EXACT_COUNTERS:
        return name
    if name.startswith(OFFERED):
        return counter_title(name)
    notes = ["approximate"] if counter_named(name).approximate else []
    notes += ["as the written rules count"] if strategy is not None and name == strategy.spec_counter else []
    return f"{name} ({', '.join(notes)})" if notes else name


@dataclass(frozen=True, slots=True)
class Resolution:
    """The config to show for a plan, and what is wrong with the settings that it could not
    follow."""

    config: Config
    problems: Mapping[str, str] = field(default_factory=dict)
    """Whole sentences, by the setting's name in snake_case, with a dot between a strategy and what
    it wraps; "" for a problem of the plan as a whole."""


def resolve(
    plan: Plan, counter: str, last_good: Config | None = None, loader: LoaderSettings = NO_LOADER
) -> Resolution:
    """The plan's config, or the last good one of the same strategy with the reasons.

    `counter` is "" for the strategy's own default; `loader` finds the document's headings.
    """
    known, problems = _known_counter(plan, counter)
    try:
        return Resolution(Config(build(plan), known, loader=loader), problems)
    except ConfigError as wrong:
        same = last_good is not None and last_good.strategy.name == plan.strategy
        strategy = last_good.strategy if same and last_good else build(Plan(plan.strategy))
        problems |= _out_of_order(plan, plan_of(strategy)) or _fault(plan, wrong, plan_of(strategy))
        return Resolution(Config(strategy, known, loader=loader), problems)


def build(plan: Plan) -> Strategy:
    """The strategy with its settings. Raises SettingError for what is not legal."""
    return make_strategy(plan.strategy, plan.plain_settings())


def _known_counter(plan: Plan, counter: str) -> tuple[str, dict[str, str]]:
    default = strategies.get(plan.strategy).default_counter
    if not counter:
        return default, {}
    try:
        known = read_counter(counter)  # it may come from a link, which opens no path
        counter_named(known)
    except UnknownCounterError as unknown:
        return default, {"counter": str(unknown)}
    return known, {}


def _out_of_order(plan: Plan, shown: Plan, *, on_screen: bool = True) -> dict[str, str]:
    """What stands the wrong way round, said at the setting of the two that was changed since what
    is shown.

    Not `on_screen`: another strategy is, and `shown` has the defaults of this one.
    """
    made, problems = strategies.get(plan.strategy), dict[str, str]()
    for pair in made.ordered:
        low, high = plan.value(pair.lower), plan.value(pair.upper)
        if not isinstance(low, int | float) or not isinstance(high, int | float) or pair.holds(low, high):
            continue
        lower_stands = low == shown.value(pair.lower)
        at, other = (pair.upper, low) if lower_stands else (pair.lower, high)
        beyond = below(made, at) if lower_stands else above(made, at)
        must = next(each.must for each in beyond if each.setting in (pair.lower, pair.upper))
        problems[at] = f"{must.format(f'{other:,}')} {_showing(shown.value(at) if on_screen else None)}"
    for name, inner_plan in plan.settings.items():
        stands = shown.value(name)
        if isinstance(inner_plan, Plan) and isinstance(stands, Plan):
            same = stands.strategy == inner_plan.strategy
            inside = _out_of_order(
                inner_plan, stands if same else Plan(inner_plan.strategy), on_screen=on_screen and same
            )
            problems |= {f"{name}.{at}": words for at, words in inside.items()}
    return problems


def _fault(plan: Plan, wrong: ConfigError, shown: Plan) -> dict[str, str]:
    """Anything else that is wrong, said at the setting it is about."""
    if not isinstance(wrong, SettingError):
        return {"": f"{wrong}. Showing the last settings that work."}
    at, title, stands = _place(plan, wrong.setting, shown)
    return {at: f"{title}: {wrong.problem}. {_showing(stands)}"}


def faults_in_link(shown: Config, texts: Mapping[str, str], wrong: ConfigError) -> dict[str, str]:
    """What is wrong with parameters of a link, by the setting's name in Python, or "counter"; else
    empty.

    `shown` is what is made of the rest of the link, `texts` are its parameters.
    """
    if isinstance(wrong, UnknownCounterError):
        return {"counter": f"In the link, {wrong}. Showing {shown.counter}."}
    if not isinstance(wrong, SettingError):
        return {}
    plan = plan_of(shown.strategy)
    found = _order_in_link(plan, texts, wrong) or _fault(plan, wrong, plan)
    return {at: f"In the link, {problem}" for at, problem in found.items() if at}


def _order_in_link(plan: Plan, texts: Mapping[str, str], wrong: SettingError) -> dict[str, str]:
    """Settings of the link that stand the wrong way round, and were both left out: said at each
    that was given."""
    made, problems = strategies.get(plan.strategy), dict[str, str]()
    if not re.search(r" than \w+ \(", wrong.problem):
        return problems
    labels = {spec.name: spec.label for spec in setting_specs(made)}
    for pair in made.ordered:
        names = (pair.lower, pair.upper)
        given = {
            name: number for name in names if (number := _number(texts.get(labels[name], texts.get(name)))) is not None
        }
        low, high = (given.get(name, plan.value(name)) for name in names)
        if wrong.setting not in {*names, *(labels[name] for name in names)} or not given:
            continue
        if not isinstance(low, int | float) or not isinstance(high, int | float) or pair.holds(low, high):
            continue
        for at in given:
            beyond, other = (below(made, at), low) if at == pair.upper else (above(made, at), high)
            must = next(each.must for each in beyond if each.setting in names)
            problems[at] = f"{must.format(f'{other:,}')} {_showing(plan.value(at))}"
    return problems


def _number(text: str | None) -> float | None:
    """The number that a parameter says; None where it says none. 1e400 and "nan" are none."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return (int(number) if number == int(number) else number) if math.isfinite(number) else None


def _place(plan: Plan, label: str, shown: Plan) -> tuple[str, str, SettingValue | None]:
    """The setting's name in Python, its title, and what it stands at on screen; "" when the label
    names none."""
    first, _, rest = label.partition(".")
    for spec in setting_specs(strategies.get(plan.strategy)):
        if first.partition("[")[0] not in (spec.label, spec.name):
            continue
        inner_plan, stands = plan.value(spec.name), shown.value(spec.name)
        if rest and isinstance(inner_plan, Plan) and isinstance(stands, Plan):
            same = inner_plan.strategy == stands.strategy
            at, title, inside = _place(inner_plan, rest, stands if same else Plan(inner_plan.strategy))
            return (f"{spec.name}.{at}", title, inside if same else None) if at else (spec.name, label, None)
        return spec.name, spec.title, None if rest else stands
    return "", label, None


def _showing(stands: SettingValue | None) -> str:
    """What is on screen instead."""
    if isinstance(stands, bool):
        return f"Showing {'on' if stands else 'off'}."
    if isinstance(stands, int | float):
        return f"Showing {stands:,}."
    if isinstance(stands, str) and 0 < len(stands) <= _SHORT and stands.isprintable():
        return f"Showing {stands}."
    return "Showing the last one that works."
