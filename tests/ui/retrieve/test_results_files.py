"""The Retrieve page's results file: the numbers of `chunkscope evaluate` on the same documents and
questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_pages import open_page

from chunking import Annotations, Span, cli, parse
from chunking.gold.mark_store import store
from chunking.report import results_html
from chunking.retrieval.results import Results, read_results
from pages.ui.choices.samples import samples
from pages.ui.retrieve import results_files

SAMPLE = next(each for each in samples() if each.name.startswith("10"))
DOCUMENT = parse(SAMPLE.text, name=SAMPLE.name)
ASKED = [
    ("how many requests are allowed", "600 requests a minute for each key, measured over ten seconds."),
    ("how is a key sent", "Send your key as a bearer token."),
]
LINK = {"document": SAMPLE.key, "search": "bm25", "a__strategy": "every-heading", "b__strategy": "heading-window"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path / "data"))
    marks = Annotations()
    for question, quote in ASKED:
        start = DOCUMENT.text.index(quote)
        marks = marks.with_answer(DOCUMENT, question, Span(start, start + len(quote)))
    store().save(DOCUMENT, Annotations(), marks)


def of_the_page(monkeypatch: pytest.MonkeyPatch) -> Results:
    """What the page would give to download."""
    offered: list[Results] = []
    monkeypatch.setattr(results_files, "offer", lambda *given: offered.append(results_files.results(*given)))
    app = open_page("pages/retrieve.py", **LINK)
    assert not app.exception
    return offered[-1]


def test_the_page_offers_a_results_file_and_its_report() -> None:
    app = open_page("pages/retrieve.py", **LINK)

    labels = [button.proto.label for button in app.get("download_button")]

    assert {"Results file", "Report"} <= {*labels}


def test_its_numbers_are_those_of_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    docs, asked, written = tmp_path / "docs", tmp_path / "q.jsonl", tmp_path / "r.json"
    docs.mkdir()
    (docs / SAMPLE.name).write_bytes(SAMPLE.text.encode())
    lines = [json.dumps({"question": q, "references": [quote], "corpus_id": SAMPLE.name}) for q, quote in ASKED]
    asked.write_text("\n".join(lines), encoding="utf-8")

    made = of_the_page(monkeypatch)
    given = ["every-heading", "heading-window", "--corpora", str(docs), "--questions", str(asked), "--search", "bm25"]
    code = cli.main(["evaluate", *given, "--metric", "recall", "--results", str(written)])
    commanded = read_results(written.read_bytes(), "r.json")

    assert code == 0
    assert made.documents == commanded.documents
    assert made.questions == commanded.questions
    for page, command in zip(made.configs, commanded.configs, strict=True):
        assert (page.yaml, page.chunks_sha256) == (command.yaml, command.chunks_sha256)
        assert (page.metrics, page.values) == (command.metrics, command.values)


def test_its_command_has_the_choices_of_the_page_and_its_report_the_configs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = of_the_page(monkeypatch)

    assert made.command == (
        "chunkscope evaluate config-1.yaml config-2.yaml --corpora FOLDER --questions questions.jsonl --search bm25 "
        "--mode strict --metric recall --top 5"
    )
    assert [each.config for each in made.configs] == ["A Every heading", "B Heading window"]
    assert "A Every heading" in results_html(made)
