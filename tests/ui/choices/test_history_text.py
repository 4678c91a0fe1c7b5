"""The steps of undo and redo come back after a reload, where they lead to what is shown."""

from __future__ import annotations

import json

import pytest

from pages.ui.choices.history import History, Setup
from pages.ui.choices.history_text import read, written
from pages.ui.choices.plans import Plan


def window(least: int, counter: str = "") -> Setup:
    return Setup(Plan("heading-window").with_values({"min_tokens": least}), counter)


SEMANTIC = Setup(
    Plan("contextual", {"base": Plan("fixed", {"chunk_size": 321})}),
    "words",
    baseline=Plan("fixed", {"chunk_size": 900}),
    baseline_counter="o200k_base",
)
STEPS = History(window(100), (SEMANTIC, window(120, "o200k_base")), (window(140),))


def test_the_steps_that_lead_to_what_is_shown_are_as_they_were() -> None:
    assert read(written(STEPS), window(100)) == STEPS


def test_the_steps_to_something_else_are_not_taken() -> None:
    assert read(written(STEPS), window(101)) == History(window(101))


def test_a_step_that_is_not_legal_is_passed_over() -> None:
    kept = json.loads(written(STEPS))
    kept["earlier"] += [7, {"strategy": "nowhere", "settings": {}, "counter": ""}]
    kept["earlier"] += [kept["earlier"][0] | {"was": {"strategy": "fixed", "settings": {"chunkSize": 0}}}]
    kept["later"][0]["settings"]["minTokens"] = -1
    kept["later"][0]["counter"] = "tokenizer.json:/etc/passwd"

    assert read(json.dumps(kept), window(100)) == History(window(100), STEPS.earlier)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"now": 1}', "[" * 100_000])
def test_a_damaged_text_is_no_history(text: str) -> None:
    assert read(text, window(100)) == History(window(100))
