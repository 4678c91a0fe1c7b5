"""How much of a document block-packing need not pack for an explanation: all before a block at
which a chunk begins, whatever stands before it."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from heapq import heappop, heappush
from typing import NamedTuple

from chunking.document import Span
from chunking.strategies.block_packing.packing import Packing
from chunking.tracing import plain

_LOOK_BACK, _FURTHER = 4, 4
"""Blocks before what is asked from which on it is looked for where a chunk surely begins, and how
many times as many next where it is not found."""
_CHARACTERS = 8
"""For each token of what is surely too much for one chunk: where there are fewer, it is not looked
for."""


class _Unit(NamedTuple):
    """A unit at which a chunk may begin."""

    block: int
    """The number of its block."""
    part: int
    """Which of the block's parts it is."""


def first_that_matters(packing: Packing) -> int:
    """The number of a block at which a chunk begins, and all before it makes no difference to what
    is asked (`SplitContext.passes_over`); 0 for all of the document."""
    tools = packing.tools
    last = bisect_left(packing.blocks, True, key=lambda unit: not tools.passes_over(Span(0, unit.begin)))
    back = _LOOK_BACK
    while back < last and _are_few(packing, last - back, last):
        back *= 2
    while back < last:
        first = last - back
        found = tools.remembered(("meets", first, last), partial(_meeting_from, packing, first, last))
        if found:
            return found
        back *= _FURTHER
    return 0


def _are_few(packing: Packing, first: int, last: int) -> bool:
    """Whether the blocks from number `first` to before `last` are likely too few for it."""
    characters = packing.blocks[last - 1].end - packing.blocks[first].begin
    # The number without its trace: wherever it is looked for, what is found is true.
    tokens: int = plain(_surely_too_much(packing))
    return characters < _CHARACTERS * tokens


def _meeting_from(packing: Packing, first: int, last: int) -> int:
    """A block before number `last` at which a chunk begins, wherever the chunk begins that has
    block `first`; 0 where none is found.

    Somewhere in a row of units with more tokens than the budget a chunk begins. From each of these
    units chunks are packed, the earliest first, until all come to the same block.
    """
    begins = _one_begins(packing, first, last)
    in_order = sorted(begins)
    while begins:
        unit = begins.pop(heappop(in_order), None)
        if unit is None:
            continue
        stretch = packing.stretch_from(unit.block, unit.part)
        if stretch.following is None or stretch.following >= last:
            return 0
        if not begins and unit.part == 0:
            return unit.block
        for packed in stretch.packed:
            begins.pop(packed.end, None)  # it goes on as this one does
        reached = packing.blocks[stretch.following].begin
        begins[reached] = _Unit(stretch.following, 0)
        heappush(in_order, reached)
    return 0


def _one_begins(packing: Packing, first: int, last: int) -> dict[int, _Unit]:
    """The units, by where they begin, at one of which a chunk begins that is not the first; empty
    where too few tokens come before block `last`.

    Together with the unit before them they have clearly more tokens than the budget.
    """
    enough = _surely_too_much(packing)
    begins, tokens = dict[int, _Unit](), 0
    for number in range(first, last):
        parts = packing.parts_of(number)
        begins.update((unit.begin, _Unit(number, part)) for part, unit in enumerate(parts))
        tokens += packing.index.count(parts[0].start, parts[-1].end) if parts else 0
        if tokens > enough and len(begins) > 1:
            del begins[min(begins)]
            return begins
    return {}


def _surely_too_much(packing: Packing) -> int:
    """The tokens of units, each counted by itself, from which on they are over the budget
    together."""
    return packing.budget + packing.budget // 8 + 64
