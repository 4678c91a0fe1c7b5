"""The pieces of section-rules as chunks: with their prefix, what they repeat of the chunk before,
and what is odd about their sizes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple
from uuid import NAMESPACE_URL

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.core.sealed import NO_OVERLAP, Metadata, Sealed
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.overlap import longest_suffix, with_blanks_after
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


class _Known(NamedTuple):
    """What was sealed of a piece, and what it was made of."""

    made_of: Hashable
    sealed: Sealed
    last: Span
    """What is kept last of it."""


class _SealedPieces(Memo[int, _Known]):
    """By where a piece begins what was sealed of it last."""


class Sealing:
    """The chunks of one cut, each as an earlier cut sealed it where that is known."""

    def __init__(self, strategy: SectionRules, document: Document, tools: SplitContext) -> None:
        self._strategy = strategy
        self._document = document
        self._tools = tools
        self._index = tools.index(document)
        self._prefix = SectionPrefix(document, tools, strategy.prefix_labels, strategy.split_above)
        self._known = once_per_counter(document, tools.counter, _SealedPieces)
        self._remembers = not (tools.tracing or strategy.count_context)
        self._before: Span | None = None
        """What is kept last of the chunk before."""

    def limit(self, heading: Block | None) -> int:
        """What the content may hold; with countContext prefix and overlap are paid for first
        (all-5)."""
        strategy = self._strategy
        if not strategy.count_context:
            return strategy.split_above
        paid = self._tools.count(self._prefix.under(heading)[0]) + strategy.overlap_tokens + JOINT
        return max(1, strategy.split_above - paid)

    def pass_over(self, piece: SectionPiece) -> None:
        """A chunk of which no more matters than what the next one may repeat of it."""
        self._before = None if self._tools.boundaries_only else visible_spans(self._document, piece.spans)[-1]

    def sealed(self, piece: SectionPiece, excluded: Sequence[ExcludedSection]) -> Sealed:
        """The chunk of the next piece."""
        prefix, shortened = self._prefix.under(piece.heading)
        context, flags = prefix + piece.context, (*shortened, *piece.flags)
        if not self._remembers or piece.tokens > self._strategy.split_above:
            sealed, self._before = self._anew(piece, excluded, context, flags)
            return sealed
        made_of = (piece, self._before, self._strategy.overlap_tokens, context, *flags, *self._size_flags(piece, 0))
        known = self._known.get(piece.start)
        if known is None or known.made_of != made_of:
            known = self._known.keep(piece.start, _Known(made_of, *self._anew(piece, excluded, context, flags)))
        self._before = known.last
        return known.sealed

    def _anew(
        self, piece: SectionPiece, excluded: Sequence[ExcludedSection], context: str, flags: tuple[Boundary, ...]
    ) -> tuple[Sealed, Span]:
        """The chunk, and what is kept last of it."""
        document = self._document
        visible = visible_spans(document, piece.spans)
        overlap = self._overlap(piece, [context, *visible])
        counted = piece.tokens
        if self._strategy.count_context:
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
            flags=(*flags, *self._size_flags(piece, counted)),
            metadata={"section_heading": heading_text(piece.heading)},
            body_tokens=piece.tokens,
        )
        return sealed, visible[-1]

    def _overlap(self, piece: SectionPiece, rest: Sequence[str | Span]) -> Span | None:
        """The end of the chunk before (sr-2); with countContext as much of it as leaves the whole
        within the limit."""
        if self._before is None or self._tools.boundaries_only or piece.inside:
            return None
        limit = self._strategy.overlap_tokens
        while True:
            found = longest_suffix(self._document, self._before, limit, self._tools)
            overlap = with_blanks_after(self._document, found, piece.start)
            if overlap is None or not self._strategy.count_context:
                return overlap
            if self._index.count_parts([rest[0], overlap, *rest[1:]]) <= self._strategy.split_above:
                return overlap
            limit -= 1

    def _size_flags(self, piece: SectionPiece, counted: int) -> list[Boundary]:
        """What is odd about the size of a piece, whose whole text has so many tokens."""
        strategy, size, flags = self._strategy, piece.tokens, list[Boundary]()
        if size < strategy.min_tokens:
            reason = "small is keep" if strategy.small == "keep" else "no neighbour can take it within splitAbove"
            detail = f"{size} tokens are below minTokens {strategy.min_tokens}, and {reason}"
            flags.append(Boundary("undersized", detail, size, None, strategy.min_tokens, ("min_tokens", "small")))
        if counted > strategy.split_above:
            reason = "code is never cut" if holds_code(self._document, piece.spans) else "one character cannot be cut"
            detail = f"{counted} tokens are over splitAbove {strategy.split_above}, and {reason}"
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
