"""Chunks that were made elsewhere as a strategy, so that whatever takes a config takes them.

It is in no list of strategies, and no YAML can name it: only who has a file, a function or a
program of chunks makes one. The app offers it to itself (`strategies.offer`), where its one setting
names a file that was opened there.
"""

from __future__ import annotations

from typing import ClassVar

from pydantic import PrivateAttr

from chunking.core.strategy import setting
from chunking.document import Document
from chunking.imported.foreign import Foreign
from chunking.imported.held import held
from chunking.imported.placement import Placement
from chunking.imported.sources import ChunkSource, NoChunks
from chunking.tokens import TokenCounter


class MadeElsewhere(Foreign):
    """Another tool's chunks, each where the document has its text."""

    name: ClassVar[str] = "imported"
    title: ClassVar[str] = "Chunks made elsewhere"
    summary: ClassVar[str] = "Another tool's chunks, placed in the document; why it cut where it did is not known."
    has_yaml: ClassVar[bool] = False

    chunks: str = setting("", title="File of chunks", help="The sha256 of the file that has them.")
    _source: ChunkSource = PrivateAttr(default_factory=lambda: NoChunks("chunks"))

    def model_post_init(self, context: object, /) -> None:  # noqa: ARG002
        """Find the file that the setting names among those that this process has read."""
        if found := held(self.chunks):
            self._source = found

    @classmethod
    def of(cls, source: ChunkSource) -> MadeElsewhere:
        """The strategy that gives this source's chunks."""
        made = cls(chunks=source.key or source.called)
        made._source = source
        return made

    @property
    def called(self) -> str:
        return self._source.called

    def placement(self, document: Document, count: TokenCounter) -> Placement:  # noqa: ARG002
        """The source's chunks, whatever counts their tokens."""
        return self._source.placement(document)
