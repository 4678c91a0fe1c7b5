"""Tune's search for a goal, run without a browser: what is tried, kept and taken to Inspect."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config
from chunking.tuning import ConfigSummary, Point, Tuning
from pages.ui import state
from pages.ui.background import goal_job
from pages.ui.background.jobs import Job
from pages.ui.choices.samples import samples

ROOT = Path(__file__).resolve().parents[3]
TABLE = next(sample for sample in samples() if "table" in sample.name)


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page("pages/tune.py", **query)


def test_a_goal_is_searched_for_and_the_frontier_is_listed() -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.selectbox(key="tune-goal-objective").select("few-tokens").run()
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.number_input(key="tune-goal-trials").set_value(12).run()
    assert "12 configs to try" in html(app)  # in the rail; the button is where the results will be
    tried(app)

    assert not app.exception
    assert "12 configs, of" in html(app)
    assert 'data-tell="No config that was tried meets all requirements. 12 configs, of' in html(app)
    assert app.button(key="tune-try").disabled
    table = app.dataframe[0].value
    assert all(each.startswith("Fixed size: ") for each in table["Config"])
    assert address(app)["view"] == "goal"


def test_while_no_config_has_met_all_requirements_a_goal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Point(Config.of("fixed", {}), 0.5, ConfigSummary(tokens_to_embed=10), ("2 tables cut",), 2)
    running: Job[Point] = Job(120)
    monkeypatch.setattr(
        goal_job, "progress_of", lambda request: (Tuning(request.goal, (first,), 999, False, False), running)
    )
    app = page(document=TABLE.key, strategy="fixed", view="goal")

    assert not app.exception
    assert "No config meets all requirements yet." in html(app)


def test_a_goal_has_no_box_for_the_strategy_of_the_sweep_and_the_best_is_one_click_away() -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.selectbox(key="tune-goal-objective").select("few-tokens").run()
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(4).run()
    app.button(key="tune-try").click().run()
    for job in list(goal_job.jobs._jobs.values()):
        assert job.wait(60)
    app.run()

    assert not app.exception
    assert "strategy" not in [box.key for box in app.selectbox]
    assert app.button(key="tune-apply-best").label in ("Apply best to Inspect", "Inspect has the best")
    assert "strategy" in [box.key for box in page(document=TABLE.key, strategy="fixed").selectbox]


def test_a_best_that_makes_something_worse_says_so_by_a_button_that_is_no_main_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = Config.of("fixed", {})
    better, longer = (now.with_settings({"chunkSize": size}) for size in (790, 2800))
    shown = ConfigSummary(tokens_to_embed=100), ConfigSummary(tokens_to_embed=90)
    ended: Job[Point] = Job(2)
    ended.work(iter(()))
    found = [Point(now, 0.5, shown[0], (), 0), Point(longer, 0.9, shown[1], (), 0)]
    monkeypatch.setattr(
        goal_job, "progress_of", lambda request: (Tuning(request.goal, tuple(found), 99, False, False), ended)
    )
    app = page(document=TABLE.key, strategy="fixed", view="goal")

    assert not app.exception
    assert re.search(r"Costs: a 512-token embedder misses [\d,]+ more tokens", html(app))
    assert "Now: 50%; tokens to embed: 100." in html(app)
    assert app.button(key="tune-apply-best").proto.type == "secondary"
    found[1] = Point(better, 0.9, shown[1], (), 0)
    assert app.run().button(key="tune-apply-best").proto.type == "primary"
    assert "Costs: " not in html(app)


def test_what_is_nearly_as_good_is_taken_to_inspect_by_its_own_button(monkeypatch: pytest.MonkeyPatch) -> None:
    best, nearly = (
        Point(Config.of("fixed", {"chunkSize": size}), quality, ConfigSummary(tokens_to_embed=tokens), (), 0)
        for size, quality, tokens in ((700, 1.0, 100), (800, 0.97, 80))
    )
    ended: Job[Point] = Job(2)
    ended.work(iter(()))
    monkeypatch.setattr(
        goal_job, "progress_of", lambda request: (Tuning(request.goal, (best, nearly), 999, False, False), ended)
    )
    taken: list[Config] = []
    monkeypatch.setattr(state, "inspect", lambda *configs: taken.append(configs[0]))
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    assert "at 80 tokens (20% fewer)." in html(app)
    app.button(key="tune-apply-nearly").click().run()

    assert taken == [nearly.config]


@pytest.mark.usefixtures("_marked")
def test_what_is_chosen_by_a_question_is_said_to_be() -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(3).run()
    app.button(key="tune-try").click().run()
    for job in list(goal_job.jobs._jobs.values()):
        assert job.wait(60)
    app.run()

    assert not app.exception
    assert "not shown to be worse." in html(app)
    assert " questions show nothing between " in html(app)


@pytest.mark.usefixtures("_marked")
def test_what_is_not_shown_to_be_worse_is_listed_and_each_setting_of_the_best_is_measured() -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(4).run()
    app.button(key="tune-try").click().run()
    for job in list(goal_job.jobs._jobs.values()):
        assert job.wait(60)
    app.run()
    assert "Not shown to be worse than the best" in html(app)
    app.button(key="tune-effects").click().run()
    for effects in list(goal_job._effects._jobs.values()):
        assert effects.wait(60)
        assert effects.problem == ""
    app.run()

    assert not app.exception
    table = app.dataframe[-1].value
    assert list(table.columns[:4]) == ["Setting", "From", "To", "Difference"]
    assert {"Chunk size", "Overlap"} & set(table["Setting"])
    assert all("[" in each for each in table["Difference"])


def tried(app: AppTest) -> None:
    """Has the configs tried, and draws what came of it."""
    app.button(key="tune-try").click().run()
    for job in list(goal_job.jobs._jobs.values()):
        assert job.wait(90)
    app.run()


def test_a_search_is_there_again_after_its_best_was_applied_and_the_way_back_by_the_menu() -> None:
    app = page(document=TABLE.key, strategy="heading-window", view="goal")
    app.selectbox(key="tune-goal-objective").select("few-tokens").run()
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(6).run()
    tried(app)
    before, jobs = app.dataframe[0].value, list(goal_job.jobs._jobs)
    app.button(key="tune-apply-best").click().run()
    app.switch_page("pages/tune.py").run()

    assert not app.exception
    assert list(goal_job.jobs._jobs) == jobs
    assert list(app.dataframe[0].value["Tokens to embed"]) == list(before["Tokens to embed"])
    assert app.button(key="tune-try").label == "Done: 6 tried"
    assert app.button(key="tune-apply-best").label == "Inspect has the best"


def test_a_search_of_another_config_stays_and_can_be_made_again_with_the_one_that_inspect_has_now() -> None:
    app = page(document=TABLE.key, strategy="heading-window", view="goal")
    app.selectbox(key="tune-goal-objective").select("few-tokens").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(7).run()
    tried(app)
    app.switch_page("app.py")
    app.query_params["chunkSize"] = "321"  # a link that is followed
    app.query_params["strategy"] = "fixed"
    app.run()
    app.switch_page("pages/tune.py").run()

    assert not app.exception
    assert "7 configs, of" in html(app)
    assert "config has changed since this search, and was not tried." in html(app)
    assert app.button(key="tune-try").label == "Try 7 configs again"
    assert not app.button(key="tune-try").disabled


@pytest.mark.usefixtures("_marked")
def test_a_config_that_is_not_shown_to_be_worse_is_chosen_and_taken_to_inspect(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.multiselect(key="tune-goal-strategies").select("fixed").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(5).run()
    tried(app)
    assert app.dataframe(key="tune-not-worse").proto.selection_mode  # a row can be chosen, as of the frontier
    session = app.session_state["chunkscope"]
    found = goal_job.jobs.about(next(reversed(goal_job.jobs._jobs)))
    assert found
    other = max(found.found, key=lambda each: each.tokens)
    session.tuned = replace(session.tuned, goal=replace(session.tuned.goal, chosen=other.config.to_yaml()))
    app.run()
    assert app.expander[0].label == "How certain is that?"
    assert app.expander[0].proto.expanded
    taken: list[Config] = []
    monkeypatch.setattr(state, "inspect", lambda *configs: taken.append(configs[0]))
    app.button(key="tune-apply").click().run()

    assert taken == [other.config]


@pytest.mark.usefixtures("_marked")
def test_a_search_that_cannot_find_anything_better_for_the_questions_stops_and_says_why() -> None:
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    app.selectbox(key="tune-goal-objective").select("recall").run()
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(200).run()
    tried(app)

    assert not app.exception
    assert re.search("Stopped after \\d+ configs\\. ", html(app))
    assert "A cheaper one may be among those not tried." in html(app)
    assert app.toggle(key="tune-goal-all-trials").label == "Do not stop early"
    app.toggle(key="tune-goal-all-trials").set_value(True).run()
    assert app.button(key="tune-try").label == "Try 200 configs"


def test_a_search_for_whole_blocks_goes_on_for_cheaper_configs_where_none_can_be_better() -> None:
    app = page(document=samples()[0].key, strategy="fixed", view="goal")
    app.selectbox(key="tune-goal-objective").select("whole-blocks").run()
    assert "Fewest blocks cut in two (of any kind)" in app.selectbox(key="tune-goal-objective").options
    assert "Counts each boundary inside a block, a paragraph or a quote too." in html(app)
    app.multiselect(key="tune-goal-must").set_value([]).run()
    app.number_input(key="tune-goal-trials").set_value(60).run()
    tried(app)

    assert not app.exception
    assert "60 configs, of " in html(app)
    assert "Stopped after" not in html(app)
    assert "tune-goal-all-trials" not in [each.key for each in app.toggle]


def test_without_questions_nothing_about_answers_can_be_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))  # a browser's test may have marked this document
    app = page(document=TABLE.key, view="goal")

    assert not app.exception
    assert not any("answers" in option for option in app.selectbox(key="tune-goal-objective").options)
    assert len(app.selectbox(key="tune-goal-objective").options) == 3
    assert "Mark answers in the source on Inspect" in html(app)
    assert "the most this chunking allows (precision-omega)." in html(app)


def test_going_back_and_forward_changes_the_goal_as_its_address_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.state.session._went_through_history", lambda: True)
    app = page(document=TABLE.key, strategy="fixed", view="goal")
    before = address(app)
    app.number_input(key="tune-goal-chunks").set_value(7).run()
    after = address(app)
    for there, chunks in ((before, None), (after, 7)):
        app.query_params.clear()
        app.query_params.update(there)
        app.run()

        assert app.selectbox(key="document").value == TABLE.key
        assert app.number_input(key="tune-goal-chunks").value == chunks
