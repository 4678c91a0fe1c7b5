"""Loaders as another package could bring them, good ones and bad ones. They run in a process of
their own."""

from __future__ import annotations

import os
from threading import Event

from chunking.document.conversion import Conversion, Converted
from chunking.errors import DocumentError


def two_pages(raw: bytes) -> Converted:
    """A text with a page from `# Two` on."""
    text = raw.decode()
    return Converted(text, Conversion("sample 1.0", (0, text.index("# Two")), ("pictures are lost",)))


def pages_after_the_end(raw: bytes) -> Converted:
    return Converted(raw.decode(), Conversion("sample 1.0", (0, len(raw) + 1)))


def halves(raw: bytes) -> Converted:
    return Converted(f"{raw.decode()} \ud83d\ud83d", Conversion("halves"))


def prints(raw: bytes) -> str:
    os.write(1, b"this is not the answer")
    return raw.decode()


def refuses(_: bytes) -> str:
    raise DocumentError("is encrypted; save it without a password")


def fails(_: bytes) -> str:
    raise ValueError("two\nlines")


def goes_too_deep(raw: bytes) -> str:
    return goes_too_deep(raw + b"x")


def dies(_: bytes) -> str:
    os._exit(3)


def takes_memory(_: bytes) -> str:
    return "x" * (4 << 30)


def never_ends(_: bytes) -> str:
    return str(Event().wait())


def environment(_: bytes) -> str:
    return " ".join(os.environ)
