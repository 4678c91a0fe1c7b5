"""Where chunks that were made elsewhere come from: a file, a Python function, a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from chunking.document import Document
from chunking.errors import GoldError
from chunking.imported.placement import Placement, place_rows
from chunking.imported.read_apart import strangers_rows
from chunking.imported.rows import Row, named_documents, read_rows, rows_for, without_names
from chunking.imported.table_files import read_file
from chunking.text.display import shown_text

_REMEMBERED = 8
"""Documents whose chunks are kept: a function or a program is asked once for each."""
_NAMED = 5


@dataclass(frozen=True)
class ChunkSource(ABC):
    """Gives the chunks of any document, and remembers those of the last ones."""

    called: str
    """In messages: the file, the function or the program."""
    key: str = field(default="", kw_only=True)
    """What tells it from others: of a file, the sha256 of its bytes."""
    _placed: dict[Document, Placement] = field(default_factory=dict, compare=False, repr=False, kw_only=True)

    @abstractmethod
    def rows_of(self, document: Document) -> Sequence[Row]:
        """The chunks of a document. Raises GoldError, one line, where there are none."""

    def placement(self, document: Document) -> Placement:
        """The chunks of a document, each at its place."""
        known = self._placed.get(document)
        if known is None:
            known = self.placed(document)
            while len(self._placed) >= _REMEMBERED:
                self._placed.pop(next(iter(self._placed)), None)
            self._placed[document] = known
        return known

    def placed(self, document: Document) -> Placement:
        """The same, found now."""
        return place_rows(self.rows_of(document), document)


@dataclass(frozen=True)
class FileChunks(ChunkSource):
    """The chunks in a file, for one document or many."""

    rows: tuple[Row, ...]

    @property
    def size(self) -> int:
        """Characters of all texts."""
        return sum(len(row.text) for row in self.rows)

    def rows_of(self, document: Document) -> Sequence[Row]:
        """Those that name the document, or no document at all."""
        return rows_for(self.rows, document.name)

    def placed(self, document: Document) -> Placement:
        """Rows that all name one document, of another name, are taken where half of their texts are
        in this one."""
        rows, names = self.rows_of(document), named_documents(self.rows)
        if rows:
            return place_rows(rows, document)
        if len(names) == 1:
            found = place_rows(without_names(self.rows), document)
            if 2 * sum(bool(row.spans) for row in found.rows) >= len(found.rows):
                return found
        shown = ", ".join(shown_text(name) for name in names[:_NAMED])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise GoldError(f"{self.called}: has no chunks of {document.name}; those that it has are of {shown}{more}")


def file_chunks(path: Path) -> FileChunks:
    """The chunks in a file. Raises GoldError with its name."""
    called = shown_text(str(path), 200)
    return chunks_in(read_file(path), called)


def chunks_in(raw: bytes, called: str) -> FileChunks:
    """The chunks in the bytes of a file. Raises GoldError that opens with `called`."""
    return FileChunks(called, read_rows(raw, called), key=sha256(raw).hexdigest())


def strangers_chunks(raw: bytes, called: str) -> FileChunks:
    """The same, where nobody knows who sends the file (read_apart.py)."""
    return FileChunks(called, strangers_rows(raw, called), key=sha256(raw).hexdigest())


@dataclass(frozen=True)
class NoChunks(ChunkSource):
    """In the place of a file that is not held."""

    def rows_of(self, document: Document) -> Sequence[Row]:  # noqa: ARG002
        raise GoldError("the chunks of this view are not here; open their file again")
