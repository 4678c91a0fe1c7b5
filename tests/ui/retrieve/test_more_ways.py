"""Retrieve's further ways: merged sections, contexts, late chunking, a reranker, and what they
cost. The numbers are those of `chunkscope evaluate`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from sample_server import Asked, Reply, serving
from streamlit.testing.v1 import AppTest

from chunking import Annotations, Config, Question, Span, cli, parse
from chunking.gold import store
from pages.ui.choices.comparing import Comparing, rows_of
from pages.ui.choices.retrieving import Retrieving, read_retrieving, write_retrieving
from pages.ui.choices.samples import samples

SAMPLE = next(each for each in samples() if each.name.startswith("10"))
DOCUMENT = parse(SAMPLE.text, name=SAMPLE.name)
LINK = {"document": SAMPLE.key, "search": "bm25", "top": "2", "a__strategy": "every-heading", "b__strategy": "fixed"}
QUOTES = {
    "How many requests a minute for each key?": "600 requests a minute for each key, measured over ten seconds.",
    "How is the key sent?": "Send your key as a bearer token.",
    "What do test keys book?": "Keys that begin with `test_` book nothing and cost nothing.",
}


@pytest.fixture(autouse=True)
def _marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "cache"))
    questions = []
    for text, quote in QUOTES.items():
        start = DOCUMENT.text.index(quote)
        questions.append(Question(text, DOCUMENT.name, (Span(start, start + len(quote)),)))
    store().change(DOCUMENT, lambda _: Annotations(tuple(questions)))


@pytest.fixture
def measured(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., dict[str, float]]:
    """`measured("--merge", "0.3")` gives each config's recall as the command line has it."""

    def by(*options: str) -> dict[str, float]:
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / SAMPLE.name).write_text(SAMPLE.text, encoding="utf-8")
        questions = tmp_path / "q.jsonl"
        questions.write_text(store().read(DOCUMENT).to_json_lines(DOCUMENT), encoding="utf-8")
        inputs = ["--corpora", str(tmp_path / "docs"), "--questions", str(questions), "--top", "2", "--json"]
        assert cli.main(["evaluate", "every-heading", "fixed", *inputs, *options]) == 0
        found = json.loads(capfd.readouterr().out)
        return {each["config"]: each["mean"] for each in found["leaderboard"]["places"]}

    return by


def shows(app: AppTest, recalls: dict[str, float]) -> None:
    assert not app.exception
    board = html(app).split('<table class="cs-table cs-board">')[1].split("</table>")[0]
    assert len(recalls) == 2
    for value in recalls.values():
        assert f"<b>{value:.3f}</b>" in board


def test_merged_sections_give_the_numbers_of_the_command_line(measured: Callable[..., dict[str, float]]) -> None:
    app = open_page("pages/retrieve.py", **LINK)
    app.number_input(key="retrieve-merge").set_value(30).run()

    assert address(app)["merge"] == "30"
    assert "and of its section where 30% of the section&#39;s chunks are hit" in html(app)
    shows(app, measured("--search", "bm25", "--merge", "0.3"))


@pytest.mark.long
def test_late_chunking_gives_the_numbers_of_the_command_line(measured: Callable[..., dict[str, float]]) -> None:
    app = open_page("pages/retrieve.py", **(LINK | {"search": "cosine"}))
    app.toggle(key="retrieve-late").set_value(True).run()

    assert address(app)["late"] == "on"
    shows(app, measured("--search", "cosine", "--late"))


def test_each_config_is_also_shown_in_context_and_without_again() -> None:
    app = open_page("pages/retrieve.py", **LINK)
    app.toggle(key="retrieve-contexts").set_value(True).run()

    assert not app.exception
    assert {key: value for key, value in address(app).items() if key[1:] == ".strategy"} == {
        "a.strategy": "every-heading",
        "b.strategy": "fixed",
        "c.strategy": "contextual",
        "d.strategy": "contextual",
    }
    assert html(app).count('<th scope="row">') >= 8
    app.toggle(key="retrieve-contexts").set_value(False).run()
    assert "c.strategy" not in address(app)


def test_contexts_take_the_room_there_is_and_leave_other_rows_alone() -> None:
    every, fixed, contextual = (Config.of(name, {}) for name in ("every-heading", "fixed", "contextual"))
    three = Comparing(rows_of([every, fixed, contextual]))

    assert len(three.with_contexts().rows) == 4
    assert three.with_contexts().without_contexts() == three
    assert not three.in_context


def test_a_reranker_is_asked_only_after_somebody_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(asked: Asked, _: int) -> Reply:
        wanted = "bearer token" if "sent" in asked.body["query"] else "requests a minute"
        rows = [
            {"index": at, "relevance_score": float(wanted in text)} for at, text in enumerate(asked.body["documents"])
        ]
        return Reply(body={"results": rows})

    with serving(answer) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        app = open_page("pages/retrieve.py", **LINK)
        app.selectbox(key="retrieve-reranker").set_value("compatible").run()
        assert "3 questions, each with up to 50 chunks of each config, would be sent to compatible/" in html(app)
        assert "Waiting for the reranker." in html(app)
        assert server.requests == []
        app.button(key="retrieve-rerank").click().run()

        assert not app.exception
        assert len(server.requests) > 3
        assert '<table class="cs-table cs-board">' in html(app)
        assert address(app)["reranker"] == "compatible"


def test_without_a_reranker_the_page_says_how_to_set_one_up() -> None:
    assert "No reranker is set up: set CHUNKSCOPE_BASE_URL" in html(open_page("pages/retrieve.py", **LINK))


def test_money_is_beside_the_curve_and_the_time_of_a_search_folded_below() -> None:
    shown = html(open_page("pages/retrieve.py", **LINK))
    costs = shown.split('aria-label="Costs"')[1].split("</table>")[0]

    assert '<th scope="col">US dollars</th></tr>' in costs
    assert costs.count("<td>0</td>") == 2
    assert re.search(r"<summary>How long a search takes</summary>.*A .*: [\d.]+ ms", shown)


def test_a_link_holds_every_way() -> None:
    ways = Retrieving(merge=50, late=True, reranker="tei", rerank_model="m", way="cosine")

    assert replace(read_retrieving(write_retrieving(ways)), problem="") == ways
    assert "merge: '101' is not a number" in read_retrieving({"merge": "101"}).problem
    assert "reranker: 'nobody' is not one of the choices" in read_retrieving({"reranker": "nobody"}).problem
