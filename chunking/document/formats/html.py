"""HTML to Markdown, by html-to-markdown. What the page says of itself becomes front matter."""

from __future__ import annotations

import codecs
import re

from html_to_markdown import ConversionOptions, convert

from chunking.document.conversion import Conversion, Converted
from chunking.document.loaders import named_with_versions
from chunking.errors import DocumentError
from chunking.text.display import counted, shown_text

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
_LOOKED_AT = 4096
_TOO_DEEP = "depth_limit_exceeded"
"""What the library calls its warning of elements that it passed over."""
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def to_markdown(raw: bytes) -> Converted:
    """The page's text. Raises DocumentError where it cannot be decoded, or says nothing."""
    text, encoding = _decoded(raw)
    made, lost = markdown_of(text)
    notes = [*lost] if encoding.startswith("utf") else [f"read as {encoding}", *lost]
    pictures = len(re.findall(r"<img\b", text, re.I))
    if pictures:
        notes.append(f"of {counted(pictures, 'picture')} only address and description are kept")
    return Converted(made, Conversion(named_with_versions("html-to-markdown"), (), tuple(notes)))


def markdown_of(html: str, *, metadata: bool = True) -> tuple[str, tuple[str, ...]]:
    """HTML as Markdown, with its metadata as front matter where asked for; and what was lost of
    it."""
    made = convert(html, ConversionOptions(extract_metadata=metadata))
    text, too_deep = made.content or "", any(str(each.kind) == _TOO_DEEP for each in made.warnings)
    if not text.strip():
        raise DocumentError(
            "has no text that is not nested too deeply to be read; it may be damaged"
            if too_deep
            else "has no text; a page that a script fills has to be saved from the browser"
        )
    return text, ("what is nested too deeply (about 1,000 elements) is left out",) if too_deep else ()


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
