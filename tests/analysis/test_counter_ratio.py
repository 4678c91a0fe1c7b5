"""A counter that estimates says how far it is from an exact one, on the document in hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import Config, counter, parse, run
from chunking.analysis.counter_ratio import Ratio, measured_ratio
from chunking.cli import main
from chunking.report.report import html_report

LINKS = "# Links\n\n" + "- [`fix`](https://example.com/owner/repository/pull/1234?x=1#discussion_r987654321)\n" * 40
PROSE = "# Prose\n\n" + "The quick brown fox jumps over the lazy dog and then it sleeps. " * 40 + "\n"


def of(text: str, counted_by: str = "", strategy: str = "every-heading") -> Ratio | None:
    return measured_ratio(run(parse(text, name="a.md"), Config.of(strategy, {}, counted_by)))


def test_an_exact_counter_is_not_measured() -> None:
    assert of(LINKS) is None
    assert of(LINKS, "o200k_base") is None


def test_the_ratio_is_of_what_would_be_embedded() -> None:
    ratio = of(LINKS, "words-1.3", "heading-window")
    chunks = run(parse(LINKS, name="a.md"), Config.of("heading-window", {}, "words-1.3")).chunks

    assert ratio is not None
    assert ratio.tokens == sum(chunk.tokens for chunk in chunks)
    assert ratio.exact_tokens == sum(counter("cl100k_base")(chunk.text) for chunk in chunks)
    assert ratio.far
    assert ratio.sentence.endswith(" times). Limits are not what your embedder sees.")


def test_a_counter_that_is_near_here_is_said_quietly() -> None:
    ratio = of(PROSE, "words-1.3")

    assert ratio is not None
    assert not ratio.far
    assert "Limits" not in ratio.sentence


@pytest.mark.parametrize(("tokens", "exact", "far"), [(100, 79, True), (100, 80, False), (100, 125, False)])
def test_between_eight_tenths_and_five_quarters_is_near(tokens: int, exact: int, far: bool) -> None:
    assert Ratio("words", tokens, "cl100k_base", exact).far == far


def test_nothing_estimated_where_there_are_tokens_is_far_and_an_empty_document_is_not() -> None:
    assert Ratio("words-1.3", 0, "cl100k_base", 5000).far
    assert "times" not in Ratio("words-1.3", 0, "cl100k_base", 5000).sentence
    empty = of("   \n", "words-1.3")
    assert empty is not None
    assert not empty.far


def test_inspect_and_the_report_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(LINKS, encoding="utf-8")
    Path("c.yaml").write_text("strategy: heading-window\ncounter: words-1.3\n", encoding="utf-8")
    ratio = of(LINKS, "words-1.3", "heading-window")
    assert ratio is not None

    assert main(["inspect", "c.yaml", "a.md"]) == 0
    assert f"warning: {ratio.sentence}" in capfd.readouterr().out.splitlines()
    assert main(["inspect", "c.yaml", "a.md", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["measured_ratio"] == ratio.to_dict()
    made = run(parse(LINKS, name="a.md"), Config.of("heading-window", {}, "words-1.3"))
    assert "Limits are not what your embedder sees." in html_report(made)
    assert "Limits are not" not in html_report(run(made.document, Config.of("heading-window", {})))
