"""Where the chunks of the strategy `code` end, and what stands in front of each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import END, PASSED_OVER, Boundary, Skip
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.document.source_files import Language
from chunking.splitting.blank_edges import blank, blank_edges
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.break_points import break_points_of
from chunking.splitting.document_cache import once_per_document
from chunking.splitting.oversize import OversizePiece, Splitter, pieces_within
from chunking.splitting.source_code.structure import Source, fenced_source, structure_of
from chunking.strategies.code.surroundings import Surroundings
from chunking.text.whitespace import first_visible, line_begin, visible_edges
from chunking.tracing import plain

Ends = npt.NDArray[np.int64]

_LONGEST_NAME = 80
"""Characters of a definition's name in a breadcrumb."""
_MERGED = 16
"""More tokens than a part saves by merging with what is before it."""
WAY_OUT = "choose another strategy"
"""Where a grammar is missing."""
_OUTSIDE = Boundary("level-end", "the definition or statement that was too large for one chunk ends here")


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk before it is counted and sealed."""

    span: Span
    ended_by: Boundary
    source: Source | None = None
    """The code that it is cut from by its grammar; None for other blocks."""
    context: str = ""
    closing: str = ""
    flags: tuple[Boundary, ...] = ()
    cut_off: int = 0
    """White space at the start that is over the limit beside the text."""

    @property
    def language(self) -> str | None:
        return self.source.language if self.source else None


class Cutting:
    """Cuts one document with one set of settings."""

    def __init__(
        self, document: Document, tools: SplitContext, limit: int, language: Language | None, *, signatures: bool
    ) -> None:
        self._document = document
        self._text = document.text
        self._tools = tools
        self._index = tools.index(document)
        self._limit = limit
        self._language = language
        self._around = Surroundings(document, tools, limit, signatures=signatures)
        self._splitters: dict[tuple[Span, str, str], Splitter] = {}

    def cuts(self, start: int) -> Iterator[Cut | Skip]:
        """All of them, from `start` to the end of the document; they tile it, with a skip in front
        where the first ones make no difference to what is asked."""
        end = len(self._text)
        if start == end:
            return
        if self._language:
            source = Source(self._language, structure_of(self._document, Span(start, end), self._language))
            ends = source.structure.ends_within(start, end)
        else:
            source, ends = None, once_per_document(self._document, _block_ends)
            ends = ends[np.searchsorted(ends, start, side="right") :]
        passed = self._passed_over(start, ends, source)
        if passed:
            yield Skip(Span(start, int(ends[passed - 1])), PASSED_OVER)
            start, ends = int(ends[passed - 1]), ends[passed:]
        yield from self._level(start, ends, source, END)

    def _passed_over(self, start: int, ends: Ends, source: Source | None) -> int:
        """How many of the parts end before what matters (`SplitContext.passes_over`) with one that
        is over the limit by itself, whatever is before it: a chunk ends there."""
        passes, before = self._tools.passes_over, self._index.tokens_before
        if not passes(Span(start, start + 1)):
            return 0
        over = plain(self._limit) + _MERGED
        last = bisect_left(ends, True, key=lambda end: not passes(Span(start, int(end))))
        end, tokens = (int(ends[last - 1]), before(int(ends[last - 1]))) if last else (start, 0)
        for at in range(last - 1, 0, -1):
            begin = int(ends[at - 1])
            tokens_begin = before(begin)
            if tokens - tokens_begin > over:
                held = self._index.count(*self._kept(begin, end, source))
                if held > over and held > self._limit + _MERGED:  # traced of the one that is taken
                    return at + 1
            end, tokens = begin, tokens_begin
        return 0

    def holes(self, cut: Cut) -> tuple[Skip, ...]:
        """The white space at the edges of a cut; code keeps the indentation of its first line."""
        rest = Span(cut.span.start + cut.cut_off, cut.span.end)
        keep_indent = cut.source is not None or bool(cut.context)
        return (*blank(cut.span.start, rest.start), *blank_edges(self._document, rest, keep_indent=keep_indent))

    def breadcrumb(self, cut: Cut) -> tuple[str, ...]:
        """In source code the definitions around what a chunk begins with, itself included; in
        Markdown the headings, also within a fence."""
        at = first_visible(self._text, cut.span.start, cut.span.end)
        above = (self._document.base_name,) if self._language else self._document.breadcrumb_at(at)
        if cut.source is None or not self._language:
            return above
        names = (self._document[each.name] for each in cut.source.structure.definitions_at(at))
        return (*above, *(clip(shown, _LONGEST_NAME) for name in names if (shown := " ".join(name.split()))))

    # --- going down -------------------------------------------------------------------------------

    def _level(self, start: int, ends: Ends, source: Source | None, last: Boundary) -> Iterator[Cut]:
        """Parts that end at `ends`, as many in one cut as fit; what does not fit alone is cut
        inside. `last` is why the last cut ends."""
        first = 0
        while first < len(ends):
            find = partial(self._last_fitting, start, ends, first, source)
            at = self._tools.remembered(("fitting", start, int(ends[first]), int(ends[-1]), len(ends)), find)
            if at >= first:
                end = int(ends[at])
                ended_by = last if at + 1 == len(ends) else self._full(start, end, int(ends[at + 1]), source)
                yield self._cut(Span(start, end), ended_by, source)
            else:
                at, end = first, int(ends[first])
                yield from self._inside(start, end, source, last if at + 1 == len(ends) else _OUTSIDE)
            start, first = end, at + 1

    def _inside(self, start: int, end: int, source: Source | None, last: Boundary) -> Iterator[Cut]:
        """A part that does not fit, cut at the statements in it, or at its lines."""
        if source is None:
            yield from self._inside_blocks(start, end, last)
            return
        inner = source.structure.ends_within(start, end)
        if len(inner) == 1:
            yield from self._lines(Span(start, end), source, last)
        else:
            yield from self._level(start, inner, source, last)

    def _inside_blocks(self, start: int, end: int, last: Boundary) -> Iterator[Cut]:
        """A block that does not fit with the headings above it: a fence at its statements, another
        block by its kind. The headings stay with its first piece, unless they take half the
        limit."""
        block = self._document.block_at(end - 1)
        source = fenced_source(self._document, block, WAY_OUT)
        if source:
            yield from self._inside(start, end, source, last)
            return
        above, before = Span(start, block.span.start), self._text[start : block.span.start]
        pieces = self._pieces(block, before) if before and self._tools.count(before) * 2 <= self._limit else []
        if pieces and not pieces[0].cut_off and not pieces[0].flags:
            pieces[0] = replace(pieces[0], span=Span(start, pieces[0].span.end))
        else:
            pieces = self._pieces(block, "")
            if before:
                ends = once_per_document(self._document, _all_block_ends)
                first, last_of_them = np.searchsorted(ends, (above.start, above.end), side="right")
                full = self._full(start, above.end, end, None)
                yield from self._level(start, ends[first:last_of_them], None, full)
        yield from self._of_pieces(pieces, block.span, None, last)

    def _pieces(self, block: Block, before: str) -> list[OversizePiece]:
        """A block cut by its kind, with room for `before` in front of the first piece."""
        stops = break_points_of(self._document).within(block.span, block.kind)
        first = Splitter(self._document, stops, self._limit, self._tools, before=before)
        others = Splitter(self._document, stops, self._limit, self._tools) if before else first

        def next_piece(start: int) -> OversizePiece:
            return (first if start == block.span.start else others).next_piece(start)

        return pieces_within(self._document, block.span, next_piece)

    def _lines(self, span: Span, source: Source, last: Boundary) -> Iterator[Cut]:
        """A statement that does not fit, at its lines, then words."""
        # As HTML: at lines and words, and no line of it opens a fence.
        stops = break_points_of(self._document).within(span, "html")

        def next_piece(start: int) -> OversizePiece:
            before, after = self._around.before(start, source), self._around.closing(source)
            key = span, before, after
            if key not in self._splitters:
                splitter = Splitter(self._document, stops, self._limit, self._tools, before=before, after=after)
                self._splitters[key] = splitter
            return self._splitters[key].next_piece(start)

        yield from self._of_pieces(pieces_within(self._document, span, next_piece), span, source, last)

    def _of_pieces(
        self, pieces: list[OversizePiece], span: Span, source: Source | None, last: Boundary
    ) -> Iterator[Cut]:
        tokens = self._index.count_quickly(span.start, span.end)
        kind = "statement" if source else "block"
        detail = f"this one {kind} has {tokens} tokens, more than maxTokens ({self._limit}), so it is cut"
        oversized = Boundary("oversized", detail, held=tokens, limit=self._limit, settings=("max_tokens",))
        for piece in pieces:
            ended_by = last if piece.span.end == span.end else oversized
            flags = piece.flags
            if source and flags and self._tokens(piece.span.start, piece.span.end, source) <= self._limit:
                flags = ()  # the last piece of a fence needs no end, for which there was to be room
            cut = Cut(piece.span, ended_by, source, piece.context, piece.closing, flags, piece.cut_off)
            yield self._framed(cut) if source else cut

    # --- what fits --------------------------------------------------------------------------------

    def _last_fitting(self, start: int, ends: Ends, first: int, source: Source | None) -> int:
        """The last of `ends`, from the index `first` on, at which a chunk from `start` is within
        the limit; `first - 1` if none."""
        around = self._around.before(start, source), self._around.closing(source)
        budget = self._limit - sum(self._tools.count(each) for each in around if each)
        lead = self._lead(start, int(ends[first]), source)
        at = self._index.last_within(lead, ends, budget, first) if budget > 0 else first - 1
        while at > first and not self._fits(start, int(ends[at]), source):
            at -= 1
        at = max(at, first)
        if not self._fits(start, int(ends[at]), source):
            return first - 1
        # White space behind a part counts nothing, so that one more may fit.
        while at + 1 < len(ends) and self._fits(start, int(ends[at + 1]), source):
            at += 1
        return at

    def _lead(self, start: int, end: int, source: Source | None) -> int:
        """Where the kept text of a chunk begins; `start` where nothing is visible."""
        first = first_visible(self._text, start, end)
        if first == end:
            return start
        return line_begin(self._text, start, first) if source else first

    def _fits(self, start: int, end: int, source: Source | None) -> bool:
        lead, tail = self._kept(start, end, source)
        if self._index.count_to_compare(lead, tail, self._limit) > self._limit:
            return False
        return self._tokens(start, end, source) <= self._limit

    def _kept(self, start: int, end: int, source: Source | None) -> tuple[int, int]:
        lead, tail = visible_edges(self._text, start, end)
        return (line_begin(self._text, start, lead) if source and lead < tail else lead), tail

    def _tokens(self, start: int, end: int, source: Source | None) -> int:
        """Tokens of a chunk's whole text."""
        kept = Span(*self._kept(start, end, source))
        return self._index.count_parts([self._around.before(start, source), kept, self._around.closing_at(end, source)])

    def _full(self, start: int, end: int, following: int, source: Source | None) -> Boundary:
        held = self._tokens(start, end, source)
        lead, tail = self._kept(end, following, source)
        following_tokens = self._index.count_quickly(lead, tail)
        detail = (
            f"the chunk has {held} tokens, and with {following_tokens} more in what follows it would exceed maxTokens "
            f"({self._limit})"
        )
        return Boundary(
            "size-reached", detail, held=held, next=following_tokens, limit=self._limit, settings=("max_tokens",)
        )

    def _cut(self, span: Span, ended_by: Boundary, source: Source | None) -> Cut:
        return self._framed(Cut(span, ended_by, source)) if source else Cut(span, ended_by)

    def _framed(self, cut: Cut) -> Cut:
        """A cut of code with what stands in front of it and behind it."""
        if cut.source is None:
            return cut
        context = self._around.context(cut.span.start, cut.source)
        closing = self._around.closing_at(cut.span.end, cut.source)
        return replace(cut, context=context.text, closing=closing, flags=(*context.flags, *cut.flags))


def _all_block_ends(document: Document) -> Ends:
    """Where each block of Markdown ends."""
    return np.array([block.span.end for block in document.blocks], dtype=np.int64)


def _block_ends(document: Document) -> Ends:
    """Where parts of Markdown end: a heading goes with the block under it, blank lines at the start
    with what follows."""
    ends = [
        block.span.end
        for block, following in zip(document.blocks, [*document.blocks[1:], None], strict=True)
        if following is None or block.kind not in ("heading", "blank")
    ]
    return np.array(ends, dtype=np.int64)
