"""The Tune page run without a browser: the address, a sweep begun and kept, a cell taken to
Inspect, a goal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import streamlit as st
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Annotations, Config, Span, parse
from chunking.gold.mark_store import store
from chunking.gold.questions import Question
from chunking.runtime import memory
from chunking.tuning import ChangingRange, ConfigSummary, Point, Tuning
from pages.ui import state
from pages.ui.background import goal_job
from pages.ui.background.jobs import Job
from pages.ui.choices.samples import samples
from pages.ui.layout import caches
from pages.ui.tune import range_job, sweep_job

ROOT = Path(__file__).resolve().parents[3]
TABLE = next(sample for sample in samples() if "table" in sample.name)
HOSTILE = "# :red[warning] $x$ <script>alert(1)</script>\n\ntext\n\n## [a](javascript:alert(1))\n\nmore\n"


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page("pages/tune.py", **query)


def measured(app: AppTest) -> AppTest:
    """After all jobs have ended, begun by the button where they were not begun at once."""
    if not app.button(key="tune-begin").disabled:
        app.button(key="tune-begin").click().run()
    for job in list(sweep_job.jobs._jobs.values()):
        assert job.wait(60)
    return app.run()


def test_a_new_session_has_the_limits_measured_where_the_document_changes() -> None:
    app = measured(page())

    assert not app.exception
    assert app.selectbox(key="strategy").value == "heading-window"
    assert app.selectbox(key="tune-across").value == "minTokens"
    assert app.selectbox(key="tune-up").value == "maxTokens"
    said = html(app)
    assert said.count("Outside this range nothing that was tried changes the chunks.") == 1
    assert said.count("Smaller values change the chunks as well.") == 1
    assert (app.number_input(key="tune-up-high").value or 3000) < 3000
    assert app.button(key="tune-begin").disabled
    chunks = set(app.dataframe[0].value["Chunks"])
    assert len(chunks) > 3
    assert "Minimum minTokens" in app.selectbox(key="tune-across").options


def test_before_a_long_document_is_read_the_page_says_so_below_controls_that_need_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(caches, "_LARGE", 100)
    memory.clear()
    with monkeypatch.context() as reading:
        reading.setattr(caches, "parse", lambda *_: st.stop())  # what is drawn before
        app = page(document=TABLE.key, strategy="fixed")

        assert f"Reading {TABLE.name}" in html(app)
        assert app.segmented_control(key="tune-view").value == "sweep"
    app.run()

    assert "Reading " not in html(app)
    assert app.selectbox(key="tune-across").value == "chunkSize"


def test_while_ranges_are_searched_the_page_says_so_in_every_place(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Event()

    def searched(*_: object, **__: object) -> dict[str, ChangingRange | None]:
        assert found.wait(60)
        return {"minTokens": ChangingRange(100, 900), "maxTokens": ChangingRange(200, 400, above=True)}

    monkeypatch.setattr(range_job, "changing_ranges", searched)
    app = page(document=TABLE.key, strategy="heading-window")

    assert "Finding the ranges in which the chunks change" in html(app)
    assert "at once where that is quick, else when you press Measure." in html(app)
    assert html(app).count("Finding the range.") == 2
    assert (app.button(key="tune-begin").label, app.button(key="tune-begin").disabled) == ("Finding ranges", True)
    found.set()
    for job in list(range_job.jobs._jobs.values()):
        assert job.wait(60)
    app.run()
    assert "Finding the range" not in html(app)
    assert app.number_input(key="tune-across-low").value == 100
    assert app.number_input(key="tune-across-high").value == 400
    assert "Ends at the largest value the other axis allows." in html(app)
    assert "Larger values change the chunks as well." in html(app)
    assert app.button(key="tune-begin").label != "Finding ranges"


def test_what_takes_longer_than_a_second_waits_for_the_button() -> None:
    app = page(strategy="heading-window", across="minTokens:0:1000:100", up="maxTokens:50:3000:250")
    app.text_area(key="pasted").input("# Title\n\n" + "Some words of text. " * 2000)
    app.button(key="use-paste").click().run()

    said = re.search(r"(\d+) combinations of Minimum and Maximum", html(app))
    assert said
    assert app.button(key="tune-begin").label == f"Measure {said[1]} combinations"
    assert f"{said[1]} combinations to measure" in html(app)  # in the rail, where the button is afterwards
    assert re.search(rf"{said[1]} of \d+ are possible \(minimum ≤ maximum\)", html(app))
    assert len(measured(app).dataframe[0].value) == int(said[1])


def test_the_requirement_that_excludes_the_others_is_named() -> None:
    app = measured(page(document=TABLE.key, strategy="heading-window", across="minTokens:0:600:300", up="none"))

    assert re.search("Without “tables whole”, \\d+ of \\d+ would meet all other requirements", html(app))


def test_a_sweep_says_first_what_the_current_config_misses_and_leads_to_the_nearest_that_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = measured(page(document=TABLE.key, strategy="heading-window", across="maxTokens:500:2500:500", up="none"))
    said = re.search(
        r"The current config misses (\d) requirements?: [^.]+\. (\d) of 6 combinations meets? all; "
        r"the nearest is Maximum (\d+,?\d*)\.",
        html(app),
    )
    assert said
    # In the words of what Inspect recommends for this document, and as little in the foreground.
    assert "Costs: a 512-token embedder misses 786 more tokens." in html(app)
    assert "That is far from the current settings: Maximum is 750 now." in html(app)
    assert app.button(key="tune-nearest").proto.type == "secondary"
    app.button(key="tune-nearest").click().run()
    taken: list[Config] = []
    monkeypatch.setattr(state, "inspect", lambda *configs: taken.append(configs[0]))
    # What is selected is applied by one button, and its cost is said once.
    assert [each.label for each in app.button if "to Inspect" in each.label] == ["Apply the nearest to Inspect"]
    assert html(app).count("Costs: ") == 1
    app.button(key="tune-apply").click().run()

    assert [f"{each.strategy.limits().maximum:,}" for each in taken] == [said[3]]


def test_a_current_value_outside_of_the_range_is_said_to_be_measured_too() -> None:
    app = page(document=TABLE.key, strategy="heading-window", across="maxTokens:100:400:100", up="none")

    assert "The current value, 750, is measured too." in html(app)
    inside = page(document=TABLE.key, strategy="heading-window", across="maxTokens:100:900:100", up="none")
    assert "is measured too" not in html(inside)


@pytest.mark.usefixtures("_marked")
def test_tune_says_why_it_does_not_begin_with_the_search_of_retrieve() -> None:
    app = page(document=TABLE.key, view="goal")
    said = (
        "Tune begins with keywords: vectors embed every new chunk of every config, which takes long. "
        "Retrieve begins with vectors + keywords."
    )

    assert said in html(app)
    app.selectbox(key="tune-goal-search").set_value("hybrid").run()
    assert said not in html(app)


def test_a_combination_is_seen_before_it_is_taken() -> None:
    app = measured(page(document=TABLE.key, strategy="fixed", across="chunkSize:100:900:400", up="none"))
    assert 'class="cs-cuts"' not in html(app)
    session = app.session_state["chunkscope"]
    sweeping = replace(dict(session.tuned.sweeps)["fixed"], chosen=(400,))
    session.tuned = replace(session.tuned, sweeps=(("fixed", sweeping),))
    app.run()

    assert not app.exception
    assert re.search(r"\d+ chunks \(now \d+\) · [\d,]+ new and [\d,]+ removed boundaries", html(app))
    assert app.button(key="tune-apply").label == "Apply to Inspect"
    assert "chunkSize" not in address(app)  # nothing is taken yet


def test_a_sweep_fills_in_is_kept_and_an_illegal_combination_is_no_gap_in_it() -> None:
    app = measured(
        page(document=TABLE.key, strategy="heading-window", across="minTokens:0:600:300", up="maxTokens:500:1000:500")
    )

    assert not app.exception
    table = app.dataframe[0].value
    # 0, 250, 300 and 600 by 500, 750 and 1000, less 600 by 500: the current config is among them.
    assert len(table) == 4 * 3 - 1
    assert list(table.columns[:4]) == [
        "Minimum",
        "Maximum",
        "Requirements not met",
        "Chunks",
    ]
    assert "1 impossible (minimum above maximum)" in html(app)
    assert "the current config" in html(app)
    assert app.button(key="tune-begin").disabled
    again = page(
        document=TABLE.key, strategy="heading-window", across="minTokens:0:600:300", up="maxTokens:500:1000:500"
    )
    assert len(again.dataframe[0].value) == 11


def test_the_address_says_what_is_swept() -> None:
    query = {
        "document": TABLE.key,
        "strategy": "fixed",
        "was.strategy": "none",
        "across": "chunkSize:100:500:100",
        "up": "none",
        "shown": "tokens_to_embed",
    }
    app = page(**{name.replace(".", "__"): value for name, value in query.items()})

    assert not app.exception
    assert address(app) == query
    assert app.selectbox(key="tune-measure").value == "tokens_to_embed"


def test_what_is_shown_and_what_must_hold_change_without_measuring_again() -> None:
    app = measured(page(document=TABLE.key, strategy="fixed", across="chunkSize:100:500:200", up="none"))
    before = list(sweep_job.jobs._jobs)
    app.selectbox(key="tune-measure").select("tokens_to_embed").run()
    app.multiselect(key="tune-must").unselect("code-whole").run()

    assert not app.exception
    assert list(sweep_job.jobs._jobs) == before
    assert address(app)["shown"] == "tokens_to_embed"
    assert "code-whole" not in address(app)["must"]


def test_a_range_with_too_many_values_is_said_beside_it() -> None:
    app = page(document=TABLE.key, strategy="heading-window", across="minTokens:0:1000:1")

    assert not app.exception
    assert "at most 60 are swept: take a larger step" in html(app)


def test_a_strategy_without_settings_says_so() -> None:
    app = page(document=TABLE.key, strategy="every-heading")

    assert not app.exception
    assert "has no settings to sweep" in html(app)


def test_a_link_to_a_document_that_is_not_here_says_so() -> None:
    app = page(document="a" * 64)

    assert not app.exception
    assert "Open the document to see this view" in html(app)


@pytest.fixture
def _marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's document with one question, whose answer is its first line, and its first word to
    stay whole."""
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    document = parse(TABLE.text, name=TABLE.name)
    line = Span(0, TABLE.text.index("\n"))
    marks = Annotations((Question("What is it called?", TABLE.name, (line,)),), (Span(0, 5),))
    store().save(document, Annotations(), marks)


@pytest.mark.usefixtures("_marked")
def test_marked_answers_and_spans_can_be_shown_and_wanted() -> None:
    app = measured(page(document=TABLE.key, strategy="fixed", across="chunkSize:100:500:200", up="none"))

    assert not app.exception
    assert app.selectbox(key="tune-measure").options[-3:] == [
        "Answers cut or left out",
        "Spans to keep whole that are cut",
        "Precision-omega",
    ]
    assert set(app.dataframe[0].value["Answers cut or left out"]) == {0}
    goal = page(document=TABLE.key, strategy="fixed", view="goal")
    assert goal.selectbox(key="tune-goal-objective").value == "recall"
    assert goal.number_input(key="tune-goal-retrieved").value == 1000


def test_all_documents_that_were_added_are_swept_together() -> None:
    app = page(strategy="fixed", across="chunkSize:100:500:200", up="none")
    for text in ("one two three", "four five six"):
        app.text_area(key="pasted").input(text)
        app.button(key="use-paste").click().run()
    assert app.toggle(key="tune-all").label == "All 2 documents of Corpus"
    app.toggle(key="tune-all").set_value(True).run()
    measured(app)

    assert not app.exception
    assert "combinations on 2 documents" in html(app)
    assert set(app.dataframe[0].value["Chunks"]) == {2}
    assert "override" not in html(app)


def test_of_all_documents_the_nearest_says_what_it_costs_too() -> None:
    app = page(strategy="heading-window", across="maxTokens:500:2500:500", up="none")
    for text in (TABLE.text, f"# Twice\n\n{TABLE.text}"):
        app.text_area(key="pasted").input(text)
        app.button(key="use-paste").click().run()
    app.toggle(key="tune-all").set_value(True).run()
    measured(app)

    assert not app.exception
    said = re.search(r"Costs: a 512-token embedder misses ([\d,]+) more tokens\.", html(app))
    assert said
    # Of the document alone 786, as a test above has it.
    assert int(said[1].replace(",", "")) >= 2 * 786
    assert app.button(key="tune-nearest").proto.type == "secondary"


@pytest.mark.parametrize(("view", "other"), [("sweep", "goal"), ("goal", "sweep")])
def test_on_all_documents_it_is_said_that_overrides_do_not_hold_in_either_view(view: str, other: str) -> None:
    app = page(strategy="fixed", view=view, overrides='{"a.md": {"chunkSize": 300}}')
    assert "Without the 1 override of Corpus" not in html(app)
    app.toggle(key="tune-all").set_value(True).run()

    assert not app.exception
    assert "Without the 1 override of Corpus: each config is measured on every document." in html(app)
    app.segmented_control(key="tune-view").set_value(other).run()
    assert not app.exception
    assert app.toggle(key="tune-all").value
    assert "Without the 1 override of Corpus" in html(app)


@pytest.mark.parametrize("view", ["sweep", "goal"])
def test_document_text_is_only_text(view: str) -> None:
    app = page(view=view)
    app.text_area(key="pasted").input(HOSTILE)
    app.button(key="use-paste").click().run()
    if view == "sweep":
        measured(app)

    assert not app.exception
    assert "<script>alert" not in html(app)


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


def test_back_and_forward_change_what_is_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.state.session._went_through_history", lambda: True)
    app = page(document=TABLE.key, strategy="fixed", across="chunkSize:100:500:100", up="none")
    before = address(app)
    app.selectbox(key="tune-across").set_value("chunkOverlap").run()
    app.selectbox(key="strategy").set_value("recursive").run()
    app.query_params.clear()
    app.query_params.update(before)  # as the browser does
    app.run()

    assert not app.exception
    assert app.selectbox(key="strategy").value == "fixed"
    assert app.selectbox(key="tune-across").value == "chunkSize"
    assert address(app) == before


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
