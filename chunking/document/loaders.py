"""Files that are not Markdown: which loader reads which format, ours by the table here, others by
the packages that bring them.

A package registers one by the entry point `chunkscope.loaders`: an extension without its dot, and a
function from bytes to Markdown or to a `Converted`. What it returns is the document: offsets are
those of that text, and it is what people see, cut and export. Every loader runs in a process of its
own (converting.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from chunking.document.conversion import Conversion, whole_characters
from chunking.document.file_types import BINARY, file_type
from chunking.errors import DocumentError
from chunking.runtime.extras import missing
from chunking.text.decoding import decode, refuse_binary

EXTENSIONS = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".txt", ".text")
"""What is read as text."""
EXTRA = "documents"
"""Installs what our own loaders need."""
_VERSION = re.compile(r" \d\S*")
LIBRARIES = (("html-to-markdown",), ("kreuzberg",), ("mammoth", "html-to-markdown"), ("pdf-inspector",))
"""What our loaders call themselves by, those of each that it converts with."""
_BY_KREUZBERG = ("pptx", "xlsx", "epub", "odt", "rtf", "rst", "tex")
_OURS = {
    ".pdf": "chunking.document.formats.pdf:to_markdown",
    ".docx": "chunking.document.formats.docx:to_markdown",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "chunking.document.formats.html:to_markdown"),
    ".ipynb": "chunking.document.formats.notebook:to_markdown",
    **dict.fromkeys((".adoc", ".asciidoc"), "chunking.document.formats.asciidoc:to_markdown"),
    **{f".{name}": f"chunking.document.formats.office:{name}_to_markdown" for name in _BY_KREUZBERG},
}
"""Extension -> function, as an entry point names it."""


@cache
def loaders() -> Mapping[str, str]:
    """The function of each loader that can be used, as an entry point names it, by extension with
    its dot. What is text is not theirs to read; another package's comes before ours."""
    from importlib.metadata import entry_points  # 20 ms, for files with another extension only

    ours = {} if missing(EXTRA) else _OURS
    found = {f".{entry.name.lower()}": entry.value for entry in entry_points(group="chunkscope.loaders")}
    return {**ours, **{extension: value for extension, value in found.items() if extension not in EXTENSIONS}}


def is_read(extension: str) -> bool:
    """Whether a file with this extension, in lower case with its dot, is a document."""
    return extension in EXTENSIONS or extension in loaders()


def not_installed(extension: str) -> str:
    """Why there is no loader for a format that we have one for; "" where there is one, or never
    is."""
    return f"{extension} needs a converter: {missing(EXTRA)}" if extension in _OURS and not is_read(extension) else ""


def is_outdated(loader: str) -> bool:
    """Whether what one of our loaders made, by the version that it says, would be made by another
    one now."""
    for libraries in LIBRARIES:
        if _VERSION.sub("", loader) == " with ".join(libraries):
            return loader != named_with_versions(*libraries)
    return False


def named_with_versions(*libraries: str) -> str:
    """How a loader calls itself: what it converts with, and their versions; those that are not
    installed without."""
    from importlib.metadata import PackageNotFoundError, version

    def named(library: str) -> str:
        try:
            return f"{library} {version(library)}"
        except PackageNotFoundError:
            return library

    return " with ".join(map(named, libraries))


def extension_of(name: str) -> str:
    """In lower case with its dot; empty for `README`, `.md` and `trailing. `."""
    stem, dot, extension = name.rpartition("/")[2].rpartition(".")
    return f".{extension.lower()}" if stem and dot and extension.strip() else ""


def text_of(
    raw: bytes, name: str, called: str, encoding: str = "", web_type: str | None = None, *, keep: bool = True
) -> tuple[str, Conversion | None]:
    """The text of a file, and how it was made where it is not the file's own: by a loader for the
    format that its bytes have, or its name where they tell none; else decoded.

    `called` opens the message. `web_type` stands for a page's type, in place of its name's
    extension; `keep` leaves what is converted in the cache's folder. Raises DocumentError where it
    is not text, or the loader fails.
    """
    named = extension_of(name) if web_type is None else web_type
    extension = file_type(raw, named, called, text=EXTENSIONS)
    if extension in EXTENSIONS or not extension:
        return decode(raw, called, encoding), None
    if extension not in loaders():
        if extension in BINARY and extension in _OURS:
            raise DocumentError(f"{called}: {not_installed(extension)}")
        return decode(raw, called, encoding), None  # as it is: that may be HTML, or LaTeX
    from chunking.document.converting import convert

    converted = whole_characters(convert(raw, extension, loaders()[extension], called, keep=keep))
    refuse_binary(converted.text, called)
    return converted.text, converted.conversion
