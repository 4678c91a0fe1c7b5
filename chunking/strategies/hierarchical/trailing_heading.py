"""A heading that ends the document: hierarchical packing does not leave it alone where it can
(hi-4)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from chunking.core.chunk import Boundary
from chunking.strategies.hierarchical.rendering import ChunkHead, Renderer, SectionDraft, common_path
from chunking.strategies.hierarchical.units import block_unit
from chunking.text.whitespace import last_visible


def with_trailing_heading(renderer: Renderer, before: SectionDraft, lone: SectionDraft) -> list[SectionDraft]:
    """Attach a heading that ends the document to the chunk before it, if it fits there.
    Otherwise the last block of that chunk is moved into the heading's chunk, since a heading
    alone is never a chunk (hi-4). If no block can be moved, the heading stays alone, flagged
    `undersized`.
    """
    document, hard_cap = renderer.document, renderer.hard_cap
    path = common_path(before.path, lone.path)
    tokens = renderer.tokens(before.head, lone.tail, path)
    if tokens <= hard_cap:
        return [lone._replace(head=before.head, path=path, flags=before.flags, lone=False)]
    blocks = document.blocks
    last = bisect_left(blocks, before.end, key=lambda block: block.span.start) - 1
    first = bisect_right(blocks, before.head.lead, key=lambda block: block.span.start)
    for k in range(last, first - 1, -1):
        moved = ChunkHead.at(block_unit(document, blocks[k]))
        with_it = renderer.tokens(moved, lone.tail, path)
        if with_it > hard_cap:
            break
        if blocks[k].kind == "heading" or blocks[k - 1].kind == "heading":
            continue
        tail = last_visible(document.text, before.head.lead, moved.start)
        detail = (
            f"with the heading that ends the document the chunk would have {tokens} tokens, more than hardCap "
            f"({hard_cap})"
        )
        reason = Boundary("hard-cap", detail, held=tokens, limit=hard_cap, settings=("hard_cap",))
        return [
            before._replace(end=moved.start, tail=tail, ended_by=reason),
            lone._replace(head=moved, path=path, flags=(), lone=False),
        ]
    return [before, lone]
