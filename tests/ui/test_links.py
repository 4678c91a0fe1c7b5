"""A link reproduces the view, whoever opens it, and a broken one is followed as far as it makes sense."""

from __future__ import annotations

from chunking import Config
from pages.ui.links import Link, read_link, write_link


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
    assert "target" in link.problem
    assert "-5" in link.problem


def test_an_unknown_counter_is_said_and_the_strategy_kept() -> None:
    link = read_link({"strategy": "hierarchical", "counter": "no-such"})

    assert link.config == Config.of("hierarchical", {})
    assert "no-such" in link.problem


def test_a_place_that_is_no_number_is_passed_over() -> None:
    assert read_link({"at": "-1"}).selected is None
    assert read_link({"at": "٣"}).selected is None
    assert read_link({"at": "99999999999999999999"}).selected is None


def test_parameters_that_are_not_ours_do_no_harm() -> None:
    assert read_link({"utm_source": "x"}) == Link()


def test_two_settings_that_contradict_each_other_are_said_once_and_both_left_out() -> None:
    link = read_link({"strategy": "heading-window", "minTokens": "900", "maxTokens": "100", "shortTail": "keep"})

    assert link.config == Config.of("heading-window", {"shortTail": "keep"})
    assert link.problem == "minTokens: 900 is more than maxTokens (100); lower minTokens or raise maxTokens"


def test_a_baseline_that_is_unknown_is_called_a_baseline() -> None:
    assert read_link({"was.strategy": "zzz"}).problem.startswith("baseline: no strategy named 'zzz'")


def test_the_view_is_in_the_link_unless_it_is_the_source() -> None:
    assert write_link(Link("x", view="cards"))["view"] == "cards"
    assert "view" not in write_link(Link("x"))
    assert read_link({"view": "structure"}).view == "structure"
    assert read_link({"view": "<b>"}).view == "source"
