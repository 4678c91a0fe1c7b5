"""Pictures of a PDF's pages, and where a text is on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import load
from chunking.document.page_pictures import PagePicture, page_picture, regions
from chunking.errors import DocumentError
from chunking.runtime.extras import missing

FILES = Path(__file__).parent / "files"
converts = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))


def written(*lines: str) -> PagePicture:
    """A page whose letters are ten thousandths wide and twenty high, a line every thirty."""
    letters = [(each, 10 * at, 30 * line) for line, text in enumerate(lines) for at, each in enumerate(text)]
    boxes = tuple((x, y, x + 10, y + 20) for _, x, y in letters)
    return PagePicture(b"", 1, 1, 1, "".join(each for each, _, _ in letters), boxes)


def test_a_text_is_found_line_by_line_whatever_marks_and_blanks_it_has_in_markdown() -> None:
    page = written("kettleguideforeverybody", "fillitwithcoldwater", "andthenpresstheswitch")

    assert regions(page, "**Fill**... fill it with [cold] water\n") == ((0, 30, 190, 50),)
    assert regions(page, "water and then press the switch") == ((140, 30, 190, 50), (0, 60, 210, 80))
    assert regions(page, "something else altogether, of which the page knows nothing") == ()
    assert regions(page, "") == regions(written(), "kettle guide for everybody") == ()


def test_a_ligature_is_its_letters() -> None:
    assert regions(written("finallyoffice"), "\ufb01nally o\ufb03ce") == ((0, 0, 130, 20),)


@converts
def test_a_page_is_drawn_and_its_chunks_are_found_on_it() -> None:
    raw = (FILES / "typst.pdf").read_bytes()
    document = load(FILES / "typst.pdf")
    second = page_picture(raw, 2, "a.pdf")
    assert document.conversion is not None
    start = document.conversion.page_starts[1]
    (heading, *_) = regions(second, document.text[start:].splitlines()[0])

    assert second.png.startswith(b"\x89PNG")
    assert (second.pages, second.width <= 1001, len(second.letters)) == (2, True, len(second.boxes))
    assert heading[1] < 150
    assert heading[2] - heading[0] > 100
    assert len(regions(second, document.text[start:])) >= 8


@converts
@pytest.mark.parametrize(
    ("raw", "page", "said"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\n", 1, "a.pdf: cannot be drawn; it is encrypted or damaged"),
        (b"", 1, "a.pdf: cannot be drawn"),
        (None, 3, "a.pdf: has 2 pages, and no page 3"),
        (None, 0, "a.pdf: has 2 pages, and no page 0"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(raw: bytes | None, page: int, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        page_picture((FILES / "typst.pdf").read_bytes() if raw is None else raw, page, "a.pdf")
