"""Real files of each format: what a reader wants of them is in the Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import load
from chunking.document.formats import asciidoc
from chunking.document.formats.page_starts import page_starts, without_an_edge
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
def test_what_survives_of_real_files_is_what_the_docs_say() -> None:
    import what_survives

    assert what_survives.table() in what_survives.PAGE.read_text("utf-8")


ASCIIDOC = """\
= Kettle *guide*
Ann Author
:size: large

// a comment
[[intro]]
== Intro to `code` & <<other,that>>

Bold *b*, _it_, `+mono*+`, https://x.example[link], #12 and #13, C++, a_b_c, {size} {unknown} +
next.

NOTE: Take care.

[WARNING]
====
Inside *this*.
====

|===
|A |B

2+|wide
a|x
|y\\|z
|===

* item
+
[source,ruby]
----
puts 1
----
. number
.. deeper

include::/etc/passwd[]
"""


def test_asciidoc_becomes_markdown_and_includes_nothing() -> None:
    made = asciidoc.to_markdown(ASCIIDOC.encode())

    for piece in (
        "# Kettle **guide**\n\nAnn Author\n\n## Intro to `code` & [that](#other) {#intro}\n",
        "Bold **b**, *it*, `mono*`, [link](https://x.example), #12 and #13, C++, a_b_c, large {unknown}\\\nnext.",
        "> **Note:** Take care.\n\n> **Warning:**\n>\n> Inside **this**.\n",
        "| A | B |\n| --- | --- |\n| wide |  |\n| x | y\\|z |\n",
        "- item\n\n  ```ruby\n  puts 1\n  ```\n  1. number\n     1. deeper\n",
        "`include::/etc/passwd[]`",
    ):
        assert piece in made.text
    assert made.conversion.notes == (
        "1 include not included; its path stands in its place",
        "1 comment left out",
        "1 attribute set, and not shown",
    )


@pytest.mark.parametrize(
    "text",
    ["====\n" * 4000, "*" * 60_000, "|===\n" + "|" * 60_000, "<<" * 40_000, "`" * 50_001, "+++" * 30_000,
     "a::" * 30_000, "* a\n+\n" * 8000, "[" * 60_000, "#" * 50_001, ":a: {a}{a}\n" * 5000, "\r\v\x85\u2028",
     "image::" * 9000, "_a " * 20_000, "*a " * 20_000, "#a " * 20_000, "link:a" * 9000],
)  # fmt: skip
def test_hostile_asciidoc_is_read_in_time(text: str) -> None:
    made = asciidoc.to_markdown(text.encode())

    assert len(made.text) < 20 * len(text) + 100


def test_no_cell_of_a_wide_table_in_asciidoc_is_lost() -> None:
    cells = "".join(f"|c{number} " for number in range(1200))
    made = asciidoc.to_markdown(f"|===\n{cells}\n|===\n".encode())

    assert [f"c{number} |" for number in range(1200) if f"| c{number} |" not in made.text] == []


@converts
def test_a_page_says_what_is_nested_too_deeply_to_be_read() -> None:
    deep = "<div>" * 1500 + "deep" + "</div>" * 1500
    document = load_bytes(f"<p>before</p>{deep}<p>after</p>".encode(), "a.html")

    assert ("before" in document.text, "after" in document.text, "deep" in document.text) == (True, True, False)
    assert document.conversion is not None
    assert document.conversion.notes == ("what is nested too deeply (about 1,000 elements) is left out",)
    with pytest.raises(DocumentError, match=r"^a\.html: has no text that is not nested too deeply to be read"):
        load_bytes(deep.encode(), "a.html")


@converts
def test_slides_are_pages() -> None:
    from chunking.document.formats.office import pptx_to_markdown

    made = pptx_to_markdown((FILES / "python-pptx.pptx").read_bytes())

    assert [made.text[start:].splitlines()[0] for start in made.conversion.page_starts] == [
        "## Kettle guide",
        "## Fill the kettle",
        "## Boil it",
    ]


@converts
def test_a_notebook_shows_what_its_code_printed_and_says_that_pictures_are_left_out() -> None:
    from chunking.document.formats.notebook import to_markdown

    made = to_markdown((FILES / "by-hand.ipynb").read_bytes())

    assert "```text\nclick\n```" in made.text
    assert made.conversion.notes == ("1 picture of outputs left out",)
    for wrong in (b"", b"[]", b'{"cells": 3}', b"[" * 100_000):
        with pytest.raises(DocumentError, match="is not a notebook"):
            to_markdown(wrong)


@converts
def test_a_page_is_decoded_as_it_declares_itself() -> None:
    from chunking.document.formats.html import to_markdown

    made = to_markdown('<html><meta charset="windows-1252"><p>Größe</p>'.encode("cp1252"))

    assert "Größe" in made.text
    assert made.conversion.notes == ("read as windows-1252",)
    for wrong, said in (
        (b'<meta charset="klingon"><p>x', "declares the encoding klingon, which there is not"),
        (b"<p>Gr\xf6", "byte 5 is not utf-8"),
        (b"<script>draw()</script>", "has no text"),
    ):
        with pytest.raises(DocumentError, match=said):
            to_markdown(wrong)


@converts
def test_a_word_document_that_unpacks_to_too_much_or_is_damaged_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunking.document.formats import docx

    raw = (FILES / "pandoc.docx").read_bytes()
    with pytest.raises(DocumentError, match="cannot be read as a Word document"):
        docx.to_markdown(raw[:5000])
    monkeypatch.setattr(docx, "_LARGEST_PART", 100)
    with pytest.raises(DocumentError, match="has a text of more than"):
        docx.to_markdown(raw)


@converts
@pytest.mark.parametrize("name", ["pandoc.epub", "pandoc.odt", "pandoc.pptx", "openpyxl.xlsx"])
def test_a_file_that_is_cut_off_is_one_line(name: str) -> None:
    from chunking.document.formats import office

    raw = (FILES / name).read_bytes()
    with pytest.raises(DocumentError, match=r"^(cannot be read \(|has no text)"):
        getattr(office, f"{name.rpartition('.')[2]}_to_markdown")(raw[: len(raw) // 2])


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


def test_pages_whose_running_heads_are_gone_are_found() -> None:
    text = "# Tea 1\n\nFill the kettle.\n\n" + "Wait for the click. " * 30 + "\n\nPour it.\n"
    pages = [
        "# Tea 1\n\nFill the kettle.\n",
        "# Tea 2\n\n" + "Wait for the click. " * 30,
        "Pour it.\n\n**Tea house**\n",
    ]

    assert without_an_edge(text, (0, 27, text.index("Pour")), pages) == [2, 3]
    assert without_an_edge(text, (0, 27), ["**Tea** 1\nFill the\nkettle.", "\n"]) == []


def test_a_page_that_says_nothing_of_its_own_begins_where_the_next_one_does() -> None:
    starts, guessed = page_starts(
        "Tea is green or black.\n\nMilk is white.", ["Tea is green or black.", "of", "Milk is white."]
    )

    assert starts == (0, 24, 24)
    assert guessed == [2]
