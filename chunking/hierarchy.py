"""What hierarchical packing handles: units of a section, what is held of them, and chunks rendered to the letter.

Only `strategies/hierarchical.py` needs this. It keeps white space and counting out of the spec's decisions there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from chunking.breadcrumbs import arrow, clip, shorten
from chunking.chunk import Boundary, Chunk, Skip
from chunking.cutting import BLANK, Piece, split_leaf
from chunking.document import Block, Document, Section, Span
from chunking.tools import Tools

TITLE = 60
"""Characters of a title that a boundary's sentence shows."""

Path = tuple[Section, ...]
"""A section with its ancestors, the root first."""


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

    @property
    def bare(self) -> bool:
        """Whether there are only headings in it, nothing that stands under them."""
        if self.section is not None:
            return is_bare(self.section)
        return self.block is not None and self.block.kind == "heading" and not self.piece

    def name(self, document: Document) -> str:
        """What to call it in a sentence."""
        if self.section is not None:
            return f"'{clip(self.section.title, TITLE)}'"
        kind = self.block.kind if self.block else "text"
        return f"{'a piece of ' if self.piece else ''}the {kind} on line {document.line_of(self.lead)}"


@dataclass(frozen=True, slots=True)
class Held:
    """Where the chunk that is being packed begins, and which headings it carries from before its section."""

    start: int
    lead: int
    opening: str = ""
    carried: Path | None = None
    """The nearest section around the empty sections that were carried here (hi-4); None when there are none."""
    flags: tuple[Boundary, ...] = ()

    @classmethod
    def at(cls, unit: Unit) -> Held:
        dropped = tuple(flag for flag in unit.flags if flag.rule == "header-dropped")
        return cls(unit.span.start, unit.lead, unit.opening, flags=dropped)

    def joined(self, path: Path) -> Path:
        """The nearest section around what was carried and `path` (hi-3)."""
        return path if self.carried is None else common(self.carried, path)

    def carrying(self, path: Path, bare: Sequence[Unit], *, whole: bool) -> Held:
        """The same with bare units of the section at `path` added; `whole` when they are all it has.

        A heading that still has something under it to come is no limit to the breadcrumb; an empty section is.
        """
        if whole:
            return replace(self, carried=self.joined(path))
        if any(unit.section for unit in bare):
            return replace(self, carried=self.joined(place(path, bare)))
        return self


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk that is decided but not yet sealed: the last one may still take in a heading that ends the document."""

    held: Held
    end: int
    tail: int
    path: Path
    ended_by: Boundary
    closing: str = ""
    flags: tuple[Boundary, ...] = ()
    lone: bool = False
    """Whether it is headings left over at the document's end."""


def place(path: Path, units: Sequence[Unit]) -> Path:
    """Where a chunk of these units of one section stands: in its only child section, else in the section (hi-3)."""
    below = [unit for unit in units if unit.section is not None or not unit.bare]
    child = below[0].section if len(below) == 1 else None
    return path if child is None else (*path, child)


def common(one: Path, other: Path) -> Path:
    """The ancestors two paths share, by identity: two sections may have the same title."""
    return tuple(a for a, _ in takewhile(lambda pair: pair[0] is pair[1], zip(one, other, strict=False)))


def is_bare(section: Section) -> bool:
    """Whether there is nothing but headings in the section and below it."""
    if any(block.kind not in ("heading", "blank") for block in section.blocks):
        return False
    return all(is_bare(child) for child in section.children)


def first_visible(text: str, start: int, end: int) -> int:
    """Offset of the first character in the span that is not white space; `end` when there is none."""
    step = 64
    while start < end:
        window = text[start : min(start + step, end)]
        shown = window.lstrip()
        if shown:
            return start + len(window) - len(shown)
        start += len(window)
        step *= 4
    return end


def last_visible(text: str, start: int, end: int) -> int:
    """Offset after the last character in the span that is not white space; `start` when there is none."""
    step = 64
    while start < end:
        window = text[max(start, end - step) : end]
        shown = window.rstrip()
        if shown:
            return end - len(window) + len(shown)
        end -= len(window)
        step *= 4
    return start


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
    return Unit(block.span, lead, last_visible(text, lead, block.content_end), block=block)


def child_unit(document: Document, child: Section) -> Unit:
    text, span = document.text, child.span
    return Unit(
        span, first_visible(text, span.start, span.end), last_visible(text, span.start, span.end), section=child
    )


class Renderer:
    """Renders and counts drafts: context, kept text and closing, exactly as they will be embedded (hi-6)."""

    def __init__(self, document: Document, tools: Tools, hard_cap: int, *, embed_breadcrumb: bool) -> None:
        self.document = document
        self.tools = tools
        self.index = tools.index(document)
        self.hard_cap = hard_cap
        self.embed_breadcrumb = embed_breadcrumb
        self.chunk_index = 0
        self._contexts: dict[tuple[tuple[str, ...], str], tuple[str, int, Boundary | None]] = {}

    def tokens(self, held: Held, tail: int, path: Path, closing: str = "") -> int:
        """Exact tokens of the chunk that begins with what is held and ends at `tail`."""
        before = self.context(path, held.opening + closing)[0] + held.opening
        if closing:
            return self.index.count_parts([before, Span(held.lead, tail), closing])
        return self.index.count_after(before, held.lead, tail) if before else self.index.count(held.lead, tail)

    def tokens_before(self, path: Path, opening: str) -> int:
        """About what context and opening take of the room; `tokens` counts exactly."""
        return self.context(path, opening)[1] + (self.tools.count(opening) if opening else 0)

    def context(self, path: Path, wrapper: str = "") -> tuple[str, int, Boundary | None]:
        """The breadcrumb's line with a blank line, its tokens, and the flag `context-shortened` when it was.

        With `wrapper`, the repeated opening and closing, it takes at most half of hardCap (DECISIONS all-6).
        """
        key = (path[-1].breadcrumb, wrapper)
        if key not in self._contexts:
            self._contexts[key] = self._context(*key) if self.embed_breadcrumb else ("", 0, None)
        return self._contexts[key]

    def _context(self, breadcrumb: tuple[str, ...], wrapper: str) -> tuple[str, int, Boundary | None]:
        count = self.tools.count
        gap = self.document.line_ending * 2
        line = arrow(breadcrumb) + gap
        tokens = count(line)
        limit = self.hard_cap // 2 - (count(wrapper) if wrapper else 0)
        self.tools.saw("hard_cap", 2 * tokens)
        if tokens <= limit:
            return line, tokens, None
        line, _ = shorten(breadcrumb, lambda parts: arrow(parts) + gap, limit, count)
        detail = f"the breadcrumb has {tokens} tokens, more than half of hardCap {self.hard_cap}; its end is kept"
        flag = Boundary("context-shortened", detail, held=tokens, limit=self.hard_cap, settings=("hard_cap",))
        return line, count(line) if line else 0, flag

    def seal(self, draft: Draft) -> Chunk:
        """The chunk, counted and numbered."""
        held, breadcrumb = draft.held, draft.path[-1].breadcrumb
        context, _, shortened = self.context(draft.path, held.opening + draft.closing)
        edges = (Span(held.start, held.lead), Span(draft.tail, draft.end))
        chunk = self.tools.seal(
            self.document,
            Span(held.start, draft.end),
            draft.ended_by,
            breadcrumb=breadcrumb,
            holes=tuple(Skip(edge, BLANK) for edge in edges if len(edge)),
            context=context + held.opening,
            closing=draft.closing,
            flags=(*draft.flags, *held.flags, *([shortened] if shortened else [])),
            metadata={"chunk_index": self.chunk_index, "anchor": draft.path[-1].anchor},
        )
        self.chunk_index += 1
        return chunk


def pieces_of(document: Document, tools: Tools, unit: Unit, limit: int) -> list[Unit]:
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
    return found if len(found) > 1 else []


def _piece_unit(document: Document, block: Block, piece: Piece) -> Unit:
    text, (start, end) = document.text, (piece.span.start, piece.span.end)
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
