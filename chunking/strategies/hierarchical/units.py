"""What hierarchical packing packs: a section's heading, its leaves and its child sections; and a leaf cut in pieces.

What stays true of a document while thresholds move is remembered here, for the last few documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, BlockKind, Document, Section, Span
from chunking.splitting.breadcrumbs import arrow, clip
from chunking.splitting.oversize import Piece, split_leaf
from chunking.text.graphemes import first_visible, last_visible
from chunking.tokens import TokenCounter
from chunking.tracing import is_traced

TITLE = 60
"""Characters of a title that a boundary's sentence shows."""

_REMEMBERED = 1 << 17
"""Pieces of leaves remembered for each document."""
_COUNTED = 1 << 17
"""Counts remembered for each document."""
_REPLACED = 8
"""Ways to put pieces in the place of a leaf that are remembered for each section."""

Path = tuple[Section, ...]
"""A section with its ancestors, the root first."""
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unit:
    """What is packed whole: a heading, a leaf (text, code, table, list), a piece of a leaf, or a child section."""

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
    """What the cut says of a piece: `header-dropped`; `unsplittable` when it is one character over the target."""
    bare: bool = False
    """Whether there are only headings in it, nothing that stands under them."""

    def name(self, document: Document) -> str:
        """What to call it in a sentence."""
        if self.section is not None:
            return f"'{clip(self.section.title, TITLE)}'"
        kind = self.block.kind if self.block else "text"
        return f"{'a piece of ' if self.piece else ''}the {kind} on line {document.line_of(self.lead)}"


class Units:
    """Units that follow each other without gaps, with where each ends: a section's, or those left of it."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = tuple(units)
        self.tails: Offsets = np.fromiter((unit.tail for unit in units), np.int64, len(units))
        self._replaced: dict[tuple[int, int], tuple[Sequence[Unit], Units]] = {}

    def with_pieces(self, at: int, pieces: Sequence[Unit]) -> Units:
        """The same with a leaf replaced by its pieces; remembered, for pieces that are remembered."""
        key = (at, id(pieces))
        known = self._replaced.get(key)
        if known is None or known[0] is not pieces:
            if len(self._replaced) >= _REPLACED:
                self._replaced.clear()
            known = pieces, Units((*self.units[:at], *pieces, *self.units[at + 1 :]))
            self._replaced[key] = known
        return known[1]


class Reading:
    """A document's sections as units, leaves in pieces and tokens of breadcrumbs: kept while thresholds move."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._units: dict[int, Units] = {}
        self._pieces: dict[tuple[TokenCounter, Span, BlockKind, int], list[Unit]] = {}
        self._pieces_held = 0
        self._top: tuple[Units, tuple[Units, ...]] | None = None
        self._lines: dict[tuple[TokenCounter, tuple[str, ...]], tuple[str, int]] = {}
        self._counted: dict[TokenCounter, dict[tuple[str, int, int], int]] = {}

    def units(self, section: Section) -> Units:
        """The units of a section of this document."""
        known = self._units.get(id(section))  # the document keeps the section, and the section its id
        if known is None:
            known = self._units[id(section)] = Units(units_of(self.document, section))
        return known

    def top(self) -> tuple[Units, tuple[Units, ...]]:
        """What stands before the first section, and each top section by itself."""
        if self._top is None:
            units = self.units(self.document.outline).units
            preamble = [unit for unit in units if unit.section is None]
            self._top = Units(preamble), tuple(Units([unit]) for unit in units[len(preamble) :])
        return self._top

    def pieces(self, tools: SplitContext, unit: Unit, limit: int) -> Sequence[Unit]:
        """The unit's leaf cut into pieces of at most `limit` tokens; empty when it cannot be cut."""
        if unit.block is None:
            return []
        if is_traced(limit):
            return pieces_of(self.document, tools, unit, limit)
        key = (tools.counter, unit.span, unit.block.kind, limit)
        known = self._pieces.get(key)
        if known is None:
            if self._pieces_held > _REMEMBERED:
                self._pieces.clear()
                self._pieces_held = 0
            known = self._pieces[key] = pieces_of(self.document, tools, unit, limit)
            self._pieces_held += len(known) + 1
        return known

    def counted(self, counter: TokenCounter) -> dict[tuple[str, int, int], int]:
        """The counts found before: of a text and, behind it, of the document from one offset to another."""
        known = self._counted.setdefault(counter, {})
        if len(known) > _COUNTED:
            known.clear()
        return known

    def line(self, tools: SplitContext, breadcrumb: tuple[str, ...]) -> tuple[str, int]:
        """The breadcrumb's line with a blank line, and its tokens."""
        key = (tools.counter, breadcrumb)
        known = self._lines.get(key)
        if known is None:
            text = arrow(breadcrumb) + self.document.line_ending * 2
            known = self._lines[key] = text, tools.count(text)
        return known


class _Same:
    """A document by identity: one that is equal may have other blocks, see `Document.without_unclosed_fence`."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.document is self.document

    def __hash__(self) -> int:
        return id(self.document)


def reading_of(document: Document) -> Reading:
    """The document's reading, remembered for the last few documents."""
    return _remembered(_Same(document))


@lru_cache(maxsize=4)
def _remembered(same: _Same) -> Reading:
    return Reading(same.document)


def is_bare(section: Section) -> bool:
    """Whether there is nothing but headings in the section and below it."""
    if any(block.kind not in ("heading", "blank") for block in section.blocks):
        return False
    return all(is_bare(child) for child in section.children)


def units_of(document: Document, section: Section) -> list[Unit]:
    """The section's heading, its leaves and its child sections, in order, without front matter.

    A block of white space only belongs to the unit before it, so that units follow each other without gaps.
    """
    units: list[Unit] = []
    for block in section.blocks:
        unit = block_unit(document, block)
        if unit.lead < unit.tail and block.kind != "front-matter":
            units.append(unit)
        elif units:
            units[-1] = replace(units[-1], span=Span(units[-1].span.start, block.span.end))
    units.extend(child_unit(document, child) for child in section.children)
    return units


def block_unit(document: Document, block: Block) -> Unit:
    text, start = document.text, block.span.start
    # The indentation of code is part of it, unlike that of a heading or a paragraph.
    lead = start if block.kind == "code" else first_visible(text, start, block.content_end)
    tail = last_visible(text, lead, block.content_end)
    return Unit(block.span, lead, tail, block=block, bare=block.kind == "heading")


def child_unit(document: Document, child: Section) -> Unit:
    text, span = document.text, child.span
    lead, tail = first_visible(text, span.start, span.end), last_visible(text, span.start, span.end)
    return Unit(span, lead, tail, section=child, bare=is_bare(child))


def pieces_of(document: Document, tools: SplitContext, unit: Unit, limit: int) -> list[Unit]:
    """The unit's leaf cut into pieces of at most `limit` tokens; empty when it cannot be cut."""
    block = unit.block
    if block is None:
        return []
    # A heading is cut as prose: nothing of it can be repeated but its words.
    kind = "paragraph" if block.kind == "heading" else block.kind
    found: list[Unit] = []
    for piece in split_leaf(document, unit.span, kind, limit, tools):
        cut = _piece_unit(document, block, piece)
        if cut.lead < cut.tail and found and found[-1].lead >= found[-1].tail:
            found[-1] = replace(cut, span=Span(found[-1].span.start, cut.span.end))
        elif cut.lead < cut.tail or not found:
            found.append(cut)
        else:
            found[-1] = replace(found[-1], span=Span(found[-1].span.start, cut.span.end))
    shorter = len(found) > 1 or any(
        piece.lead > unit.lead for piece in found
    )  # indentation too large to keep is cut off
    return found if shorter else []


def _piece_unit(document: Document, block: Block, piece: Piece) -> Unit:
    text, (start, end) = document.text, (piece.span.start + piece.cut_off, piece.span.end)
    lead = first_visible(text, start, end)
    if piece.context or block.kind == "code":
        lead = max(start, text.rfind("\n", start, lead) + 1, text.rfind("\r", start, lead) + 1)
    return Unit(
        piece.span,
        lead,
        last_visible(text, lead, end),
        block=block,
        piece=True,
        opening=piece.context,
        closing=piece.closing,
        flags=piece.flags,
    )
