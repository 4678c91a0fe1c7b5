"""What speaks against a change that is offered, so that it is not taken for one that helps. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from chunking import Document, Run
from chunking.explanation import Fix, Move, Removal
from chunking.text import be, counted, listed
from chunking.tokens import READS
from pages.ui.layout.change_messages import begins, boundaries, cut_name, place_after

if TYPE_CHECKING:
    from chunking.tuning import ConfigSummary, Goal, Point


_MORE_TOKENS = 5
"""Percent: so many more tokens to embed are a cost."""
_LITTLE = 2
"""Lines: a boundary that moves no further is hardly gone."""


class Weight(IntEnum):
    """What is offered first has the smallest."""

    NONE = 0
    READ_LESS = 1
    """It does what it is offered for; an embedder reads less of it."""
    CUTS_ANOTHER = 2
    """It keeps one block whole and cuts another instead."""
    COSTS = 3
    ONLY_MOVES = 4
    COSTS_AND_MOVES = 5


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
    moves = moves or _only_moves(change, change.chunks, change.torn, run, offset)
    if costs := _costs(change, run):
        weight = Weight.COSTS_AND_MOVES if moves else Weight.COSTS
        also = still or f"{moves[:1].lower()}{moves[1:]}"
        return Drawback(weight, "; ".join(filter(None, (costs_words(costs, _unread(change)), also))))
    if moves:
        return Drawback(Weight.ONLY_MOVES, "; ".join((moves, *_unread(change))))
    return _read_less(change)


def _only_moves(change: Removal, chunks: int, torn: int, run: Run, offset: int) -> str:
    """That there is then another boundary instead, which is no better; "" where it helps. `chunks`
    and `torn` are those of the change, where they are known."""
    if any(each.offset == offset for each in run.torn_boundaries):
        if torn < len(run.torn_boundaries):
            return ""
        cuts = f"{counted(torn, 'boundary', 'boundaries')} still cut{'s' if torn == 1 else ''}"
        return f"Only moves the cut: {cuts} a block in two"
    document, near = run.document, change.nearest_cut
    fewer = chunks < change.chunks_before and not moves_little(change, run, offset)
    if fewer or near is None or near == len(document.text):
        return ""
    there, lines = place_after(near, document, offset), _lines_between(offset, near, document)
    if near in boundaries(run):
        far = "the nearest is then "
    elif lines:
        far = f"{counted(abs(lines), 'line')} {'lower' if lines > 0 else 'higher'}, "
    else:
        far = ""
    return f"Only moves the boundary: {far}{there}"


def moves_little(change: Removal, run: Run, offset: int) -> bool:
    """Whether a boundary that was not there before is then within `_LITTLE` lines of the old
    one."""
    near = change.nearest_cut
    if near is None or near == len(run.document.text) or near in boundaries(run):
        return False
    return abs(_lines_between(offset, near, run.document)) <= _LITTLE


def _lines_between(one: int, other: int, document: Document) -> int:
    """From one boundary down to the other, as a person sees the lines that chunks begin in."""
    return document.line_of(begins(document, other)) - document.line_of(begins(document, one))


def _still_cut(change: Removal, run: Run, offset: int) -> str:
    """That the block which the boundary cuts is then cut elsewhere; "" where it is whole."""
    at = change.still_cut_at
    return "" if at is None else f"the {cut_name(run, offset)} is still cut, {place_after(at, run.document, offset)}"


def of_fix(fix: Fix, run: Run, *, of_block: bool) -> Drawback:
    """Of a change that keeps a mark or a block whole; if `of_block`, one of those that
    "blocks cut in two" counts."""
    costs, newly = _costs(fix, run), len(fix.newly_cut)
    costs += [f"cuts {counted(newly, 'mark')} that {be(newly)} whole now"] if newly else []
    if costs:
        return Drawback(Weight.COSTS, costs_words(costs, _unread(fix)))
    if of_block and fix.blocks_cut == run.metrics.blocks_cut:
        moves = "Only moves the cut: another block is then cut in two instead"
        return Drawback(Weight.CUTS_ANOTHER, "; ".join((moves, *_unread(fix))))
    return _read_less(fix)


def of_move(move: Move, run: Run) -> Drawback:
    """Of a change that puts a boundary where it is wanted."""
    costs = _costs(move, run)
    return Drawback(Weight.COSTS, costs_words(costs, _unread(move))) if costs else _read_less(move)


def of_config(then: ConfigSummary, now: ConfigSummary, *, unread: int) -> Drawback:
    """Of another config as a whole; `unread` is how many more tokens an embedder does not read with
    it."""
    return _of_costs(_config_costs(then, now), unread)


def of_point(then: Point, now: Point, goal: Goal, *, unread: int) -> Drawback:
    """Of another config that was tried for a goal, which may be worse by the goal itself."""
    costs = _config_costs(then.summary, now.summary)
    if then.quality < now.quality and not (goal.is_cost and _more_tokens(then.summary, now.summary)):
        score = f"has {goal.sentence(then.quality)}" if goal.counted else f"scores {goal.shown(then.quality)}"
        costs = [f"{score} (now {goal.shown(now.quality)})", *costs]
    return _of_costs(costs, unread)


def _of_costs(costs: Sequence[str], unread: int) -> Drawback:
    words = costs_words(costs, unread_words(unread))
    return Drawback(Weight.COSTS, words) if words else NO_DRAWBACK


def _config_costs(then: ConfigSummary, now: ConfigSummary) -> list[str]:
    """All that a config makes worse, but for what an embedder reads."""
    lost, cut = then.left_out - now.left_out, then.blocks_cut - now.blocks_cut
    kinds = (
        ("table", then.tables_cut - now.tables_cut),
        ("code block", then.code_cut - now.code_cut),
        ("list", then.lists_cut - now.lists_cut),
    )
    others = (
        ("cuts or leaves out", "answer", "", (then.answers_cut or 0) - (now.answers_cut or 0)),
        ("cuts", "span", " to keep whole", (then.spans_cut or 0) - (now.spans_cut or 0)),
        (
            "leaves",
            "chunk",
            f" over the maximum (the largest has {then.max_tokens:,} tokens)",
            then.over_limit - now.over_limit,
        ),
        ("leaves", "chunk", " under the minimum", then.under_minimum - now.under_minimum),
        ("makes", "chunk", " of headings only", then.heading_only - now.heading_only),
    )
    more = _more_tokens(then, now)
    return [
        # Of blocks as a whole no more may be cut, and yet more of one kind.
        *(f"cuts {counted(count, f'more {kind}')} in two" for kind, count in kinds if count > 0 >= cut),
        *_worse(cut, lost, left_out_now=now.left_out),
        *(f"{does} {counted(count, f'more {what}')}{which}" for does, what, which, count in others if count > 0),
        *([f"embeds {more}% more tokens"] if more else []),
    ]


def _more_tokens(then: ConfigSummary, now: ConfigSummary) -> int:
    """How many percent more tokens it embeds; 0 for `_MORE_TOKENS` or fewer."""
    more, tokens = then.tokens_to_embed - now.tokens_to_embed, now.tokens_to_embed
    return round(100 * more / tokens) if tokens and 100 * more > _MORE_TOKENS * tokens else 0


def costs_words(costs: Sequence[str], unread: Sequence[str] = ()) -> str:
    """What is then worse; "" where nothing is. `unread` is of `unread_words`."""
    said = "; ".join((*((listed(costs),) if costs else ()), *unread))
    return f"Costs: {said}" if said else ""


def unread_words(tokens: int) -> tuple[str, ...]:
    """That an embedder does not read so many tokens more; nothing where it reads as many, or
    more."""
    return (f"a {READS}-token embedder misses {counted(tokens, 'more token')}",) if tokens > 0 else ()


def _unread(change: Removal | Fix | Move) -> tuple[str, ...]:
    return unread_words(change.newly_unread or 0)


def _read_less(change: Removal | Fix | Move) -> Drawback:
    """Of a change that costs nothing else."""
    words = costs_words((), _unread(change))
    return Drawback(Weight.READ_LESS, words) if words else NO_DRAWBACK


def _costs(change: Removal | Fix | Move, run: Run) -> list[str]:
    """What it makes worse in the whole document, as far as that is known."""
    metrics, lost = run.metrics, change.newly_left_out or 0
    cut = 0 if change.blocks_cut is None else change.blocks_cut - metrics.blocks_cut
    return _worse(cut, lost, left_out_now=metrics.left_out)


def _worse(cut: int, lost: int, *, left_out_now: int) -> list[str]:
    """How many more blocks are cut in two, and characters left out."""
    characters = "more visible character" if left_out_now else "visible character"
    costs = [f"leaves out {counted(lost, characters)}"] if lost > 0 else []
    return [f"cuts {counted(cut, 'more block')} in two", *costs] if cut > 0 else costs
