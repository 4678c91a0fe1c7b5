"""A link reproduces the view, whoever opens it, and a broken one is followed as far as it makes
sense."""

from __future__ import annotations

from chunking import Config
from pages.ui.choices.links import Link, read_link, write_link


def test_a_link_gives_back_what_was_written_into_it() -> None:
    link = Link(
        source="sample:kettle.md",
        config=Config.of("hierarchical", {"target": 300, "hardCap": 700}, "o200k_base"),
        baseline=Config.of("every-heading", {}),
        selected=1234,
    )

    assert read_link(write_link(link)) == link


def test_a_link_is_short_and_readable() -> None:
    link = Link("sample:kettle.md", Config.of("hierarchical", {"hardCap": 700}), Config.of("every-heading", {}))

    assert write_link(link) == {
        "document": "sample:kettle.md",
        "strategy": "hierarchical",
        "hardCap": "700",
        "was.strategy": "every-heading",
    }


def test_comparing_with_nothing_is_said() -> None:
    query = write_link(Link("sample:kettle.md", Config.of("every-heading", {}), no_baseline=True))

    assert query["was.strategy"] == "none"
    assert read_link(query).no_baseline


def test_an_unknown_strategy_is_said_and_the_rest_followed() -> None:
    link = read_link({"document": "sample:kettle.md", "strategy": "heirarchical", "was.strategy": "every-heading"})

    assert link.config is None
    assert "did you mean 'hierarchical'?" in link.problem
    assert link.baseline == Config.of("every-heading", {})
    assert link.source == "sample:kettle.md"


def test_a_setting_out_of_range_is_said_and_left_at_its_default() -> None:
    link = read_link({"strategy": "hierarchical", "target": "-5", "hardCap": "900"})

    assert link.config == Config.of("hierarchical", {"hardCap": 900})
    assert not link.problem
    assert link.faults == {
        "target": "In the link, Target: -5 is below 1; it takes a whole number from 1 to 1000000. Showing 512."
    }


def test_an_unknown_counter_is_said_and_the_strategy_kept() -> None:
    link = read_link({"strategy": "hierarchical", "counter": "no-such"})

    assert link.config == Config.of("hierarchical", {})
    assert not link.problem
    assert "no-such" in link.faults["counter"]
    assert link.faults["counter"].endswith("Showing cl100k_base.")


def test_a_place_that_is_no_number_is_passed_over() -> None:
    assert read_link({"at": "-1"}).selected is None
    assert read_link({"at": "٣"}).selected is None
    assert read_link({"at": "99999999999999999999"}).selected is None


def test_parameters_that_are_not_ours_do_no_harm() -> None:
    assert read_link({"utm_source": "x"}) == Link()


def test_two_settings_that_contradict_each_other_are_both_left_out_and_said_each_at_its_own() -> None:
    link = read_link({"strategy": "heading-window", "minTokens": "900", "maxTokens": "100", "shortTail": "keep"})

    assert link.config == Config.of("heading-window", {"shortTail": "keep"})
    assert not link.problem
    assert link.faults == {
        "min_tokens": "In the link, Minimum must be at most 100 (Maximum). Showing 250.",
        "max_tokens": "In the link, Maximum must be at least 900 (Minimum). Showing 750.",
    }


def test_a_value_below_the_default_of_its_neighbour_is_said_at_the_setting_that_the_link_names() -> None:
    link = read_link({"strategy": "heading-window", "maxTokens": "100"})

    assert link.faults == {"max_tokens": "In the link, Maximum must be at least 250 (Minimum). Showing 750."}


def test_a_setting_that_the_strategy_does_not_have_is_said_of_the_link_as_a_whole() -> None:
    link = read_link({"strategy": "heading-window", "bogus": "1"})

    assert link.problem.startswith("bogus: heading-window has no such setting")
    assert not link.faults


def test_what_is_wrong_with_the_baseline_is_said_of_the_baseline() -> None:
    link = read_link({"strategy": "heading-window", "was.strategy": "fixed", "was.chunkSize": "2"})

    assert not link.problem
    assert link.baseline_problem.startswith("was.chunkSize: 2 is not more than chunkOverlap (200)")


def test_a_baseline_that_is_unknown_is_called_a_baseline() -> None:
    assert read_link({"was.strategy": "zzz"}).baseline_problem.startswith("baseline: no strategy named 'zzz'")


def test_the_view_is_in_the_link_unless_it_is_the_source() -> None:
    assert write_link(Link("x", view="cards"))["view"] == "cards"
    assert "view" not in write_link(Link("x"))
    assert read_link({"view": "structure"}).view == "structure"
    assert read_link({"view": "<b>"}).view == "source"
