"""`chunkscope cache` shows what is kept of models' answers, and removes it only when it is told
so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import chunkscope, process

from chunking.models import answer_cache
from chunking.models.answer_cache import AnswerCache


@pytest.fixture(name="file", autouse=True)
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    return tmp_path / "answers.sqlite"


def filled(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three answers, the oldest of them of the year 2024."""
    with monkeypatch.context() as patch:
        patch.setattr(answer_cache, "_today", lambda: 19_800)
        patch.setenv("CHUNKSCOPE_CACHE_DAYS", "99999")
        AnswerCache(file).put({b"old": b"v"})
    AnswerCache(file)._in_file(lambda there: answer_cache._write(there, {b"a": b"v", b"b": b"v"}), None)


def test_it_says_folder_answers_size_age_and_limits(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    filled(file, monkeypatch)
    said = chunkscope(capfd, "cache")

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        f"folder: {file.parent} (CHUNKSCOPE_CACHE names another)",
        "answers.sqlite: 3 answers of models, 0.0 MB, the oldest last used about 2024-03-18",
        "limits: 1,000 MB (CHUNKSCOPE_CACHE_MB), 180 days unused (CHUNKSCOPE_CACHE_DAYS)",
        "conversions: 0 documents, 0.0 MB of 200 MB (CHUNKSCOPE_CONVERSIONS_MB)",
    ]


def test_prune_removes_what_is_over_the_limits(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    filled(file, monkeypatch)
    said = json.loads(chunkscope(capfd, "cache", "--prune", "--json").out)

    assert (said["removed"], said["files"][0]["answers"]) == (1, 2)


def test_clear_asks_where_somebody_can_answer_and_needs_yes_elsewhere(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    filled(file, monkeypatch)
    refused = process("cache", "--clear")
    assert refused.code == 2
    assert refused.err.startswith("chunkscope: --clear: removes answers that were paid for")
    assert "add --yes" in refused.err

    said = chunkscope(capfd, "cache", "--clear", "--yes")
    assert (said.code, said.out.splitlines()[0]) == (0, "3 answers removed")
    assert AnswerCache(file).get([b"a", b"b", b"old"]) == {}


def test_a_damaged_cache_is_one_line_that_says_how_it_is_removed(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"not a database" * 1000)
    said = chunkscope(capfd, "cache")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "the cache cannot be used" in said.err
    assert "chunkscope cache --clear" in said.err

    assert chunkscope(capfd, "cache", "--clear", "--yes").code == 0
    assert chunkscope(capfd, "cache").code == 0


def test_nothing_is_made_by_looking(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert chunkscope(capfd, "cache").code == 0
    assert not file.exists()

    monkeypatch.setenv("CHUNKSCOPE_CACHE", "off")
    assert chunkscope(capfd, "cache").out.startswith("nothing is kept: CHUNKSCOPE_CACHE is off")
