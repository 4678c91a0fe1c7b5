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
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.oversize import split_oversize
from chunking.strategies.section_rules.sections import (
    ExcludedSection,
    SectionPiece,
    has_only_headings,
    joined,
    sections_of,
    tokens_of,
    without_excluded,
)
from chunking.tracing import plain


@dataclass(frozen=True, slots=True)
class Sizes:
    """The settings that sizes are compared with, in tokens."""

    split_above: int
    target_high: int
    min_tokens: int


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never cut when pieces are filled with paragraphs: a block, a piece of one over the
    limit, a heading with the block after it."""

    span: Span
    context: str = ""
    inside: bool = False
    flags: tuple[Boundary, ...] = ()


class SectionSplitter:
    """Cuts the sections of one document into pieces."""

    def __init__(
        self,
        document: Document,
        tools: SplitContext,
        excluded: Sequence[ExcludedSection],
        sizes: Sizes,
        limit_under: Callable[[Block | None], int],
        *,
        count_context: bool,
    ) -> None:
        """`limit_under` says how many tokens the content under a heading may have, with
        `count_context` together with a table header that is repeated in front of it."""
        self.document = document
        self.tools = tools
        self.excluded = excluded
        self.sizes = sizes
        self.limit_under = limit_under
        self.count_context = count_context
        self.h3_headings = [heading for heading in document.headings if heading.level == 3]

    def pieces_from(self, start: int) -> list[SectionPiece]:
        """The pieces of the document from `start` on, in order."""
        return [
            piece
            for number, section in enumerate(sections_of(self.document, start, self.excluded))
            for piece in self.split_section(number, *section)
        ]

    # --- cutting ----------------------------------------------------------------------------------

    def split_section(self, number: int, span: Span, heading: Block | None) -> Iterator[SectionPiece]:
        """An H2 section or introduction as one piece, or split at H3, or at paragraphs (sr-1)."""
        spans = without_excluded(self.document, span, self.excluded)
        if not spans:
            return
        section_end = self.h2_boundary(span.end)
        if self.fits(spans, heading):
            yield self.piece(number, spans, heading, section_end)
            return
        h3_headings = self.h3_within(spans)
        if not h3_headings:
            yield from self.split_at_paragraphs(number, spans, heading, section_end)
            return
        parts = self.parts_at_h3(span, heading, h3_headings)
        for at, (part, part_heading) in enumerate(parts):
            if not part:
                continue
            following = parts[at + 1][1] if at + 1 < len(parts) else None
            ended_by = self.h3_boundary(following, spans) if following else section_end
            if self.fits(part, part_heading):
                yield self.piece(number, part, part_heading, ended_by)
            else:
                yield from self.split_at_paragraphs(number, part, part_heading, ended_by)

    def h3_within(self, spans: Sequence[Span]) -> list[Block]:
        """The H3 headings in these spans."""
        first = bisect_left(self.h3_headings, spans[0].start, key=_start)
        beyond = bisect_left(self.h3_headings, spans[-1].end, lo=first, key=_start)
        return [each for each in self.h3_headings[first:beyond] if _inside(each.span.start, spans)]

    def parts_at_h3(
        self, section: Span, heading: Block | None, h3_headings: Sequence[Block]
    ) -> list[tuple[tuple[Span, ...], Block | None]]:
        """The spans of a section before its first H3 and of each H3, with their headings; a part of
        which all is excluded has none. Lead text that is only the heading joins the first H3
        (sr-5)."""
        edges = [section.start, *(each.span.start for each in h3_headings), section.end]
        parts = [
            (without_excluded(self.document, Span(*edge), self.excluded), each)
            for edge, each in zip(pairwise(edges), [heading, *h3_headings], strict=True)
        ]
        lead = parts[0][0]
        if not lead or has_only_headings(self.document, lead):
            joint = without_excluded(self.document, Span(section.start, edges[2]), self.excluded)
            parts[:2] = [(joint, h3_headings[0])]
        return parts

    def split_at_paragraphs(
        self, number: int, spans: tuple[Span, ...], heading: Block | None, ended_by: Boundary
    ) -> Iterator[SectionPiece]:
        """Blocks filled up to targetHigh; code is never cut (sr-1, sr-7)."""
        limit = self.limit_under(heading)
        target = min(self.sizes.target_high, limit)
        filling: list[_Atom] = []
        for atom in self.atoms(spans, limit, target):
            tokens = self.tokens(_spans([*filling, atom]))
            if filling:
                header = self.tools.count(filling[0].context)
                if tokens + header > target:
                    held = self.tokens(_spans(filling)) + header
                    boundary = self.paragraph_boundary(atom.span.start, held, tokens + header, target, header)
                    yield self.piece_of(number, filling, heading, boundary)
                    filling = []
            filling.append(atom)
        yield self.piece_of(number, filling, heading, ended_by)

    def atoms(self, spans: tuple[Span, ...], limit: int, target: int) -> Iterator[_Atom]:
        """The blocks in these spans, a heading with the block after it; what is over the limit in
        pieces."""
        for span in spans:
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
                    yield from self.split_block(start, Span(at, end), block, limit, target)
                start = at = end

    def split_block(self, start: int, leaf: Span, block: Block, limit: int, target: int) -> Iterator[_Atom]:
        """A block over the limit cut by its kind (all-6); headings that begin at `start` go with
        the first piece, but not with one character that is over the limit behind them."""
        room = target - self.tools.count_span(self.document, Span(start, leaf.start))
        pieces = split_oversize(self.document, leaf, block.kind, max(1, room), self.tools, whole_fences=True)
        first, before = Span(start, pieces[0].span.end), Span(start, leaf.start)
        is_over = self.tokens((first,)) > limit and not holds_code(self.document, (first,))
        if is_over and start < leaf.start and not is_blank(self.document, before):
            yield _Atom(before)
            yield from self.split_block(leaf.start, leaf, block, limit, target)
            return
        for at, piece in enumerate(pieces):
            span = Span(start, piece.span.end) if at == 0 else piece.span
            # What is over the target may still be within splitAbove, of which only the chunk as a
            # whole can tell.
            flags = tuple(flag for flag in piece.flags if flag.rule != "unsplittable")
            yield _Atom(span, piece.context, at > 0 and bool(piece.context or flags), flags)

    def piece_of(self, number: int, atoms: Sequence[_Atom], heading: Block | None, ended_by: Boundary) -> SectionPiece:
        """The piece that these atoms fill."""
        first = atoms[0]
        flags = tuple(dict.fromkeys(flag for atom in atoms for flag in atom.flags))
        piece = self.piece(number, _spans(atoms), heading, ended_by)
        return replace(piece, context=first.context, inside=first.inside, flags=flags)

    def piece(self, number: int, spans: tuple[Span, ...], heading: Block | None, ended_by: Boundary) -> SectionPiece:
        return SectionPiece(spans, heading, number, has_only_headings(self.document, spans), ended_by)

    def h2_boundary(self, end: int) -> Boundary:
        """The end of a section: the next H1 or H2, or the document's end."""
        if end >= len(self.document.text):
            return END
        return Boundary("h2", f"{self.heading_name(end)} begins")

    def h3_boundary(self, following: Block, spans: tuple[Span, ...]) -> Boundary:
        """The end of a part of the section `spans` before its next H3."""
        total = self.tokens(spans)
        detail = (
            f"{self.heading_name(following.span.start)} begins, in a section of {total} tokens, "
            f"over splitAbove {self.sizes.split_above}"
        )
        return Boundary("h3", detail, total, None, self.sizes.split_above, ("split_above",))

    def paragraph_boundary(self, start: int, held: int, total: int, target: int, header: int) -> Boundary:
        """The end before a block at `start` with which a piece would hold `total` tokens, over the
        target; `header` of them are a table header that is repeated in front."""
        repeated = f" with the repeated header ({header})" if header else ""
        whose = (
            f"targetHigh {target}"
            if plain(target) == plain(self.sizes.target_high)
            else f"the {target} left of splitAbove"
        )
        line = self.document.line_of(start)
        detail = f"{held} tokens so far{repeated} and the block on line {line} would make {total}, over {whose}"
        return Boundary("paragraph", detail, held, total - held, target, ("target_high", "split_above"))

    def heading_name(self, offset: int) -> str:
        """The heading at an offset, as a reason names it."""
        section = self.document.section_at(offset)
        return (
            f"'{clip(section.title, 60)}'" if section.title else f"the heading on line {self.document.line_of(offset)}"
        )

    # --- sizes ------------------------------------------------------------------------------------

    def tokens(self, spans: tuple[Span, ...]) -> int:
        return tokens_of(self.document, spans, self.tools)

    def fits(self, spans: tuple[Span, ...], heading: Block | None) -> bool:
        tokens, limit = self.tokens(spans), self.limit_under(heading)
        return tokens <= limit

    # --- merging ----------------------------------------------------------------------------------

    def with_small_joined(self, pieces: list[SectionPiece]) -> list[SectionPiece]:
        """The pieces, those below minTokens joined with a neighbour: one of the same section before
        one of another, the one before rather than the one after (sr-3)."""
        at = 0
        while at < len(pieces):
            size = self.tokens(pieces[at].spans)
            first = self.pair_to_join(pieces, at) if size < self.sizes.min_tokens else None
            if first is None:
                at += 1
                continue
            pieces[first : first + 2] = [joined(pieces[first], pieces[first + 1])]
            at = first
        return pieces

    def pair_to_join(self, pieces: Sequence[SectionPiece], at: int) -> int | None:
        """The index of the first of the two pieces to join; None where the joint would be over the
        limit with either neighbour."""
        pairs = [first for first in (at - 1, at) if 0 <= first < len(pieces) - 1]
        inside = [first for first in pairs if pieces[first].section == pieces[first + 1].section]
        for first in [*inside, *(pair for pair in pairs if pair not in inside)]:
            both = joined(pieces[first], pieces[first + 1])
            repeated = self.tools.count(both.context) if self.count_context and both.context else 0
            if self.tokens(both.spans) + repeated <= self.limit_under(both.heading):
                return first
        return None


def _start(block: Block) -> int:
    return block.span.start


def _inside(offset: int, spans: Sequence[Span]) -> bool:
    return any(span.contains(offset) for span in spans)


def _spans(atoms: Sequence[_Atom]) -> tuple[Span, ...]:
    """The atoms' spans, those that touch made one."""
    touching: list[Span] = []
    for atom in atoms:
        if touching and touching[-1].end == atom.span.start:
            touching[-1] = Span(touching[-1].start, atom.span.end)
        else:
            touching.append(atom.span)
    return tuple(touching)
