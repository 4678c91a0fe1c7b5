"""The bytes of a file of questions or chunks, which somebody names and which is read at once."""

from __future__ import annotations

from pathlib import Path

from chunking.errors import GoldError
from chunking.text.display import shown_text


def read_at_most(path: Path, most: int) -> bytes:
    """The bytes of a file. Raises GoldError with its name when it cannot be read or has more than
    `most` bytes."""
    called = shown_text(str(path), 200)
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise GoldError(f"{called}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(raw) > most:
        raise GoldError(f"{called}: more than {most} bytes; split the file")
    return raw
