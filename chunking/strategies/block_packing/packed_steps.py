"""The parts of block-packing one by one, or all at once: then the chunks whose ends sums of tokens
say are sealed in columns, and only the others one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import repeat

import numpy as np

from chunking.core.chunk import PASSED_OVER, Boundary, Skip, front_matter
from chunking.core.chunk_table import Numbers
from chunking.core.cut_parts import WIDTH, ListedColumns, SealedColumns, StepsInColumns
from chunking.core.sealed import NO_OVERLAP, Sealed
from chunking.document import Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.strategies.block_packing.lending import NOTHING, Lent
from chunking.strategies.block_packing.meeting import first_that_matters
from chunking.strategies.block_packing.packing import Packing, Reason
from chunking.strategies.block_packing.sealing import Sealing, Step, around
from chunking.strategies.block_packing.unit_columns import NOT_KNOWN, RULES, Ends, UnitColumns
from chunking.strategies.block_packing.units import LEFT_OUT, Path

_NO_BLOCK = -1
_OVER = RULES.index("budget-reached")
_BODY_TOKENS = 7
_REASON: Callable[[tuple[object, ...]], Reason] = partial(tuple.__new__, Reason)
"""`Reason._make` in a third of the time."""


class PackedSteps(StepsInColumns[Reason]):
    """The chunks of one cut, and what is left out."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._document = packing.document
        self._end = len(packing.document.text)

    @property
    def in_columns(self) -> UnitColumns | None:
        """The blocks in columns, where sums of tokens say where chunks end."""
        return None if self._is_empty() else self._packing.columns

    def _is_empty(self) -> bool:
        content = Span(self._document.content_start, self._end)
        return not self._packing.blocks or is_blank(self._document, content)

    def __iter__(self) -> Iterator[Step]:
        start = yield from front_matter(self._document)
        if self._is_empty():
            yield from blank(start, self._end)
            return
        packing, sealing = self._packing, Sealing(self._packing)
        following: int | None = first_that_matters(packing)
        if following:
            reached = packing.blocks[following].begin
            yield Skip(Span(start, reached), PASSED_OVER)
            start = reached
        while following is not None:
            stretch = sealing.stretch_from(following, start)
            yield from stretch.steps
            following, start = stretch.following, stretch.end
        if start < self._end:
            yield Skip(Span(start, self._end), LEFT_OUT)

    def all_at_once(self) -> tuple[SealedColumns, Sequence[Reason], list[tuple[int, Skip]]]:
        """As StepsInColumns.all_at_once."""
        skips, sealing = [(0, skip) for skip in front_matter(self._document)], Sealing(self._packing)
        start, columns, ends = self._document.content_start, self._packing.columns, self._packing.ends
        if columns is None or ends is None:
            raise ValueError("sums of tokens do not say where chunks end")
        rows, end = _rows(self._packing, columns, ends, sealing, start)
        if end < self._end:
            skips.append((len(rows.first), Skip(Span(end, self._end), LEFT_OUT)))
        sealed = _PackedColumns(self._packing, columns, ends, sealing, rows, (start, end))
        return sealed, sealed.reasons(), skips


@dataclass(frozen=True)
class _Rows:
    """Chunks in order, each with its row."""

    first: list[int] = field(default_factory=list)
    """The number of the block that each begins with; `_NO_BLOCK` for its `own`, which need no more
    than their place."""
    overlaps: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """By their rows, where what is repeated begins and ends, and the tokens of it and the text."""
    own: dict[int, tuple[Sealed, Reason]] = field(default_factory=dict)
    """By their rows, the chunks that are sealed one by one."""

    def add_own(self, steps: Sequence[Step]) -> None:
        """Add chunks that are sealed already."""
        for step in steps:
            if isinstance(step, Skip):
                raise TypeError("a whole cut passes over nothing")
            self.own[len(self.first)] = step
            self.first.append(_NO_BLOCK)


def _rows(packing: Packing, columns: UnitColumns, ends: Ends, sealing: Sealing, start: int) -> tuple[_Rows, int]:
    """The chunks, and where the last body ends; the first begins at `start`."""
    blocks, lending, rows = packing.blocks, sealing.lending, _Rows()
    firsts, lines, paths, (sums_before, sums_up_to) = rows.first, columns.lines, columns.paths, columns.sums
    half, maximum, number = packing.maximum // 2, packing.maximum, 0
    own: Lent | None = None
    path: Path | None = None
    path_number, by_section = -1, packing.strategy.overlap_scope == "section"
    goes_on = columns.goes_on(ends, maximum) if by_section else bytes(len(blocks))

    def before() -> Lent | None:
        """What the last chunk so far may lend."""
        if not firsts or firsts[-1] == _NO_BLOCK:
            return own
        return Lent(columns.starts[firsts[-1]], blocks[number - 1].end, blocks[firsts[-1]].path)

    while number < len(blocks):
        following, rule = ends.following_blocks[number], ends.rule_numbers[number]
        line = lines.get(number) or packing.line_by_sums(columns, number)
        path_before, path, other_number, path_number = path, blocks[number].path, path_number, paths[number]
        fits = rule != NOT_KNOWN and line.tokens <= half and sums_up_to[following - 1] - sums_before[number] <= maximum
        # Of two sections none is below the other where both are as deep.
        apart = path_before is None or (by_section and path_number != other_number and len(path) == len(path_before))
        if fits and not apart and path_before is not None and lending.related(path_before, path):
            lent, draft = before(), packing.draft_by_sums(columns, number, following)
            place, _, together = lending.repeated(lent, draft, line.text) if lent else NOTHING
            if place is not NO_OVERLAP:
                rows.overlaps[len(firsts)] = (*place, together)
                fits = not line.text or packing.index.adds_up(line.text, place[0])
        if fits:
            firsts.append(number)
            if goes_on[number]:
                while goes_on[number]:
                    number = ends.following_blocks[number]
                    firsts.append(number)
                path, path_number, following = blocks[number].path, paths[number], ends.following_blocks[number]
            number = following
            continue
        rows.overlaps.pop(len(firsts), None)
        sealing.before = before()
        stretch = sealing.stretch_from(number, blocks[number].begin if firsts else start)
        rows.add_own(stretch.steps)
        if stretch.following is None:
            return rows, stretch.end
        own, number = stretch.lent, stretch.following
        path, path_number = (own.path, columns.path_numbers.get(own.path, -1)) if own else (None, -1)
    return rows, packing.end_of_last(blocks[-1].end)


class _PackedColumns(SealedColumns):
    """Chunks of which most are sums."""

    def __init__(
        self,
        packing: Packing,
        columns: UnitColumns,
        ends: Ends,
        sealing: Sealing,
        rows: _Rows,
        content: tuple[int, int],
    ) -> None:
        """`content` is where the first body begins, and where the last one ends."""
        self._packing = packing
        self._name = packing.document.base_name
        self._columns = columns
        self._sealing = sealing
        self._rows = rows
        self._numbers = np.empty((WIDTH, len(rows.first)), np.int64)
        # Of its own chunks what stands here is that of some other block, until they are put in.
        first = np.array(rows.first, np.int64)
        self._following, self._rules = ends.following[first], ends.rules[first]
        following, last = self._following, self._following - 1
        over = np.minimum(following, len(packing.blocks) - 1)
        self._totals = np.where(self._rules == _OVER, columns.tokens_between(first, over), 0)
        begins = np.append(columns.begins, content[1])
        tokens = columns.tokens_between(first, last)
        start, end, kept_start, kept_end, place, until, whole, body_tokens, characters = self._numbers
        start[:], end[:] = begins[first], begins[following]
        kept_start[:], kept_end[:] = columns.starts_of[first], columns.ends_of[last]
        place[:], until[:] = NO_OVERLAP
        body_tokens[:] = whole[:] = tokens
        for row, overlap in rows.overlaps.items():
            place[row], until[row], whole[row] = overlap
        whole += columns.line_tokens[first]
        characters[:] = kept_end - kept_start + until - place + columns.line_lengths[first]
        start[:1] = content[0]
        self._numbers[:, list(rows.own)] = ListedColumns([sealed for sealed, _ in rows.own.values()]).numbers

    def __len__(self) -> int:
        return len(self._rows.first)

    def item(self, at: int) -> Sealed:
        if at in self._rows.own:
            return self._rows.own[at][0]
        numbers, first = self._numbers[:, at].tolist(), self._rows.first[at]
        line, path = self._columns.lines[first], self._packing.blocks[first].path
        metadata = self._sealing.metadata(path, (numbers[4], numbers[5]))
        around = (self._name, *path), line.text, "", self.holes[at], (), metadata
        return Sealed._make((*numbers, *around))

    def reasons(self) -> list[Reason]:
        """Why each ends."""
        rows, blocks = self._rows, self._packing.blocks
        every = [*blocks, None]
        paths = [blocks[first].path for first in rows.first]
        units = [every[following] for following in self._following.tolist()]
        rules, held = map(RULES.__getitem__, self._rules.tolist()), self._numbers[_BODY_TOKENS].tolist()
        reasons = list(map(_REASON, zip(rules, held, paths, paths, units, self._totals.tolist(), strict=True)))
        for row, (_, reason) in rows.own.items():
            reasons[row] = reason
        return reasons

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """As SealedColumns.numbers."""
        return tuple(self._numbers)

    @property
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]:
        """As SealedColumns.breadcrumbs."""
        rows = self._rows
        paths = [(self._name, *self._packing.blocks[first].path) for first in rows.first]
        for row, (sealed, _) in rows.own.items():
            paths[row] = sealed.breadcrumb
        return tuple(paths)

    @property
    def flags(self) -> Iterable[tuple[Boundary, ...]]:
        """As SealedColumns.flags: only those of its own have any."""
        own = {row: sealed.flags for row, (sealed, _) in self._rows.own.items()}
        return map(own.get, range(len(self)), repeat(()))

    @cached_property
    def holes(self) -> Sequence[tuple[Skip, ...] | None]:
        """As SealedColumns.holes."""
        rows, known, headings = self._rows, self._columns.holes, [unit.headings for unit in self._packing.blocks]
        found = list[tuple[Skip, ...] | None]()
        for at, chunk in enumerate(zip(rows.first, self._following.tolist(), strict=True)):
            if chunk[0] == _NO_BLOCK:
                found.append(rows.own[at][0].holes)
            elif not headings[chunk[0]]:
                found.append(None)
            elif at == 0:  # only the first may begin before its first heading
                found.append(self._holes(at))
            else:
                found.append(known.get(chunk) or known.keep(chunk, self._holes(at)))
        return found

    def _holes(self, at: int) -> tuple[Skip, ...]:
        start, end, *kept = self._numbers[:4, at].tolist()
        return around((start, end), self._columns.leading(self._rows.first[at]), (kept[0], kept[1])) or ()
