"""Under which name an upload is a document, and which names are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from refusals import refused_upload

from chunking.document.loading import load_bytes, upload_name
from chunking.errors import DocumentError

_LONG = "a" * 300 + ".md"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("../../../etc/passwd.md", "passwd.md"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\windows\\win.ini.md", "win.ini.md"),
        ("C:\\Users\\x\\a.md", "a.md"),
        ("C:a.md", "a.md"),
        ("\\\\127.0.0.1\\share\\a.md", "a.md"),
        ("\\\\?\\C:\\file.md", "file.md"),
        ("new\nline.md", "new[U+000A]line.md"),
        ("cr\rhidden.md", "cr[U+000D]hidden.md"),
        ("\x1b[2Jansi.md", "[U+001B][2Jansi.md"),
        ("-rf.md", "-rf.md"),
        ("<img src=x onerror=alert(1)>.md", "<img src=x onerror=alert(1)>.md"),
        ("CON.md", "CON.md"),
        ("trailing. ", "trailing. "),
        (".md", ".md"),
        (".hidden.md", ".hidden.md"),
        ("README", "README"),
        ("UPPER.MD", "UPPER.MD"),
        ("x.exe.md", "x.exe.md"),
        ("Notes: today.md", "Notes: today.md"),
        ("%2e%2e%2fetc%2fpasswd.md", "%2e%2e%2fetc%2fpasswd.md"),
        ("cafe\u0301.md", "cafe\u0301.md"),
        ("👩\u200d👩\u200d👧\u200d👦.md", "👩\u200d👩\u200d👧\u200d👦.md"),
        ("{0}.md", "{0}.md"),
        ("$(touch x).md", "$(touch x).md"),
    ],
)
def test_the_name_of_an_upload_is_its_last_part_made_printable(name: str, called: str) -> None:
    assert load_bytes(b"x", name).name == called


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "'' is not the name of a file"),
        (".", "'.' is not the name of a file"),
        ("..", "'..' is not the name of a file"),
        ("dir/", "'dir/' is not the name of a file"),
        ("a\0b.md", "'a[U+0000]b.md' is not a name that every system allows"),
        ("a.md:$fake.txt", "'a.md:$fake.txt' is not a name that every system allows"),
        (_LONG, "a" * 59 + "…: a name of 303 characters; at most 255 are taken"),
        ("double.md.exe", "double.md.exe: .exe files are not supported. Supported: .md"),
        ("a.md%00.exe", "a.md%00.exe: .exe files are not supported"),
        ("fdp\u202edm.exe", "fdp[U+202E]dm.exe: .exe files are not supported"),
        ("x.<b>\n", "x.<b>[U+000A]: .<b>[U+000A] files are not supported"),
    ],
)
def test_a_name_that_no_document_has_is_refused(name: str, problem: str) -> None:
    assert refused_upload(b"x", name).startswith(problem)


def test_every_hostile_name_of_the_index_is_refused_or_leads_nowhere(shared: Path) -> None:
    index = json.loads((shared / "adversarial" / "INDEX.json").read_text())
    called = []
    for each in index["filenames"]:
        try:
            called.append(upload_name(each["name"]))
        except DocumentError as error:
            assert str(error).isprintable()  # noqa: PT017
            continue
        assert not {"/", "\\", "\0", "\n", "\r", "\x1b", "\u202e"} & set(called[-1])
    assert len(index["filenames"]) == 41
    assert len(called) == 30
