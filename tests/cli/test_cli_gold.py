"""`chunkscope explain --gold`: which answers are cut, why, and what keeps them whole, for people
and for scripts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunking import Config, cli, load, run
from chunking.cli.marks import fix_words
from chunking.document import Document, Span
from chunking.explanation.keep_whole import Fix
from chunking.gold.coverage import coverages

pytestmark = pytest.mark.usefixtures("_folder")
TEXT = "# Kettle\n\nFill it with cold water.\n\nBoil it.\n\n# Pot\n\nWarm it first. Then add the leaves and wait.\n"
ROWS: list[dict[str, object]] = [
    {"question": "what is boiled", "references": ["Boil it.", "Boil it.\n\n# Pot"], "corpus_id": "tea"},
    {"kind": "whole", "references": ["Warm it first."], "corpus_id": "tea"},
    {"question": "what is mended", "references": ["Mend a tyre."], "corpus_id": "tyres"},
]


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tea.md").write_text(TEXT, encoding="utf-8")
    write(tmp_path, *ROWS)
    (tmp_path / "c.yaml").write_text(
        "strategy: heading-window\nsettings: {minTokens: 5}\ncounter: words-1.3\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)


def write(folder: Path, *rows: dict[str, object]) -> None:
    (folder / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def test_it_says_of_each_mark_whether_it_is_whole_and_what_would_keep_it_so(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["explain", "c.yaml", "tea.md", "--gold", "q.jsonl"])
    said = capfd.readouterr()

    assert code == 0
    assert said.err == "chunkscope: q.jsonl: 1 line is about another document (tyres)\n"
    assert said.out.splitlines()[:8] == [
        "tea.md, 2 chunks by heading-window: 1 of 3 marks is cut",
        "+ line 5, what is boiled",
        '    "Boil it."',
        "    Whole in chunk 1.",
        "- line 5, what is boiled",
        '    "Boil it. # Pot"',
        "    Cut before line 7 by minimum-reached: the chunk already has 10 tokens, at least minTokens (5), where the "
        "heading 'Pot' begins, no deeper than the deepest heading so far.",
        "    minTokens 5 -> 11 keeps it whole: 1 chunk instead of 2; cuts no other mark",
    ]
    assert said.out.splitlines()[-3:] == ["+ line 9, must stay whole", '    "Warm it first."', "    Whole in chunk 2."]


def test_a_change_that_leaves_more_text_out_says_so() -> None:
    config = Config.of("heading-window", {"maxTokens": 1757})
    lossy = Fix("maxTokens", 750, 1757, config, 3, 1, (), (), True, 0, newly_left_out=824, newly_unread=786)

    assert fix_words(lossy) == (
        "maxTokens 750 -> 1757 keeps it whole: 1 chunk instead of 3; cuts no other mark; "
        "leaves out 824 more visible characters; a 512-token embedder misses 786 more tokens"
    )
    assert fix_words(replace(lossy, newly_left_out=-824, newly_unread=-1)).endswith("; cuts no other mark")


def test_the_json_has_every_change_with_a_yaml_that_keeps_the_mark_whole(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "c.yaml", "tea.md", "--gold", "q.jsonl", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    document = load("tea.md")
    assert isinstance(document, Document)

    cut = next(each for each in said["fates"] if not each["whole"])

    assert (said["document"], said["strategy"], said["marks"], said["cut"]) == ("tea.md", "heading-window", 3, 1)
    assert cut["cuts"] == [
        {
            "line": 7,
            "offset": 46,
            "rule": "minimum-reached",
            "detail": "the chunk already has 10 tokens, at least minTokens (5), where the heading 'Pot' begins, "
            "no deeper than the deepest heading so far",
            "left_out": False,
        }
    ]
    assert [(fix["setting"], fix["before"], fix["after"]) for fix in cut["fixes"][:1]] == [("minTokens", 5, 11)]
    for fix in cut["fixes"]:
        changed = run(document, Config.from_yaml(fix["yaml"]))
        assert coverages(changed, [Span(cut["start"], cut["end"])])[0].whole


def test_where_no_setting_does_it_that_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "every-heading", "tea.md", "--gold", "q.jsonl"]) == 0

    assert "    No single setting keeps it whole: 1 cut was tried." in capfd.readouterr().out.splitlines()


def test_an_answer_that_is_not_there_is_reported_and_the_exit_code_is_2(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(tmp_path, *ROWS, {"question": "what is added", "references": ["Sugar."], "corpus_id": "tea"})

    code = cli.main(["explain", "c.yaml", "tea.md", "--gold", "q.jsonl"])
    said = capfd.readouterr()

    assert code == 2
    assert "chunkscope: q.jsonl, line 4: the quote 'Sugar.' is not found in tea.md; it is left out\n" in said.err
    assert said.out.splitlines()[0] == "tea.md, 2 chunks by heading-window: 1 of 3 marks is cut"


@pytest.mark.parametrize("options", [[], ["--line", "5", "--gold", "q.jsonl"]], ids=["neither", "both"])
def test_a_line_or_a_file_is_wanted(capfd: pytest.CaptureFixture[str], options: list[str]) -> None:
    assert cli.main(["explain", "c.yaml", "tea.md", *options]) == 2
    assert capfd.readouterr().err == "chunkscope: explain: give either --line or --gold\n"


def test_questions_about_other_documents_only_are_refused(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write(tmp_path, ROWS[2])

    assert cli.main(["explain", "c.yaml", "tea.md", "--gold", "q.jsonl"]) == 2
    assert capfd.readouterr().err == (
        "chunkscope: q.jsonl: no question that can be measured; 1 line is about another document (tyres)\n"
    )
