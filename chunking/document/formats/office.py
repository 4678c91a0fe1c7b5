"""Presentations, workbooks, EPUB, OpenDocument, RTF, reStructuredText and LaTeX to Markdown, by
kreuzberg."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import accumulate

from kreuzberg import ExtractionConfig, KreuzbergError, PageConfig, extract_bytes_sync

from chunking.document.conversion import Conversion, Converted
from chunking.document.loaders import named_with_versions
from chunking.errors import DocumentError
from chunking.text.display import shown_text

_OFFICE = "application/vnd.openxmlformats-officedocument"


def pptx_to_markdown(raw: bytes) -> Converted:
    """A presentation; its pages are its slides."""
    return _converted(
        raw,
        f"{_OFFICE}.presentationml.presentation",
        "pictures and notes of speakers are left out, and marks of lists may be",
        pages=True,
    )


def xlsx_to_markdown(raw: bytes) -> Converted:
    """A workbook: a heading and a table for each sheet."""
    return _converted(
        raw, f"{_OFFICE}.spreadsheetml.sheet", "of formulas only the results are kept, where they were saved"
    )


def epub_to_markdown(raw: bytes) -> Converted:
    return _converted(raw, "application/epub+zip", "pictures are left out")


def odt_to_markdown(raw: bytes) -> Converted:
    return _converted(
        raw, "application/vnd.oasis.opendocument.text", "numbers of lists and marks of code and quotes are lost"
    )


def rtf_to_markdown(raw: bytes) -> Converted:
    return _converted(
        raw, "application/rtf", "marks of code and quotes are lost, and lists are guessed from their marks", lists=True
    )


def rst_to_markdown(raw: bytes) -> Converted:
    return _converted(raw, "text/x-rst", "roles and directives are left out, except code")


def tex_to_markdown(raw: bytes) -> Converted:
    return _converted(raw, "application/x-latex", "commands of one's own are left out")


def _converted(raw: bytes, kind: str, note: str, *, pages: bool = False, lists: bool = False) -> Converted:
    """What kreuzberg makes of a file. Raises DocumentError for one that it cannot read."""
    mark = sha256(raw).hexdigest()  # which no file can have in it
    config = ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        output_format="markdown",
        pages=PageConfig(insert_page_markers=True, marker_format=f"\n\n{mark}\n\n") if pages else None,
    )
    try:
        made = extract_bytes_sync(raw, kind, config)
    except (KreuzbergError, ValueError, RuntimeError) as error:
        raise DocumentError(f"cannot be read ({shown_text(' '.join(str(error).split()), 200)})") from None
    pieces = [f"{_with_bold(each.strip())}\n\n" for each in made.content.split(mark)[1:]] if pages else [made.content]
    texts = [_EMPTY_LINK.sub("", each) for each in pieces]
    text = _with_lists(texts[0]) if lists else "".join(texts)
    if not text.strip():
        raise DocumentError("has no text")
    starts = tuple(accumulate(map(len, texts[:-1]), initial=0)) if pages else ()
    notes = (note, *(str(each.message) for each in made.processing_warnings))
    return Converted(text, Conversion(named_with_versions("kreuzberg"), starts, notes))


_BOLD = re.compile(r"\\\*\\\*\s*(\S[^\n]*?)\s*\\\*\\\*")
"""What kreuzberg makes of bold words of a slide."""
_EMPTY_LINK = re.compile(r"(?<!!)\[\]\(#[^()\s]*\)")
"""What lines of code are marked with in some EPUBs."""
_BULLET = re.compile(r"^[•◦▪‣–] +", re.M)
_NUMBER = re.compile(r"^(\d{1,9})\\([.)]) +", re.M)


def _with_bold(text: str) -> str:
    return _BOLD.sub(r"**\1**", text)


def _with_lists(text: str) -> str:
    """Paragraphs that begin with a mark or a number as items of a list."""
    return _NUMBER.sub(r"\1\2 ", _BULLET.sub("- ", text))
