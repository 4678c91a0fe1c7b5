"""The panel with a PDF's page: which documents have it, and its pictures, drawn beside the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chunking.document import Conversion, PagePicture
from chunking.runtime.extras import missing
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_uploads
from pages.ui.inspect.page_jobs import picture_of
from pages.ui.inspect.page_panel import has_pictures

FILES = Path(__file__).resolve().parents[2] / "document" / "files"
pytestmark = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))


def drawn(source: Source, page: int) -> PagePicture | str | None:
    """What comes of a page; each look waits a quarter of a second."""
    return next((found for _ in range(200) if (found := picture_of(source, page)) is not None), None)


def test_an_uploaded_pdf_has_pictures_which_are_drawn_once() -> None:
    (source,), refused = read_uploads([Upload("a.pdf", (FILES / "typst.pdf").read_bytes())])
    first = drawn(source, 1)

    assert (refused, has_pictures(source)) == ([], True)
    assert isinstance(first, PagePicture)
    assert picture_of(source, 1) is first
    assert drawn(source, 9) == "a.pdf: has 2 pages, and no page 9"


def test_of_a_kept_document_only_the_text_is_there_and_other_formats_have_no_pictures() -> None:
    plain = Source("a.md", "a.md", "# A\n")
    kept = replace(plain, conversion=Conversion("pdf-inspector 1.0", (0, 2)))
    slides = replace(plain, conversion=Conversion("kreuzberg 4.0", (0, 2)))

    assert [has_pictures(each) for each in (plain, kept, slides)] == [False, True, False]
