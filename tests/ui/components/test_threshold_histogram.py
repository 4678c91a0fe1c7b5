"""The histogram under the thresholds: whatever the largest chunk is, the thresholds can be told
apart."""

from __future__ import annotations

from typing import Any, cast

import pytest
import streamlit as st

from pages.ui.components.threshold_rail import Axis, Histogram, Threshold, rail_drawn, steady_axis
from pages.ui.components.threshold_rail.histogram import binned, fitted_axis

LIMITS = (250, 500, 750)
SIZES = [100, 250, 300, 420, 700, 740]


def counts(drawn: object, scale: str = "linear") -> dict[str, Any]:
    return cast("dict[str, dict[str, Any]]", drawn)[scale]


def test_the_axis_fits_the_thresholds_and_not_the_largest_chunk_of_the_baseline() -> None:
    assert fitted_axis(Histogram(SIZES, [*SIZES, 100_000]), LIMITS).linear == 1200


def test_the_axis_fits_99_of_100_chunks_and_the_thresholds_have_a_quarter_of_it_at_least() -> None:
    assert fitted_axis(Histogram([100] * 90 + [1900] * 10), LIMITS).linear == 2000
    assert fitted_axis(Histogram([100_000] * 10), LIMITS).linear == 3000


def test_one_chunk_that_is_the_whole_document_leaves_the_thresholds_apart() -> None:
    assert fitted_axis(Histogram([100_000]), LIMITS).linear == 3000


def test_without_thresholds_the_axis_fits_the_chunks() -> None:
    assert fitted_axis(Histogram([*range(100, 300), 100_000]), ()).linear == 300
    assert fitted_axis(Histogram([]), ()).linear == 10


def test_the_baselines_limits_are_on_the_axis_too() -> None:
    assert fitted_axis(Histogram(SIZES), (100,), (1900,)).linear == 2000


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_every_chunk_is_counted_once_those_beyond_the_axis_in_the_last_bin(scale: str) -> None:
    drawn = counts(binned(Histogram([*SIZES, 0, 1200, 5000], [100_000]), Axis(linear=1200, log=1200)), scale)

    assert sum(drawn["current"]) == 9
    assert drawn["current"][-1] == 2
    assert drawn["baseline"] == [0] * 40 + [1]


def test_the_logarithmic_axis_reaches_the_largest_chunk_of_both() -> None:
    axis = fitted_axis(Histogram(SIZES, [90_000]), LIMITS)

    assert axis.log == 100_000
    assert counts(binned(Histogram(SIZES, [90_000]), axis), "log")["baseline"][-1] == 0


def test_chunks_are_hatched_that_the_numbers_call_outside() -> None:
    sizes = [100, 755, 765, 771, 772, 1200]

    drawn = counts(binned(Histogram(sizes, lower=250, upper=771), Axis(1200, 1200)))

    assert sum(drawn["outside"]) == 3
    assert sum(drawn["current"]) == 6
    assert sum(counts(binned(Histogram(sizes, upper=1200), Axis(1200, 1200)))["outside"]) == 0


def test_what_is_drawn_on_a_given_axis_keeps_it_wherever_a_threshold_stands() -> None:
    limit = Threshold("max_tokens", "Maximum", 3000, 50, 3000)

    assert counts(rail_drawn([limit], Histogram(SIZES), "", axis=Axis(1200, 2000))["histogram"])["top"] == 1200
    assert counts(rail_drawn([limit], Histogram(SIZES), "")["histogram"])["top"] == 5000


def test_the_axis_stays_during_a_drag_and_fits_again_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    sizes = Histogram(SIZES)

    def axis(maximum: int, *, dragging: bool) -> int:
        limit = Threshold("max_tokens", "Maximum", maximum, 50, 3000)
        return steady_axis([limit], sizes, key="rail", dragging=dragging).linear

    assert axis(750, dragging=False) == 1200
    assert axis(2900, dragging=True) == 1200
    assert axis(2900, dragging=False) == 5000
