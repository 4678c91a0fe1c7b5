"""HTML to Markdown, by html-to-markdown. What the page says of itself becomes front matter."""

from __future__ import annotations

import codecs
import re
from importlib.metadata import version

from html_to_markdown import ConversionOptions, convert

from chunking.document.conversion import Conversion, Converted
from chunking.errors import DocumentError
from chunking.text.display import counted, shown_text

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
_LOOKED_AT = 4096
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def to_markdown(raw: bytes) -> Converted:
    """The page's text. Raises DocumentError where it cannot be decoded, or says nothing."""
    text, encoding = _decoded(raw)
    made = markdown_of(text)
    notes = [] if encoding.startswith("utf") else [f"read as {encoding}"]
    pictures = len(re.findall(r"<img\b", text, re.I))
    if pictures:
        notes.append(f"of {counted(pictures, 'picture')} only address and description are kept")
    return Converted(made, Conversion(loader(), (), tuple(notes)))


def loader() -> str:
    """The library with its version."""
    return f"html-to-markdown {version('html-to-markdown')}"


def markdown_of(html: str, *, metadata: bool = True) -> str:
    """HTML as Markdown, with its metadata as front matter where asked for."""
    text = convert(html, ConversionOptions(extract_metadata=metadata)).content or ""
    if not text.strip():
        raise DocumentError("has no text; a page that a script fills has to be saved from the browser")
    return text


def _decoded(raw: bytes) -> tuple[str, str]:
    """By its byte order mark, else as it declares itself, else as UTF-8."""
    declared = _DECLARED.search(raw[:_LOOKED_AT])
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "")
    encoding = encoding or (declared[1].decode("ascii").lower() if declared else "utf-8")
    try:
        return raw.decode(encoding), encoding
    except LookupError:
        raise DocumentError(f"declares the encoding {shown_text(encoding, 40)}, which there is not") from None
    except UnicodeDecodeError as error:
        raise DocumentError(f"byte {error.start} is not {encoding}; save the page as UTF-8") from None
