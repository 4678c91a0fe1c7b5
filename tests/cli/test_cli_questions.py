"""`chunkscope questions`: drafts as JSON lines, and a report with exit codes for a CI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import cli
from chunking.errors import ModelError

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    names = ["kettle", "teapot", "spoon", "saucer", "strainer", "caddy", "samovar", "whisk"]
    for name in names:
        text = f"# {name.title()}\n\nThe {name} of shop{name} lasts for years{name} without care.\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_what_is_drafted_can_be_checked_and_measured(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["questions", "draft", "docs", "-o", "q.jsonl", "--count", "8"]) == 0
    assert "8 questions drafted from 8 of 8 quotes: 8 probe: heading" in capfd.readouterr().err
    rows = [json.loads(line) for line in Path("q.jsonl").read_text("utf-8").splitlines()]
    assert {(row["review"], row["origin"], row["block"]) for row in rows} == {("draft", "probe: heading", "paragraph")}

    assert cli.main(["questions", "check", "q.jsonl", "--corpora", "docs", "--config", "every-heading"]) == 1
    assert "5 of 8: too easy" in capfd.readouterr().out
    assert cli.main(["questions", "check", "q.jsonl", "--corpora", "docs", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["questions"], found["unreviewed"], found["smallest_difference"]) == (8, 8, None)

    measured = ["evaluate", "every-heading", "--corpora", "docs", "--questions", "q.jsonl", "--search", "bm25"]
    assert cli.main(measured) == 0
    assert "All 8 questions are drafts that nobody has reviewed" in capfd.readouterr().out


def test_what_is_dropped_is_said_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    Path("docs/again.md").write_text(Path("docs/whisk.md").read_text("utf-8"), "utf-8")

    assert cli.main(["questions", "draft", "docs", "--count", "9"]) == 0

    said = capfd.readouterr().err
    assert "2 quotes dropped: the quote is in the documents more than once" in said
    assert "not-unique" not in said


def test_the_same_input_gives_the_same_drafts(capfd: pytest.CaptureFixture[str]) -> None:
    made = []
    for _ in range(2):
        assert cli.main(["questions", "draft", "docs", "--count", "3"]) == 0
        made.append(capfd.readouterr().out)

    assert made[0] == made[1]
    assert len(made[0].splitlines()) == 3


def test_an_unknown_describer_and_a_missing_folder_are_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["questions", "draft", "docs", "--describer", "nobody"]) == 2
    assert "describer: none is named 'nobody'; there are: rules, local, openai" in capfd.readouterr().err
    assert cli.main(["questions", "draft", "nowhere"]) == 2


def test_what_would_be_sent_to_a_server_is_said_before(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setattr("chunking.models.describers.CachedDescriber.__call__", lambda *_: "Which saucer lasts?")

    assert cli.main(["questions", "draft", "docs", "--count", "2", "--describer", "compatible", "--model", "m"]) == 0
    said = capfd.readouterr().err
    assert "at most 8 quotes with the text around to word by compatible at http://127.0.0.1:9" in said


def test_what_was_drafted_is_written_although_the_model_fails_later(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(_: object, prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > 2:
            raise ModelError("compatible: refused")
        return f"Which {prompt.split('The ')[1].split()[0]} lasts for years?"

    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setattr("chunking.models.describers.CachedDescriber.__call__", answer)
    by_server = ["--describer", "compatible", "--model", "m"]

    assert cli.main(["questions", "draft", "docs", "-o", "q.jsonl", "--count", "8", *by_server]) == 2
    said = capfd.readouterr().err
    assert "2 questions drafted from 4 of 8 quotes" in said
    assert said.endswith("chunkscope: compatible: refused\n")
    assert len(Path("q.jsonl").read_text("utf-8").splitlines()) == 2


def test_a_set_is_written_in_another_form_and_what_that_cannot_hold_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["questions", "draft", "docs", "-o", "q.jsonl", "--count", "8"]) == 0
    capfd.readouterr()

    convert = ["questions", "convert", "q.jsonl", "--corpora", "docs", "-o"]
    assert cli.main([*convert, "q.csv"]) == 0
    assert capfd.readouterr().err == "chunkscope: q.csv: 8 questions as csv\n"
    assert cli.main([*convert, "squad.json", "--to", "squad"]) == 0
    assert "squad has no place for: review, origin and block" in capfd.readouterr().err
    assert cli.main([*convert, "beir", "--to", "beir"]) == 0
    assert "8 questions as beir" in capfd.readouterr().err

    back = ["questions", "convert", "beir", "--corpora", "docs", "-o", "back.jsonl"]
    assert cli.main(back) == 0
    assert "beir: taken for BEIR: relevance without spans; the answers are 8 passages" in capfd.readouterr().err
    assert Path("back.jsonl").read_bytes() == Path("q.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "q.json"], "--to: the ending of q.json tells no form; give one of jsonl, csv, ragas"),
        (["-o", "q.json", "--to", "raga"], "--to raga: no such choice"),
        (["-o", "docs", "--to", "beir"], "-o docs: is there already; name a new folder"),
        (["-o", "q.jsonl"], "-o q.jsonl: is the questions, which is read"),
    ],
)
def test_what_cannot_be_converted_is_one_line(more: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["questions", "draft", "docs", "-o", "q.jsonl", "--count", "8"]) == 0
    capfd.readouterr()

    assert cli.main(["questions", "convert", "q.jsonl", "--corpora", "docs", *more]) == 2
    assert said in capfd.readouterr().err


def test_every_command_says_what_a_file_of_questions_was_taken_for(capfd: pytest.CaptureFixture[str]) -> None:
    row = '{"user_input": "What lasts?", "reference_contexts": ["The kettle of shopkettle lasts for yearskettle"]}\n'
    Path("ragas.jsonl").write_text(row, "utf-8")
    asked = ["--questions", "ragas.jsonl"]
    for command in (
        ["evaluate", "every-heading", "--corpora", "docs", "--search", "none", *asked],
        ["tune", "docs", "--goal", "precision-omega", "--strategy", "every-heading", *asked],
        ["sweep", "fixed", "docs", "--set", "chunkSize=20,30", *asked],
        ["explain", "fixed", "docs/kettle.md", "--gold", "ragas.jsonl"],
        ["questions", "check", "ragas.jsonl", "--corpora", "docs"],
    ):
        cli.main(command)
        assert "ragas.jsonl: taken for RAGAS" in capfd.readouterr().err, command
