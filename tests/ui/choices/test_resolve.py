"""What was chosen may be illegal; what is shown never is."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from sample_tokenizers import trained

from chunking import Config, counter, strategies
from chunking.tokens.offered_files import VARIABLE, variable_of
from pages.ui.choices.comparing import read_rows
from pages.ui.choices.plans import Plan, plan_of
from pages.ui.choices.resolve import COUNTERS, EXACT_COUNTERS, counter_label, offered_counters, resolve


def test_a_plan_keeps_only_what_differs_from_the_defaults() -> None:
    plan = Plan("hierarchical").with_values({"target": 300}).with_values({"target": 512, "hard_cap": 700})

    assert plan.settings == {"hard_cap": 700}


def test_a_plan_makes_its_config_and_the_config_its_plan() -> None:
    plan = Plan("hierarchical").with_values({"target": 300})
    resolution = resolve(plan, "")

    assert resolution.config == Config.of("hierarchical", {"target": 300})
    assert resolution.problems == {}
    assert plan_of(resolution.config.strategy) == plan


def test_a_setting_against_another_keeps_the_last_good_config_and_names_the_setting() -> None:
    good = Config.of("hierarchical", {"target": 300, "hardCap": 400})
    resolution = resolve(Plan("hierarchical", {"target": 500, "hard_cap": 400}), "", good)

    assert resolution.config == good
    assert resolution.problems == {"target": "Target must be at most 400 (Hard cap). Showing 300."}


def test_the_setting_that_was_changed_is_told_and_not_the_one_it_is_against() -> None:
    good = Config.of("heading-window", {})

    below = resolve(Plan("heading-window", {"max_tokens": 100}), "", good)
    above = resolve(Plan("heading-window", {"min_tokens": 1000}), "", good)

    assert below.problems == {"max_tokens": "Maximum must be at least 250 (Minimum). Showing 750."}
    assert above.problems == {"min_tokens": "Minimum must be at most 750 (Maximum). Showing 250."}


def test_settings_that_may_not_be_equal_are_told_so() -> None:
    size = resolve(Plan("fixed", {"chunk_size": 200}), "")
    overlap = resolve(Plan("fixed", {"chunk_overlap": 1000}), "")

    assert size.problems == {"chunk_size": "Chunk size must be more than 200 (Overlap). Showing 1,000."}
    assert overlap.problems == {"chunk_overlap": "Overlap must be less than 1,000 (Chunk size). Showing 200."}


def test_a_setting_of_a_wrapped_strategy_is_told_at_its_own_place() -> None:
    wrong = Plan("contextual", {"base": Plan("heading-window", {"max_tokens": 100})})
    good = Config.of("contextual", {"base": {"strategy": "heading-window", "settings": {"maxTokens": 300}}})

    words = "Maximum must be at least 250 (Minimum). Showing"
    assert resolve(wrong, "", good).problems == {"base.max_tokens": f"{words} 300."}
    assert resolve(wrong, "").problems == {"base.max_tokens": f"{words} the last one that works."}


def test_any_other_fault_is_told_at_its_setting_with_what_is_shown_instead() -> None:
    labels = resolve(Plan("section-rules", {"prefix_labels": ("Part",)}), "")
    base = resolve(Plan("contextual", {"base": Plan("contextual")}), "")
    inside = resolve(Plan("contextual", {"base": Plan("section-rules", {"prefix_labels": ("Part",)})}), "")
    window = resolve(Plan("semantic", {"window": 90}), "", Config.of("semantic", {"window": 3}))

    assert labels.problems["prefix_labels"].startswith("Prefix labels: 'Part' is none of Module, Chapter, Section.")
    assert "describes what it wraps" in base.problems["base"]
    assert list(inside.problems) == ["base.prefix_labels"]
    assert window.problems == {"window": "Window: 90 is above 50; it takes a whole number from 1 to 50. Showing 3."}


def test_the_last_good_config_of_another_strategy_is_not_shown() -> None:
    resolution = resolve(Plan("hierarchical", {"target": 5000}), "", Config.of("every-heading", {}))

    assert resolution.config == Config.of("hierarchical", {})


def test_an_unknown_counter_gives_way_to_the_strategys_own() -> None:
    resolution = resolve(Plan("hierarchical"), "no-such")

    assert resolution.config.counter == "cl100k_base"
    assert "no-such" in resolution.problems["counter"]


def test_the_counter_of_the_spec_is_one_choice_away_and_labelled_so() -> None:
    packing, window = strategies.get("block-packing")(), strategies.get("heading-window")()
    wrapped = strategies.get("contextual").model_validate({"base": window})

    assert offered_counters("cl100k_base", window)[:4] == ["cl100k_base", "o200k_base", "minilm", "words-1.3"]
    assert counter_label("words-1.3", window) == "words-1.3 (approximate, as the written rules count)"
    assert counter_label("words-1.3", wrapped) == "words-1.3 (approximate, as the written rules count)"
    assert counter_label("words-1.3", packing) == "words-1.3 (approximate)"
    assert counter_label("block-ratio", packing) == "block-ratio (approximate, as the written rules count)"
    assert counter_label("cl100k_base", window) == "cl100k_base"


def test_of_the_counters_on_offer_those_said_to_be_exact_are() -> None:
    assert tuple(name for name in COUNTERS if not counter(name).approximate) == EXACT_COUNTERS


def test_tokenizers_that_the_app_was_given_are_offered_by_their_file_and_no_link_opens_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bge" / "tokenizer.json"
    file.parent.mkdir()
    file.write_bytes(trained("gpt-2"))
    monkeypatch.setenv(VARIABLE, variable_of([file]))
    name = f"tokenizer:{sha256(file.read_bytes()).hexdigest()[:16]}"

    assert name in offered_counters("cl100k_base")
    assert counter_label(name) == "bge/tokenizer.json"
    assert resolve(Plan("fixed"), name).config.counter == name
    refused = resolve(Plan("fixed"), "tokenizer.json:/etc/passwd")
    assert refused.config.counter == "cl100k_base"
    assert "only the command line opens" in refused.problems["counter"]


def test_the_counter_of_a_comparison_in_a_link_opens_no_path(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(trained("gpt-2"))
    comparing = read_rows({"a.strategy": "fixed", "b.strategy": "recursive", "counted": f"tokenizer.json:{file}"})

    assert comparing is not None
    assert comparing.counter == "cl100k_base"
    assert "only the command line opens" in comparing.problem
