"""The files that the app was opened with (`chunkscope app FILE`), as one session last read them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chunking.document import FileState, files_to_open, read_given, state_of
from chunking.errors import DocumentError
from chunking.text import shown_text
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_uploads

_RESTS_NS = 300_000_000
"""How long a file stands unchanged before it is read again: whoever writes it may not be done."""


@dataclass(slots=True)
class Followed:
    """One file as it was last read."""

    path: Path
    key: str = ""
    """Of the text that is shown; "" before one could be read."""
    state: FileState | None = None
    problem: str = ""
    """Why that text is not what is on disk."""


class FollowedFiles:
    """All files of one session."""

    def __init__(self) -> None:
        self.files = [Followed(path) for path in files_to_open()]

    def look(self) -> Iterator[tuple[str, Source]]:
        """Each file whose text is another than before, with the key of the former text, "" at
        first."""
        for each in self.files:
            found = self._read(each)
            if found and found.key != each.key:
                before, each.key = each.key, found.key
                yield before, found

    def _read(self, each: Followed) -> Source | None:
        """The file's text where it has changed and can be read."""
        now = state_of(each.path)
        if now is None:
            each.state, each.problem = None, f"{_name(each)} is not on disk any more; this is how it last was"
            return None
        if now == each.state or (each.key and time.time_ns() - now.modified < _RESTS_NS):
            return None
        try:
            upload = Upload(each.path.name, read_given(each.path))
        except DocumentError as error:
            upload = Upload(each.path.name, b"", str(error))
        if state_of(each.path) != now:
            return None  # it is being written
        read, refused = read_uploads([upload])
        each.state = now
        each.problem = "" if read else f"{refused[0]}; this is how it last was" if each.key else refused[0]
        return read[0] if read else None

    def key_of(self, name: str) -> str:
        """The key of the file with this name; "" where there is none."""
        return next((each.key for each in self.files if each.path.name == name), "")


def _name(each: Followed) -> str:
    return shown_text(each.path.name, 120)
