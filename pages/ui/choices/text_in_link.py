"""A small text inside a link: compressed, behind the `#`, which no browser sends to a server with
a request. No Streamlit.

Written only where somebody asks for it. Read with bounds: a link comes from anybody.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from chunking.errors import ChunkscopeError, DocumentError
from chunking.text import refuse_binary, text_hash

LARGEST_PACKED = 32_000
"""Bytes that a text may have once it is compressed."""
LARGEST_TEXT = 1_000_000
"""Bytes that a text may have before, and that are made of a link at most."""
LONGEST = 4 * LARGEST_PACKED // 3 + 8
"""Characters of a packed text."""
_FORMAT = "1."
_PACKED = re.compile(r"1\.[A-Za-z0-9_-]+")


def packed(text: str) -> str:
    """The text as a link holds it; "" where it is too large for one."""
    raw = text.encode() if len(text) <= LARGEST_TEXT else b""
    small = zlib.compress(raw, 9) if 0 < len(raw) <= LARGEST_TEXT else b""
    if not small or len(small) > LARGEST_PACKED:
        return ""
    return _FORMAT + base64.urlsafe_b64encode(small).decode().rstrip("=")


def unpacked(written: str, wanted: str) -> str:
    """The text that a link holds, which is the one with the sha256 `wanted`. Raises DocumentError,
    one line."""
    if len(written) > LONGEST:
        raise _wrong(f"it has more than {LONGEST:,} characters")
    if not _PACKED.fullmatch(written):
        raise _wrong("it is not written as Chunkscope writes it")
    encoded = written.removeprefix(_FORMAT)
    unpacking = zlib.decompressobj()
    try:
        raw = unpacking.decompress(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)), LARGEST_TEXT + 1)
        text = raw.decode()
    except (zlib.error, binascii.Error, ValueError) as error:
        raise _wrong("it is damaged, or was cut off on its way") from error
    if len(raw) > LARGEST_TEXT:
        raise _wrong(f"it would have more than {LARGEST_TEXT:,} bytes")
    if not unpacking.eof:
        raise _wrong("it is damaged, or was cut off on its way")
    if text_hash(text) != wanted:
        raise _wrong("it is not the text that the link is about")
    try:
        refuse_binary(text, "the text in the link")
    except ChunkscopeError as error:
        raise DocumentError(str(error)) from error
    return text


def _wrong(why: str) -> DocumentError:
    return DocumentError(f"the text in the link cannot be opened: {why}; ask for the link again, or add the document")
