"""The pieces of section-rules as chunks: with their prefix, what they repeat of the chunk before,
and what is odd about their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha1
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.core.sealed import NO_OVERLAP, Metadata, Sealed
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.splitting.overlap import longest_suffix, with_blanks_after
from chunking.strategies.section_rules.known_groups import KnownSizes
from chunking.strategies.section_rules.prefix import SectionPrefix
from chunking.strategies.section_rules.sections import (
    ExcludedSection,
    SectionPiece,
    heading_text,
    holes_of,
    visible_spans,
)

if TYPE_CHECKING:
    from chunking.strategies.section_rules.strategy import SectionRules

_NAMESPACE = NAMESPACE_URL.bytes
JOINT = 2
"""Tokens that joining prefix, overlap and content may cost on top of their sum."""


class Sealing:
    """The chunks of one cut."""

    def __init__(self, strategy: SectionRules, document: Document, tools: SplitContext) -> None:
        self._strategy = strategy
        self._document = document
        self._tools = tools
        self._index = tools.index(document)
        self._prefix = SectionPrefix(document, tools, strategy.prefix_labels, strategy.split_above)
        self.before: Span | None = None
        """What is kept last of the chunk before."""
        self.known = KnownSizes()
        """With which what is being sealed is the same."""

    def limit(self, heading: Block | None) -> int:
        """What the content may hold; with countContext prefix and overlap are paid for first
        (all-5)."""
        strategy = self._strategy
        if not strategy.count_context:
            return strategy.split_above
        paid = self._tools.count(self._prefix.under(heading).text) + strategy.overlap_tokens + JOINT
        return max(1, strategy.split_above - paid)

    def pass_over(self, piece: SectionPiece) -> None:
        """A chunk of which no more matters than what the next one may repeat of it."""
        self.before = None if self._tools.boundaries_only else visible_spans(self._document, piece.spans)[-1]

    def sealed(self, piece: SectionPiece, excluded: Sequence[ExcludedSection]) -> Sealed:
        """The chunk of the next piece."""
        document, strategy = self._document, self._strategy
        prefix = self._prefix.under(piece.heading)
        self.known.limit.admit(2 * prefix.tokens, strategy.split_above)
        if prefix.flags:
            self.known.limit.pin(strategy.split_above)
        context = prefix.text + piece.context
        visible = visible_spans(document, piece.spans)
        overlap = self._overlap(piece, [context, *visible])
        counted = piece.tokens
        if strategy.count_context:
            counted = self._index.count_parts([context, *([overlap] if overlap else []), *visible])
        sealed = self._tools.sealed(
            document,
            piece.start,
            piece.end,
            breadcrumb=document.breadcrumb_at(visible[0].start),
            kept=(visible[0].start, visible[0].end) if len(visible) == 1 else None,
            holes=holes_of(piece.body, visible, excluded) if len(visible) > 1 else None,
            overlap=(overlap.start, overlap.end) if overlap else NO_OVERLAP,
            context=context,
            flags=(*prefix.flags, *piece.flags, *self._size_flags(piece, counted)),
            metadata={"section_heading": heading_text(piece.heading)},
            body_tokens=piece.tokens,
        )
        self.before = visible[-1]
        return sealed

    def _overlap(self, piece: SectionPiece, rest: Sequence[str | Span]) -> Span | None:
        """The end of the chunk before (sr-2); with countContext as much of it as leaves the whole
        within the limit."""
        if self.before is None or self._tools.boundaries_only or piece.inside:
            return None
        limit = self._strategy.overlap_tokens
        while True:
            found = longest_suffix(self._document, self.before, limit, self._tools)
            overlap = with_blanks_after(self._document, found, piece.start)
            if overlap is None or not self._strategy.count_context:
                return overlap
            if self._index.count_parts([rest[0], overlap, *rest[1:]]) <= self._strategy.split_above:
                return overlap
            limit -= 1

    def _size_flags(self, piece: SectionPiece, counted: int) -> list[Boundary]:
        """What is odd about the size of a piece, whose whole text has so many tokens."""
        strategy, size, flags, known = self._strategy, piece.tokens, list[Boundary](), self.known
        if known.minimum.admit(size + 1, strategy.min_tokens):
            known.minimum.pin(strategy.min_tokens)
            kept = strategy.small == "keep"
            reason = "small is set to keep" if kept else "no neighbour has room for it within splitAbove"
            detail = f"the chunk has {size} tokens, fewer than minTokens ({strategy.min_tokens}), and {reason}"
            flags.append(Boundary("undersized", detail, size, None, strategy.min_tokens, ("min_tokens", "small")))
        if not known.limit.admit(counted, strategy.split_above):
            known.limit.pin(strategy.split_above)
            reason = "code is never cut" if holds_code(self._document, piece.spans) else "one character cannot be cut"
            detail = f"the chunk has {counted} tokens, more than splitAbove ({strategy.split_above}), because {reason}"
            flags.append(Boundary("unsplittable", detail, counted, None, strategy.split_above, ("split_above",)))
        return flags

    def metadata(self, sealed: Sealed, number: int) -> Metadata:
        """The metadata of a chunk, by its number from 0."""
        module_id, chapter_id = self._prefix.module_id, self._prefix.chapter_id
        return {
            "id": _chunk_id(f"{module_id}/{chapter_id}/{number}"),
            "module_id": module_id,
            "chapter_id": chapter_id,
            "section_heading": sealed.metadata["section_heading"],
            "chunk_index": number,
        }


@lru_cache(maxsize=1 << 14)
def _chunk_id(name: str) -> str:
    """`uuid.uuid5` of the name in the namespace of addresses, in a fifth of its time."""
    found = sha1(_NAMESPACE + name.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(found[16], 16) % 4]
    return f"{found[:8]}-{found[8:12]}-5{found[13:16]}-{variant}{found[17:20]}-{found[20:32]}"
