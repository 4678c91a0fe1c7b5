"""`chunkscope tune` as a script sees it: the frontier, the YAML of the best, and plain words where
nothing is met."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chunking import Config, cli

pytestmark = pytest.mark.usefixtures("_folder")
FIXED = ["--strategy", "fixed", "--counter", "words", "--set", "chunkSize=10,20,40", "--set", "chunkOverlap=0"]

SMALL = ["--set", "chunkSize=5,10", "--set", "chunkOverlap=0"]


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("aaaa bbbb cccc dddd eeee ffff gggg hhhh ", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_frontier_is_a_table_and_the_best_is_written_as_yaml(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["tune", "a.md", "--goal", "even-sizes", "--sizes", "2:3", *FIXED, "-o", "best.yaml"])
    said = capfd.readouterr()

    assert code == 0
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[1].split() == ["100%", "8", "4", "fixed", "chunkSize=10", "chunkOverlap=0"]
    assert lines[2:] == [
        "3 configs were measured, all of them; 3 meet all requirements",
        "tokenizer words, an estimate",
    ]
    best = Config.of("fixed", {"chunkSize": 10, "chunkOverlap": 0}, "words")
    assert Config.from_yaml((tmp_path / "best.yaml").read_text(encoding="utf-8")) == best


def test_where_no_config_meets_the_conditions_the_nearest_is_said_and_the_exit_code_is_1(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["tune", "a.md", "--goal", "few-tokens", "--max-chunks", "1", *FIXED[:-4], *SMALL, "-o", "b.yaml"])
    said = capfd.readouterr().out

    assert code == 1
    assert "No config meets all requirements. The nearest: 4 chunks, more than 1\n" in said
    assert not (tmp_path / "b.yaml").exists()


def test_json_has_the_frontier_and_the_conditions(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    row = {"question": "cccc", "references": ["cccc dddd"], "corpus_id": "a"}
    (tmp_path / "q.jsonl").write_text(json.dumps(row), encoding="utf-8")

    code = cli.main(
        ["tune", "a.md", "--questions", "q.jsonl", "--keep-whole", "--goal", "precision-omega", *FIXED, "--json"]
    )
    found = json.loads(capfd.readouterr().out)

    assert code == 0
    assert found["quality"] == "precision-omega of answers kept whole"
    assert found["conditions"] == {
        "max_chunks": None,
        "max_tokens": None,
        "must": ["nothing-left-out", "answers-whole"],
    }
    assert (found["measured"], found["possible"], found["exhaustive"]) == (3, 3, True)
    # "cccc dddd" is 9 of the 10 characters from 10 to 20.
    assert [(each["quality"], each["chunks"]) for each in found["frontier"]] == [(0.9, 4)]
    assert found["frontier"][0]["settings"]["chunkSize"] == 10
    assert found["nearest"] is None
    assert found["frontier"][0]["answers_cut"] == 0
    assert (found["questions"], found["held_out"], found["not_shown_to_be_worse"]) == (1, None, 2)
    assert found["assumed_highest"] == {}


def test_json_names_the_token_iou_that_its_intervals_assume_no_question_to_exceed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [f"word{number}" for number in range(400)]
    (tmp_path / "a.md").write_text(" ".join(words), encoding="utf-8")
    rows = [{"question": word, "references": [word], "corpus_id": "a"} for word in words[::20]]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    asked = ["tune", "a.md", "--questions", "q.jsonl", "--goal", "iou", "--strategy", "fixed", "--trials", "2"]

    cli.main(asked)
    said = capfd.readouterr().out
    cli.main([*asked, "--json"])
    found = json.loads(capfd.readouterr().out)

    assert 0 < found["held_out"]["high"] <= found["assumed_highest"]["iou"] < 1
    assert f"This assumes that no question has a token IoU above {found['assumed_highest']['iou']:.3f}" in said


def test_the_best_is_measured_on_questions_that_did_not_choose_it_and_its_equals_are_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"question": word, "references": [f"{word} {word}"], "corpus_id": "a"} for word in ("alpha", "beta", "gamma")
    ]
    (tmp_path / "a.md").write_text("alpha alpha  beta beta  gamma gamma  tail", encoding="utf-8")
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    code = cli.main(["tune", "a.md", "--questions", "q.jsonl", "--goal", "recall", "--retrieve", "2", *FIXED])
    said = capfd.readouterr().out

    assert code == 0
    assert said.startswith("token recall within 2 retrieved tokens  answers cut or left out")
    assert "Chosen by some of the questions and measured on the others (cross-validation): " in said
    assert " on the 3 questions that it was chosen by." in said
    assert " other configs that meet all requirements, " in said
    assert " not shown to be worse." in said
    assert " questions show nothing between 3 configs." in said


def test_marked_spans_are_kept_whole_without_being_asked_and_need_no_question(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"kind": "whole", "references": ["bbbb cccc"], "corpus_id": "a"},
        {"kind": "whole", "references": ["zzzz"], "corpus_id": "b"},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    code = cli.main(["tune", "a.md", "--questions", "q.jsonl", "--goal", "few-tokens", *FIXED, "--json"])
    said = capfd.readouterr()
    found = json.loads(said.out)

    assert code == 2  # a line of the file could not be followed
    assert "q.jsonl" in said.err
    assert found["conditions"]["must"] == ["nothing-left-out", "spans-whole"]
    assert found["meeting"] == 2
    assert found["frontier"][0]["settings"]["chunkSize"] == 20


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--goal", "best"], "Invalid value for '--goal': 'best' is not one of 'recall', 'iou'"),
        ([], "goal recall: needs questions with known answers"),
        (["--goal", "few-tokens", "--never-cut", "verse"], "--never-cut verse: no such choice; there are: code"),
        (["--goal", "even-sizes", "--sizes", "9"], "--sizes 9: is not a range of tokens; write it as 200:800"),
        (["--goal", "even-sizes", "--sizes", "9:1"], "sizes: 9 is more than 1"),
        (["--goal", "few-tokens", "--set", "chunkSize=1"], "--set: give the one strategy"),
        (["--goal", "few-tokens", "--strategy", "fixt"], "did you mean 'fixed'?"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_2(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["tune", "a.md", *arguments])
    said = capfd.readouterr()

    assert code == 2
    assert said.out == ""
    assert says in said.err
    assert said.err.count("\n") == 1


def test_ctrl_c_leaves_what_is_found(tmp_path: Path) -> None:
    program = (
        "import signal, sys\n"
        "from chunking.cli import main, tune\n"
        "run = tune.points\n"
        "def interrupted(*args, **kwargs):\n"
        "    for number, each in enumerate(run(*args, **kwargs)):\n"
        "        if number == 2: signal.raise_signal(signal.SIGINT)\n"
        "        yield each\n"
        "tune.points = interrupted\n"
        f"sys.exit(main(['tune', 'a.md', '--goal', 'few-tokens', *{FIXED!r}]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.returncode == 130
    assert "2 configs were measured, of 3 possible" in done.stdout
    assert done.stderr == "chunkscope: interrupted: 2 configs were measured\n"


def test_a_file_that_is_not_there_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["tune", "nowhere.md", "--goal", "few-tokens"])
    said = capfd.readouterr()

    assert (code, said.out) == (2, "")
    assert said.err == "chunkscope: nowhere.md: there is no such file or folder\n"


def test_what_is_not_shown_to_be_worse_is_listed_and_each_setting_of_the_best_explained(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tea.md").write_text("# Tea\n\nBoil water. Warm the pot.\n\n# Milk\n\nNone of it, ever.\n", encoding="utf-8")
    Path("q.jsonl").write_text('{"question": "boil", "references": ["Boil water."], "corpus_id": "tea"}', "utf-8")
    options = ["tune", "tea.md", "--questions", "q.jsonl", "--strategy", "fixed", "--set", "chunkSize=12,40,200"]
    options += ["--set", "chunkOverlap=0"]

    assert cli.main([*options, "--effects"]) == 0
    said = capfd.readouterr().out
    assert "Not shown to be worse than the best:" in said
    assert "The best, with one setting changed (recall of the best: 1.000):" in said

    assert cli.main([*options, "--effects", "--json"]) == 0
    of = json.loads(capfd.readouterr().out)
    assert (len(of["not_worse"]), of["stopped_because"]) == (3, "")
    assert {each["setting"] for each in of["effects"]} == {"chunkSize"}
