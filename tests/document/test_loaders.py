"""Files that are not Markdown: a loader's text, its pages and its notes arrive, and whatever it
does wrong is one line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from chunking import Config, load, run
from chunking.core.records import records
from chunking.document import converting, loaders
from chunking.document.conversion import Conversion
from chunking.document.loading import load_bytes, load_each
from chunking.errors import DocumentError

Reads = Callable[[str], None]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Have files with the extension .sample read by a function of tests/sample_loaders.py."""

    def by(function: str) -> None:
        monkeypatch.setattr(loaders, "loaders", lambda: {".sample": f"sample_loaders:{function}"})

    return by


def refusal(raw: bytes, name: str = "a.sample") -> str:
    with pytest.raises(DocumentError) as caught:
        load_bytes(raw, name)
    return str(caught.value)


def test_chunks_know_their_pages_and_the_document_what_was_lost(reads: Reads) -> None:
    reads("two_pages")

    document = load_bytes(b"# One\n\ntea\n\n# Two\n\nmilk\n\n# Three\n\nsugar\n", "a.sample")
    made = run(document, Config.of("every-heading", {}))

    assert document.conversion == Conversion("sample 1.0", (0, 12), ("pictures are lost",))
    assert str(document.conversion) == "converted by sample 1.0, 2 pages: pictures are lost"
    assert [chunk.pages for chunk in made.chunks] == [(1, 1), (2, 2), (2, 2)]
    assert [each["pages"] for each in records(made.parts, document) if each["type"] == "chunk"] == [
        [1, 1],
        [2, 2],
        [2, 2],
    ]
    assert run(document, Config.of("fixed", {})).chunks[0].pages == (1, 2)


def test_half_a_character_becomes_a_whole_one_and_that_is_said(reads: Reads) -> None:
    reads("halves")

    document = load_bytes(b"# One\n\ntea\n", "a.sample")

    assert document.text == "# One\n\ntea\n \ufffd\ufffd"
    assert str(document.conversion) == "converted by halves: 2 halves of a character (lone surrogates) became U+FFFD"


def test_what_a_library_prints_is_not_part_of_the_text(reads: Reads) -> None:
    reads("prints")

    assert load_bytes(b"tea", "a.sample").text == "tea"


def test_a_loader_sees_no_keys_of_ours(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    reads("environment")

    assert "OPENAI_API_KEY" not in load_bytes(b"", "a.sample").text


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("refuses", "a.sample: is encrypted; save it without a password"),
        ("fails", "a.sample: the loader of .sample failed: ValueError: two lines"),
        ("goes_too_deep", "a.sample: is nested too deeply to be converted; it may be damaged"),
        ("pages_after_the_end", "a.sample: the loader of .sample failed: pages have to begin one after another"),
        ("dies", "a.sample: the loader of .sample ended without an answer (exit code 3): it crashed, or took more"),
        ("takes_memory", "a.sample: takes too much memory to convert; split the file"),
    ],
)
def test_what_a_loader_does_wrong_is_one_line(reads: Reads, function: str, said: str) -> None:
    reads(function)

    assert refusal(b"tea").startswith(said)


def test_a_loader_that_does_not_end_is_ended(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    reads("never_ends")
    monkeypatch.setattr(converting, "SECONDS", 1)

    assert refusal(b"tea") == "a.sample: converting took more than 1 s and was stopped; split the file"


def test_a_process_converts_two_files_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    free: list[bool] = []

    def at_work(*_: object, **__: object) -> subprocess.CompletedProcess[bytes]:
        free.extend(converting._AT_ONCE.acquire(blocking=False) for _ in range(2))
        converting._AT_ONCE.release()
        return subprocess.CompletedProcess([], 0, b'{"loader": "x", "page_starts": [], "notes": []}\n')

    monkeypatch.setattr(subprocess, "run", at_work)
    converting.convert(b"", ".sample", "sample_loaders:prints", "a.sample")

    assert free == [True, False]


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("a.pdf", b"just text", "a.pdf: is not a PDF, although its name says so; save it again in that format"),
        ("a.docx", b"", "a.docx: is not a Word document, although its name says so; it is empty"),
        ("a.docx", b"PK\x03\x04abc", "a.docx: is not a Word document, although its name says so; it is damaged"),
        ("a.md", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.md: is encrypted, or of an Office before 2007"),
    ],
)
def test_bytes_decide_the_format_and_not_the_name(
    name: str, raw: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaders, "is_read", lambda _: True)
    with pytest.raises(DocumentError) as caught:
        loaders.text_of(raw, name, name)

    assert str(caught.value).startswith(said)


def test_markdown_about_pdfs_is_markdown() -> None:
    assert load_bytes(b"%PDF-1.7 is how one begins\n", "a.md").text == "%PDF-1.7 is how one begins\n"


def test_without_the_extra_a_folder_passes_over_what_it_would_convert(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaders, "missing", lambda _: "a library is not installed; pip install 'chunkscope[documents]'")
    loaders.loaders.cache_clear()
    (tmp_path / "a.md").write_text("tea")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7\n%\xe2")
    found = [each.name for each in load_each([tmp_path]) if not isinstance(each, DocumentError)]
    with pytest.raises(DocumentError) as caught:
        load(tmp_path / "b.pdf")
    loaders.loaders.cache_clear()

    assert found == ["a.md"]
    assert str(caught.value).endswith("b.pdf: .pdf needs a converter: a library is not installed; "
                                      "pip install 'chunkscope[documents]'")  # fmt: skip
