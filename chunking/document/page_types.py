"""What a server says that a page is, as the extension that stands for it, and its text in UTF-8."""

from __future__ import annotations

import codecs
import re
from email.message import Message
from urllib.parse import unquote

from chunking.document.loaders import EXTENSIONS, extension_of, is_read, not_installed
from chunking.document.source_files import SOURCE_EXTENSIONS
from chunking.errors import DocumentError
from chunking.text.display import shown_text

_OFFICE = "application/vnd.openxmlformats-officedocument"
_TYPES = {
    **dict.fromkeys(("text/html", "application/xhtml+xml"), ".html"),
    **dict.fromkeys(("text/markdown", "text/x-markdown"), ".md"),
    **dict.fromkeys(("application/pdf", "application/x-pdf"), ".pdf"),
    f"{_OFFICE}.wordprocessingml.document": ".docx",
    f"{_OFFICE}.presentationml.presentation": ".pptx",
    f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/epub+zip": ".epub",
    **dict.fromkeys(("application/rtf", "text/rtf"), ".rtf"),
    "application/x-ipynb+json": ".ipynb",
    **dict.fromkeys(("text/x-rst", "text/prs.fallenstein.rst"), ".rst"),
    **dict.fromkeys(("application/x-tex", "application/x-latex", "text/x-tex"), ".tex"),
    **dict.fromkeys(("text/asciidoc", "text/x-asciidoc"), ".adoc"),
}
_ANY = ("", "text/plain", "application/octet-stream", "binary/octet-stream", "application/json")
"""Types under which servers send files of any kind: the address tells more."""
_TEXTS = (*EXTENSIONS, "", ".html", ".rst", ".tex", ".adoc")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def extension_for(content_type: str, path: str) -> str:
    """The extension that stands for the type that a server names, by the address's path where that
    says more; "" for text. Raises DocumentError for a type that is not read, without the
    address."""
    named, _ = _parsed(content_type)
    if extension := _TYPES.get(named):
        return extension
    by_path = extension_of(unquote(path))
    known = is_read(by_path) or by_path in SOURCE_EXTENSIONS or bool(not_installed(by_path))
    if (named in _ANY or named.startswith("text/")) and known:
        return by_path
    if named == "text/plain" or (named.startswith("text/") and named != "text/css"):
        return ""
    said = f"is sent as {shown_text(named, 60)}" if named else "is sent without a type"
    raise DocumentError(f"{said}, which no loader reads; read are HTML, Markdown, text, PDF and the formats of files")


def in_utf8(raw: bytes, content_type: str, extension: str) -> bytes:
    """A text in the encoding that the server names, in UTF-8 and marked so where the text could say
    something else; anything else as it is. Raises DocumentError, without the address."""
    _, encoding = _parsed(content_type)
    is_text = extension in _TEXTS or extension in SOURCE_EXTENSIONS
    if not encoding or not is_text or raw.startswith(_MARKS):
        return raw
    try:
        plain = codecs.lookup(encoding).name in ("utf-8", "ascii")
        if plain and extension != ".html":
            return raw
        return raw.decode(encoding).encode("utf-8-sig")
    except UnicodeError:
        raise DocumentError(f"is not in the encoding {shown_text(encoding, 40)}, which its server names") from None
    except (LookupError, ValueError):
        raise DocumentError(f"is sent in the encoding {shown_text(encoding, 40)}, which there is not") from None


def _parsed(content_type: str) -> tuple[str, str]:
    """The type in lower case, and the encoding that is named; each "" where there is none."""
    header = Message()
    header["Content-Type"] = re.sub(r"[^\x20-\x7e]", "", content_type)[:200] or "none"
    encoding = header.get_param("charset")
    named = content_type.partition(";")[0].strip().lower()
    return named, encoding.strip() if isinstance(encoding, str) else ""
