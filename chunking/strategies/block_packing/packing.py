"""Where block-packing begins a new chunk: units in order, packed into the budget by the spec's
rules.

What goes around a chunk's text, and what it repeats, is for `sealing.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from chunking.core.chunk import END, Skip, kept_spans
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.oversize import OversizePiece, split_oversize
from chunking.strategies.block_packing.context_lines import ContextLines
from chunking.strategies.block_packing.unit_columns import NO_LINE, NOT_KNOWN, RULES, WHOLE, Ends, UnitColumns
from chunking.strategies.block_packing.units import (
    IN_CONTEXT,
    LEFT_OUT,
    BlockDraft,
    BlockUnit,
    Path,
    ShortenedPath,
    heading_unit,
    on_path,
    reading_of,
    units_of,
)
from chunking.text.whitespace import first_visible, last_visible

if TYPE_CHECKING:
    from chunking.strategies.block_packing.strategy import BlockPacking

JOINT = 2
"""Tokens that joining the heading line and the text may cost on top of their sum."""


class Reason(NamedTuple):
    """Why a chunk ends, without the settings' numbers, which another cut may have others of."""

    rule: str
    held: int
    """The chunk's tokens."""
    path: Path
    context_path: Path
    unit: BlockUnit | None = None
    """What begins."""
    total: int = 0
    """The tokens that the chunk would have with it."""


def _reason(rule: str, draft: BlockDraft, unit: BlockUnit | None = None, total: int = 0) -> Reason:
    return Reason(rule, draft.tokens, draft.path, draft.context_path, unit, total)


class Packed(NamedTuple):
    """A chunk before it is sealed."""

    draft: BlockDraft
    end: int
    """Where its body ends."""
    reason: Reason


class Stretch(NamedTuple):
    """The chunks from a block that begins one up to the next block that begins one, and with which
    settings they are the same."""

    packed: list[Packed]
    following: int | None
    """The number of that block; None after the last one."""
    budget: KnownLimits
    fill: KnownLimits
    """Of minFill percent of the budget, times 100."""
    half: KnownLimits
    """Of half the maximum."""
    foreseen: int = NOT_KNOWN
    """Why its only chunk ends, where sums of tokens say so (`Packing.foreseen`): they say it for
    other settings too, and all limits hold."""


_ALL = KnownLimits()
"""Never narrowed."""


class _Stretches(Memo[tuple[int, int, bool], Stretch]):
    """The stretch found last from each part of each block, with and without headings."""


class _Alone(Memo[int, int]):
    """By where a block begins, its tokens without indentation."""


class _Columns:
    """The units in columns, made when a cut asks for them."""

    columns: UnitColumns | None = None


class _Pieces(Memo[tuple[int, int, int], list[OversizePiece]]):
    """By the edges of a unit and a limit without context, the pieces of it."""

    most = 1 << 15


class Packing:
    """One document being packed."""

    def __init__(self, strategy: BlockPacking, document: Document, tools: SplitContext) -> None:
        self.strategy = strategy
        self.document = document
        self.tools = tools
        self.index = tools.index(document)
        self.reading = reading_of(document)
        for warning in self.reading.warnings:
            tools.warn(warning)
        self.blocks = units_of(self.reading)
        self.maximum = strategy.maximum_for(self.reading)
        self.reserve, self.budget = sizes(self.maximum, strategy.overlap_percentage)
        self.include_headings = strategy.include_headings
        self.lines = ContextLines(document, tools, self.maximum, include=self.include_headings)
        # With countContext each section has a budget of its own, and more depends on the maximum.
        self.remembers = not (tools.tracing or strategy.count_context)
        self._stretches = once_per_counter(document, tools.counter, _Stretches)
        self._alone = once_per_counter(document, tools.counter, _Alone)
        self._split = once_per_counter(document, tools.counter, _Pieces)
        self._within_budget, self._filled = KnownLimits(), KnownLimits()
        by_sums = self.remembers and self.include_headings and not tools.passes_over(Span(0, 1))
        self.columns = self._units_in_columns() if by_sums else None

    def _units_in_columns(self) -> UnitColumns | None:
        known = once_per_counter(self.document, self.tools.counter, _Columns)
        if known.columns is None:
            known.columns = UnitColumns(self.document, self.blocks, self.index)
        return known.columns if known.columns.are_sure else None

    @cached_property
    def ends(self) -> Ends | None:
        """Where chunks end that begin with a block, and why; None where sums do not say it."""
        if self.columns is None:
            return None
        fill = -(-self.strategy.min_fill * self.budget // 100)
        blocks = self.blocks
        return self.columns.ends(self.budget, fill, self.maximum // 2, lambda number: self._says_all(blocks[number]))

    def stretch_from(self, first: int, part: int = 0) -> Stretch:
        """The chunks from the block of this number on, or from a later part of it."""
        if not self.remembers:
            return self.tools.remembered(("packed", first, part), partial(self._pack_from, first, part))
        if part == 0 and self.columns and (foreseen := self._stretch_by_sums(self.columns, first)):
            return foreseen
        key, fill = (first, part, self.include_headings), self.strategy.min_fill * self.budget
        known = self._stretches.get(key)
        if known and known.budget.hold(self.budget) and known.fill.hold(fill) and known.half.hold(self.maximum // 2):
            return known
        return self._stretches.keep(key, self._pack_from(first, part))

    def foreseen(self, first: int) -> tuple[int, int]:
        """Where a chunk ends that begins with the block of this number, and why, as in `Ends`."""
        return self.ends.of(first) if self.ends else (0, NOT_KNOWN)

    def _stretch_by_sums(self, columns: UnitColumns, first: int) -> Stretch | None:
        """The one chunk from a block on; None where sums do not say where it ends."""
        following, rule = self.foreseen(first)
        if rule == NOT_KNOWN:
            return None
        draft = self.draft_by_sums(columns, first, following)
        if following == len(self.blocks):
            packed = Packed(draft, self.end_of_last(draft.end), _reason(END.rule, draft))
            return Stretch([packed], None, _ALL, _ALL, _ALL, rule)
        next_unit = self.blocks[following]
        total = columns.tokens(first, following + 1) if RULES[rule] == "budget-reached" else 0
        packed = Packed(draft, next_unit.begin, _reason(RULES[rule], draft, next_unit, total))
        return Stretch([packed], following, _ALL, _ALL, _ALL, rule)

    def draft_by_sums(self, columns: UnitColumns, first: int, following: int) -> BlockDraft:
        """The chunk of the blocks from `first` to before `following`, of which the context says all
        headings."""
        unit = self.blocks[first]
        return BlockDraft(
            unit.begin,
            columns.starts[first],
            self.blocks[following - 1].end,
            columns.tokens(first, following),
            unit.path,
            unit.context_path,
            columns.leading(first),
        )

    def line_by_sums(self, columns: UnitColumns, first: int) -> ShortenedPath:
        """The context line in full of chunks that begin with this block; of more tokens than any
        maximum has where these and those of the block do not add up."""
        line = self.lines.in_full(self.blocks[first].path)
        if line.text and not self.index.adds_up(line.text, columns.starts[first]):
            line = line._replace(tokens=NO_LINE)
        return columns.keep_line(first, line)

    def _pack_from(self, first: int, part: int) -> Stretch:
        """The chunks from a part of a block that begins one up to the next block that begins one.

        What stands before this part makes no difference.
        """
        self._within_budget, self._filled, self.lines.half = KnownLimits(), KnownLimits(), KnownLimits()
        done: list[Packed] = []
        draft: BlockDraft | None = None
        for number in range(first, len(self.blocks)):
            for at, unit in enumerate(self.parts_of(number)):
                if draft is None:
                    draft = self._begun(unit) if at >= part else None
                    continue
                inside = self._inside(draft, unit)
                tokens = self._tokens_with(draft, unit, inside)
                reason = self._reason_to_cut(draft, unit, tokens)
                if reason is None:
                    draft = draft.extended(unit, tokens, inside)
                    continue
                done.append(Packed(draft, unit.begin, reason))
                if at == 0:
                    return self._stretch(done, number)
                draft = self._begun(unit)
        if draft is not None:
            done.append(Packed(draft, self.end_of_last(draft.end), _reason(END.rule, draft)))
        return self._stretch(done, None)

    def _stretch(self, packed: list[Packed], following: int | None) -> Stretch:
        return Stretch(packed, following, self._within_budget, self._filled, self.lines.half)

    def end_of_last(self, kept_end: int) -> int:
        """The document's end, or where headings begin that end it and are left out."""
        end = len(self.document.text)
        return end if self.include_headings or is_blank(self.document, Span(kept_end, end)) else kept_end

    # --- units ------------------------------------------------------------------------------------

    def parts_of(self, number: int) -> Sequence[BlockUnit]:
        """The typed block of this number: itself, or its parts where it is over the budget and may
        be split (bp-3)."""
        if not self.tools.tracing:
            return self._parts(self.blocks[number])
        return self.tools.remembered(("parts", number), partial(self._parts, self.blocks[number]))

    def _parts(self, unit: BlockUnit) -> Sequence[BlockUnit]:
        early: list[BlockUnit] = []
        if unit.headings and self.include_headings and not self._says_all(unit):
            early, unit = self._without_early_headings(unit)
        if unit.kind == "heading":
            return early
        if unit.kind in WHOLE:
            return (*early, unit)
        limit = self.budget_for(unit.path)
        if self._fits_alone(unit, limit):
            return (*early, unit)
        return (*early, *self._pieces(unit, limit))

    def _says_all(self, unit: BlockUnit) -> bool:
        """Whether the context says all of the unit's headings in full."""
        return unit.said == len(unit.headings) <= self.lines.of(unit.path).whole

    def _without_early_headings(self, unit: BlockUnit) -> tuple[list[BlockUnit], BlockUnit]:
        """Headings that the context does not say as units of their own when they do not fit in
        front of the block.

        They are those of empty sections (bp-5), and all of them where the context is too short for
        one.
        """
        is_heading = unit.kind == "heading"
        in_context = [] if is_heading else self._headings_in_context(unit)
        empty = [at for at, heading in enumerate(unit.headings) if heading not in in_context]
        if not empty:
            return [], unit
        if not is_heading:
            draft = self._begun(unit)
            if self._within_budget.admit(draft.tokens, self.budget_for(draft.context_path)):
                return [], unit
        early = unit.headings[: empty[-1] + 1]
        units = [heading_unit(heading, self._path_above(heading)) for heading in early]
        split = [piece for each in units for piece in self._parts_of_heading(each)]
        return split, unit.without_first_headings(len(early))

    def _headings_in_context(self, unit: BlockUnit) -> list[Block]:
        """The headings on the unit's path, where its context says them all in full; else none."""
        said = on_path(unit.headings, unit.path)
        return said if len(said) <= self.lines.of(unit.path).whole else []

    def _path_above(self, heading: Block) -> Path:
        """The path of the section around a heading's own."""
        return self.reading.breadcrumb_at(heading.span.start)[1:-1]

    def _parts_of_heading(self, unit: BlockUnit) -> Sequence[BlockUnit]:
        """A heading that is a unit of its own: itself, or its parts where it is over the budget."""
        limit = self.budget_for(unit.path)
        return [unit] if self._fits_alone(unit, limit) else [*self._pieces(unit, limit)]

    def _fits_alone(self, unit: BlockUnit, limit: int) -> bool:
        """Whether a chunk of this unit alone, which is no piece and begins without indentation, is
        within a limit."""
        tokens = self._alone.get(unit.start)
        if tokens is None:
            start = first_visible(self.document.text, unit.start, unit.end)
            tokens = self._alone.keep(unit.start, self.index.count(start, unit.end))
        return self._within_budget.admit(tokens, limit)

    def _pieces(self, unit: BlockUnit, limit: int) -> Iterator[BlockUnit]:
        """The parts of a unit that is over the limit, each within it."""
        self._within_budget.pin(limit)
        before = self.lines.of(unit.path).text if self.strategy.count_context else ""
        # Behind the heading line a piece may count more than alone.
        limit = min(self.maximum, limit + self.tools.count(before)) if before else limit
        span, text, key = Span(unit.start, unit.end), self.document.text, (unit.start, unit.end, limit)
        pieces = self._split.get(key) if self.remembers else None
        if pieces is None:
            pieces = split_oversize(self.document, span, "paragraph", limit, self.tools, before=before)
            if self.remembers:
                self._split.keep(key, pieces, len(pieces))
        for at, piece in enumerate(pieces):
            end = last_visible(text, piece.span.start, piece.span.end)
            if at == 0:
                yield unit._replace(start=piece.span.start, end=end)
            else:
                start = first_visible(text, piece.span.start, piece.span.end)
                yield BlockUnit((), start, end, unit.kind, unit.path, unit.path)

    # --- decisions --------------------------------------------------------------------------------

    def _begun(self, unit: BlockUnit) -> BlockDraft:
        """A chunk that begins with this unit and has nothing else yet."""
        headings, context_path, left_out = unit.headings, unit.context_path, unit.said
        if not self.include_headings:
            context_path, left_out = unit.path, len(headings)
        elif left_out and left_out > self.lines.of(context_path).whole:
            # What the shortened context does not say in full stays in the body, and all that
            # follows it.
            context_path, left_out = context_path[:-left_out], 0
        start = headings[left_out].span.start if left_out < len(headings) else unit.start
        start = first_visible(self.document.text, start, unit.end)
        because = IN_CONTEXT if self.include_headings else LEFT_OUT
        is_heading = unit.kind == "heading"
        return BlockDraft(
            unit.begin,
            start,
            unit.end,
            self.index.count(start, unit.end),
            unit.path,
            context_path,
            tuple([Skip(heading.span, because) for heading in headings[:left_out]]) if left_out else (),
            (),
            is_heading,
            is_heading or left_out < len(headings),
        )

    def _inside(self, draft: BlockDraft, unit: BlockUnit) -> tuple[Skip, ...]:
        """What is left out of the draft's text with one unit more."""
        if self.include_headings or not unit.headings:
            return draft.inside
        return (*draft.inside, *(Skip(heading.span, LEFT_OUT) for heading in unit.headings))

    def _tokens_with(self, draft: BlockDraft, unit: BlockUnit, inside: tuple[Skip, ...]) -> int:
        """The tokens of the draft with one unit more."""
        if inside:
            return self.index.count_parts(kept_spans(Span(draft.kept_start, unit.end), inside))
        return self.index.count(draft.kept_start, unit.end)

    def _reason_to_cut(self, draft: BlockDraft, unit: BlockUnit, tokens: int) -> Reason | None:
        """Why a new chunk begins with this unit, in the spec's order (bp-2); None when it does not.
        With the unit the draft has so many `tokens`."""
        if not self._within_budget.admit(tokens, self.budget_for(draft.context_path)):
            return _reason("budget-reached", draft, unit, tokens)
        if draft.only_headings or unit.kind == "heading":
            return None
        if unit.path[:1] != draft.path[:1]:
            return _reason("top-level-section", draft, unit)
        if unit.path == draft.path or not self._is_filled(draft):
            return None
        return _reason("section", draft, unit)

    def _is_filled(self, draft: BlockDraft) -> bool:
        """Whether a draft has minFill percent of the budget."""
        return not self._filled.admit(draft.tokens * 100 + 1, self.strategy.min_fill * self.budget)

    def budget_for(self, path: Path) -> int:
        """The budget for kept text; with countContext the heading line is paid for first."""
        if not self.strategy.count_context:
            return self.budget
        context = self.index.count_parts([self.lines.of(path).text])
        return max(1, min(self.budget, self.maximum - context - (JOINT if context else 0)))


def sizes(maximum: int, overlap_percentage: int) -> tuple[int, int]:
    """The reserve for overlap and the budget for new blocks, in tokens (bp-1): 512 and 15 give 77
    and 435."""
    reserve = -(-maximum * overlap_percentage // 100)
    return reserve, max(maximum - reserve, -(-maximum * 7 // 10))
