"""Uploads and pastes: a document, or one clear line each."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from chunking.document.loading import load_bytes
from pages.ui.choices.uploads import Upload, read_paste, read_uploads


def test_good_files_are_read_and_bad_ones_refused_with_one_line_each() -> None:
    read, refused = read_uploads(
        [
            Upload("a.md", b"# A\nx\n"),
            Upload("b.md", b"\xff\xfe\xff"),
            Upload("c.md", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
            Upload("d.md", b" \n"),
        ]
    )

    assert [source.name for source in read] == ["a.md"]
    assert len(refused) == 3
    assert all("\n" not in line for line in refused)
    assert refused[1].startswith(("c.md: cannot be read as a PDF", "c.md: .pdf needs a converter"))
    assert refused[2] == "d.md: the document is empty; add some text and upload it again"


def test_noise_is_refused_as_binary_uploaded_or_pasted() -> None:
    noise = Random(8).randbytes(50_000)

    read, (refused,) = read_uploads([Upload("binary.md", noise)])
    pasted, (said,) = read_paste(noise.decode("latin-1"))

    assert (read, pasted) == ([], [])
    assert refused.startswith("binary.md: this looks binary (")
    assert said.startswith("pasted text: this looks binary (")


def test_a_file_over_the_limit_is_refused_with_its_size_the_limit_and_the_way_out() -> None:
    read, refused = read_uploads([Upload("big.md", b"a" * 60_000_000), Upload("a.md", b"# A\n")])

    assert [source.name for source in read] == ["a.md"]
    assert refused == [
        "big.md: 60.0 MB is more than the app's limit of 50 MB; "
        "cut it with `chunkscope run`, which takes any size, or add a part of it"
    ]


def test_the_proof_is_of_the_files_bytes_not_of_its_text() -> None:
    raw = b"\xef\xbb\xbf# A\n"
    (source,), _ = read_uploads([Upload("a.md", raw)])

    assert source.text == "# A\n"
    assert source.file_hash == sha256(raw).hexdigest()


def test_a_path_in_an_uploads_name_is_dropped() -> None:
    (source,), _ = read_uploads([Upload("../../etc/passwd.md", b"# A\n")])

    assert source.name == "passwd.md"


def test_a_paste_is_called_by_its_first_line() -> None:
    (source,), refused = read_paste("\n## Boil the *water*\nthen wait\n")

    assert source.title == "Pasted: Boil the *water*"
    assert source.name == "pasted.md"
    assert refused == []


def test_an_empty_paste_is_refused() -> None:
    assert read_paste(" \n ") == ([], ["pasted text: nothing there; paste some Markdown first"])


def test_an_upload_has_the_name_and_the_text_that_loading_it_would_give() -> None:
    raw = "# Ä\r\n".encode("utf-16")
    (source,), _ = read_uploads([Upload("C:\\notes\\a.md", raw)])
    loaded = load_bytes(raw, "C:\\notes\\a.md")

    assert (source.name, source.text) == (loaded.name, loaded.text)


def test_the_documents_of_an_uploaded_archive_are_read_and_what_is_no_text_is_a_line() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in (("guide/a.md", b"# A\n"), ("../b.md", b"b"), ("c.md", b"\xff\xfe\xff"), ("d.md", b" ")):
            archive.writestr(name, content)

    read, refused = read_uploads([Upload("../docs.zip", made.getvalue()), Upload("e.md", b"# E\n")])

    assert [(source.name, source.text) for source in read] == [("docs.zip/guide/a.md", "# A\n"), ("e.md", "# E\n")]
    assert read[0].file_hash == sha256(b"# A\n").hexdigest()
    assert [line.partition(":")[0] for line in refused] == ["docs.zip/../b.md", "docs.zip/c.md", "docs.zip/d.md"]
    assert all(line.isprintable() for line in refused)


def test_an_upload_that_is_an_archive_by_its_name_only_is_one_line() -> None:
    assert read_uploads([Upload("a.tar.gz", b"# A\n")]) == (
        [],
        ["a.tar.gz: the archive is damaged or cut off (truncated header); pack it again"],
    )


def test_the_conversion_of_an_upload_is_not_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    notebook = {"cells": [{"cell_type": "markdown", "source": "# Tea\n"}]}

    read, refused = read_uploads([Upload("a.ipynb", json.dumps(notebook).encode())])

    assert ([each.text for each in read], refused) == (["# Tea\n"], [])
    assert not (tmp_path / "conversions").exists()
