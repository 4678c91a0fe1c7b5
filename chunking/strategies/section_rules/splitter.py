"""Where section-rules cuts: sections at H3, at paragraphs up to a target, and small pieces joined
with a neighbour.

Source: section-rules.md; DECISIONS sr-1, sr-3, sr-5, sr-7. What goes around a piece's text is for
the strategy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice, pairwise
from typing import NamedTuple

from chunking.core.chunk import END, Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.oversize import split_oversize
from chunking.strategies.section_rules.known_groups import KnownSizes, Sizes
from chunking.strategies.section_rules.sections import (
    Ending,
    SectionPiece,
    chapter_of,
    h2_ending,
    has_only_headings,
    headed_by,
    joined,
    joined_spans,
    visible_spans,
    without_excluded,
)
from chunking.text.whitespace import visible_edges
from chunking.tracing import plain


class _Atom(NamedTuple):
    """What is never cut when pieces are filled with paragraphs: a block, a piece of one over the
    limit, a heading with the block after it."""

    span: Span
    context: str = ""
    inside: bool = False
    flags: tuple[Boundary, ...] = ()


class _Cut(NamedTuple):
    """The pieces of a section, and the sizes with which they are the same."""

    pieces: list[SectionPiece]
    known: KnownSizes


class _Cuts(Memo[tuple[int, tuple[str, ...]], _Cut]):
    """How a section was cut last, by its start and the excluded headings."""


_SURE = 64
"""Tokens by which a piece with more text behind it surely counts at most less."""


class SectionSplitter:
    """Cuts the sections of one document into pieces."""

    def __init__(
        self,
        document: Document,
        tools: SplitContext,
        exclude: tuple[str, ...],
        sizes: Sizes,
        limit_under: Callable[[Block | None], int],
        *,
        count_context: bool,
    ) -> None:
        """`limit_under` says how many tokens the content under a heading may have, with
        `count_context` together with a table header that is repeated in front of it."""
        self.document = document
        self.tools = tools
        self.exclude = exclude
        self.chapter = chapter_of(document, exclude, tools)
        self.excluded = self.chapter.excluded
        self.sizes = sizes
        self.limit_under = limit_under
        self.count_context = count_context
        self._cuts = once_per_counter(document, tools.counter, _Cuts)
        self.known = KnownSizes()
        """With which what is being worked out is the same."""

    @cached_property
    def h3_headings(self) -> list[Block]:
        return [heading for heading in self.document.headings if heading.level == 3]

    def pieces(self, first: int) -> Iterator[SectionPiece]:
        """The pieces of the document from section number `first` on, in order."""
        for number in range(first, len(self.chapter.sections)):
            yield from self.pieces_of(number)

    def first_that_matters(self) -> int:
        """The number of a section at which a chunk begins, and what stands before it makes no
        difference to what is asked (`SplitContext.passes_over`); 0 for all of them.

        Two pieces that are both clearly over minTokens are never joined. Where an overlap matters,
        the chunk before what is asked must be whole: one such place more.
        """
        passes = self.tools.passes_over
        last = bisect_left(self.chapter.sections, True, key=lambda each: not passes(Span(0, each[0].start)))
        wanted = 1 if self.tools.boundaries_only else 2
        for number in range(last - 1, 0, -1):
            edges = [*self.pieces_of(number - 1)[-1:], *self.pieces_of(number)[:1]]
            wanted -= len(edges) == 2 and all(map(self._is_sure, edges))
            if not wanted:
                return number
        return 0

    def pieces_of(self, number: int) -> list[SectionPiece]:
        """`split_section`, remembered."""
        if self.tools.tracing:
            return self.tools.remembered(("section", number), partial(self._split, number))
        if self.count_context:  # each heading has a limit of its own
            return self._split(number)
        alone = self.chapter.whole.get(number)
        if alone and self.known.limit.admit(alone[0].tokens, self.sizes.split_above):
            return alone
        key = self.chapter.sections[number][0].start, self.exclude
        cut = self._cuts.get(key)
        if cut is None or not cut.known.hold(self.sizes):
            whole, self.known = self.known, KnownSizes()
            cut = self._cuts.keep(key, _Cut(self._split(number), self.known))
            self.known = whole
        self.known.also(cut.known)
        return cut.pieces

    def group_from(self, first: int) -> tuple[list[SectionPiece], int]:
        """The pieces of section number `first` and of those after it, up to two pieces that are
        never joined (`first_that_matters`); and the number of the section there."""
        pieces, number = [*self.pieces_of(first)], first + 1
        while number < len(self.chapter.sections):
            following = self.pieces_of(number)
            if pieces and following and self._is_sure(pieces[-1]) and self._is_sure(following[0]):
                break
            pieces += following
            number += 1
        return pieces, number

    def _is_sure(self, piece: SectionPiece) -> bool:
        """Whether a piece is clearly over minTokens."""
        return not self.known.minimum.admit(piece.tokens + 1 - _SURE, self.sizes.min_tokens)

    def _split(self, number: int) -> list[SectionPiece]:
        return [*self.split_section(number, *self.chapter.sections[number])]

    # --- cutting ----------------------------------------------------------------------------------

    def split_section(self, number: int, span: Span, heading: Block | None) -> Iterator[SectionPiece]:
        """An H2 section or introduction as one piece, or split at H3, or at paragraphs (sr-1)."""
        spans = without_excluded(self.document, span, self.excluded)
        if not spans:
            return
        section_end = h2_ending(self.document, span.end)
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
            ended_by = self.h3_ending(following, spans) if following else section_end
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
        self, number: int, spans: tuple[Span, ...], heading: Block | None, ended_by: Ending
    ) -> Iterator[SectionPiece]:
        """Blocks filled up to targetHigh; code is never cut (sr-1, sr-7)."""
        limit = self.limit_under(heading)
        target = self.target_under(heading)
        filling, filled = list[_Atom](), tuple[Span, ...]()
        for atom in self.atoms(spans, limit, target):
            extended = _extended(filled, atom.span)
            tokens = self.tokens(extended)
            if filling:
                header = self.tools.count(filling[0].context)
                if not self.known.target.admit(tokens + header, target):
                    held = self.tokens(filled) + header
                    ending = Ending("paragraph", atom.span.start, held, tokens + header, header, heading)
                    yield self.piece_of(number, filling, filled, heading, ending)
                    filling, extended = [], (atom.span,)
            filling.append(atom)
            filled = extended
        yield self.piece_of(number, filling, filled, heading, ended_by)

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
                    if self.known.target.admit(2 * leading, target):
                        at = end
                        continue
                if block.kind == "code" or self.known.limit.admit(self.tokens((Span(start, end),)), limit):
                    yield _Atom(Span(start, end))
                else:
                    yield from self.split_block(start, Span(at, end), block, limit, target)
                start = at = end

    def split_block(self, start: int, leaf: Span, block: Block, limit: int, target: int) -> Iterator[_Atom]:
        """A block over the limit cut by its kind (all-6); headings that begin at `start` go with
        the first piece, but not with one character that is over the limit behind them."""
        self.known.target.pin(target)
        room = target - self.tools.count_span(self.document, Span(start, leaf.start))
        pieces = split_oversize(self.document, leaf, block.kind, max(1, room), self.tools, whole_fences=True)
        first, before = Span(start, pieces[0].span.end), Span(start, leaf.start)
        is_over = not self.known.limit.admit(self.tokens((first,)), limit) and not holds_code(self.document, (first,))
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

    def piece_of(
        self, number: int, atoms: Sequence[_Atom], spans: tuple[Span, ...], heading: Block | None, ended_by: Ending
    ) -> SectionPiece:
        """The piece of these spans, which the atoms fill."""
        first = atoms[0]
        flags = tuple(dict.fromkeys(flag for atom in atoms for flag in atom.flags))
        piece = self.piece(number, spans, heading, ended_by)
        return piece._replace(context=first.context, inside=first.inside, flags=flags)

    def piece(self, number: int, spans: tuple[Span, ...], heading: Block | None, ended_by: Ending) -> SectionPiece:
        return SectionPiece(spans, heading, number, ended_by, self.tokens(spans))

    def h3_ending(self, following: Block, spans: tuple[Span, ...]) -> Ending:
        """The end of a part of the section `spans` before its next H3."""
        return Ending("h3", following.span.start, self.tokens(spans))

    def boundary(self, ending: Ending) -> Boundary:
        """The reason with the numbers of the settings."""
        rule, at, held, total, header, heading = ending
        if rule == "h3":
            limit = self.sizes.split_above
            detail = (
                f"the section has {held} tokens, more than splitAbove ({limit}), so it is cut where "
                f"{self.heading_name(at)} begins"
            )
            return Boundary(rule, detail, held, None, limit, ("split_above",))
        if rule == "h2":
            return Boundary(rule, f"the next section begins: {self.heading_name(at)}")
        if rule == END.rule:
            return END
        target = self.target_under(heading)
        repeated = f" ({header} of its repeated header)" if header else ""
        is_setting = plain(target) == plain(self.sizes.target_high)
        whose = f"targetHigh ({target})" if is_setting else f"the {target} left of splitAbove"
        what = f"the block on line {self.document.line_of(at)}"
        detail = (
            f"the chunk has {held} tokens{repeated}, and with {what} it would have {total} tokens, more than {whose}"
        )
        return Boundary(rule, detail, held, total - held, target, ("target_high", "split_above"))

    def heading_name(self, offset: int) -> str:
        """The heading at an offset, as a reason names it."""
        title = self.document.breadcrumb_at(offset)[-1]
        return f"'{clip(title, 60)}'" if title else f"the heading on line {self.document.line_of(offset)}"

    # --- sizes ------------------------------------------------------------------------------------

    def tokens(self, spans: tuple[Span, ...]) -> int:
        """Exact count of the visible text; remembered, as most pieces stay while thresholds
        move."""
        known, key = self.chapter.counts, (spans[0].start, spans[-1].end)
        tokens = known.get(key)
        if tokens is None:
            index = self.tools.index(self.document)
            if len(spans) == 1:
                tokens = index.count(*visible_edges(self.document.text, *key))
            else:
                tokens = index.count_parts(visible_spans(self.document, spans))
            known.keep(key, tokens)
        return tokens

    def fits(self, spans: tuple[Span, ...], heading: Block | None) -> bool:
        return self.known.limit.admit(self.tokens(spans), self.limit_under(heading))

    def target_under(self, heading: Block | None) -> int:
        """Up to how many tokens paragraphs are filled into a piece under this heading."""
        return min(self.sizes.target_high, self.limit_under(heading))

    # --- merging ----------------------------------------------------------------------------------

    def with_small_joined(self, coming: Iterator[SectionPiece]) -> Iterator[SectionPiece]:
        """The pieces, those below minTokens joined with a neighbour: one of the same section before
        one of another, the one before rather than the one after (sr-3)."""
        pieces = [*islice(coming, 2)]
        sure = plain(self.sizes.min_tokens) + _SURE
        at = 0
        while at < len(pieces):
            size = pieces[at].tokens
            small = self.known.minimum.admit(size + 1, self.sizes.min_tokens)
            first = self.pair_to_join(pieces, at) if small else None
            if first is None:
                at += 1
            else:
                pair = pieces[first], pieces[first + 1]
                pieces[first : first + 2] = [joined(self.document, *pair, self.joint_tokens(*pair))]
                at = first
            if at + 1 >= len(pieces):
                pieces += islice(coming, 1)
            if at and pieces[at - 1].tokens >= sure:  # whatever is joined with it, nothing before it will be
                yield from pieces[: at - 1]
                del pieces[: at - 1]
                at = 1
        yield from pieces

    def joint_tokens(self, first: SectionPiece, second: SectionPiece) -> int:
        tokens = self.chapter.counts.get((first.start, second.end))
        return tokens if tokens is not None else self.tokens(joined_spans(first, second))

    def pair_to_join(self, pieces: Sequence[SectionPiece], at: int) -> int | None:
        """The index of the first of the two pieces to join; None where the joint would be over the
        limit with either neighbour."""
        pairs = [first for first in (at - 1, at) if 0 <= first < len(pieces) - 1]
        inside = [first for first in pairs if pieces[first].section == pieces[first + 1].section]
        for first in [*inside, *(pair for pair in pairs if pair not in inside)]:
            before, after = pieces[first], pieces[first + 1]
            repeated, limit = 0, self.sizes.split_above
            if self.count_context:
                repeated = self.tools.count(before.context)
                limit = self.limit_under(headed_by(self.document, before, after).heading)
            if self.known.limit.admit(self.joint_tokens(before, after) + repeated, limit):
                return first
        return None


def _start(block: Block) -> int:
    return block.span.start


def _inside(offset: int, spans: Sequence[Span]) -> bool:
    return any(span.contains(offset) for span in spans)


def _extended(spans: tuple[Span, ...], following: Span) -> tuple[Span, ...]:
    """The spans with one behind them, made one with the last where they touch."""
    if spans and spans[-1].end == following.start:
        return (*spans[:-1], Span(spans[-1].start, following.end))
    return (*spans, following)
