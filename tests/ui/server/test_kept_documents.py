"""Documents are kept on disk for their owner, within a limit; damaged ones are one line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chunking.document import Conversion
from chunking.errors import ConfigError, DocumentError
from chunking.text import text_hash
from pages.ui.server.kept_documents import VARIABLE, About, KeptDocuments, limit_in_bytes

TEXT = "# Kettle\n\nwater \ud83d\n"


@pytest.fixture(autouse=True)
def _one_megabyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")


def about(text: str, name: str = "kettle.md") -> About:
    return About(text_hash(text), name, name, True, "ab" * 32)


def kept(folder: Path, text: str = TEXT, name: str = "kettle.md", age: int = 0) -> Path:
    documents = KeptDocuments(folder)
    assert documents.keep(about(text, name), text) == []
    file = folder / "documents" / f"{text_hash(text)}.document"
    then = file.stat().st_mtime_ns - age * 1_000_000_000
    os.utime(file, ns=(then, then))
    return file


def test_what_is_kept_is_opened_as_it_was_added(tmp_path: Path) -> None:
    file = kept(tmp_path)
    documents = KeptDocuments(tmp_path)

    assert documents.open(text_hash(TEXT)) == (about(TEXT), TEXT)
    assert [(each.about.name, each.size) for each in documents.all()] == [("kettle.md", file.stat().st_size)]
    assert file.stat().st_mode & 0o077 == 0


def test_a_kept_document_has_its_pages_and_what_was_lost(tmp_path: Path) -> None:
    converted = replace(about(TEXT), conversion=Conversion("sample 1.0", (0, 10), ("pictures are lost",)))
    KeptDocuments(tmp_path).keep(converted, TEXT)

    assert KeptDocuments(tmp_path).open(text_hash(TEXT))[0] == converted


def test_a_document_of_ten_thousand_pages_is_kept_with_all_of_them(tmp_path: Path) -> None:
    text = "water " * 10_000
    converted = replace(about(text), conversion=Conversion("sample 1.0", tuple(range(0, 60_000, 6))))
    too_many = replace(converted, conversion=Conversion("sample 1.0", (0,) * 1_000_000))

    assert KeptDocuments(tmp_path).keep(converted, text) == []
    assert KeptDocuments(tmp_path).open(converted.key)[0] == converted
    assert [each.about for each in KeptDocuments(tmp_path).all()] == [converted]
    (said,) = KeptDocuments(tmp_path).keep(too_many, text)
    assert said == "kettle.md is not kept: it has too many pages, or too much is said of them; split it"


def _a_link_to_itself(file: Path) -> None:
    file.symlink_to(file)


@pytest.mark.parametrize(
    "put",
    [
        _a_link_to_itself,
        lambda file: file.symlink_to("/dev/zero"),
        lambda file: file.symlink_to("not there"),
        Path.mkdir,
        pytest.param(
            lambda file: os.mkfifo(file), marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX has pipes")
        ),
    ],
)
def test_what_is_no_file_is_one_line_and_takes_no_room(tmp_path: Path, put: Callable[[Path], None]) -> None:
    kept(tmp_path)
    put(tmp_path / "documents" / f"{'0' * 64}.document")
    documents, large = KeptDocuments(tmp_path), "a" * 999_700

    problems = [each.problem for each in documents.all() if each.problem]
    assert len(problems) == 1
    assert problems[0].startswith("the document 000000000000 cannot be opened: its kept file is damaged")
    with pytest.raises(DocumentError, match="cannot be opened"):
        documents.open("0" * 64)
    assert [line[:9] for line in documents.keep(about(large, "large.md"), large)] == ["kettle.md"]


@pytest.mark.parametrize("pages", [b'["x",1]', b"[10, 0]", b"[0, -1]", b"[true, 10]", b"[0, 1000000]"])
def test_pages_of_an_altered_file_are_none(tmp_path: Path, pages: bytes) -> None:
    converted = replace(about(TEXT), conversion=Conversion("sample 1.0", (0, 10), ()))
    KeptDocuments(tmp_path).keep(converted, TEXT)
    (file,) = (tmp_path / "documents").iterdir()
    file.write_bytes(file.read_bytes().replace(b"[0, 10]", pages))

    assert KeptDocuments(tmp_path).open(text_hash(TEXT))[0] == about(TEXT)


def test_without_a_folder_nothing_is_kept() -> None:
    documents = KeptDocuments(None)

    assert documents.keep(about(TEXT), TEXT) == []
    assert documents.all() == []
    assert not documents.has(text_hash(TEXT))


def test_the_document_not_opened_for_the_longest_time_goes_first_and_is_named(tmp_path: Path) -> None:
    texts = [letter * 400_000 for letter in "abc"]
    kept(tmp_path, texts[0], "a.md", age=20)
    kept(tmp_path, texts[1], "b.md", age=10)
    documents = KeptDocuments(tmp_path)
    documents.open(text_hash(texts[0]))

    (line,) = documents.keep(about(texts[2], "c.md"), texts[2])

    assert line.startswith(
        "b.md (0.4 MB) is no longer kept: it was not opened for the longest time, and the limit is 1 MB"
    )
    assert {each.about.name for each in documents.all()} == {"a.md", "c.md"}


def test_what_is_larger_than_the_limit_drops_nothing(tmp_path: Path) -> None:
    kept(tmp_path)
    large = "a" * 1_100_000

    (line,) = KeptDocuments(tmp_path).keep(about(large, "large.md"), large)

    assert line == f"large.md is not kept: 1.1 MB is more than the limit of 1 MB ({VARIABLE})"
    assert [each.about.name for each in KeptDocuments(tmp_path).all()] == ["kettle.md"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda raw: raw[:-1] + b"!", "kettle.md cannot be opened: its kept file is damaged or was altered"),
        (lambda raw: raw[: len(raw) // 2], "cannot be opened: its kept file is damaged or was altered"),
        (lambda _: b"", "cannot be opened"),
        (lambda _: b"[" * 100_000, "cannot be opened"),
        (lambda raw: raw.replace(b'"kettle.md"', b"7"), "its first line has no name"),
        (lambda raw: raw.replace(b'"kettle.md"', b'"\\ud800"'), "its first line is not about this text"),
        (lambda raw: raw + bytes(1_100_000), f"it has more than 1 MB ({VARIABLE})"),
    ],
)
def test_a_damaged_or_altered_file_is_one_line(tmp_path: Path, change: object, why: str) -> None:
    file = kept(tmp_path)
    file.write_bytes(change(file.read_bytes()))  # type: ignore[operator]

    with pytest.raises(DocumentError) as raised:
        KeptDocuments(tmp_path).open(text_hash(TEXT))

    assert why in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(KeptDocuments(tmp_path).all()) == 1  # listed, so that it can be removed


def test_a_damaged_file_is_removed_like_any_other_and_other_files_are_left_alone(tmp_path: Path) -> None:
    file = kept(tmp_path)
    file.write_bytes(b"\x00")
    note = file.with_name("notes.txt")
    note.write_text("mine")
    documents = KeptDocuments(tmp_path)

    for each in documents.all():
        documents.remove(each.about.key)

    assert list(file.parent.iterdir()) == [note]


@pytest.mark.parametrize("key", ["", "../marks", "a" * 63, "A" * 64])
def test_a_link_opens_no_other_file(tmp_path: Path, key: str) -> None:
    kept(tmp_path)

    assert not KeptDocuments(tmp_path).has(key)
    with pytest.raises(DocumentError, match="no document is kept as"):
        KeptDocuments(tmp_path).open(key)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "documents").write_text("a file in its place")

    (line,) = KeptDocuments(tmp_path).keep(about(TEXT), TEXT)

    assert line.startswith("kettle.md is not kept: ")


def test_a_limit_that_is_no_number_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "lots")

    with pytest.raises(ConfigError, match="CHUNKSCOPE_KEEP_MB: lots is not a whole number"):
        limit_in_bytes()
