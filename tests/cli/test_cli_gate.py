"""`chunkscope gate`: a corpus that turned over is told from a quality that fell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandResult, chunkscope
from git_repository import commit, git

TABLE = "# Prices\n\n| tea | price |\n|---|---|\n" + "".join(f"| blend {n} | {n} pence |\n" for n in range(12))
GUIDE = "# Guide\n\nBoil the water first.\n\n## Steep\n\nWait four minutes, then take the leaves out.\n"
LARGE = "strategy: recursive\nsettings: {chunkSize: 400, chunkOverlap: 0, unit: tokens}\n"
SMALL = "strategy: recursive\nsettings: {chunkSize: 40, chunkOverlap: 0, unit: tokens}\n"
BASE = {"chunkscope.yaml": LARGE, "docs/prices.md": TABLE, "docs/guide.md": GUIDE}


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    commit(folder, BASE)
    monkeypatch.chdir(folder)
    return folder


def found(result: CommandResult) -> dict[str, object]:
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def test_a_config_that_cuts_a_table_is_a_quality_that_fell_in_the_same_corpus(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "chunkscope.yaml").write_text(SMALL)

    said = chunkscope(capfd, "gate", "HEAD", ".", "docs")

    assert said.code == 1
    assert said.out.splitlines()[0] == "Chunkscope: quality fell on the same texts; the corpus is the same"
    assert "failed: quality fell on the same texts: 1 check is worse, 0 better" in said.out
    assert "docs/prices.md  Tables kept whole" in said.out


def test_texts_that_came_went_and_changed_are_a_corpus_that_turned_over(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit(
        repository,
        {
            "docs/new.md": "# New\n\nA text that was not there.\n",
            "docs/guide.md": None,
            "docs/manual.md": GUIDE,
            "docs/prices.md": TABLE.replace("blend 3", "blend three"),
        },
    )

    said = chunkscope(capfd, "gate", "HEAD~1", "HEAD", "docs", "--json")

    assert said.code == 0
    assert found(said)["documents"] == {
        "added": ["docs/new.md"],
        "edited": ["docs/prices.md"],
        "renamed": [["docs/guide.md", "docs/manual.md"]],
        "removed": [],
        "same": 0,
    }
    assert found(said)["quality"] == "held"
    assert found(said)["by_text"] == {"chunks": 3, "to_embed": 2, "tokens_to_embed": 142, "share": 0.6667}
    assert found(said)["config"] == {"from": "chunkscope.yaml", "changed": False}


def test_both_at_once_are_two_numbers_and_a_better_config_passes(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit(repository, {"chunkscope.yaml": SMALL})
    commit(repository, {"chunkscope.yaml": LARGE, "docs/new.md": "# New\n\nA text.\n"})

    said = chunkscope(capfd, "gate", "HEAD~1", "HEAD", "docs", "--markdown")

    assert said.code == 0
    assert "### Chunkscope: quality rose on the same texts; the corpus turned over by" in said.out
    assert "| Did quality fall on the same texts? | no, it rose | 0 checks are worse, 1 better" in said.out
    assert chunkscope(capfd, "gate", "HEAD~1", "HEAD", "docs", "--max-changed", "20%").code == 1


def test_a_new_text_that_fails_a_check_is_its_own_fault_and_fails_where_that_is_asked_for(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "chunkscope.yaml").write_text(SMALL)
    commit(repository, {"docs/prices.md": "No prices yet.\n"})
    (repository / "docs" / "prices.md").write_text(TABLE)

    plain = chunkscope(capfd, "gate", "HEAD", ".", "docs")
    asked = chunkscope(capfd, "gate", "HEAD", ".", "docs", "--fail-on", "documents")

    assert (plain.code, asked.code) == (0, 1)
    assert "1 of 1 new or edited document fails a check" in plain.out
    assert "failed: 1 new or edited document fails a check" in asked.out


def test_answers_that_a_config_cuts_are_a_loss_of_quality(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    long = "Pour the water over the leaves. " * 12
    commit(repository, {"docs/prices.md": None, "docs/long.md": f"# Long\n\n{long}\n"})
    (repository / "chunkscope.yaml").write_text(SMALL)
    question = {"question": "How?", "references": [long.strip()], "corpus_id": "docs/long.md"}
    (repository / "q.jsonl").write_text(json.dumps(question) + "\n")

    without = chunkscope(capfd, "gate", "HEAD", ".", "docs")
    asked = chunkscope(capfd, "gate", "HEAD", ".", "docs", "--questions", "q.jsonl", "--json")

    assert (without.code, asked.code) == (0, 1)
    assert found(asked)["evidence"] == {
        "answers": 1,
        "whole_before": 1,
        "whole_after": 0,
        "newly_cut": 1,
        "newly_whole": 0,
    }


def test_folders_need_no_git_and_a_subfolder_of_a_repository_has_its_names(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, config in (("old", LARGE), ("new", SMALL)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "chunkscope.yaml").write_text(config)
        (tmp_path / name / "prices.md").write_text(TABLE)

    folders = chunkscope(capfd, "gate", str(tmp_path / "old"), str(tmp_path / "new"), "--json")
    (repository / "docs" / "guide.md").write_text("# Guide\n\nOther.\n")
    monkeypatch.chdir(repository / "docs")
    below = chunkscope(capfd, "gate", "HEAD", ".", "--json")

    assert folders.code == 1
    assert found(folders)["quality"] == "fell"
    assert found(below)["documents"] == {
        "added": [],
        "edited": ["docs/guide.md"],
        "renamed": [],
        "removed": [],
        "same": 1,
    }


def test_the_repository_and_its_index_stay_as_they_are(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repository / ".gitattributes").write_text("docs/prices.md export-ignore\n")
    git(repository, "add", ".gitattributes")
    before = git(repository, "status", "--porcelain=v2", "--branch")

    said = chunkscope(capfd, "gate", "HEAD", ".", "--json")

    assert found(said)["documents"] == {"added": [], "edited": [], "renamed": [], "removed": [], "same": 2}
    assert git(repository, "status", "--porcelain=v2", "--branch") == before
    assert git(repository, "worktree", "list", "--porcelain").count("worktree ") == 1


def test_the_files_of_a_submodule_are_no_new_texts_and_that_is_said(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit(repository / "docs" / "other", {"more.md": GUIDE})
    commit(repository, {})

    said = chunkscope(capfd, "gate", "HEAD", ".", "--json")

    assert git(repository, "ls-files", "--stage", "docs/other").startswith("160000 ")
    assert found(said)["documents"] == {"added": [], "edited": [], "renamed": [], "removed": [], "same": 2}
    assert "docs/other: a submodule, whose files no revision has; 1 document left out" in said.err


def test_what_the_repositorys_gitignore_names_is_read_on_neither_side(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "docs" / "made.md").write_text("# Made\n")
    git(repository, "add", "docs/made.md")
    commit(repository, {".gitignore": "docs/made.md\n"})

    said = chunkscope(capfd, "gate", "HEAD", ".", "docs", "--json")

    assert git(repository, "ls-files", "docs/made.md") == "docs/made.md"
    assert found(said)["documents"] == {"added": [], "edited": [], "renamed": [], "removed": [], "same": 2}


def test_what_base_had_wrong_is_said_by_its_name_and_is_no_error_of_head(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "docs" / "guide.md").write_bytes(b"caf\xe9\n")
    commit(repository, {})

    broken = chunkscope(capfd, "gate", "HEAD~1", "HEAD", "docs")
    mended = chunkscope(capfd, "gate", "HEAD", "HEAD~1", "docs", "--json")

    assert broken.code == 2
    assert broken.err.startswith("chunkscope: HEAD:docs/guide.md: byte 3 (0xE9) is not UTF-8")
    assert mended.code == 0
    assert "HEAD:docs/guide.md: byte 3 (0xE9) is not UTF-8" in mended.err
    assert found(mended)["quality"] == "held"


def test_a_base_without_a_config_is_cut_by_the_heads(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commit(repository, {"chunkscope.yaml": None})
    (repository / "own.yaml").write_text(SMALL)

    said = chunkscope(capfd, "gate", "HEAD", ".", "docs", "--config", "own.yaml", "--json")

    assert said.code == 0
    assert found(said)["config"] == {"from": "own.yaml of HEAD on both sides, as BASE has none", "changed": False}
    assert chunkscope(capfd, "gate", "HEAD", ".", "docs", "--config", "fixed").code == 0


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere", "."), "nowhere: is neither a folder nor a revision of the git repository here; fetch it first"),
        (("--", "--output=x", "."), "--output=x: is neither a folder nor a revision"),
        (("HEAD", ".", "docs", "dosc"), "dosc: is neither in BASE nor in HEAD; name what one of them has"),
        (("", "."), "gate: BASE or HEAD is empty; name a git revision"),
        (("HEAD", ""), "gate: BASE or HEAD is empty; name a git revision"),
        (("HEAD", ".", "../.."), "../..: is not below both states"),
        (("HEAD", ".", "/etc"), "/etc: is not below both states"),
        (("HEAD", ".", "https://example.org/a"), "https://example.org/a: is not below both states"),
        (("HEAD", ".", "--config", "none.yaml"), "none.yaml: HEAD has no such config"),
        (("HEAD", ".", "--fail-on", "corpus"), "--fail-on corpus: no such choice; there are: quality, documents"),
        (("HEAD", ".", "--max-changed", "20"), "--max-changed: '20' is not a share"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: tuple[str, ...], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    answer = chunkscope(capfd, "gate", *arguments)

    assert answer.code == 2
    assert answer.err.startswith(f"chunkscope: {said}")
    assert (answer.err.count("\n"), answer.out) == (1, "")
