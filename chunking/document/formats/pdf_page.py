"""A page of a PDF as a picture, by pypdfium2, with the place of every letter on it. Runs in a
process of its own."""

from __future__ import annotations

import io
from base64 import b64encode

import pypdfium2
from pypdfium2 import raw as pdfium

from chunking.document.page_pictures import folded
from chunking.errors import DocumentError

_WIDTH, _HEIGHT = 1000, 2400
"""Pixels that a picture has at most."""
_MOST_CHARACTERS = 50_000
"""Of a page, whose places are given."""


def to_picture(raw: bytes, number: str) -> dict[str, object]:
    """The page with this number, from 1: `png` in base64, `width` and `height` in pixels, `pages`
    in all; `letters`, letters and digits in the order of the file, and `boxes` with left, top,
    right and bottom of each, in thousandths of the picture. Raises DocumentError."""
    try:
        with pypdfium2.PdfDocument(raw) as document:
            count, wanted = len(document), int(number)
            if not 1 <= wanted <= count:
                raise DocumentError(f"has {count} pages, and no page {wanted}")
            return {**_drawn(document[wanted - 1]), "pages": count}
    except pypdfium2.PdfiumError:
        raise DocumentError("cannot be drawn; it is encrypted or damaged") from None


def _drawn(page: pypdfium2.PdfPage) -> dict[str, object]:
    width, height = page.get_size()
    if not (0 < width < 1e6 and 0 < height < 1e6):
        raise DocumentError("has a page without a size that can be drawn")
    bitmap = page.render(scale=min(_WIDTH / width, _HEIGHT / height), may_draw_forms=False)
    picture = io.BytesIO()
    bitmap.to_pil().convert("RGB").save(picture, "PNG")  # Pillow comes with Streamlit, and pictures are the app's
    letters, boxes = _letters(page, bitmap)
    return {
        "png": b64encode(picture.getvalue()).decode("ascii"),
        "width": bitmap.width,
        "height": bitmap.height,
        "letters": letters,
        "boxes": boxes,
    }


def _letters(page: pypdfium2.PdfPage, bitmap: pypdfium2.PdfBitmap) -> tuple[str, list[int]]:
    text = page.get_textpage()
    place = bitmap.get_posconv(page)
    letters, boxes = [], list[int]()
    for at in range(min(text.count_chars(), _MOST_CHARACTERS)):
        found = folded(chr(pdfium.FPDFText_GetUnicode(text, at) % 0x110000))
        if not found:
            continue
        left, bottom, right, top = text.get_charbox(at)
        (x, y), (to_x, to_y) = place.to_bitmap(left, top), place.to_bitmap(right, bottom)
        across, down = sorted((x, to_x)), sorted((y, to_y))
        box = (across[0] / bitmap.width, down[0] / bitmap.height, across[1] / bitmap.width, down[1] / bitmap.height)
        for letter in found:
            letters.append(letter)
            boxes.extend(min(1000, max(0, round(1000 * each))) for each in box)
    return "".join(letters), boxes
