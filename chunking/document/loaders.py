"""Files that are not text, by loaders that other packages bring: bytes in, Markdown out.

A package registers one by the entry point `chunkscope.loaders`: an extension without its dot, and a
function from bytes to text. What it returns is the document: offsets are those of that text, and it
is what people see, cut and export.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from chunking.errors import DocumentError
from chunking.text.decoding import decode, refuse_binary

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EXTENSIONS = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".txt", ".text")
"""What is read as text."""


@cache
def loaders() -> Mapping[str, EntryPoint]:
    """Those of other packages, not yet imported, by extension with its dot. What is text is not
    theirs to read."""
    from importlib.metadata import entry_points  # 20 ms, for files with another extension only

    found = {f".{entry.name.lower()}": entry for entry in entry_points(group="chunkscope.loaders")}
    return {extension: entry for extension, entry in found.items() if extension not in EXTENSIONS}


def is_read(extension: str) -> bool:
    """Whether a file with this extension, in lower case with its dot, is a document."""
    return extension in EXTENSIONS or extension in loaders()


def extension_of(name: str) -> str:
    """In lower case with its dot; empty for `README`, `.md` and `trailing. `."""
    stem, dot, extension = name.rpartition(".")
    return f".{extension.lower()}" if stem and dot and extension.strip() else ""


def text_of(raw: bytes, name: str, called: str, encoding: str = "") -> str:
    """The text of a file by its name's extension: by a loader that there is for it, else decoded.

    `called` opens the message. Raises DocumentError where it is not text, or the loader fails.
    """
    extension = extension_of(name)
    if extension in EXTENSIONS or not extension or extension not in loaders():
        return decode(raw, called, encoding)
    try:
        load: Callable[[bytes], str] = loaders()[extension].load()
        text = load(raw)
    except Exception as error:  # whatever another package raises is that document's line
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise DocumentError(f"{called}: the loader of {extension} failed: {reason}") from error
    refuse_binary(text, called)
    return text
