"""A block that is over a hard limit on its own, cut into pieces that are within it.

A hard limit is hard (DECISIONS all-6): code is cut at lines and re-fenced, tables at rows with the
header repeated, lists at items, prose at sentences; and what is still over goes at words, then at
grapheme clusters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

from chunking.core.chunk import Boundary, Skip
from chunking.core.context import SplitContext
from chunking.document import Block, BlockKind, Document, Span
from chunking.document.fenced_regions import FencedRegion
from chunking.splitting.blank_edges import blank, blank_edges, is_blank
from chunking.splitting.break_points import BreakPoints, break_points_of
from chunking.splitting.source_code.structure import Source
from chunking.text.whitespace import line_begin, visible_edges

_SLACK = 8
"""Tokens by which the parts of a text may count less than the whole. It widens a lower bound that
only saves work; whether a piece is within the limit is always counted exactly."""


@dataclass(frozen=True, slots=True)
class OversizePiece:
    """A part of a block that was too large: what of the source it holds, and what makes it whole
    again."""

    span: Span
    """Pieces tile what was cut. White space at the edges is for the caller to make holes of, see
    `holes`."""
    context: str = ""
    """A reopened fence's first line or a repeated table header, with its quote or list indentation,
    each line ended."""
    closing: str = ""
    """A line ending and the fence's end, to put after the kept text; empty when no fence is cut."""
    flags: tuple[Boundary, ...] = ()
    """`header-dropped` where repeating took more than half the limit, `unsplittable` for one
    cluster over the limit."""
    cut_off: int = 0
    """Characters of white space at the start that are over the limit beside the text: not kept even
    as indentation."""

    def holes(self, document: Document) -> tuple[Skip, ...]:
        """The blank edges of the piece; inside a reopened fence the indentation of the first line
        is kept."""
        rest = Span(self.span.start + self.cut_off, self.span.end)
        holes = blank_edges(document, rest, keep_indent=bool(self.context))
        return (*blank(self.span.start, rest.start), *holes)


def split_oversize(
    document: Document,
    leaf: Block | Span,
    kind: BlockKind,
    limit: int,
    tools: SplitContext,
    *,
    before: str = "",
    whole_fences: bool = False,
    source: Source | None = None,
) -> list[OversizePiece]:
    """Cut a block that is over `limit` tokens by its kind: code at lines, tables at rows, lists at
    items, else prose.

    `before` is what the caller will put in front of every piece (its breadcrumb). For each piece
    before + context + body less its blank edges + closing counts at most `limit`, unless it is
    flagged `unsplittable`. White space that would be a piece of its own goes with the piece before
    it, or at the start with the one after it. With `whole_fences` no fence is cut, those in lists
    and quotes included: what holds one may be over, and is flagged. With the `source` of a fence,
    it is cut at its statements where those fit, and only then at lines.
    """
    span = leaf.span if isinstance(leaf, Block) else leaf
    stops = break_points_of(document).within(span, kind, whole_fences=whole_fences, source=source)
    splitter = Splitter(document, stops, limit, tools, before=before)
    return pieces_within(document, span, splitter.next_piece)


def pieces_within(document: Document, span: Span, next_piece: Callable[[int], OversizePiece]) -> list[OversizePiece]:
    """The pieces that tile a span, none of them white space alone. `next_piece` gives the one that
    begins at an offset."""
    pieces: list[OversizePiece] = []
    start = span.start
    while start < span.end:
        piece = next_piece(start)
        start = piece.span.end
        if pieces and is_blank(document, piece.span):
            pieces[-1] = replace(pieces[-1], span=Span(pieces[-1].span.start, start))
        elif pieces and is_blank(document, pieces[-1].span):
            blank = pieces[-1].span
            pieces[-1] = replace(piece, span=Span(blank.start, start), cut_off=len(blank))
        else:
            pieces.append(piece)
    return pieces


class Splitter:
    """Takes the longest piece within a limit off the front of what is left, again and again."""

    def __init__(
        self,
        document: Document,
        stops: BreakPoints,
        limit: int,
        tools: SplitContext,
        *,
        before: str = "",
        after: str = "",
    ) -> None:
        """`before` and `after` go around every piece and are counted with it."""
        self._document = document
        self._stops = stops
        self._limit = limit
        self._index = tools.index(document)
        self._count = tools.count
        self._before = before
        self._after = after
        self._reopened: dict[FencedRegion, bool] = {}
        self._next_start = stops.span.start
        self._out_of_reach: dict[int, int] = {}
        """Offsets that a piece from `_next_start` cannot reach, with a lower bound on the tokens up
        to there: so that one huge word is not counted again for every piece of it."""
        self._reserve = max((self._cost(self._closing(region)) for region in stops.breakable), default=0)

    def next_piece(self, start: int) -> OversizePiece:
        """The piece that begins at `start`, made whole: as far as it goes at the coarsest tier that
        fits at all."""
        if start != self._next_start:  # a caller that remembers pieces does not ask for all of them
            self._out_of_reach = {}
        context = self._context(start)
        budget = self._limit - self._reserve - self._cost(self._before + context) - self._cost(self._after)
        end, fits = self._end(start, context, budget)
        self._forget_reachable(self._index.count(start, end) + _SLACK)
        self._next_start = end
        broken = self._stops.region_at(end) if end < self._stops.span.end else None
        closing = self._closing(broken) if broken else ""
        flags = []
        entered = self._stops.region_at(start)
        if any(found and not self._may_reopen(found) for found in (entered, broken)):
            flags.append(
                Boundary(
                    "header-dropped",
                    f"the header or fence to repeat takes more than half of {self._limit} tokens",
                    limit=self._limit,
                )
            )
        if not fits:
            tokens = self._index.count(start, end)
            whole = self._stops.whole(start, end)
            flags.append(
                Boundary(
                    "unsplittable",
                    f"{'code' if whole else 'one character'} of {tokens} tokens is over {self._limit} and "
                    f"{'is never cut' if whole else 'cannot be cut'}",
                    held=tokens,
                    limit=self._limit,
                )
            )
        return OversizePiece(Span(start, end), context, closing, tuple(flags))

    def _forget_reachable(self, taken: int) -> None:
        """Forget the offsets that are in reach once `taken` tokens are cut off the front."""
        left = {stop: tokens - taken for stop, tokens in self._out_of_reach.items()}
        self._out_of_reach = {stop: tokens for stop, tokens in left.items() if tokens > self._limit}

    def _end(self, start: int, context: str, budget: int) -> tuple[int, bool]:
        """Where the piece ends, and whether it is within the limit.

        Of the coarsest tier (blank lines, then lines, ...) with a stop in reach, the last stop that
        fits; where no tier has one, a place inside the word.
        """
        for tier in self._stops.tiers():
            stops = tier.offsets
            first = bisect_right(stops, start)
            if self._is_out_of_reach(start, stops[first]):
                continue
            at = self._index.last_within(start, tier.together, budget, first) if budget > 0 else first - 1
            while at > first and not self._fits(start, stops[at], context):
                at -= 1
            at = max(at, first)
            if self._fits(start, stops[at], context):
                return stops[at], True
        return self._end_in_word(start, stops[first], context)

    def _is_out_of_reach(self, start: int, stop: int) -> bool:
        """Whether the source alone, from `start` to `stop`, is over the limit; then the answer is
        remembered, which keeps a megabyte in one word linear."""
        if stop in self._out_of_reach:
            return True
        tokens = self._index.count_to_compare(start, stop, self._limit)
        over = tokens > self._limit
        if over:
            self._out_of_reach[stop] = tokens
        return over

    def _end_in_word(self, start: int, word_end: int, context: str) -> tuple[int, bool]:
        """`_end` among the grapheme clusters of a word: the last one that fits, looked for by
        doubling, then halving, so that few and short stretches are counted. Where not even one
        fits, the first, which is over the limit."""
        stops = self._stops.clusters(start, word_end)
        first = bisect_right(stops, start)
        if not self._fits(start, stops[first], context):
            return stops[first], False
        good, step = first, max(1, int(self._limit))
        while good + step < len(stops) and self._fits(start, stops[good + step], context):
            good, step = good + step, step * 2
        over = min(good + step, len(stops))
        while over - good > 1:
            middle = (good + over) // 2
            good, over = (middle, over) if self._fits(start, stops[middle], context) else (good, middle)
        return stops[good], True

    def _fits(self, start: int, end: int, context: str) -> bool:
        """Whether a piece from `start` to `end` is within the limit, whatever the caller keeps of
        the white space at its edges (`OversizePiece.holes`).

        A piece may count more with less white space, as two words that touch may. So each text that
        the caller may make is counted: the whole span, and up to its last visible character from
        its start, from the indentation of its first visible line, and from its first visible
        character.
        """
        broken = self._stops.region_at(end) if end < self._stops.span.end else None
        head = self._before + context
        tail = (self._closing(broken) if broken else "") + self._after
        text = self._document.text
        first, last = visible_edges(text, start, end)
        possible = {Span(start, end)}
        if first < last:
            possible |= {Span(each, last) for each in (start, line_begin(text, start, first), first)}
        if tail:
            return all(self._index.count_parts([head, span, tail]) <= self._limit for span in possible)
        return all(self._index.count_after(head, span.start, span.end) <= self._limit for span in possible)

    def _context(self, start: int) -> str:
        entered = self._stops.region_at(start)
        if entered is None or not self._may_reopen(entered):
            return ""
        at_line_start = self._document.text[start - 1 : start] in ("\n", "\r")
        return entered.opening if at_line_start else entered.opening + entered.prefix

    def _closing(self, broken: FencedRegion) -> str:
        if not broken.closing or not self._may_reopen(broken):
            return ""
        return self._document.line_ending + broken.closing

    def _may_reopen(self, region: FencedRegion) -> bool:
        """Context and closing may take at most half the limit, else nothing is repeated (DECISIONS
        all-6)."""
        known = self._reopened.get(region)
        if known is None:
            around = self._cost(self._before + region.opening) + self._cost(region.closing)
            known = self._reopened[region] = around * 2 <= self._limit
        return known

    def _cost(self, text: str) -> int:
        return self._count(text) if text else 0
