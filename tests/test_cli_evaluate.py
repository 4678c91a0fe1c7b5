"""`chunkscope evaluate` as a script sees it: a table with intervals, JSON, and one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import cli

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text("# Tea\n\nBoil water.\n\n# Pot\n\nWarm it.\n", encoding="utf-8")
    (tmp_path / "docs" / "tyres.md").write_text("# Tyres\n\nMend a tyre.\n", encoding="utf-8")
    rows = [("what is boiled", "Boil water.", "tea"), ("what is mended", "Mend a tyre.", "tyres")]
    lines = [json.dumps({"question": q, "references": [quote], "corpus_id": name}) for q, quote, name in rows]
    (tmp_path / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "small.yaml").write_text(
        "strategy: fixed\nsettings: {chunkSize: 12, chunkOverlap: 0, separator: ''}\ncounter: words\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)


def evaluate(*arguments: str) -> int:
    return cli.main(["evaluate", *arguments, "--corpora", "docs", "--questions", "q.jsonl"])


def test_the_table_has_both_configs_their_difference_and_its_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "small.yaml", "--search", "none")
    said = capfd.readouterr()
    rows = {line[:22].strip(): line for line in said.out.splitlines()}

    assert (code, said.err) == (0, "")
    assert rows["chunks"].split()[1:] == ["3", "5"]
    assert rows["answers cut"].split()[2:] == ["0", "2"]
    assert "inconclusive" in rows["precision omega"]
    assert said.out.splitlines()[-1].startswith("2 questions; in brackets, 95% intervals")


def test_json_has_means_intervals_and_every_difference(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "small.yaml", "--search", "bm25", "--top", "1", "--json", "--mode", "published")
    said = json.loads(capfd.readouterr().out)

    assert code == 0
    assert (said["mode"], said["search"], said["top"], said["questions"]) == ("published", "bm25", 1, 2)
    assert [each["config"] for each in said["configs"]] == ["every-heading", "small.yaml"]
    assert {each["metric"] for each in said["differences"]} >= {"recall", "precision", "iou", "mrr", "ndcg"}
    assert all(each["verdict"] in ("inconclusive", "same") for each in said["differences"])


def test_the_local_model_finds_both_answers_by_meaning(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "--top", "1", "--json")
    (config,) = json.loads(capfd.readouterr().out)["configs"]

    assert code == 0
    assert config["metrics"]["recall"]["mean"] == 1.0
    assert config["metrics"]["mrr"]["mean"] == 1.0


def test_chunks_of_another_tool_are_measured_by_the_same_code(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "every-heading", "docs"]) == 0
    Path("theirs.jsonl").write_text(capfd.readouterr().out, encoding="utf-8")

    code = evaluate("every-heading", "theirs.jsonl", "--search", "bm25", "--json")
    said = json.loads(capfd.readouterr().out)

    assert code == 0
    assert [each["chunks"] for each in said["configs"]] == [3, 3]
    assert {each["verdict"] for each in said["differences"]} == {"same"}


def test_a_quote_that_is_not_found_is_reported_and_the_rest_is_measured(capfd: pytest.CaptureFixture[str]) -> None:
    more = {"question": "lost", "references": ["Nowhere."], "corpus_id": "tea"}
    with Path("q.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(more))

    code = evaluate("every-heading", "--search", "none")
    said = capfd.readouterr()

    assert code == 2
    assert "chunkscope: q.jsonl, line 3: the quote 'Nowhere.' is not found in tea.md; it is left out\n" in said.err
    assert said.out.splitlines()[-1].startswith("2 questions")


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--mode", "loose"), "--mode loose: no such choice; there are: strict, published"),
        (("--search", "magic"), "--search magic: no such choice; there are: cosine, bm25, hybrid, none"),
    ],
)
def test_an_unknown_choice_is_one_line(option: tuple[str, str], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", *option)
    said = capfd.readouterr()

    assert (code, said.out, said.err) == (2, "", f"chunkscope: {says}\n")
