"""`chunkscope evaluate --trec-run`: other programs read the run and find our numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import cli

NAMES = ("kettle", "tea pot", "spoon", "saucer", "strainer", "caddy", "samovar", "whisk")
METRICS = {"recall_at_k": "R@5", "precision_at_k": "P@5", "mrr": "RR@5", "map": "AP@5", "ndcg": "nDCG@5"}

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    rows = []
    for at, name in enumerate(NAMES):
        other = NAMES[at - 1]
        text = (
            f"# {name}\n\nThe {name} lasts for years. The {other} does not.\n\n## Care\n\nWash the {name} and dry it.\n"
        )
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
        answers = ["lasts for years.", f"Wash the {name}"]
        rows.append(
            {"question": f"how is the {name} of {other} kept", "references": answers, "corpus_id": f"{name}.md"}
        )
    (tmp_path / "q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def evaluate(*more: str) -> int:
    return cli.main(["evaluate", "--corpora", "docs", "--questions", "q.jsonl", "--search", "bm25", *more])


def test_ir_measures_finds_in_the_run_and_its_relevance_what_we_print(capfd: pytest.CaptureFixture[str]) -> None:
    measures = pytest.importorskip("ir_measures")

    assert evaluate("every-heading", "--json", "--trec-run", "run.txt") == 0
    said = capfd.readouterr()
    ours = json.loads(said.out)["configs"][0]["metrics"]
    qrels = list(measures.read_trec_qrels("run.qrels"))
    run = list(measures.read_trec_run("run.txt"))
    theirs = measures.calc_aggregate([measures.parse_measure(each) for each in METRICS.values()], qrels, run)

    assert said.err == "chunkscope: every-heading: run in run.txt, relevance in run.qrels\n"
    assert {str(measure): pytest.approx(value) for measure, value in theirs.items()} == {
        theirs_name: ours[name]["mean"] for name, theirs_name in METRICS.items()
    }
    assert 0 < ours["ndcg"]["mean"] < 1


def test_a_line_has_topic_chunk_rank_score_and_config(capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("every-heading", "fixed", "--top", "2", "--trec-run", "run.txt") == 0
    capfd.readouterr()

    first, second = Path("run-1.txt").read_text("utf-8").splitlines()[2:4]
    assert first.split()[::2] == ["q2", "tea%20pot.md#0-60", "2"]
    assert (first.split()[3], second.split()[3:]) == ("1", ["2", "1", "every-heading"])
    assert Path("run-2.txt").read_text("utf-8").splitlines()[0].endswith(" 1 2 fixed")
    assert "q2 0 tea%20pot.md#0-60 1" in Path("run-1.qrels").read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--trec-run", "run.qrels"], "--trec-run run.qrels: .qrels is for the relevance of chunks"),
        (["--trec-run", "run.txt", "--search", "none"], "--trec-run: needs a search"),
        (["--trec-run", "q.jsonl"], "--trec-run q.jsonl: is the questions, which is read"),
    ],
)
def test_what_cannot_be_written_is_one_line(more: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("every-heading", *more) == 2
    assert said in capfd.readouterr().err
