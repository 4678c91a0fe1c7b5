"""What the address of Tune says: a sweep, a goal, and whether all documents are meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chunking import Config
from pages.ui.choices.tuning import (
    NONE,
    GoalChoice,
    Range,
    SweepChoice,
    TuneChoices,
    default_sweeping,
    read_tuned,
    write_tuned,
)

WINDOW = Config.of("heading-window", {})


def test_a_link_says_what_was_asked_and_is_read_back() -> None:
    told = SweepChoice(
        "minTokens", NONE, (("minTokens", Range(0, 400, 50)),), measure="tokens_to_embed", must=("code-whole",)
    )
    tuned = TuneChoices("sweep", (("heading-window", told),))

    query = write_tuned(tuned, WINDOW)
    assert query == {
        "across": "minTokens:0:400:50",
        "up": "none",
        "shown": "tokens_to_embed",
        "must": "code-whole",
    }
    assert read_tuned(query, WINDOW) == tuned
    assert write_tuned(TuneChoices(), WINDOW) == {}


def test_a_link_says_a_goal_and_whether_all_documents_are_meant() -> None:
    goal = GoalChoice("whole-blocks", 40, must=("code-whole",), sizes=(100, 300), strategies=("fixed",), trials=60)
    sweeping = default_sweeping(WINDOW)
    assert sweeping is not None
    asked = replace(goal, all_trials=True)
    tuned = TuneChoices("goal", (("heading-window", sweeping),), asked, all_documents=True)

    query = write_tuned(tuned, WINDOW)
    assert query["documents"] == "all"
    assert read_tuned(query, WINDOW) == tuned
    clicked = replace(tuned, goal=replace(tuned.goal, chosen="strategy: fixed"))
    assert write_tuned(clicked, WINDOW) == query
    assert TuneChoices(goal=clicked.goal).following(query, WINDOW) == clicked


@pytest.mark.parametrize(
    "text",
    [
        *("[", "[]", "{}x", '{"objective":"best"}', '{"sizes":[1]}', '{"must":["x"]}', '{"trials":-1}'),
        *('{"trials":true}', '{"all_trials":1}', '{"search":"none"}', '{"strategies":"fixed"}'),
        *('{"chosen":"x"}', "[" * 5_000),
    ],
)
def test_a_goal_that_cannot_be_read_is_the_usual_one_and_is_said(text: str) -> None:
    read = read_tuned({"goal": text, "view": "goal"}, WINDOW)

    assert (read.goal, read.view) == (GoalChoice(), "goal")
    assert read.problem.startswith("goal: ")


def test_what_a_link_gets_wrong_is_said_and_left_at_its_default() -> None:
    read = read_tuned({"across": "minTokns:0:400:50", "up": "maxTokens:0:nan:1", "view": "best"}, WINDOW)

    assert read.view == "sweep"
    assert read.sweeping(WINDOW) == default_sweeping(WINDOW)
    assert read.problem == (
        "across: heading-window has no setting 'minTokns' to sweep; "
        "up: '0:nan:1' is not a range; write setting:lower:upper:step"
    )
