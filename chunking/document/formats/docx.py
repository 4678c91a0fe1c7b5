"""Word documents to Markdown: mammoth reads styles as HTML, html-to-markdown writes it."""

from __future__ import annotations

import io
import re
import zipfile

import mammoth

from chunking.document.conversion import Conversion, Converted
from chunking.document.formats.html import markdown_of
from chunking.document.loaders import named_with_versions
from chunking.errors import DocumentError
from chunking.text.display import counted, shown_text

_STYLES = r"""
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Source Code'] => pre:separator('\n')
p[style-name='HTML Preformatted'] => pre:separator('\n')
p[style-name='Code'] => pre:separator('\n')
p[style-name='macro'] => pre:separator('\n')
p[style-name='Block Text'] => blockquote > p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='List Bullet'] => ul > li:fresh
p[style-name='List Bullet 2'] => ul|ol > li > ul > li:fresh
p[style-name='List Number'] => ol > li:fresh
p[style-name='List Number 2'] => ul|ol > li > ol > li:fresh
r[style-name='Verbatim Char'] => code
"""
"""What Word's own styles and those of other writers stand for, where mammoth does not know it."""
_FORMULA = re.compile(rb"<m:oMath[ >]")
_COMMENT = re.compile(rb"<w:commentReference\b")
_LARGEST_PART = 256 << 20
"""Bytes of the document's XML."""


def to_markdown(raw: bytes) -> Converted:
    """The document's text. Raises DocumentError for a file that is damaged or has no text."""
    pictures = 0

    def left_out(_: object) -> dict[str, str]:
        nonlocal pictures
        pictures += 1
        return {"src": ""}

    try:
        xml = _document_xml(raw)
        made = mammoth.convert_to_html(
            io.BytesIO(raw), style_map=_STYLES, convert_image=mammoth.images.img_element(left_out)
        )
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, EOFError) as error:
        raise DocumentError(f"cannot be read as a Word document ({shown_text(str(error), 200)})") from None
    text, lost = markdown_of(re.sub(r"<img\b[^>]*>", "", made.value), metadata=False)
    notes = [
        f"{counted(count, one)} left out"
        for count, one in (
            (pictures, "picture"),
            (len(_FORMULA.findall(xml)), "formula"),
            (len(_COMMENT.findall(xml)), "comment"),
        )
        if count
    ]
    return Converted(
        text, Conversion(named_with_versions("mammoth", "html-to-markdown"), (), (*notes, *lost, "it has no pages"))
    )


def _document_xml(raw: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        if archive.getinfo("word/document.xml").file_size > _LARGEST_PART:
            raise DocumentError(f"has a text of more than {_LARGEST_PART >> 20} MB; split it")
        return archive.read("word/document.xml")
