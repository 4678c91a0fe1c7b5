"""Small documents are read some at a time, and come as they would one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chunking import Config
from chunking.cli.reading_ahead import reading_ahead
from chunking.document.folders import FoundFile
from chunking.runtime.run_limits import NO_LIMITS, RunLimits
from chunking.tokens import counter, token_index
from chunking.tokens.registry import _cached_index

CONFIG = Config.of("heading-window")


def files(folder: Path, *texts: bytes) -> list[FoundFile]:
    found = []
    for number, text in enumerate(texts):
        file = folder / f"{number}.md"
        file.write_bytes(text)
        found.append(FoundFile(file, file.name))
    return found


def test_they_keep_their_order_and_have_their_documents(tmp_path: Path) -> None:
    given = files(tmp_path, *(b"# Page %d\n\nwater\n" % number for number in range(70)))

    ahead = list(reading_ahead(given, CONFIG, NO_LIMITS))

    assert [each.name for each in ahead] == [each.name for each in given]
    assert [each.document and each.document.text for each in ahead] == [
        f"# Page {number}\n\nwater\n" for number in range(70)
    ]


def test_the_index_of_each_is_known_when_it_comes(tmp_path: Path) -> None:
    given = files(tmp_path, *(b"# Page %d\n\nsteam\n" % number for number in range(20)))

    for each in reading_ahead(given, CONFIG, NO_LIMITS):
        assert each.document is not None
        assert _cached_index.known(each.document.text, counter("cl100k_base")) is not None
        assert token_index(each.document.text, counter("cl100k_base")).count(0, 6) == 2


def test_what_cannot_be_read_and_what_is_large_is_left_to_who_cuts_it(tmp_path: Path) -> None:
    given = files(tmp_path, b"# A\n", b"\xff\xfe\xfd", b"word " * 10_000, b"# D\n")
    given.insert(2, FoundFile(tmp_path / "gone.md", "gone.md"))

    ahead = list(reading_ahead(given, CONFIG, NO_LIMITS))

    assert [each.name for each in ahead] == [each.name for each in given]
    assert [each.document is not None for each in ahead] == [True, False, False, False, True]


def test_with_limits_nothing_is_read_ahead(tmp_path: Path) -> None:
    given = files(tmp_path, b"# A\n", b"# B\n")

    ahead = list(reading_ahead(given, CONFIG, RunLimits(seconds=1)))

    assert [each.document for each in ahead] == [None, None]


def test_what_was_found_before_the_finding_ended_comes_first(tmp_path: Path) -> None:
    given = files(tmp_path, b"# A\n", b"# B\n")

    def found() -> Iterator[FoundFile]:
        yield from given
        raise ValueError("no more")

    ahead = reading_ahead(found(), CONFIG, NO_LIMITS)
    assert [next(ahead).name, next(ahead).name] == ["0.md", "1.md"]
    with pytest.raises(ValueError, match="no more"):
        next(ahead)
