"""The axes of a sweep: what is swept, over which range and by which steps. No Streamlit."""

from __future__ import annotations

import pytest

from chunking import Config, parse
from chunking.errors import SettingError
from chunking.tuning.summary import Invariant
from chunking.tuning.sweeps import Axis, sweep
from pages.ui.choices.tuning import (
    Range,
    SweepChoice,
    default_range,
    default_sweeping,
    possible_together,
    range_between,
    sweepable,
    values_of,
)
from pages.ui.tune import range_job
from pages.ui.tune.measures import MEASURES
from pages.ui.tune.tables import cells_table

WINDOW = Config.of("heading-window", {}, "words")
FIXED = Config.of("fixed", {"chunkOverlap": 0}, "words")
WORDS = parse("aaaa bbbb cccc dddd ", name="w.md")
KNOWN = {each.label: each for each in sweepable(WINDOW)}


def test_the_limits_are_swept_by_default() -> None:
    assert default_sweeping(WINDOW) == SweepChoice("minTokens", "maxTokens")
    assert default_sweeping(Config.of("hierarchical", {})) == SweepChoice("target", "hardCap")
    assert default_sweeping(Config.of("every-heading", {})) is None


def test_a_wrapped_strategys_settings_are_swept_by_their_dotted_names() -> None:
    wrapping = Config.of("contextual", {"base": {"strategy": "heading-window", "settings": {}}})

    assert "base.minTokens" in {each.label for each in sweepable(wrapping)}
    assert default_sweeping(wrapping) == SweepChoice("base.minTokens", "base.maxTokens")


def test_an_axis_has_both_ends_the_multiples_of_the_step_and_the_current_value() -> None:
    assert KNOWN["minTokens"].now == 250
    assert values_of(KNOWN["minTokens"], Range(50, 520, 200)) == (50, 200, 250, 400, 520)


def test_fractions_are_as_a_person_would_write_them() -> None:
    (threshold,) = [each for each in sweepable(Config.of("semantic", {})) if each.label == "similarityThreshold"]

    assert isinstance(threshold.now, float)
    assert values_of(threshold, Range(0.5, 0.8, 0.1)) == tuple(sorted({0.5, 0.6, 0.7, 0.8, threshold.now}))


def test_choices_and_switches_are_all_tried() -> None:
    assert values_of(KNOWN["h1Rule"], Range(0, 1, 1)) == (False, True)
    assert values_of(KNOWN["shortTail"], Range(0, 1, 1)) == ("skip", "keep", "merge")


def test_more_values_than_anyone_could_look_at_are_refused() -> None:
    with pytest.raises(SettingError, match="at most 60 are swept"):
        values_of(KNOWN["minTokens"], Range(0, 1000, 1))


def test_default_ranges_have_round_steps_and_hold_the_current_value() -> None:
    assert default_range(KNOWN["minTokens"]) == Range(0, 1000, 100)
    assert default_range(KNOWN["maxTokens"]) == Range(50, 3000, 0)
    wide = {each.label: each for each in sweepable(WINDOW.with_settings({"maxTokens": 9000}))}["maxTokens"]
    assert default_range(wide) == Range(50, 9000, 0)


def test_a_range_to_start_with_has_its_own_ends_and_a_round_step() -> None:
    assert range_between(KNOWN["minTokens"], 137, 812) == Range(137, 812, 100)
    assert values_of(KNOWN["minTokens"], Range(37, 812, 100))[:3] == (37, 100, 200)
    assert range_between(KNOWN["maxTokens"], 51, 60) == Range(51, 60, 1)


def test_steps_grow_where_the_ends_are_far_apart_by_round_numbers_between_the_exact_ends() -> None:
    maximum = KNOWN["maxTokens"]

    assert range_between(maximum, 50, 8123) == Range(50, 8123, 0)
    assert values_of(maximum, Range(50, 8123, 0)) == (50, 100, 200, 300, 500, 750, 1000, 2000, 3000, 5000, 8123)
    assert values_of(maximum, Range(37, 812, 0))[:6] == (37, 50, 60, 80, 100, 120)
    assert values_of(maximum, Range(50, 3000, 0))[:4] == (50, 70, 100, 150)
    (threshold,) = [each for each in sweepable(Config.of("semantic", {})) if each.label == "similarityThreshold"]
    assert values_of(threshold, Range(0.02, 0.9, 0))[:4] == (0.02, 0.03, 0.05, 0.07)
    # Ends that are nearer, or begin at 0, have steps of one size, whether one was given or not.
    assert values_of(KNOWN["minTokens"], Range(0, 1000, 0)) == values_of(KNOWN["minTokens"], Range(0, 1000, 100))


@pytest.mark.parametrize(
    "over", [Range(0, 1e308, 1e-300), Range(-1e308, 1e308, 1), Range(0, float("nan"), 1), Range(50, float("inf"), 0)]
)
def test_a_range_that_cannot_be_counted_is_refused_with_its_numbers(over: Range) -> None:
    with pytest.raises(SettingError, match="is not a range; take other numbers"):
        values_of(KNOWN["minTokens"], over)


def test_of_two_settings_neither_begins_with_a_range_that_is_impossible_with_the_other() -> None:
    axes = [KNOWN["minTokens"], KNOWN["maxTokens"]]
    found = {"minTokens": Range(15, 739, 0), "maxTokens": Range(250, 434, 20)}

    for of in (axes, axes[::-1]):
        together = possible_together(WINDOW, of, found)
        assert together == {"minTokens": Range(15, 434, 0), "maxTokens": Range(250, 434, 20)}
        assert possible_together(WINDOW, of, together) == together
    assert possible_together(WINDOW, axes[:1], found) == found


def test_combinations_that_meet_every_requirement_are_listed_first() -> None:
    code = parse("text text\n\n```\n" + "code code code\n" * 4 + "```\n", name="c.md")
    axis = Axis("chunkSize", (4, 400, 5, 500))
    swept = list(sweep([code], FIXED, [axis]))
    must: tuple[Invariant, ...] = ("code-whole",)

    table, cells, _ = cells_table(swept, [axis], MEASURES, must)

    assert table["chunkSize"].tolist() == [cell.values[0] for cell in cells] == [400, 500, 4, 5]
    assert [bool(words) for words in table["Requirements not met"]] == [False, False, True, True]


def test_where_a_document_changes_is_searched_once_and_remembered() -> None:
    asked = ([WORDS], FIXED.with_settings({"chunkSize": 400}))
    (size,) = [each for each in sweepable(asked[1]) if each.label == "chunkSize"]

    found = range_job.start_ranges(*asked, [size], (), "me", patience=30)
    begun = len(range_job.jobs._jobs)

    assert (found.ranges, found.unchanging, found.searching) == ({}, ("chunkSize",), False)
    assert range_job.start_ranges(*asked, [size], (), "me", patience=0) == found
    assert len(range_job.jobs._jobs) == begun


def test_a_range_that_was_chosen_is_not_searched_and_the_other_one_is_found_beside_it() -> None:
    sections = parse("# A\n\none two three\n\n" * 200, name="s.md")
    both = [KNOWN["minTokens"], KNOWN["maxTokens"]]

    one = range_job.start_ranges([sections], WINDOW, both, ("minTokens",), "me", patience=30)

    assert list(one.ranges) == ["maxTokens"]
    none = range_job.start_ranges([sections], WINDOW, both, ("minTokens", "maxTokens"), "me", patience=0)
    assert none == range_job.StartRanges({})


def test_a_strategy_that_asks_models_starts_with_the_declared_ranges() -> None:
    semantic = Config.of("semantic", {})

    found = range_job.start_ranges([WORDS], semantic, sweepable(semantic), (), "me", patience=0)

    assert found == range_job.StartRanges({})
