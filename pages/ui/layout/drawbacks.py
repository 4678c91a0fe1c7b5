"""What speaks against a change that is offered, so that it is not taken for one that helps. No
Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from chunking import Run
from chunking.explanation import Fix, Move, Removal
from chunking.text import be, counted


class Weight(IntEnum):
    """What is offered first has the smallest."""

    NONE = 0
    ONLY_MOVES = 1
    COSTS = 2


@dataclass(frozen=True, slots=True)
class Drawback:
    """In words, "" for none, and how much it weighs."""

    weight: Weight = Weight.NONE
    words: str = ""


NO_DRAWBACK = Drawback()


def of_removal(change: Removal, run: Run, offset: int) -> Drawback:
    """Of a change that takes away the boundary at this offset. Of a long document none is known
    until it is cut to its end for it."""
    if change.chunks is None or change.blocks_cut is None or change.torn is None:
        return NO_DRAWBACK
    if costs := _cuts_more(change.blocks_cut, run):
        return Drawback(Weight.COSTS, costs)
    torn = run.torn_boundaries
    if any(each.offset == offset for each in torn):
        if change.torn < len(torn):
            return NO_DRAWBACK
        cuts = f"{counted(change.torn, 'boundary', 'boundaries')} still cut{'s' if change.torn == 1 else ''}"
        return Drawback(Weight.ONLY_MOVES, f"Only moves the cut: {cuts} a block in two")
    near = change.nearest_cut
    if change.chunks < change.chunks_before or near is None or near == len(run.document.text):
        return NO_DRAWBACK
    line = run.document.line_of(near)
    return Drawback(Weight.ONLY_MOVES, f"Only moves the boundary: the nearest is then on line {line:,}")


def of_fix(fix: Fix, run: Run, *, of_block: bool) -> Drawback:
    """Of a change that keeps a mark or a block whole; if `of_block`, one of those that
    "blocks cut in two" counts."""
    costs = [_cuts_more(fix.blocks_cut, run).removeprefix(_COSTS)]
    newly = len(fix.newly_cut)
    costs += [f"cuts {counted(newly, 'mark')} that {be(newly)} whole now" if newly else ""]
    if any(costs):
        return Drawback(Weight.COSTS, _COSTS + " and ".join(filter(None, costs)))
    if of_block and fix.blocks_cut == run.metrics.blocks_cut:
        return Drawback(Weight.ONLY_MOVES, "Only moves the cut: another block is then cut in two instead")
    return NO_DRAWBACK


def of_move(move: Move, run: Run) -> Drawback:
    """Of a change that puts a boundary where it is wanted."""
    costs = "" if move.blocks_cut is None else _cuts_more(move.blocks_cut, run)
    return Drawback(Weight.COSTS, costs) if costs else NO_DRAWBACK


_COSTS = "Costs: "


def _cuts_more(blocks_cut: int, run: Run) -> str:
    more = blocks_cut - run.metrics.blocks_cut
    return f"{_COSTS}cuts {counted(more, 'more block')} in two" if more > 0 else ""
