"""Where section-rules cuts: sections at H3, at paragraphs up to a target, and small pieces joined
with a neighbour.

Source: section-rules.md; DECISIONS sr-1, sr-3, sr-5, sr-7. What goes around a piece's text is for
the strategy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunking.core.chunk import END, Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.oversize import split_oversize
from chunking.strategies.section_rules.sections import (
    Excluded,
    SectionPiece,
    is_bare,
    joined,
    kept_of,
    sections_of,
    tokens_of,
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The settings that sizes are compared with, in tokens."""

    split_above: int
    target_high: int
    min_tokens: int


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never cut when a section is filled with paragraphs: a block, a piece of one, a
    heading with the next."""

    span: Span
    context: str = ""
    inside: bool = False
    flags: tuple[Boundary, ...] = ()


class SectionPieces:
    """The pieces of one document's sections."""

    def __init__(
        self,
        document: Document,
        tools: SplitContext,
        excluded: Sequence[Excluded],
        sizes: Sizes,
        limit: Callable[[Block | None], int],
    ) -> None:
        """`limit` says what the content under a heading may hold."""
        self.document = document
        self.tools = tools
        self.excluded = excluded
        self.sizes = sizes
        self.limit = limit
        self.thirds = [heading for heading in document.headings if heading.level == 3]

    def of(self, start: int) -> list[SectionPiece]:
        """The pieces of the document from `start` on, in order."""
        return [
            piece
            for number, section in enumerate(sections_of(self.document, start, self.excluded))
            for piece in self.section(number, *section)
        ]

    # --- cutting ----------------------------------------------------------------------------------

    def section(self, number: int, span: Span, heading: Block | None) -> Iterator[SectionPiece]:
        """An H2 section or introduction as one piece, or split at H3, or at paragraphs (sr-1)."""
        kept = kept_of(self.document, span, self.excluded)
        if not kept:
            return
        ended_by = self.section_end(span.end)
        if self.fits(kept, heading):
            yield self.piece(number, kept, heading, ended_by)
            return
        thirds = [each for each in self.thirds_between(kept[0].start, kept[-1].end) if _inside(each.span.start, kept)]
        if not thirds:
            yield from self.paragraphs(number, kept, heading, ended_by)
            return
        starts = [third.span.start for third in thirds]
        edges = [span.start, *starts, span.end]
        parts = [
            (kept_of(self.document, Span(*edge), self.excluded), each)
            for edge, each in zip(pairwise(edges), [heading, *thirds], strict=True)
        ]
        if not parts[0][0] or is_bare(self.document, parts[0][0]):
            # sr-5: lead text that is only the heading joins the first H3.
            joint = kept_of(self.document, Span(span.start, edges[2]), self.excluded)
            parts[:2] = [(joint, thirds[0])]
        for at, (part, named) in enumerate(parts):
            if not part:
                continue
            following = parts[at + 1][1] if at + 1 < len(parts) else None
            end = self.third_end(following, kept) if following else ended_by
            if self.fits(part, named):
                yield self.piece(number, part, named, end)
            else:
                yield from self.paragraphs(number, part, named, end)

    def thirds_between(self, start: int, end: int) -> Sequence[Block]:
        """The H3 headings from one offset to another."""
        first = bisect_left(self.thirds, start, key=_start)
        return self.thirds[first : bisect_left(self.thirds, end, lo=first, key=_start)]

    def paragraphs(
        self, number: int, kept: tuple[Span, ...], heading: Block | None, ended_by: Boundary
    ) -> Iterator[SectionPiece]:
        """Blocks filled up to targetHigh; code is never cut (sr-1, sr-7)."""
        limit = self.limit(heading)
        target = min(self.sizes.target_high, limit)
        held: list[_Atom] = []
        for atom in self.atoms(kept, limit, target):
            tokens = self.tokens(_spans([*held, atom]))
            if held:
                tokens_with_header = tokens + self.tools.count(held[0].context)
                if tokens_with_header > target:
                    before = self.tokens(_spans(held))
                    detail = (
                        f"{before} tokens held and the block on line {self.document.line_of(atom.span.start)} "
                        f"would make {tokens}, over targetHigh {self.sizes.target_high}"
                    )
                    yield self.filled(
                        number,
                        held,
                        heading,
                        Boundary("paragraph", detail, before, tokens - before, target, ("target_high", "split_above")),
                    )
                    held = []
            held.append(atom)
        yield self.filled(number, held, heading, ended_by)

    def atoms(self, kept: tuple[Span, ...], limit: int, target: int) -> Iterator[_Atom]:
        """The blocks in what is kept, a heading with the block after it; what is over the limit in
        pieces."""
        for span in kept:
            start = at = span.start
            while at < span.end:
                block = self.document.block_at(at)
                end = min(block.span.end, span.end)
                if block.kind in ("heading", "blank") and end < span.end:
                    leading = self.tokens((Span(start, end),))
                    if leading <= target // 2:
                        at = end
                        continue
                if block.kind == "code" or self.tokens((Span(start, end),)) <= limit:
                    yield _Atom(Span(start, end))
                else:
                    yield from self.split(start, Span(at, end), block, limit, target)
                start = at = end

    def split(self, start: int, leaf: Span, block: Block, limit: int, target: int) -> Iterator[_Atom]:
        """A block over the limit cut by its kind (all-6); headings that begin at `start` go with
        the first piece, but not with one character that is over the limit behind them."""
        room = target - self.tools.count_span(self.document, Span(start, leaf.start))
        pieces = split_oversize(self.document, leaf, block.kind, max(1, room), self.tools, whole_fences=True)
        first = Span(start, pieces[0].span.end)
        if start < leaf.start and self.tokens((first,)) > limit and not holds_code(self.document, (first,)):
            yield _Atom(Span(start, leaf.start))
            yield from self.split(leaf.start, leaf, block, limit, target)
            return
        for at, piece in enumerate(pieces):
            span = Span(start, piece.span.end) if at == 0 else piece.span
            # What is over the target may still be within splitAbove, of which only the chunk as a
            # whole can tell.
            flags = tuple(flag for flag in piece.flags if flag.rule != "unsplittable")
            yield _Atom(span, piece.context, at > 0 and bool(piece.context or flags), flags)

    def filled(self, number: int, held: Sequence[_Atom], heading: Block | None, ended_by: Boundary) -> SectionPiece:
        first = held[0]
        flags = tuple(dict.fromkeys(flag for atom in held for flag in atom.flags))
        piece = self.piece(number, _spans(held), heading, ended_by)
        return replace(piece, context=first.context, inside=first.inside, flags=flags)

    def piece(self, number: int, kept: tuple[Span, ...], heading: Block | None, ended_by: Boundary) -> SectionPiece:
        return SectionPiece(kept, heading, number, is_bare(self.document, kept), ended_by)

    def section_end(self, end: int) -> Boundary:
        if end >= len(self.document.text):
            return END
        return Boundary("h2", f"{self.named(end)} begins")

    def third_end(self, following: Block, kept: tuple[Span, ...]) -> Boundary:
        total = self.tokens(kept)
        detail = (
            f"{self.named(following.span.start)} begins, in a section of {total} tokens, "
            f"over splitAbove {self.sizes.split_above}"
        )
        return Boundary("h3", detail, total, None, self.sizes.split_above, ("split_above",))

    def named(self, offset: int) -> str:
        section = self.document.section_at(offset)
        return (
            f"'{clip(section.title, 60)}'" if section.title else f"the heading on line {self.document.line_of(offset)}"
        )

    # --- sizes ------------------------------------------------------------------------------------

    def tokens(self, kept: tuple[Span, ...]) -> int:
        return tokens_of(self.document, kept, self.tools)

    def fits(self, kept: tuple[Span, ...], heading: Block | None) -> bool:
        tokens, limit = self.tokens(kept), self.limit(heading)
        return tokens <= limit

    # --- merging ----------------------------------------------------------------------------------

    def merged(self, pieces: list[SectionPiece]) -> list[SectionPiece]:
        """Pieces below minTokens joined with a neighbour: inside the section first, the one before
        first (sr-3)."""
        at = 0
        while at < len(pieces):
            size = self.tokens(pieces[at].kept)
            first = self.neighbour(pieces, at) if size < self.sizes.min_tokens else None
            if first is None:
                at += 1
                continue
            pieces[first : first + 2] = [joined(pieces[first], pieces[first + 1])]
            at = first
        return pieces

    def neighbour(self, pieces: Sequence[SectionPiece], at: int) -> int | None:
        """The index of the first of the two pieces to join, None when neither neighbour leaves the
        result in limits."""
        pairs = [first for first in (at - 1, at) if 0 <= first < len(pieces) - 1]
        inside = [first for first in pairs if pieces[first].section == pieces[first + 1].section]
        for first in [*inside, *(pair for pair in pairs if pair not in inside)]:
            both = joined(pieces[first], pieces[first + 1])
            if self.fits(both.kept, both.heading):
                return first
        return None


def _start(block: Block) -> int:
    return block.span.start


def _inside(offset: int, kept: Sequence[Span]) -> bool:
    return any(span.contains(offset) for span in kept)


def _spans(atoms: Sequence[_Atom]) -> tuple[Span, ...]:
    """The atoms' spans, those that touch made one."""
    spans: list[Span] = []
    for atom in atoms:
        if spans and spans[-1].end == atom.span.start:
            spans[-1] = Span(spans[-1].start, atom.span.end)
        else:
            spans.append(atom.span)
    return tuple(spans)
