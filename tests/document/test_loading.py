"""Files and folders: what is read, under which name, and in which words the rest is refused."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from refusals import refused_upload

from chunking.document import Document, loading
from chunking.document.loading import find, load, load_all, load_bytes, load_each
from chunking.errors import DocumentError
from chunking.text.decoding import decode


def folder(root: Path, **files: str) -> Path:
    """A folder of files; `__` in a key stands for `/` and a last `_md` for the extension."""
    for key, text in files.items():
        path = root / (key.removesuffix("_md").replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def names(loaded: list[Document]) -> list[str]:
    return [document.name for document in loaded]


def problems(paths: list[Path]) -> list[str]:
    return [str(each) for each in load_each(paths) if isinstance(each, DocumentError)]


def test_a_file_is_one_document_named_by_its_base_name(tmp_path: Path) -> None:
    folder(tmp_path, guide__start_md="# Kettle\r\nwater\n")

    document = load(tmp_path / "guide" / "start.md")

    assert (document.name, document.text) == ("start.md", "# Kettle\r\nwater\n")


def test_a_folder_is_its_documents_sorted_by_their_names_below_it(tmp_path: Path) -> None:
    folder(tmp_path, b_md="b", a__z_md="z", a__b__c_md="c", B_md="B")

    loaded = load_all(str(tmp_path))

    assert names(loaded) == ["B.md", "a/b/c.md", "a/z.md", "b.md"]


def test_a_folder_gives_files_of_known_extensions_and_nothing_hidden(tmp_path: Path) -> None:
    for name in (
        "a.md",
        "b.MD",
        "c.markdown",
        "d.txt",
        "e.text",
        "f.mdx",
        "g.py",
        "h.md.exe",
        "README",
        ".md",
        ".h.md",
    ):
        (tmp_path / name).write_text("text")
    folder(tmp_path, **{".git__x_md": "x"})

    assert names(load_all(tmp_path)) == ["a.md", "b.MD", "c.markdown", "d.txt", "e.text", "f.mdx"]


def test_a_file_that_is_named_is_read_whatever_its_extension(tmp_path: Path) -> None:
    (tmp_path / "NOTES").write_text("# Notes\n")

    assert load(tmp_path / "NOTES").headings[0].title == "Notes"


def test_plain_text_is_read_as_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# Title\n\nwater\n")

    assert [block.kind for block in load(tmp_path / "a.txt").blocks] == ["heading", "paragraph"]


def test_a_document_that_cannot_be_read_stands_in_its_place_and_the_others_go_on(tmp_path: Path) -> None:
    folder(tmp_path, a_md="a", c_md="c")
    (tmp_path / "b.md").write_bytes(b"Gr\xf6\xdfe")

    loaded = list(load_each([tmp_path, tmp_path / "missing.md"]))

    assert [each.name if isinstance(each, Document) else str(each) for each in loaded] == [
        "a.md",
        f"{tmp_path}/b.md: byte 2 (0xF6) is not UTF-8 (invalid start byte); save the file as UTF-8: "
        "iconv -f CP1252 -t UTF-8 OLD > NEW, with its encoding for CP1252",
        "c.md",
        f"{tmp_path}/missing.md: there is no such file or folder",
    ]


def test_loading_a_folder_raises_at_the_first_bad_document(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_bytes(b"Gr\xf6\xdfe")

    with pytest.raises(DocumentError, match=r"b\.md: byte 2"):
        load_all(tmp_path)


def test_an_encoding_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_bytes(b"Gr\xf6\xdfe")

    assert load(tmp_path / "b.md", encoding="latin-1").text == "Größe"
    for wrong in ("hex", "utf-7", "undefined", "no such", "a\0b"):
        with pytest.raises(DocumentError, match=r"encoding: there is none named '.*'; try utf-8"):
            load(tmp_path / "b.md", encoding=wrong)


def test_a_folder_without_documents_is_a_problem(tmp_path: Path) -> None:
    (problem,) = problems([tmp_path])

    assert problem.startswith(f"{tmp_path}: no document in this folder. Supported: .md .markdown .mdown .mkd .mdx ")
    assert problem.endswith(", also in a zip or tar")


def test_links_out_of_a_folder_are_reported_and_not_followed(tmp_path: Path) -> None:
    inside, outside = folder(tmp_path / "in", a_md="a"), folder(tmp_path / "out", secret_md="secret")
    (inside / "b.md").symlink_to(outside / "secret.md")
    (inside / "more").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    (inside / "loop.md").symlink_to("loop.md")

    loaded = list(load_each([inside]))

    assert [each.name for each in loaded if isinstance(each, Document)] == ["a.md"]
    assert [str(each).rpartition("/")[2] for each in loaded if isinstance(each, DocumentError)] == [
        "b.md: a link out of the folder; name the file itself",
        "loop.md: cannot be read (Too many levels of symbolic links)",
        "more: a link out of the folder; name its target too",
    ]


def test_load_gives_one_document_and_says_so_where_there_are_several(tmp_path: Path) -> None:
    folder(tmp_path, a_md="a")
    assert load(tmp_path).text == "a"

    folder(tmp_path, b_md="b")
    with pytest.raises(DocumentError, match=r": 2 documents; take load_all$"):
        load(tmp_path)


def test_names_that_differ_in_case_or_in_normal_form_stay_two_documents(tmp_path: Path) -> None:
    for name in ("Same.md", "same.md", "caf\u00e9.md", "cafe\u0301.md"):
        (tmp_path / name).write_text("x")

    assert set(names(load_all(tmp_path))) == {"Same.md", "same.md", "caf\u00e9.md", "cafe\u0301.md"}


def test_control_characters_of_a_name_on_disk_are_shown_as_code_points(tmp_path: Path) -> None:
    for name in (b"new\nline.md", b"\x1b[2Jansi.md", b"bad\xff.md"):
        (tmp_path / os.fsdecode(name)).write_text("x")

    assert names(load_all(tmp_path)) == ["[U+001B][2Jansi.md", "bad[U+DCFF].md", "new[U+000A]line.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")

    assert problems([tmp_path]) == [f"{tmp_path}/pipe.md: this is not a file; give a file or a folder"]
    assert problems([Path("a\0b.md")]) == ["a[U+0000]b.md: cannot be read (embedded null byte)"]
    assert problems([tmp_path / ("n" * 5000)])[0].endswith("cannot be read (File name too long)")


def test_a_file_above_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MAX_BYTES", 4)
    (tmp_path / "a.md").write_bytes(b"12345")

    assert problems([tmp_path]) == [f"{tmp_path}/a.md: 5 bytes; at most 4 are read, so split the file"]
    assert refused_upload(b"12345") == "a.md: 5 bytes; at most 4 are read, so split the file"


def test_every_document_of_the_corpus_loads(shared: Path) -> None:
    good = [each for each in find([shared / "corpus"]) if not isinstance(each, DocumentError)]
    good = [each for each in good if not each.name.startswith("bad/")]

    for found in good:
        raw = found.path.read_bytes()
        assert decode(raw, found.name).encode() == raw.removeprefix(codecs.BOM_UTF8)
    assert len(good) > 290


def test_every_bad_document_of_the_corpus_is_refused_unless_it_has_a_mark_of_utf_16(shared: Path) -> None:
    loaded = list(load_each([shared / "corpus" / "bad"]))

    assert [each.name for each in loaded if isinstance(each, Document)] == [
        "en_utf16le_bom.md",
        "unstructured/example-docs/fake-text-utf-16.txt",
    ]
    assert len(loaded) == 11


def test_archives_are_refused_and_never_unpacked(shared: Path) -> None:
    for path in sorted((shared / "adversarial" / "archives").glob("*[zd]")):
        if path.name == "html_named.md":
            assert load(path).text.startswith("<")
        elif path.suffix in (".zip", ".md"):
            with pytest.raises(DocumentError, match=r"not text|not UTF-8"):
                load(path)
            with pytest.raises(DocumentError):
                load_bytes(path.read_bytes(), path.name)
