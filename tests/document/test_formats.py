"""Real files of each format: what a reader wants of them is in the Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import load
from chunking.document.formats.page_starts import page_starts
from chunking.document.loading import load_bytes
from chunking.errors import DocumentError
from chunking.runtime.extras import missing

FILES = Path(__file__).parent / "files"
converts = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))


@converts
def test_a_pdf_has_its_headings_its_table_and_its_pages() -> None:
    document = load(FILES / "typst.pdf")

    assert [heading.title for heading in document.headings][:3] == ["Kettle guide", "Fill the kettle", "Boil it"]
    assert "|large|4|2000|" in document.text
    assert document.conversion is not None
    first, second = document.conversion.page_starts
    assert (first, document.text[second:].splitlines()[0]) == (0, "### From a program")


@converts
def test_a_pdf_that_is_cut_off_is_one_line() -> None:
    with pytest.raises(DocumentError, match=r"^a\.pdf: cannot be read as a PDF \(Invalid PDF structure\)"):
        load_bytes((FILES / "typst.pdf").read_bytes()[:9000], "a.pdf")


def test_pages_are_found_by_what_only_they_say() -> None:
    pages = [
        "Running head\n\nThe first page speaks of tea and of nothing else.",
        "# Running head\n\n## Milk\n\nThe second page speaks of milk and how to warm it.",
        "Running head\n\nThe third page speaks of sugar, brown and white.",
    ]
    text = (
        "Running head\n\nThe first page speaks of tea and of nothing else.\n\n"
        "## Milk\n\nThe second page speaks of milk and how to warm it. The third page speaks of sugar, brown and white."
    )

    starts, guessed = page_starts(text, pages)

    assert [text[start:].split()[:3] for start in starts] == [
        ["Running", "head", "The"],
        ["##", "Milk", "The"],
        ["The", "third", "page"],
    ]
    assert guessed == []


def test_a_page_that_says_nothing_of_its_own_begins_where_the_next_one_does() -> None:
    starts, guessed = page_starts(
        "Tea is green or black.\n\nMilk is white.", ["Tea is green or black.", "of", "Milk is white."]
    )

    assert starts == (0, 24, 24)
    assert guessed == [2]
