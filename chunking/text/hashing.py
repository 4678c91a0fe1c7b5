"""What a text is known by: its sha256, the same for a document, a source and the marks of both."""

from __future__ import annotations

from hashlib import sha256


def text_hash(text: str) -> str:
    """sha256, in hex, of the text as UTF-8; lone surrogates, which UTF-8 excludes, are encoded as
    they are."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
