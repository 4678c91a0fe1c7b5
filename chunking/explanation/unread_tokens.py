"""How many more tokens an embedder does not read after a change: what a larger maximum costs."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.core.chunk import Chunk
from chunking.core.metrics import text_parts
from chunking.document import Document
from chunking.runs import Run
from chunking.tokens import token_index
from chunking.tokens.embedder_windows import lost_ends, usual_window
from chunking.tokens.registry import counter

COUNTED_WHOLE = 2_500_000
"""Characters of a document up to which all of it is counted again for a change that is offered."""


def newly_unread(of: Run, chunks: Sequence[Chunk]) -> int | None:
    """How many more tokens an embedder that reads `READS` does not read, where the document is cut
    into these chunks, fewer than 0 where it reads more.

    None of a long document, and where a model describes the chunks: what it would say is not known.
    """
    if len(of.document.text) > COUNTED_WHOLE or of.config.strategy.describes:
        return None
    before, after = (unread_in(of.document, each, of.config.counter) for each in (of.chunks, chunks))
    return after - before


def unread_in(document: Document, chunks: Sequence[Chunk], counter_name: str) -> int:
    """Tokens of the chunks' whole texts beyond the window of an embedder that reads `READS`."""
    window = usual_window(counter_name)
    index = token_index(document.text, counter(window.counter))
    return lost_ends([index.count_parts(text_parts(chunk)) for chunk in chunks], window).tokens
