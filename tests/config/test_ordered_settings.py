"""Which settings have to stand in order is declared once, by their strategy, and nothing else
forbids two numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chunking import Config, strategies
from chunking.config.setting_spec import SettingSpec, spec_of
from chunking.core.strategy import Strategy
from chunking.errors import ConfigError, SettingError

PAIRS = [(name, pair) for name in strategies.names() for pair in strategies.get(name).ordered]


def spec(made: type[Strategy], name: str) -> SettingSpec:
    found = spec_of(made, name)
    assert found
    return found


def alias(made: type[Strategy], name: str) -> str:
    return spec(made, name).label


@pytest.mark.parametrize(("name", "pair"), PAIRS, ids=lambda each: each if isinstance(each, str) else each.lower)
def test_the_wrong_order_is_refused_and_the_right_one_is_not(name: str, pair: Any) -> None:
    made = strategies.get(name)
    lower, upper = alias(made, pair.lower), alias(made, pair.upper)
    others = {alias(made, each): 10 for other in made.ordered for each in (other.lower, other.upper)}

    with pytest.raises(SettingError) as refused:
        Config.of(name, {**others, lower: 11, upper: 10})
    assert refused.value.setting == lower
    assert f"lower {lower} or raise {upper}" in refused.value.problem
    equal = {**others, lower: 10, upper: 10 + pair.strictly}
    assert Config.of(name, equal).strategy == Config.of(name, equal).strategy


def test_the_fault_is_named_at_the_setting_that_was_given() -> None:
    with pytest.raises(SettingError, match=r"^maxTokens: 100 is less than minTokens \(250\); raise maxTokens or lower"):
        Config.of("heading-window", {"maxTokens": 100})
    with pytest.raises(SettingError, match=r"^minTokens: 900 is more than maxTokens \(750\); lower minTokens or raise"):
        Config.of("heading-window", {"minTokens": 900})
    with pytest.raises(SettingError, match=r"^chunkSize: 200 is not more than chunkOverlap \(200\); raise chunkSize"):
        Config.of("fixed", {"chunkSize": 200})
    with pytest.raises(SettingError, match=r"^base\.chunkSize: 9 is not more than chunkOverlap \(200\); "):
        Config.of("contextual", {"base": {"strategy": "fixed", "settings": {"chunkSize": 9}}})


@pytest.mark.parametrize("name", strategies.names())
def test_numbers_within_their_bounds_and_in_order_are_always_legal(name: str) -> None:
    made, draw = strategies.get(name), random.Random(7)
    numbers = [each for each in made.model_fields if is_number(made, each)]

    for _ in range(200):
        values = {each: drawn(made, each, draw) for each in numbers}
        in_order = all(pair.holds(values[pair.lower], values[pair.upper]) for pair in made.ordered)
        try:
            Config.of(name, {alias(made, each): value for each, value in values.items()})
        except ConfigError:
            assert not in_order, values
        else:
            assert in_order, values


def is_number(made: type[Strategy], name: str) -> bool:
    return spec(made, name).numeric


def drawn(made: type[Strategy], name: str, draw: random.Random) -> float:
    low = spec(made, name).last_legal(-1) or 0
    high = spec(made, name).last_legal(1) or 100
    if spec(made, name).kind == "decimal":
        return draw.uniform(low, high)
    return draw.randint(int(low), min(int(high), int(low) + 40))
