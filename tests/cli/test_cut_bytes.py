"""`cut_bytes`: one function for a run, for the engine of a cluster, and for other programs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from command_line import EXAMPLE, GUIDE, chunkscope

from chunking import ChunkscopeError, cut_bytes
from chunking.core.records import json_line


@pytest.mark.parametrize("strategy", ["fixed", "hierarchical", "section-rules"])
def test_its_records_are_what_run_writes_of_the_file(
    folder: Path, strategy: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "guide.md").write_text("---\na: b\n---\n" + GUIDE)
    config = f"strategy: {strategy}\noverrides: {{'more/**': {{strategy: every-heading}}}}\n"
    (folder / "s.yaml").write_text(config)
    printed = chunkscope(capfd, "run", "s.yaml", "docs", "--skips").out
    made = [
        json_line(each)
        for name in ("guide.md", "more/short.md")
        for each in cut_bytes((folder / "docs" / name).read_bytes(), name, config)
    ]

    assert made == printed.splitlines()


def test_it_travels_to_other_processes_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(cut_bytes)) is cut_bytes


@pytest.mark.parametrize(
    ("raw", "name", "config", "problem"),
    [
        (b"caf\xe9", "a/bad.md", EXAMPLE, "a/bad.md: byte 3 (0xE9) is not UTF-8"),
        (b"text", "a.md", "strategy: every-headin", "no strategy named 'every-headin'; did you mean 'every-heading'?"),
        (b"text", "a.md", "strategy: fixed\ncounter: tokenizer.json:/etc/passwd", "tokenizer.json"),
    ],
)
def test_what_is_wrong_is_one_line_before_the_first_record(raw: bytes, name: str, config: str, problem: str) -> None:
    with pytest.raises(ChunkscopeError) as raised:
        cut_bytes(raw, name, config)

    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_empty_file_has_no_records() -> None:
    assert list(cut_bytes(b"", "empty.md", EXAMPLE)) == []
