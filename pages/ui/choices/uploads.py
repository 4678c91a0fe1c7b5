"""Uploaded bytes and pasted text into documents to choose, or into one clear line each. No
Streamlit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from chunking import ChunkscopeError, parse
from chunking.document import archive_upload, fetch, text_of, upload_name
from chunking.errors import DocumentError
from chunking.text import refuse_binary, shown_text, text_hash
from pages.ui.choices.samples import Source

LARGEST_MB = 50
"""What the app takes of one file. Streamlit's uploader refuses what is larger before it is read
(`server.maxUploadSize`, in MiB), and says only that it is: the way out stands beside it."""
WAY_OUT = f"Over {LARGEST_MB} MB a file, or 10 MB pasted: `chunkscope run CONFIG FILE` cuts documents of any size."
_MB = 1_000_000
_LONGEST_TITLE = 10_000
"""Characters of a pasted text in which its title is looked for."""
_COMMENT = re.compile("<!--.*?(-->|\\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as the browser sent it."""

    name: str
    content: bytes
    problem: str = ""
    """Why the server did not keep it."""

    def read(self) -> bytes:
        """The content. Raises DocumentError where it was not kept."""
        if self.problem:
            raise DocumentError(self.problem)
        return self.content


def read_uploads(uploads: Iterable[Upload], *, takes_empty: bool = False) -> tuple[list[Source], list[str]]:
    """The texts that could be read, and one line for each file, or member of an archive, that could
    not; with `takes_empty` a text without a visible character is one too.

    Only decoded or converted here, by the rules of `load_bytes`: what is shown is parsed once, when
    it is shown.
    """
    read: list[Source] = []
    refused: list[str] = []
    for upload in uploads:
        for each in _documents(upload, takes_empty):
            if isinstance(each, Source):
                read.append(each)
            else:
                refused.append(each)
    return read, refused


def _documents(upload: Upload, takes_empty: bool) -> Iterator[Source | str]:
    """The documents in a file, of which an archive has several; in one's place, why it is not
    read."""
    try:
        if len(upload.content) > LARGEST_MB * _MB:
            yield _too_large(shown_text(upload.name), len(upload.content))
            return
        members = archive_upload(upload.read(), upload.name, LARGEST_MB * _MB)
        if members is None:
            yield _document(upload.content, upload_name(upload.name), takes_empty=takes_empty)
            return
    except ChunkscopeError as error:
        yield _one_line(upload.name, str(error))
        return
    for each in members:
        yield (
            str(each)
            if isinstance(each, ChunkscopeError)
            else _document(each.content, each.name, takes_empty=takes_empty)
        )


def _document(content: bytes, name: str, web_type: str | None = None, *, takes_empty: bool = False) -> Source | str:
    """A document by its bytes, or why they are none. `web_type` stands for the type of a page.

    What it was converted to is for its owner alone, so the server's cache keeps nothing of it.
    """
    try:
        text, conversion = text_of(content, name, name, web_type=web_type, keep=False)
    except ChunkscopeError as error:
        return _one_line(name, str(error))
    page = web_type is not None
    if not text.strip() and not takes_empty:
        return f"{name}: the {'page' if page else 'document'} is empty; " + (
            "give another address" if page else "add some text and upload it again"
        )
    return Source(
        *(name, name, text),
        uploaded=not page,
        file_hash=sha256(content).hexdigest(),
        conversion=conversion,
        original=content if conversion and content.startswith(b"%PDF-") else b"",
    )


def read_page(url: str) -> tuple[list[Source], list[str]]:
    """The page at an address, which is asked for now, from here."""
    try:
        page = fetch(url, most=LARGEST_MB * _MB)
    except ChunkscopeError as error:
        return [], [str(error)]
    made = _document(page.content, page.url, page.extension)
    return ([made], []) if isinstance(made, Source) else ([], [made])


def read_paste(text: str) -> tuple[list[Source], list[str]]:
    """The pasted text as a document, named after its first heading, else its first line that is
    text."""
    if not text.strip():
        return [], ["pasted text: nothing there; paste some Markdown first"]
    try:
        refuse_binary(text, "pasted text")
    except ChunkscopeError as error:
        return [], [str(error)]
    called = _called(text.lstrip()[:_LONGEST_TITLE])
    title = called[:39] + "…" if len(called) > 40 else called
    return [Source("pasted.md", f"Pasted: {title}" if title else "Pasted text", text, file_hash=text_hash(text))], []


def _called(text: str) -> str:
    """The first heading, else the first line outside of front matter, comments and fences; "" where
    there is none."""
    document = parse(text)
    for heading in document.headings:
        if title := heading.title.strip():
            return title
    for block in document.blocks:
        if block.kind != "front-matter":
            for line in _COMMENT.sub("", document[block.span]).splitlines():
                said = line.strip().strip("#>| \t")
                if said and not said.startswith(("```", "~~~")):
                    return said
    return ""


def _too_large(name: str, size: int) -> str:
    return (
        f"{name}: {size / _MB:.1f} MB is more than the app's limit of {LARGEST_MB} MB; "
        "cut it with `chunkscope run`, which takes any size, or add a part of it"
    )


def _one_line(name: str, message: str) -> str:
    flat = " ".join(message.split())
    return flat if name in flat else f"{name}: {flat}"
