"""What hierarchical packing packs: a section's heading, its leaves and its child sections; and a
leaf cut in pieces.

What stays true of a document while thresholds move is remembered here
(splitting/document_cache.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, BlockKind, Document, Section, Span
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.document_cache import Memo, once_per_counter, once_per_document
from chunking.splitting.oversize import OversizePiece, split_oversize
from chunking.splitting.source_code.structure import BY_LINES, CodeFences, fenced_source
from chunking.text.whitespace import first_visible, last_visible, line_begin, visible_edges
from chunking.tokens.index import TokenIndex
from chunking.tracing import is_traced

TITLE = 60
"""Characters of a title that a boundary's sentence shows."""


Path = tuple[Section, ...]
"""A section with its ancestors, the root first."""
SectionKey = tuple[int, int]
Offsets = npt.NDArray[np.int64]


class SectionUnit(NamedTuple):  # thousands of them: a dataclass takes three times as long
    """What is packed whole: a heading, a leaf (text, code, table, list), a piece of a leaf, or a
    child section."""

    span: Span
    lead: int
    """Where what is kept begins when a chunk begins here: white space before it is a hole."""
    tail: int
    """Where what is kept ends when a chunk ends here."""
    block: Block | None = None
    """The heading or leaf that this is, or is a piece of; None for a child section."""
    section: Section | None = None
    piece: bool = False
    opening: str = ""
    """What a chunk that begins here repeats: a reopened fence, a table header."""
    closing: str = ""
    """What a chunk that ends here adds: the end of a fence that was split."""
    flags: tuple[Boundary, ...] = ()
    """What the cut says of a piece: `header-dropped`; `unsplittable` when it is one character over
    the target."""
    bare: bool = False
    """Whether there are only headings in it, nothing that stands under them."""

    def name(self, document: Document) -> str:
        """What to call it in a sentence."""
        if self.section is not None:
            return f"'{clip(self.section.title, TITLE)}'"
        kind = self.block.kind if self.block else "text"
        return f"{'a piece of ' if self.piece else ''}the {kind} on line {document.line_of(self.lead)}"


class UnitPieces(tuple[SectionUnit, ...]):
    """A leaf's pieces, compared as the one object that they are: a key that is hashed at once."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


NO_PIECES = UnitPieces()
"""The pieces of what cannot be cut: none."""


class Units:
    """Units that follow each other without gaps, with where each ends: a section's, or those left
    of it."""

    def __init__(self, units: Sequence[SectionUnit], rest: Units | None = None, skipped: int = 0) -> None:
        """`units`, and behind them those that `rest` was made of, without its first `skipped`."""
        self._own = tuple(units)
        self._rest, self._skipped = rest, skipped
        self._replaced = _Replaced()
        self._length = len(self._own) + (0 if rest is None else len(rest._own) - skipped)

    @cached_property
    def _tails(self) -> Offsets:
        return np.fromiter((unit.tail for unit in self._own), np.int64, len(self._own))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, at: int) -> SectionUnit:
        if self._rest is None:
            return self._own[at]
        at += self._length if at < 0 else 0
        if at < len(self._own):
            return self._own[at]
        return self._rest._own[self._skipped + at - len(self._own)]

    def between(self, first: int, after: int) -> tuple[SectionUnit, ...]:
        """Those from one index to before another."""
        if after <= len(self._own):
            return self._own[first:after]
        return tuple([self[at] for at in range(first, after)])

    def last_within(self, index: TokenIndex, start: int, limit: int, first: int) -> int:
        """`TokenIndex.last_within` of where they end: an index into these units."""
        own = len(self._own)
        last = index.last_within(start, self._tails, limit, first=first) if first < own else first - 1
        if last < own - 1 or self._rest is None:
            return last
        behind = self._skipped - own
        return index.last_within(start, self._rest._tails, limit, first=last + 1 + behind) - behind

    def with_pieces(self, first: int, at: int, pieces: UnitPieces) -> Units:
        """Those from `first` on, with the leaf at `at` replaced by its pieces; remembered, for
        pieces that are remembered.

        What is behind is not copied: each leaf of a long section may be cut."""
        known = self._replaced.get((first, at, pieces))
        if known is None:
            rest, own = (self, 0) if self._rest is None else (self._rest, len(self._own))
            ahead = (*self.between(first, at), *pieces, *self.between(at + 1, own))
            left = Units(ahead, rest, self._skipped + max(0, at + 1 - own))
            known = self._replaced.keep((first, at, pieces), left)
        return known


class _Replaced(Memo[tuple[int, int, UnitPieces], Units]):
    """Units by the first one that is kept, the leaf that was replaced, and its pieces."""

    most = 8


class _Pieces(Memo[tuple[Span, BlockKind, int, CodeFences], UnitPieces]):
    """A leaf's pieces, by its span, its kind, the limit and how fences are cut; their number is
    what they take."""


class Lines(Memo[tuple[str, ...], tuple[str, int]]):
    """By breadcrumb: its line with a blank line, in full, and the tokens of that."""


class UnitCounts(Memo[tuple[str, int, int], int]):
    """Tokens of a text and, behind it, of the document from one offset to another."""


class SectionReading:
    """A document's sections as units, leaves in pieces and tokens of breadcrumbs: kept while
    thresholds move."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._units: dict[SectionKey, Units] = {}
        self._top: tuple[Units, tuple[Units, ...]] | None = None

    def units(self, section: Section) -> Units:
        """The units of a section of this document."""
        key = key_of(section)
        known = self._units.get(key)
        if known is None:
            known = self._units[key] = Units(units_of(self.document, section))
        return known

    def top(self) -> tuple[Units, tuple[Units, ...]]:
        """What stands before the first section, and each top section by itself."""
        if self._top is None:
            units = self.units(self.document.outline)
            every = units.between(0, len(units))
            preamble = [unit for unit in every if unit.section is None]
            self._top = Units(preamble), tuple(Units([unit]) for unit in every[len(preamble) :])
        return self._top

    def pieces(self, tools: SplitContext, unit: SectionUnit, limit: int, fences: CodeFences = "lines") -> UnitPieces:
        """The unit's leaf cut into pieces of at most `limit` tokens; empty when it cannot be
        cut."""
        if unit.block is None:
            return NO_PIECES
        if is_traced(limit):
            return pieces_of(self.document, tools, unit, limit, fences)
        memory = once_per_counter(self.document, tools.counter, _Pieces)
        key = unit.span, unit.block.kind, limit, fences
        known = memory.get(key)
        if known is None:
            known = pieces_of(self.document, tools, unit, limit, fences)
            memory.keep(key, known, size=len(known) + 1)
        return known


def reading_of(document: Document) -> SectionReading:
    """The document's reading, made once."""
    return once_per_document(document, SectionReading)


def key_of(section: Section) -> SectionKey:
    """A section as a key, within one document: where it begins and its level."""
    return section.span.start, section.level


def is_bare(section: Section) -> bool:
    """Whether there is nothing but headings in the section and below it."""
    if any(block.kind not in ("heading", "blank") for block in section.blocks):
        return False
    return all(is_bare(child) for child in section.children)


def units_of(document: Document, section: Section) -> list[SectionUnit]:
    """The section's heading, its leaves and its child sections, in order, without front matter.

    A block of white space only belongs to the unit before it, so that units follow each other
    without gaps.
    """
    units: list[SectionUnit] = []
    for block in section.blocks:
        unit = block_unit(document, block)
        if unit.lead < unit.tail and block.kind != "front-matter":
            units.append(unit)
        elif units:
            units[-1] = units[-1]._replace(span=Span(units[-1].span.start, block.span.end))
    units.extend(child_unit(document, child) for child in section.children)
    return units


def block_unit(document: Document, block: Block) -> SectionUnit:
    text, start = document.text, block.span.start
    # The indentation of code is part of it, unlike that of a heading or a paragraph.
    lead = start if block.kind == "code" else first_visible(text, start, block.content_end)
    tail = last_visible(text, lead, block.content_end)
    return SectionUnit(block.span, lead, tail, block=block, bare=block.kind == "heading")


def child_unit(document: Document, child: Section) -> SectionUnit:
    text, span = document.text, child.span
    lead, tail = visible_edges(text, span.start, span.end)
    return SectionUnit(span, lead, tail, section=child, bare=is_bare(child))


def pieces_of(
    document: Document, tools: SplitContext, unit: SectionUnit, limit: int, fences: CodeFences = "lines"
) -> UnitPieces:
    """The unit's leaf cut into pieces of at most `limit` tokens; empty when it cannot be cut."""
    block = unit.block
    if block is None:
        return NO_PIECES
    # A heading is cut as prose: nothing of it can be repeated but its words.
    kind = "paragraph" if block.kind == "heading" else block.kind
    source = fenced_source(document, block, BY_LINES) if fences == "syntax" else None
    found: list[SectionUnit] = []
    for piece in split_oversize(document, unit.span, kind, limit, tools, source=source):
        cut = _piece_unit(document, block, piece)
        if cut.lead < cut.tail and found and found[-1].lead >= found[-1].tail:
            found[-1] = cut._replace(span=Span(found[-1].span.start, cut.span.end))
        elif cut.lead < cut.tail or not found:
            found.append(cut)
        else:
            found[-1] = found[-1]._replace(span=Span(found[-1].span.start, cut.span.end))
    shorter = len(found) > 1 or any(
        piece.lead > unit.lead for piece in found
    )  # indentation too large to keep is cut off
    return UnitPieces(found) if shorter else NO_PIECES


def _piece_unit(document: Document, block: Block, piece: OversizePiece) -> SectionUnit:
    text, (start, end) = document.text, (piece.span.start + piece.cut_off, piece.span.end)
    lead = first_visible(text, start, end)
    if piece.context or block.kind == "code":
        lead = line_begin(text, start, lead)
    return SectionUnit(
        piece.span,
        lead,
        last_visible(text, lead, end),
        block=block,
        piece=True,
        opening=piece.context,
        closing=piece.closing,
        flags=piece.flags,
    )
