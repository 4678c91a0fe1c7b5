"""The Tune page run without a browser: the address, a sweep begun and kept, a cell taken to
Inspect."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import streamlit as st
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config
from chunking.runtime import memory
from chunking.tuning import ChangingRange
from pages.ui import state
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
