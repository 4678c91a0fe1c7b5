"""The files that the app was opened with (`chunkscope app FILE`), as one session last read them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from chunking.document import FileState, PassedOver, files_to_open, read_given, state_of
from chunking.errors import DocumentError
from chunking.text import shown_text
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_uploads

_LISTED_EVERY = 5.0
"""Seconds between two looks for files that are new in a folder."""
_RESTS_NS = 300_000_000
"""How long a file stands unchanged before it is read again: whoever writes it may not be done."""


@dataclass(slots=True)
class Followed:
    """One file as it was last read."""

    path: Path
    name: str
    """Of the document; in a folder, below it."""
    source: Source | None = None
    """The text that is shown; None before one could be read."""
    state: FileState | None = None
    problem: str = ""
    """Why that text is not what is on disk."""


class FollowedFiles:
    """All files of one session."""

    def __init__(self) -> None:
        self.passed_over = PassedOver()
        self.files = [Followed(found.path, found.name) for found in files_to_open(self.passed_over)]
        self._listed = time.monotonic()

    def look(self) -> Iterator[tuple[str, Source]]:
        """Each file whose text is another than before, with the key of the former text, "" at
        first."""
        self._list_again()
        for each in self.files:
            found = self._read(each)
            if found and found != each.source:
                before = each.source.key if each.source else ""
                each.source = found
                yield before, found

    def _list_again(self) -> None:
        """Look now and then for files that are new in a folder."""
        if time.monotonic() < self._listed + _LISTED_EVERY:
            return
        known = {each.path for each in self.files}
        new = [Followed(found.path, found.name) for found in files_to_open() if found.path not in known]
        self.files = sorted(self.files + new, key=_name_of) if new else self.files
        self._listed = time.monotonic()

    def sources(self) -> tuple[Source, ...]:
        """The texts of all files that could be read."""
        return tuple(each.source for each in self.files if each.source)

    def _read(self, each: Followed) -> Source | None:
        """The file's text where it has changed and can be read."""
        now = state_of(each.path)
        if now is None:
            each.state, each.problem = None, f"{_name(each)} is not on disk any more; this is how it last was"
            return None
        if now == each.state or (each.source and time.time_ns() - now.modified < _RESTS_NS):
            return None
        try:
            upload = Upload(each.path.name, read_given(each.path))
        except DocumentError as error:
            upload = Upload(each.path.name, b"", str(error))
        if state_of(each.path) != now:
            return None  # it is being written
        # As for the command line an empty file is a document without chunks; one that has become
        # empty may be half written.
        read, refused = read_uploads([upload], takes_empty=each.source is None and not each.problem)
        each.state = now
        each.problem = "" if read else f"{refused[0]}; this is how it last was" if each.source else refused[0]
        return replace(read[0], name=each.name, title=each.name) if read else None

    def key_of(self, name: str) -> str:
        """The key of the file with this name; "" where there is none."""
        return next((each.source.key for each in self.files if each.source and each.name == name), "")


def _name_of(each: Followed) -> str:
    return each.name


def _name(each: Followed) -> str:
    return shown_text(each.name, 120)
