"""One document, one config, default settings: every page and the command line give the same
numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from app_pages import html
from sample_tokenizers import trained
from streamlit.testing.v1 import AppTest

from chunking import Config, cli, parse, run
from chunking.tokens.offered_files import VARIABLE, offered, variable_of

ROOT = Path(__file__).resolve().parents[2]
LINE = "* 🐛 Fix `response_model` of [#123](https://example.com/pull/123) by @someone.\n"
TEXT = "# Releases\n\n" + "".join(f"## 0.{number}.0\n\n{LINE * 30}\n" for number in range(1, 9))


def page(script: str, text: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    if script != "app.py":
        app.switch_page(script)
    for name, value in query.items():
        app.query_params[name.replace("__", ".")] = value
    app.run()
    app.file_uploader(key="uploads").set_value([("notes.md", text.encode(), "text/markdown")]).run()
    assert not app.exception
    return app


def test_inspect_compare_retrieve_and_the_command_line_give_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    made = run(parse(TEXT, name="notes.md"), Config.of("heading-window", {}))
    metrics, median = made.metrics, f"{made.metrics.median_tokens:,.0f}"
    rows = {"a__strategy": "every-heading", "b__strategy": "heading-window"}

    inspected = html(page("app.py", TEXT, strategy="heading-window", was="none"))
    assert re.search(rf">Chunks(</button>)?</dt><dd><b>{metrics.chunk_count:,}</b>", inspected)
    assert f"<b>{metrics.tokens_to_embed:,}</b>" in inspected
    assert f"<b>{median}</b>" in inspected
    for script in ("pages/compare.py", "pages/retrieve.py"):
        shown = html(page(script, TEXT, search="bm25", **rows))
        assert f"<b>{metrics.tokens_to_embed:,}</b> to embed" in shown
        assert f"<b>{median}</b> median" in shown

    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_bytes(TEXT.encode())
    assert cli.main(["inspect", "heading-window", "notes.md", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["counter"], said["metrics"]) == ("cl100k_base", json.loads(json.dumps(metrics.to_dict())))
    assert cli.main(["compare", "every-heading", "heading-window", "notes.md", "--json"]) == 0
    compared = json.loads(capfd.readouterr().out)
    assert compared["counter"] == "cl100k_base"
    assert compared["documents"][0]["metrics"]["tokens_to_embed"]["after"] == metrics.tokens_to_embed
    assert cli.main(["sweep", "heading-window", "notes.md", "--set", "minTokens=250:250:1", "--json"]) == 0
    assert str(metrics.tokens_to_embed) in capfd.readouterr().out


def test_compare_counts_at_first_as_inspect_does() -> None:
    app = page("app.py", TEXT, strategy="heading-window", counter="minilm")
    app.switch_page("pages/compare.py").run()

    assert not app.exception
    assert app.selectbox(key="compare-counter").value == "minilm"


def test_tune_measures_the_current_config_with_the_numbers_of_inspect() -> None:
    made = run(parse(TEXT, name="notes.md"), Config.of("heading-window", {}))
    metrics = made.metrics
    app = page(
        "pages/tune.py", TEXT, strategy="heading-window", across="minTokens:250:250:50", up="maxTokens:750:750:50"
    )

    assert not app.exception
    assert "Tokenizer <b>cl100k_base</b>" in html(app)
    (row,) = app.dataframe[0].value.to_dict("records")
    found = [row[name] for name in ("Chunks", "Median tokens", "Tokens to embed")]
    assert found == [metrics.chunk_count, metrics.median_tokens, metrics.tokens_to_embed]


@pytest.mark.parametrize("view", ["sweep", "goal"])
def test_tune_counts_as_inspect_does_and_says_how_far_an_estimate_is_off(view: str) -> None:
    app = page("pages/tune.py", TEXT, strategy="heading-window", counter="words-1.3", tune=view)

    assert "Tokenizer <b>words-1.3</b>" in html(app)
    assert "Limits are not what your embedder sees." in html(app)
    app.button(key="counted-switch").click().run()
    assert "Tokenizer <b>cl100k_base</b>" in html(app)
    assert "Limits are not" not in html(app)


@pytest.mark.parametrize("script", ["pages/compare.py", "pages/retrieve.py"])
def test_a_comparison_by_an_estimate_says_how_far_it_is_off_and_switches(script: str) -> None:
    rows = {"a__strategy": "every-heading", "b__strategy": "heading-window", "b__counter": "words-1.3"}
    app = page(script, TEXT, search="bm25", counted="words-1.3", **rows)

    assert "All counts here are estimates. On the chunks of A, words-1.3 counts " in html(app)
    assert "B is cut by an estimate: words-1.3 counts " in html(app)
    app.button(key="compare-counted-switch").click().run()
    assert app.selectbox(key="compare-counter").value == "cl100k_base"
    assert "All counts here" not in html(app)
    app.button(key="row-counted-switch-B").click().run()
    assert not app.exception
    assert "is cut by an estimate" not in html(app)


def test_a_tokenizer_that_the_app_was_given_is_named_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.json").write_bytes(trained("wordpiece"))
    monkeypatch.setenv(VARIABLE, variable_of([tmp_path / "mine.json"]))
    (name,) = (one.name for one in offered())
    app = page("app.py", TEXT, strategy="heading-window", counter=name)
    shown = html(app)

    assert "Tokenizer <b>mine.json</b>" in shown
    assert name not in shown
