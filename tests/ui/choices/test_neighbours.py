"""Thresholds that must stand in order stop at each other, whatever the browser sends."""

from __future__ import annotations

import random

import pytest

from chunking import strategies
from pages.ui.choices.neighbours import above, below
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import resolve
from pages.ui.components.threshold_rail import Threshold
from pages.ui.components.threshold_rail.rail import moved_values
from pages.ui.dragging.thresholds import thresholds_of


def thresholds(plan: Plan) -> tuple[Threshold, ...]:
    resolution = resolve(plan, "")
    return thresholds_of(plan, None, resolution)


def test_a_minimum_stops_at_the_maximum_and_says_so() -> None:
    made = strategies.get("heading-window")

    (up,), (down,) = above(made, "min_tokens"), below(made, "max_tokens")

    assert (up.setting, up.apart) == ("max_tokens", 0)
    assert up.stop.format(750) == "Stops at Maximum, 750."
    assert up.must.format(750) == "Minimum must be at most 750 (Maximum)."
    assert down.stop.format(250) == "Stops at Minimum, 250."
    assert down.must.format(250) == "Maximum must be at least 250 (Minimum)."
    assert above(made, "max_tokens") == below(made, "min_tokens") == ()


def test_a_minimum_above_the_one_that_is_stricter_is_taken_and_said_beside_that_one() -> None:
    usual, crossed = (Plan("heading-window", {"min_tokens": value}) for value in (250, 558))

    assert [each.remark for each in thresholds(usual)] == ["", "", ""]
    assert {each.setting: each.remark for each in thresholds(crossed) if each.remark} == {
        "min_tokens_deeper": "below Minimum"
    }
    assert not resolve(crossed, "").problems


def test_an_overlap_stops_before_the_size() -> None:
    standing = thresholds(Plan("fixed"))

    assert moved_values(standing, {"chunk_overlap": 5000}) == {"chunk_overlap": 999}
    assert moved_values(standing, {"chunk_size": 1}) == {"chunk_size": 201}
    assert above(strategies.get("fixed"), "chunk_overlap")[0].stop == "Stops below Chunk size, {}."


def test_a_threshold_between_two_others_stops_at_both() -> None:
    standing = thresholds(Plan("section-rules"))

    assert moved_values(standing, {"target_high": 5000}) == {"target_high": 1000}
    assert moved_values(standing, {"target_high": 5}) == {"target_high": 300}
    assert moved_values(standing, {"split_above": 1}) == {"split_above": 600}


def test_of_two_that_were_both_moved_the_lower_one_stops() -> None:
    standing = thresholds(Plan("heading-window"))

    assert moved_values(standing, {"min_tokens": 900, "max_tokens": 800}) == {"min_tokens": 800, "max_tokens": 800}
    assert moved_values(standing, {"min_tokens": 900, "max_tokens": 950}) == {"min_tokens": 900, "max_tokens": 950}


@pytest.mark.parametrize("name", strategies.names())
def test_nothing_that_comes_from_the_rail_is_illegal(name: str) -> None:
    draw, plan = random.Random(11), Plan(name)
    for _ in range(150):
        standing = thresholds(plan)
        asked = {
            each.setting: draw.choice([each.minimum, each.maximum, draw.uniform(-5, each.maximum * 1.5)])
            for each in draw.sample(standing, draw.randint(0, len(standing)))
        }
        plan = plan.with_values(moved_values(standing, asked))

        assert resolve(plan, "").problems == {}, asked


def test_a_size_counts_what_another_setting_says_it_does() -> None:
    assert [each.unit for each in thresholds(Plan("recursive"))] == ["characters", "characters"]
    assert [each.unit for each in thresholds(Plan("recursive", {"unit": "tokens"}))] == ["tokens", "tokens"]
    assert [each.unit for each in thresholds(Plan("section-rules"))] == ["tokens"] * 5
