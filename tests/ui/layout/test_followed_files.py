"""A file that the app was opened with is shown, and followed while it is edited on disk."""

from __future__ import annotations

import json
import os
from itertools import count
from pathlib import Path

import pytest
from app_pages import address, html, open_page

from chunking.document.given_files import PATHS, WATCH
from chunking.text import text_hash
from pages.ui.state.followed_files import FollowedFiles

TEXT = "# Kettle\n\nwater\n\n# Steam\n\nmore water\n"
EDITED = "# Kettle\n\ncold water, and a lid\n\n# Steam\n\nmore water\n\n# Tea\n\nleaves\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "kettle.md"
    write(path, TEXT)
    monkeypatch.setenv(PATHS, json.dumps([str(path)]))
    monkeypatch.setenv(WATCH, "1")
    return path


_seconds = count(1_000_000_000)


def write(path: Path, text: str | bytes) -> None:
    """Write it as if that was long ago, each time a second later."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    then = next(_seconds)
    os.utime(path, (then, then))


def test_the_app_opens_with_the_file_and_shows_what_is_saved_without_losing_the_place(file: Path) -> None:
    app = open_page(strategy="every-heading", document=text_hash(TEXT), at=str(TEXT.index("more")))
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert "Following this file on disk." in html(app)
    write(file, EDITED)

    app.run()

    assert not app.exception
    assert "<dt>Chunks</dt><dd><b>3</b>" in html(app)
    assert address(app)["document"] == text_hash(EDITED)
    assert address(app)["at"] == str(EDITED.index("more"))
    assert app.selectbox(key="document").options.count("kettle.md") == 1


def test_a_file_is_the_first_document_that_is_shown(file: Path) -> None:
    assert address(open_page())["name"] == file.name


def test_without_watch_a_file_is_shown_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WATCH, "")
    app = open_page(strategy="every-heading")
    write(file, EDITED)

    app.run()

    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert "Following" not in html(app)


def test_a_deleted_file_is_said_and_its_last_text_stays_until_it_is_there_again(file: Path) -> None:
    app = open_page(strategy="every-heading")
    file.unlink()
    app.run()
    assert "kettle.md is not on disk any more; this is how it last was" in html(app)
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)

    write(file, EDITED)
    app.run()

    assert "not on disk" not in html(app)
    assert "<dt>Chunks</dt><dd><b>3</b>" in html(app)


@pytest.mark.parametrize("half", ["", b"# Kettle \xff\xfe", b"\x00" * 4000])
def test_what_is_half_written_is_said_and_the_last_text_stays(file: Path, half: str | bytes) -> None:
    app = open_page(strategy="every-heading")
    write(file, half)

    app.run()

    assert not app.exception
    assert "; this is how it last was" in html(app)
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)


def test_a_link_to_an_earlier_edition_shows_the_present_one(file: Path) -> None:
    write(file, EDITED)

    app = open_page(strategy="every-heading", document=text_hash(TEXT), name="kettle.md")

    assert "<dt>Chunks</dt><dd><b>3</b>" in html(app)


def test_a_file_is_read_once_it_rests(file: Path) -> None:
    followed = FollowedFiles()
    assert [source.text for _, source in followed.look()] == [TEXT]
    file.write_text(EDITED)  # now
    assert list(followed.look()) == []
    write(file, EDITED)
    assert [(key, source.text) for key, source in followed.look()] == [(text_hash(TEXT), EDITED)]
    assert list(followed.look()) == []
