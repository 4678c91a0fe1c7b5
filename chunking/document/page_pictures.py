"""Pictures of a PDF's pages, and where on a page a stretch of its text is. Drawn in a process of
its own with limits, as files are converted."""

from __future__ import annotations

import unicodedata
from base64 import b64decode
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from chunking.document.converting import Limits, apart
from chunking.errors import DocumentError
from chunking.runtime.extras import missing

_FUNCTION = "chunking.document.formats.pdf_page:to_picture"
_LIMITS = Limits(seconds=20, megabytes=1024)
_PIECE = 14
"""Letters in a row by which a place on the page is found."""
_STEP = 5

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in thousandths of the picture."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page as it looks."""

    png: bytes
    width: int
    height: int
    """Pixels."""
    pages: int
    """How many there are."""
    letters: str
    """Letters and digits in the order of the file."""
    boxes: tuple[Box, ...]
    """Of each of them."""


def page_picture(raw: bytes, page: int, called: str) -> PagePicture:
    """The page with this number, from 1. `called` opens the message. Raises DocumentError, one
    line: it cannot be drawn, or went past a limit."""
    if absent := missing("documents"):
        raise DocumentError(f"{called}: {absent}")
    said = apart(raw, _FUNCTION, called, "the picture of a page", str(page), limits=_LIMITS)
    numbers = cast("list[int]", said["boxes"])
    return PagePicture(
        png=b64decode(cast(str, said["png"])),
        width=cast(int, said["width"]),
        height=cast(int, said["height"]),
        pages=cast(int, said["pages"]),
        letters=cast(str, said["letters"]),
        boxes=tuple(zip(*(iter(numbers),) * 4, strict=True)),
    )


def regions(picture: PagePicture, text: str) -> tuple[Box, ...]:
    """Where this text, of the page's Markdown, is on the page: a box for each line; none where it
    is not found."""
    found = sorted(_found(picture.letters, folded(text)))
    lines: list[Box] = []
    for before, at in pairwise([-2, *found]):
        box = picture.boxes[at]
        if lines and at == before + 1 and _beside(lines[-1], box):
            last = lines[-1]
            box = (min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
            lines[-1] = box
        else:
            lines.append(box)
    return tuple(lines)


def _beside(line: Box, box: Box) -> bool:
    """Whether a letter goes on in the line: at its height, and not far from its end."""
    height = max(line[3] - line[1], box[3] - box[1], 1)
    same = box[1] < line[3] and box[3] > line[1]
    return same and line[0] - height <= box[0] <= line[2] + 6 * height


def _found(letters: str, wanted: str) -> set[int]:
    """Which letters of the page the wanted ones are: by pieces, each after the one before it where
    it stands there, else anywhere."""
    found: set[int] = set()
    at = reached = 0
    while at < len(wanted):
        piece = wanted[at : at + _PIECE]
        if len(piece) < _PIECE and at:
            # The end, which is too short to be known by itself: only right behind what was found.
            found.update(range(reached, reached + len(piece)) if letters.startswith(piece, reached) else ())
            break
        place = letters.find(piece, reached)
        place = letters.find(piece) if place < 0 else place
        if place < 0:
            at += _STEP
            continue
        while at and place and wanted[at - 1] == letters[place - 1] and place - 1 not in found:
            at, place = at - 1, place - 1
        end = 0
        while at + end < len(wanted) and place + end < len(letters) and wanted[at + end] == letters[place + end]:
            end += 1
        found.update(range(place, place + end))
        at, reached = at + end, place + end
    return found


def folded(text: str) -> str:
    """The letters and digits of a text, ligatures taken apart: what a page and its Markdown have in
    common."""
    return "".join(each for each in unicodedata.normalize("NFKC", text) if each.isalnum())
