"""What was chosen may be illegal; what is shown never is."""

from __future__ import annotations

from chunking import Config, counter, strategies
from pages.ui.choices import COUNTERS, EXACT_COUNTERS, counter_label, offered_counters, settle
from pages.ui.plans import Plan, plan_of


def test_a_plan_keeps_only_what_differs_from_the_defaults() -> None:
    plan = Plan("hierarchical").with_values({"target": 300}).with_values({"target": 512, "hard_cap": 700})

    assert plan.settings == {"hard_cap": 700}


def test_a_plan_makes_its_config_and_the_config_its_plan() -> None:
    plan = Plan("hierarchical").with_values({"target": 300})
    settled = settle(plan, "")

    assert settled.config == Config.of("hierarchical", {"target": 300})
    assert settled.problems == {}
    assert plan_of(settled.config.strategy) == plan


def test_a_setting_against_another_keeps_the_last_good_config_and_names_the_setting() -> None:
    good = Config.of("hierarchical", {"target": 300, "hardCap": 400})
    settled = settle(Plan("hierarchical", {"target": 500, "hard_cap": 400}), "", good)

    assert settled.config == good
    (setting,) = settled.problems
    assert setting in ("target", "hard_cap")
    assert "500" in settled.problems[setting]
    assert "400" in settled.problems[setting]


def test_the_last_good_config_of_another_strategy_is_not_shown() -> None:
    settled = settle(Plan("hierarchical", {"target": 5000}), "", Config.of("every-heading", {}))

    assert settled.config == Config.of("hierarchical", {})


def test_an_unknown_counter_gives_way_to_the_strategys_own() -> None:
    settled = settle(Plan("hierarchical"), "no-such")

    assert settled.config.counter == "cl100k_base"
    assert "no-such" in settled.problems["counter"]


def test_the_counter_of_the_spec_is_one_choice_away_and_labelled_so() -> None:
    packing, window = strategies.get("block-packing")(), strategies.get("heading-window")()
    wrapped = strategies.get("contextual").model_validate({"base": window})

    assert offered_counters("cl100k_base", window)[:3] == ["cl100k_base", "o200k_base", "words-1.3"]
    assert counter_label("words-1.3", window) == "words-1.3 (approximate, as the spec counts)"
    assert counter_label("words-1.3", wrapped) == "words-1.3 (approximate, as the spec counts)"
    assert counter_label("words-1.3", packing) == "words-1.3 (approximate)"
    assert counter_label("block-ratio", packing) == "block-ratio (approximate, as the spec counts)"
    assert counter_label("cl100k_base", window) == "cl100k_base"


def test_of_the_counters_on_offer_those_said_to_be_exact_are() -> None:
    assert tuple(name for name in COUNTERS if not counter(name).approximate) == EXACT_COUNTERS
