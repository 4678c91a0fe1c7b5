"""Chunks that were made elsewhere as a strategy, so that whatever takes a config takes them.

It is in no list of strategies, and no YAML can name it: only who has a file, a function or a
program of chunks makes one. The app offers it to itself (`strategies.offer`), where its one setting
names a file that was opened there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import PrivateAttr

from chunking.core.chunk import Chunk, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Block, Document
from chunking.imported.audit import Audit, audit
from chunking.imported.held import held
from chunking.imported.parts import RULES, parts_of
from chunking.imported.sources import ChunkSource, NoChunks


class MadeElsewhere(Strategy):
    """Another tool's chunks, each where the document has its text."""

    name: ClassVar[str] = "imported"
    title: ClassVar[str] = "Chunks made elsewhere"
    summary: ClassVar[str] = "Another tool's chunks, placed in the document; why it cut where it did is not known."
    rules: ClassVar[Mapping[str, str]] = RULES
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
    def source(self) -> ChunkSource:
        return self._source

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the chunks that were found, and what no chunk has as skips; warn of what is not the
        source's text."""
        placement = self._source.placement(document)
        found = audit(placement)
        if not found.faultless:
            tools.warn(f"{self._source.called}: {found.summary}")
        yield from parts_of(document, placement.rows, tools)

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:  # noqa: ARG002
        """Nothing is known of the tool's reasons."""
        return "another tool did not cut here; why is not known"


def audit_of(strategy: Strategy, document: Document) -> Audit | None:
    """What another tool's chunks have of a document; None for a strategy of another kind."""
    return audit(strategy.source.placement(document)) if isinstance(strategy, MadeElsewhere) else None
