"""What a chunk's tokens are made of, and what is left of its limit. No Streamlit."""

from __future__ import annotations

from chunking import Chunk, Run
from chunking.tokens import counter, token_index
from pages.ui.layout.markup import Piece


def pieces(run: Run, chunk: Chunk) -> tuple[Piece, ...]:
    """Context, overlap, body, closing and the room left, in tokens; without room they add up to
    `chunk.tokens`.

    Tokens that span a join are counted with the piece in front of it.
    """
    closing = counter(run.config.counter)(chunk.closing) if chunk.closing else 0
    overlap = 0
    if chunk.overlap:
        index = token_index(run.document.text, counter(run.config.counter))
        overlap = index.count(chunk.overlap.start, chunk.overlap.end)
    before = chunk.tokens - chunk.body_tokens - closing
    overlap = min(overlap, before) if chunk.context else max(before, 0) if chunk.overlap else 0
    made = [
        Piece("context", "context", max(before - overlap, 0)),
        Piece("overlap", "overlap", overlap),
        Piece("body", "body", chunk.body_tokens),
        Piece("closing", "closing", closing),
    ]
    limits = run.config.strategy.limits_in(run.document)
    if limits.maximum is not None:
        size = chunk.limited_tokens(limits.counts)
        raised = ", the maximum raised for this document" if limits.maximum_raised else ""
        body = " for the body" if size != chunk.tokens and limits.counts == "body" else ""
        of = f"{limits.maximum:,}{body}{raised}"
        made.append(Piece("room", f"tokens left of {of}", max(limits.maximum - size, 0)))
    return tuple(piece for piece in made if piece.tokens or piece.name in ("body", "room"))
