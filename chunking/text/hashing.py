"""What a text is known by: its sha256, the same for a document, a source and the marks of both."""

from __future__ import annotations

from hashlib import sha1, sha256
from uuid import NAMESPACE_OID


def text_hash(text: str) -> str:
    """sha256, in hex, of the text as UTF-8; lone surrogates, which UTF-8 excludes, are encoded as
    they are."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def uuid_of(name: str) -> str:
    """The UUID, version 5, of a name in the namespace of OIDs: `uuid5` as text, in a fifth of its
    time."""
    digest = sha1(NAMESPACE_OID.bytes + name.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) % 4]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"
