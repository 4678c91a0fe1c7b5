"""What was chosen may be illegal; what is shown never is."""

from __future__ import annotations

from chunking import Config, counter
from pages.ui.choices import COUNTERS, EXACT_COUNTERS, settle
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


def test_of_the_counters_on_offer_those_said_to_be_exact_are() -> None:
    assert tuple(name for name in COUNTERS if not counter(name).approximate) == EXACT_COUNTERS
