"""Which format a file has: by its bytes where they tell, by its name only between formats of plain
text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

from chunking.errors import DocumentError

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIPPED = {"word/": ".docx", "ppt/": ".pptx", "xl/": ".xlsx"}
"""A folder that an Office Open XML file has, and the extension that it stands for."""
_MIMETYPES = {b"application/epub+zip": ".epub", b"application/vnd.oasis.opendocument.text": ".odt"}
BINARY = (".pdf", ".rtf", ".epub", ".odt", *_ZIPPED.values())
"""Formats that no text editor shows as text."""
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.{0,2000}?-->\s*|<\?xml.{0,200}?\?>\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_NAMES = {".pdf": "a PDF", ".docx": "a Word document", ".pptx": "a presentation", ".xlsx": "a workbook",
          ".epub": "an EPUB", ".odt": "an OpenDocument text", ".rtf": "RTF", ".html": "HTML"}  # fmt: skip


def file_type(raw: bytes, extension: str, called: str, *, text: Sequence[str]) -> str:
    """The extension that stands for a file's format: the one that its bytes tell, else its own.

    Raises DocumentError for a file whose name says another format than its bytes, where these are
    none that is read, and for one that is encrypted or of an Office before 2007. Files with the
    extensions of `text`, or with none, are text wherever their bytes are.
    """
    if extension in ("", *text) and _is_text(raw):
        return extension
    if told := _by_bytes(raw):
        return told
    if raw.startswith(_OLD_OFFICE):
        raise DocumentError(
            f"{called}: is encrypted, or of an Office before 2007; save it without a password as .docx, .pptx or .xlsx"
        )
    if extension in BINARY:
        if _HTML.match(raw):
            return ".html"
        raise DocumentError(f"{called}: is not {_NAMES[extension]}, although its name says so; {_looks_like(raw)}")
    return extension


def _is_text(raw: bytes) -> bool:
    """Whether bytes that begin as those of a format could as well be text."""
    if not raw.startswith((b"%PDF-", b"{\\rtf", b"PK\x03\x04", _OLD_OFFICE)):
        return True
    try:
        return "\0" not in raw.decode()
    except UnicodeDecodeError:
        return False


def _by_bytes(raw: bytes) -> str:
    if raw.startswith(b"%PDF-"):
        return ".pdf"
    if raw.startswith(b"{\\rtf"):
        return ".rtf"
    return _in_zip(raw) if raw.startswith(b"PK\x03\x04") else ""


def _in_zip(raw: bytes) -> str:
    """Which of the formats that are zip archives this is; "" for another archive, or a broken
    one."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                return _MIMETYPES.get(archive.read("mimetype").strip(), "")
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        return ""
    if "[Content_Types].xml" not in names:
        return ""
    return next((extension for folder, extension in _ZIPPED.items() if any(n.startswith(folder) for n in names)), "")


def _looks_like(raw: bytes) -> str:
    if not raw:
        return "it is empty"
    return "it is damaged, or cut off" if raw.startswith(b"PK") else "save it again in that format, or rename it"
