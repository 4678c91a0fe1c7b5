"""PDF to Markdown, by pdf-inspector: text, headings by their size, tables by how they are laid
out. A page that is an image has no text, and is said."""

from __future__ import annotations

from collections.abc import Sequence

import pdf_inspector

from chunking.document.conversion import Conversion, Converted
from chunking.document.formats.page_starts import page_starts, without_an_edge
from chunking.document.loaders import named_with_versions
from chunking.errors import DocumentError
from chunking.text.display import counted, shown_text

_MOST_PAGES = 12
"""Pages that a note names."""


def to_markdown(raw: bytes) -> Converted:
    """The document's text and pages. Raises DocumentError: encrypted, damaged, or images only."""
    try:
        made = pdf_inspector.process_pdf_bytes(raw)
        pages = pdf_inspector.extract_pages_markdown_bytes(raw).pages
    except ValueError as error:
        raise DocumentError(_refusal(str(error))) from None
    text = made.markdown or ""
    if not text.strip():
        raise DocumentError(
            f"has no text: {counted(made.page_count, 'page')} of images, or empty; run OCR over it first"
        )
    texts = [page.markdown or _one_page(raw, page.page + 1) for page in pages]
    starts, guessed = page_starts(text, texts)
    notes = [*_notes(made, texts, guessed)]
    if lacking := without_an_edge(text, starts, texts):
        notes.append(f"what seems to be a running head or foot is left out: {_named(lacking)}")
    return Converted(text, Conversion(named_with_versions("pdf-inspector"), starts, tuple(notes)))


def _one_page(raw: bytes, page: int) -> str:
    """A page's text where it is not sure to be right, which the library leaves out at first."""
    return pdf_inspector.process_pdf_bytes(raw, [page]).markdown or ""


def _refusal(said: str) -> str:
    if "encrypt" in said.lower() or "password" in said.lower():
        return "is encrypted; save it without a password"
    return f"cannot be read as a PDF ({shown_text(said, 200)}); it may be damaged or cut off"


def _notes(made: pdf_inspector.PdfResult, pages: Sequence[str], guessed: Sequence[int]) -> list[str]:
    notes = []
    if empty := [number for number, text in enumerate(pages, 1) if not text.strip()]:
        notes.append(f"no text on {_named(empty)}: an image, or empty")
    unread = sum(gap.unmapped for gap in made.cmap_gaps)
    if unread:
        notes.append(f"{counted(unread, 'character')} could not be read: their fonts do not say which they are")
    if made.pages_with_tables:
        notes.append(f"tables are guessed from where their words stand: {_named(made.pages_with_tables)}")
    if made.pages_with_columns:
        notes.append(f"the order of columns is guessed: {_named(made.pages_with_columns)}")
    if "```" in (made.markdown or ""):
        notes.append("code has lost its indentation")
    notes.append("headings are guessed from the size of their letters")
    if guessed:
        notes.append(f"where a page begins is guessed: {_named(guessed)}")
    return notes


def _named(pages: Sequence[int]) -> str:
    more = f" and {len(pages) - _MOST_PAGES} more" if len(pages) > _MOST_PAGES else ""
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(map(str, pages[:_MOST_PAGES]))}{more}"
