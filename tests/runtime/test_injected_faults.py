"""Each write, sync, rename and read fails once, in every format: what was there or what was to be
is there afterwards, whole, with nothing beside it and one line said."""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chunking import cli, parse
from chunking.document import Span
from chunking.errors import GoldError
from chunking.gold.mark_store import AnnotationStore
from chunking.gold.marks import Annotations
from chunking.runtime import whole_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors")

FORMATS = {
    "jsonl": ["-o", "made/out.jsonl"],
    "csv": ["-o", "made/out.csv"],
    "markdown": ["-o", "made/out.md"],
    "parquet": ["-o", "made/out.parquet"],
    "sqlite": ["-o", "made/out.sqlite"],
    "html": ["-o", "made/out.html"],
    "proof": ["-o", "made/out.jsonl", "--proof", "made/proof.yaml"],
}
FAULTS = {"no space": errno.ENOSPC, "input/output error": errno.EIO, "quota": errno.EDQUOT, "short write": 0}


class Failing:
    """Lets the call number `at` fail, of all that write, sync and rename."""

    def __init__(self, at: int, number: int) -> None:
        self.at, self.number = at, number
        self.calls = 0

    def is_now(self) -> bool:
        self.calls += 1
        return self.calls - 1 == self.at

    def check(self) -> None:
        if self.is_now() and self.number:
            raise OSError(self.number, os.strerror(self.number))

    def instead_of(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def checked(*given: Any, **named: Any) -> Any:
            self.check()
            return call(*given, **named)

        return checked


class FailingFile(io.FileIO):
    """A file of which a write may fail, or take only half of what it is given."""

    failing: Failing

    def write(self, given: Any) -> int:
        some = bytes(given)
        if self.failing.is_now():
            if self.failing.number:
                raise OSError(self.failing.number, os.strerror(self.failing.number))
            some = some[: (len(some) + 1) // 2]
        return super().write(some)


@contextmanager
def failing(at: int, number: int) -> Iterator[Failing]:
    """While it lasts, the call `at` that puts a file in place of another fails."""
    fault = Failing(at, number)
    opened = os.open

    def open_checked(path: Any, flags: int, *given: Any, **named: Any) -> int:
        if flags & os.O_EXCL and str(path).endswith(".part"):
            fault.check()
        return opened(path, flags, *given, **named)

    def as_file(part: Path, mode: str, opener: Callable[[str, int], int]) -> io.BufferedWriter:
        raw = FailingFile(str(part), mode, opener=opener)
        raw.failing = fault
        return io.BufferedWriter(raw, 512)  # many writes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", open_checked)
        patch.setattr(whole_file, "open", as_file, raising=False)
        for name in ("fsync", "chmod", "replace", "dup"):
            patch.setattr(os, name, fault.instead_of(getattr(os, name)))
        yield fault


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("made").mkdir()
    for name in "ab":
        Path(f"docs/{name}.md").write_text("# Tea\n\nPour water over it.\n\n# Pot\n\nClean it.\n", encoding="utf-8")


def contents(folder: str = "made") -> dict[str, bytes]:
    return {str(each): each.read_bytes() for each in Path(folder).rglob("*") if each.is_file()}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("format", FORMATS)
def test_a_fault_at_any_call_leaves_the_former_file_or_the_new_one(
    format: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    wanted = ["run", "every-heading", "docs", *FORMATS[format]]
    assert cli.main(wanted) == 0
    new = contents()
    capfd.readouterr()
    for at in range(10_000):
        for name in new:
            Path(name).write_bytes(b"former")
        with failing(at, FAULTS[fault]) as injected:
            code = cli.main(wanted)
        said, there = capfd.readouterr().err, contents()
        fired = injected.calls > at

        assert there.keys() == new.keys()
        assert all(content in (b"former", new[name]) for name, content in there.items())
        if code == 0:
            assert there == new
            assert fault == "short write" or not fired
        else:
            assert code == 2
            assert said.count("\n") == 1
            assert "cannot be written (" in said
        if not fired:
            break
    assert at > 4


@pytest.mark.parametrize("fault", FAULTS)
def test_marks_survive_a_fault_at_any_call(fault: str) -> None:
    document = parse("# Tea\n\nPour water over it.\n", name="a.md")
    before, after = (Annotations(whole=(Span(start, 9),)) for start in (2, 3))
    for at in range(100):
        kept = AnnotationStore(Path("marks of one"))
        kept.change(document, lambda _: before)
        files = sorted(contents("marks of one"))
        wanted = after
        with failing(at, FAULTS[fault]) as injected:
            try:
                kept.change(document, lambda _: after)
            except GoldError:
                wanted = before
        assert (wanted == before) == (injected.calls > at and fault != "short write")
        assert AnnotationStore(Path("marks of one")).read(document) == wanted
        assert sorted(contents("marks of one")) == files
        if injected.calls <= at:
            break
    assert at > 4


def test_a_document_that_cannot_be_read_to_its_end_is_a_line_and_the_others_are_written(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    opened = builtins.open

    def open_failing(path: Any, *given: Any, **named: Any) -> Any:
        if str(path).endswith("a.md"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return opened(path, *given, **named)

    monkeypatch.setattr(builtins, "open", open_failing)
    code = cli.main(["run", "every-heading", "docs", "-o", "made/out.jsonl"])
    said = capfd.readouterr().err

    assert (code, said.count("\n")) == (2, 1)
    assert "a.md" in said
    assert {json.loads(line)["document"] for line in Path("made/out.jsonl").read_text().splitlines()} == {"b.md"}


SMALL_DISK = """
import json, resource, sys
from pathlib import Path
from chunking import cli
from chunking.models.answer_cache import AnswerCache

def full_at(size):
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if size is None else size, hard))

found = []
for format, options in json.loads(sys.argv[1]).items():
    for size in (0, 1, 100, 400):
        target = Path(options[1])
        target.write_bytes(b"former")
        full_at(size)
        code = cli.main(["run", "every-heading", "docs", *options])
        full_at(None)
        found.append([format, size, code, target.read_bytes() == b"former"])
for size in (0, 1, 100, 4096, 5000, 9000, 20000, 60000):
    file = Path("cache") / "answers.sqlite"
    cache = AnswerCache(file)
    full_at(size)
    cache.put({str(number).encode(): bytes(900) for number in range(60)})
    full_at(None)
    held = len(cache.get([str(number).encode() for number in range(60)]))
    again = AnswerCache(file)
    again.put({b"more": b"v"})
    found.append(["cache", size, held, AnswerCache(file).get([b"more"]) == {b"more": b"v"} and again.file is not None])
Path("found.json").write_text(json.dumps([found, sorted(str(each) for each in Path("made").iterdir())]))
"""
"""The kernel lets no file grow over a size: the write that reaches it is short, the next one
fails."""


def test_a_disk_that_is_really_full_leaves_files_and_cache_as_they_were() -> None:
    options = {name: given for name, given in FORMATS.items() if name != "proof"}
    done = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, json.dumps(options)], capture_output=True, check=True, timeout=300, text=True
    )
    found, there = json.loads(Path("found.json").read_text())

    assert [each for each in found if each[0] != "cache" and each[2:] != [2, True]] == []
    assert [each for each in found if each[0] == "cache" and each[2:] != [60, True]] == []
    assert there == sorted(given[1] for given in options.values())
    assert done.stderr.count("\n") == 4 * len(options)
