"""Conversions that are kept: read again at once, bounded, and done without where they are
damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from hashlib import sha256
from pathlib import Path

import pytest
from command_line import chunkscope

from chunking.document import converting, kept_conversions
from chunking.document.conversion import Conversion, Converted
from chunking.document.kept_conversions import contents, keep, known, pruned
from chunking.errors import ConfigError

READER = "chunking.document.formats.notebook:to_markdown"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "markdown", "source": "# Tea\n"}]}).encode()


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    return tmp_path / "conversions"


def made(text: str) -> Converted:
    return Converted(text, Conversion("reader 1.0", (0, 2), ("pictures are lost",)))


OTHER_PROGRAMS = (
    b"",
    zlib.compress(b"[" * 100_000),
    zlib.compress(b"[]\ntext"),
    zlib.compress(b'{"loader": "a", "page_starts": [0, 9], "notes": []}\ntext'),
    zlib.compress(b'{"loader": "a", "page_starts": [], "notes": []}\n\xff'),
    zlib.compress(b'{"loader": "a", "page_starts": [], "notes": []}\n' + b"x" * 900)[:30],
)
"""What is whole by its hash, and yet no conversion."""


def signed(packed: bytes) -> bytes:
    return sha256(packed).digest() + packed


def test_a_file_is_converted_once_and_again_by_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    first = converting.convert(NOTEBOOK, ".ipynb", READER, "a.ipynb")
    with monkeypatch.context() as patch:
        patch.setattr(converting, "apart", None)  # no process is begun for it
        assert converting.convert(NOTEBOOK, ".ipynb", READER, "b.ipynb") == first
    assert first.text == "# Tea\n"

    monkeypatch.setattr(kept_conversions, "engine_version", lambda: "99")
    assert known(NOTEBOOK, READER) is None


def test_what_is_kept_is_the_whole_conversion_for_its_owner_alone(folder: Path) -> None:
    keep(b"a", READER, made("a \ud800 語"))
    (file,) = folder.iterdir()

    assert known(b"a", READER) == made("a \ud800 語")
    assert known(b"b", READER) is None
    assert (file.stat().st_mode & 0o077, folder.stat().st_mode & 0o077) == (0, 0)


def test_what_is_damaged_is_not_known(folder: Path) -> None:
    keep(b"a", READER, made("text"))
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for wrong in (b"", whole[:-1], whole[:40] + b"x" + whole[41:], b"x" * 100, *map(signed, OTHER_PROGRAMS)):
        file.write_bytes(wrong)
        assert known(b"a", READER) is None


def test_other_packages_loaders_are_asked_each_time_and_off_keeps_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(b"a", "sample_loaders:prints", made("text"))
    monkeypatch.setenv("CHUNKSCOPE_CACHE", "off")
    keep(b"a", READER, made("text"))
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(folder.parent))
    monkeypatch.setenv("CHUNKSCOPE_CONVERSIONS_MB", "0")
    keep(b"a", READER, made("text"))

    assert not folder.exists()
    monkeypatch.setenv("CHUNKSCOPE_CONVERSIONS_MB", "many")
    with pytest.raises(ConfigError, match="CHUNKSCOPE_CONVERSIONS_MB: 'many' is not a whole number"):
        keep(b"a", READER, made("text"))


def test_what_was_not_used_for_the_longest_time_goes_first(folder: Path) -> None:
    for number in range(5):
        keep(b"%d" % number, READER, made(f"text {number}"))
    for at, file in enumerate(sorted(folder.iterdir())):
        os.utime(file, ns=(at, at))
    assert known(b"2", READER) is not None  # which is its last use

    assert pruned(contents().bytes // 2) == 3
    assert known(b"2", READER) == made("text 2")
    assert contents().documents == 2


def test_what_was_kept_before_and_what_a_killed_process_left_goes_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(b"a", READER, made("text"))
    (folder / ".0a.conversion.0123456789abcdef.part").write_bytes(b"x" * 50)
    (folder / "mine.txt").write_bytes(b"")
    monkeypatch.setenv("CHUNKSCOPE_CONVERSIONS_MB", "0")

    assert known(b"a", READER) is None
    assert contents().documents == 1
    assert pruned() == 1
    assert [each.name for each in folder.iterdir()] == ["mine.txt"]


def test_processes_that_keep_and_prune_at_once_disturb_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CONVERSIONS_MB", "1")
    program = (
        "import random, sys; from chunking.document.conversion import Conversion, Converted\n"
        "from chunking.document.kept_conversions import keep, known\n"
        "for n in range(60):\n"
        "    text = random.Random(n).randbytes(30_000).hex()\n"
        "    keep(b'%d' % n, sys.argv[1], Converted(text, Conversion('one')))\n"
        "    found = known(b'%d' % (n // 2), sys.argv[1])\n"
        "    assert found is None or found.text == random.Random(n // 2).randbytes(30_000).hex()\n"
    )
    at_once = [subprocess.Popen([sys.executable, "-c", program, READER]) for _ in range(2)]

    assert [each.wait(60) for each in at_once] == [0, 0]
    assert 500_000 < contents().bytes < 1_200_000


def test_the_cache_command_shows_and_clears_them(capfd: pytest.CaptureFixture[str]) -> None:
    keep(b"a", READER, made("text"))
    shown = chunkscope(capfd, "cache").out
    as_json = json.loads(chunkscope(capfd, "cache", "--json").out)
    cleared = chunkscope(capfd, "cache", "--clear", "--yes").out

    assert "conversions: 1 document, 0.0 MB of 200 MB (CHUNKSCOPE_CONVERSIONS_MB)\n" in shown
    assert as_json["conversions"]["documents"] == 1
    assert cleared.startswith("0 answers and 1 conversion removed\n")
    assert contents() == (0, 0)
