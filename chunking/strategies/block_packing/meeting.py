"""How much of a document block-packing need not pack for an explanation: all before a block at
which a chunk begins, whatever stands before it."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

from chunking.document import Span
from chunking.strategies.block_packing.packing import Packing

_LOOK_BACK = 32
"""Blocks before what is asked from which on it is looked for where a chunk surely begins; then four
times as many, and so on."""


def first_that_matters(packing: Packing) -> int:
    """The number of a block at which a chunk begins, and all before it makes no difference to what
    is asked (`SplitContext.passes_over`); 0 for all of the document."""
    tools = packing.tools
    last = bisect_left(packing.blocks, True, key=lambda unit: not tools.passes_over(Span(0, unit.begin)))
    back = _LOOK_BACK
    while back < last:
        first = last - back
        found = tools.remembered(("meets", first, last), partial(_meeting_from, packing, first, last))
        if found:
            return found
        back *= 4
    return 0


def _meeting_from(packing: Packing, first: int, last: int) -> int:
    """A block before number `last` at which a chunk begins, wherever the chunk begins that has
    block `first`; 0 where none is found.

    Somewhere in a stretch of whole blocks with more tokens than the budget a chunk begins. From all
    of its blocks chunks are packed until all come to the same block.
    """
    begins = set(_whole_blocks(packing, first, last)[1:])
    while begins:
        following = packing.stretch_from(earliest := min(begins)).following
        if following is None or following >= last:
            return 0
        if len(begins) == 1:
            return earliest
        begins.remove(earliest)
        begins.add(following)
    return 0


def _whole_blocks(packing: Packing, first: int, last: int) -> list[int]:
    """The first stretch of blocks, each a unit by itself, that has clearly more tokens than the
    budget; empty where there is none."""
    enough = packing.budget + packing.budget // 8 + 64
    found, tokens = list[int](), 0
    for number, block in enumerate(packing.blocks[first:last], first):
        if [*packing.parts_of(block)] != [block]:
            found, tokens = [], 0
            continue
        found.append(number)
        tokens += packing.index.count(block.start, block.end)
        if tokens > enough and len(found) > 1:
            return found
    return []
