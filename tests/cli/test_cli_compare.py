"""`chunkscope compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandResult, chunkscope

from chunking.cli.compare import share
from chunking.errors import ConfigError

pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder that conftest.py makes; those that change it ask for its path."""


def test_two_equal_configs_have_nothing_to_embed_again(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--json", "--max-changed", "0%")
    compared = json.loads(said.out)

    assert said.code == 0
    assert compared["total"] == {
        "chunks": {"before": 4, "after": 4},
        "to_embed_again": {"chunks": 0, "tokens": 0},
        "changed_share": 0.0,
    }
    assert [each["document"] for each in compared["documents"]] == ["guide.md", "more/short.md"]


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_a_comparison_names_what_counted_its_tokens(capfd: pytest.CaptureFixture[str], form: list[str]) -> None:
    same = chunkscope(capfd, "compare", "fixed", "recursive", "docs", *form)
    Path("words.yaml").write_text("strategy: fixed\ncounter: words-1.3\n", encoding="utf-8")
    other = chunkscope(capfd, "compare", "words.yaml", "recursive", "docs", *form)
    estimated = chunkscope(capfd, "compare", "recursive", "words.yaml", "docs", *form)
    as_json = json.loads(chunkscope(capfd, "compare", "words.yaml", "recursive", "docs", "--json").out)

    last = [said.out.splitlines()[-1].replace("\\", "") for said in (same, other, estimated)]
    assert last[0] == "tokenizer cl100k_base"
    assert last[1] == "tokenizer cl100k_base; A cuts by words-1.3"
    assert last[2].startswith("tokenizer words-1.3, an estimate; A cuts by cl100k_base. words-1.3 counts ")
    assert "tokens; cl100k_base counts " in last[2]
    assert as_json["counter"] == "cl100k_base"
    assert as_json["cut_by"] == {"before": "words-1.3", "after": "cl100k_base"}


def test_a_rule_that_was_asked_to_fail_fails_with_the_places(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "heading")

    assert said.code == 1
    assert said.out.splitlines()[-2:] == [
        "failed: guide.md, lines 1 to 3: heading",
        "failed: guide.md, lines 5 to 7: heading",
    ]


def test_for_a_pull_request_what_failed_is_a_list_after_the_table(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "heading", "--markdown")

    assert said.code == 1
    assert said.out.splitlines()[-3:] == [
        "",
        "- failed: guide.md, lines 1 to 3: heading",
        "- failed: guide.md, lines 5 to 7: heading",
    ]
    assert said.out.splitlines()[2].startswith("| guide.md | 3 to 3 | 4 to 4 | 2 | 0 | 0 | 0 | 0 | 0 | 0% |")


def test_a_rule_that_does_not_exist_is_refused_with_the_likely_one(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "unsplitable")

    assert said == CommandResult(
        2, "", "chunkscope: --fail-on: every-heading has no rule 'unsplitable'; did you mean 'unsplittable'?\n"
    )


@pytest.mark.parametrize(("text", "expected"), [("20%", 0.2), ("0.2", 0.2), ("0%", 0.0), ("100%", 1.0), ("1", 1.0)])
def test_a_share_is_written_as_a_percentage_or_a_fraction(text: str, expected: float) -> None:
    assert share(text) == expected


@pytest.mark.parametrize("text", ["20", "101%", "-1%", "nan", "1e9", "٢%", ""])
def test_any_other_share_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--max-changed"):
        share(text)
