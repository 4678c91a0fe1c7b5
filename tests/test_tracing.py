"""A number that knows its setting: between the bounds that it leaves behind, everything really goes
alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.strategies.semantic.similarity import quantile
from chunking.tracing import Memory, Trace, traced_number

LOW, HIGH = -60, 90


def bounds(decide: Callable[[Any], object], value: float, low: float = LOW, high: float = HIGH) -> tuple[float, float]:
    """From and to which value the decision is known to be the same."""
    trace = Trace(value, low, high)
    decide(traced_number(trace))
    return trace.low, trace.high


STEPS: dict[str, Callable[[Any, int], Any]] = {
    "plus": lambda x, c: x + c,
    "from": lambda x, c: c - x,
    "times": lambda x, c: x * c,
    "half": lambda x, c: x // max(1, abs(c)),
    "share": lambda x, c: -(-x * c // 100),
    "rest": lambda x, c: x % max(1, abs(c)),
    "less its share": lambda x, c: x - -(-x * abs(c) // 100),
    "at most": lambda x, c: min(x, c),
    "at least": lambda x, c: max(c, x),
    "ratio": lambda x, c: x / max(1, abs(c)),
    "rounded": lambda x, _: round(x / 3),
    "square": lambda x, _: x * x,
    "size": lambda x, _: abs(x),
    "twice": lambda x, _: x + x,
}
QUESTIONS: dict[str, Callable[[Any, int], bool]] = {
    "<": lambda x, c: x < c,
    "<=": lambda x, c: c >= x,
    ">": lambda x, c: x > c,
    "==": lambda x, c: x == c,
    "!=": lambda x, c: x != c,
    "any": lambda x, _: bool(x),
    "half": lambda x, c: x <= c / 2,
    "numpy": lambda x, c: bool(np.int64(c) < x),
    "array": lambda x, c: bool((np.arange(c, c + 3) < x).any()),
    "slice": lambda x, _: len("abcdef"[: int(x)]) > 2,
}


@given(
    st.integers(LOW, HIGH),
    st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(-40, 120)), max_size=3),
    st.lists(st.tuples(st.sampled_from(sorted(QUESTIONS)), st.integers(-100, 200)), min_size=1, max_size=3),
)
def test_between_the_bounds_every_decision_is_the_same(
    value: int, steps: list[tuple[str, int]], questions: list[tuple[str, int]]
) -> None:
    def decided(number: Any) -> list[bool]:
        for name, by in steps:
            number = STEPS[name](number, by)
        return [bool(QUESTIONS[name](number, by)) for name, by in questions]

    low, high = bounds(decided, value)

    assert LOW <= low <= value <= high <= HIGH
    assert all(decided(other) == decided(value) for other in range(int(low), int(high) + 1))


@given(st.floats(0, 1), st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_the_same_of_fractions(value: float, compared: list[float], share: float) -> None:
    def decided(number: Any) -> list[object]:
        return [quantile(compared, number), *(each < number for each in compared), number * 3 / 7 <= share]

    low, high = bounds(decided, value, 0.0, 1.0)

    for other in (low, high, (low + value) / 2, (high + value) / 2):
        assert decided(other) == decided(value)


def test_the_bounds_are_the_farthest_where_they_can_be_worked_out() -> None:
    assert bounds(lambda x: x > 40, 50) == (41, HIGH)
    assert bounds(lambda x: x // 2 - 7 <= 10, 20) == (LOW, 35)
    assert bounds(lambda x: max(x - -(-x * 15 // 100), -(-x * 7 // 10)) < 60, 50, low=10) == (10, 70)
    assert bounds(lambda x: x > 0.3, 0.5, 0.0, 1.0) == (math.nextafter(0.3, 1), 1.0)


def test_what_cannot_be_followed_narrows_it_to_the_value() -> None:
    for decide in (lambda x: range(x), lambda x: "ab"[x], float, lambda x: 2**x, lambda x: np.zeros(x)):
        assert bounds(decide, 1) == (1, 1)


def test_it_is_no_key_so_that_nothing_kept_outlives_it() -> None:
    trace = Trace(1, LOW, HIGH)

    with pytest.raises(TypeError, match="must not be a key"):
        hash(traced_number(trace))
    assert (trace.low, trace.high) == (1, 1)


@given(st.integers(0, 60), st.lists(st.integers(0, 60), min_size=1, max_size=6))
def test_what_is_remembered_holds_between_its_own_bounds_and_narrows_the_others(
    compared: int, values: list[int]
) -> None:
    memory: Memory = {}

    def cut(number: Any, remembered: Callable[[object, Callable[[], Any]], Any]) -> list[object]:
        half = max(number // 2, compared)  # before anything is remembered

        def compare(at: int) -> Any:
            return remembered(at, lambda: (number > at, half < at + 3))

        steps = [compare(at) for at in (10, 20, 30)]
        return [*steps, number <= 40]

    for value in values:
        trace = Trace(value, 0, 60, memory=memory)
        made = cut(traced_number(trace), trace.remembered)
        assert made == cut(value, lambda _, make: make())
        for other in range(int(trace.low), int(trace.high) + 1):
            assert cut(other, lambda _, make: make()) == made


def test_a_sentence_with_the_number_is_no_decision() -> None:
    assert bounds(lambda x: f"{x} tokens, {x / 3:.2f}, {x!r}, {x!s}", 5) == (LOW, HIGH)


def test_aside_nothing_is_noted_where_only_boundaries_count() -> None:
    for of_text, noted in ((False, (LOW, HIGH)), (True, (5, 5))):
        trace = Trace(5, LOW, HIGH, of_text=of_text)
        with trace.untraced():
            int(traced_number(trace))
        assert (trace.low, trace.high) == noted


def test_it_passes_for_the_number_it_stands_for() -> None:
    number = traced_number(Trace(5, LOW, HIGH))
    text: Any = "a"

    assert isinstance(number, int)
    assert not isinstance(number, float)
    assert number in (4, 5)
    with pytest.raises(TypeError):
        number < text  # noqa: B015
