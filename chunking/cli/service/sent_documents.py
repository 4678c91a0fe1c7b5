"""The documents that come in a request: their names are never opened."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

from chunking.cli.service.bodies import SentDocument
from chunking.document.archives import bad_name, is_archive
from chunking.document.folders import FoundFile
from chunking.document.loading import MAX_BYTES
from chunking.errors import DocumentError
from chunking.text.display import safe_name, shown_text


def found_in(documents: Sequence[SentDocument]) -> list[FoundFile]:
    """The documents with their bytes. Raises DocumentError for a name that is none, or is given
    twice."""
    found: dict[str, FoundFile] = {}
    for each in documents:
        label, name = shown_text(each.name), safe_name(each.name)
        if problem := _problem(each.name):
            raise DocumentError(f"{label}: {problem}; name it as docs/guide.md")
        if is_archive(each.name):
            raise DocumentError(f"{label}: an archive is not one document; unpack it and send its files")
        if name in found:
            raise DocumentError(f"{label}: two documents have this name; give each its own")
        found[name] = FoundFile(Path(each.name), name, content=_content(each))
    return list(found.values())


def _problem(name: str) -> str:
    """Why a name is none that a file below a folder has; empty for a good one."""
    if any(part in ("", ".") for part in name.split("/")) and not name.startswith("/"):
        return "a path with a part that is empty"
    return bad_name(name).removesuffix(" of the archive")


def _content(of: SentDocument) -> bytes:
    label = shown_text(of.name)
    if (of.text is None) == (of.base64 is None):
        raise DocumentError(f"{label}: give either text or base64")
    try:
        content = of.text.encode() if of.text is not None else base64.b64decode(of.base64 or "", validate=True)
    except UnicodeEncodeError:
        raise DocumentError(f"{label}: the text holds half a character, which no file can hold; delete it") from None
    except ValueError:  # also a letter beyond ASCII
        raise DocumentError(f"{label}: base64 is not valid base64") from None
    if len(content) > MAX_BYTES:
        raise DocumentError(f"{label}: {len(content):,} bytes; at most {MAX_BYTES:,} are read, so split the document")
    return content
