"""What speaks against a change that is offered, so that it is not taken for one that helps. No
Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from chunking import Run
from chunking.analysis import content_left_out
from chunking.explanation import Fix, Move, Removal
from chunking.text import be, counted, listed
from pages.ui.layout.change_messages import cut_name


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
    """Of a change that takes away the boundary at this offset. Of a long document only whether the
    block is still cut is known until it is cut to its end for it."""
    still = _still_cut(change, run, offset)
    moves = f"Only moves the cut: {still}" if still else ""
    if change.chunks is None or change.torn is None:
        return Drawback(Weight.ONLY_MOVES, moves) if moves else NO_DRAWBACK
    if costs := _costs(change, run):
        return Drawback(Weight.COSTS, "; ".join(filter(None, (_COSTS + listed(costs), still))))
    if moves:
        return Drawback(Weight.ONLY_MOVES, moves)
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


def _still_cut(change: Removal, run: Run, offset: int) -> str:
    """That the block which the boundary cuts is then cut elsewhere; "" where it is whole."""
    at, line_of = change.still_cut_at, run.document.line_of
    if at is None:
        return ""
    where = "on the same line" if line_of(at) == line_of(offset) else f"on line {line_of(at):,}"
    return f"the {cut_name(run, offset)} is still cut, {where}"


def of_fix(fix: Fix, run: Run, *, of_block: bool) -> Drawback:
    """Of a change that keeps a mark or a block whole; if `of_block`, one of those that
    "blocks cut in two" counts."""
    costs, newly = _costs(fix, run), len(fix.newly_cut)
    costs += [f"cuts {counted(newly, 'mark')} that {be(newly)} whole now"] if newly else []
    if costs:
        return Drawback(Weight.COSTS, _COSTS + listed(costs))
    if of_block and fix.blocks_cut == run.metrics.blocks_cut:
        return Drawback(Weight.ONLY_MOVES, "Only moves the cut: another block is then cut in two instead")
    return NO_DRAWBACK


def of_move(move: Move, run: Run) -> Drawback:
    """Of a change that puts a boundary where it is wanted."""
    costs = _costs(move, run)
    return Drawback(Weight.COSTS, _COSTS + listed(costs)) if costs else NO_DRAWBACK


_COSTS = "Costs: "


def _costs(change: Removal | Fix | Move, run: Run) -> list[str]:
    """What it makes worse in the whole document, as far as that is known."""
    metrics, lost = run.metrics, change.newly_left_out or 0
    cut = 0 if change.blocks_cut is None else change.blocks_cut - metrics.blocks_cut
    characters = "more character" if content_left_out(metrics) else "character"
    costs = [f"leaves out {counted(lost, characters)}"] if lost > 0 else []
    return [f"cuts {counted(cut, 'more block')} in two", *costs] if cut > 0 else costs
