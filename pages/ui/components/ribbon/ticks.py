"""Boundaries of several runs as ticks on one axis, the document's length. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from chunking import Document, Run
from chunking.analysis import BoundaryChange
from chunking.text import counted

Kind = Literal["cut", "kept", "moved", "added", "removed"]
KINDS: tuple[Kind, ...] = ("cut", "kept", "moved", "added", "removed")
"""The first is a boundary of the run that the others are compared with."""
MOST_TICKS = 1500
"""Of one row: about one for each pixel. What stands closer is drawn as one."""
_TELLING = {"kept": 0, "cut": 0, "moved": 1, "added": 2, "removed": 3}


@dataclass(frozen=True, slots=True)
class Tick:
    """One boundary in one row. Offsets are code points."""

    kind: Kind
    at: int
    was: int | None
    """Where a moved one stood."""
    says: str
    """What it is, in words."""


@dataclass(frozen=True, slots=True)
class RibbonRow:
    """One config's boundaries, in source order."""

    letter: str
    title: str
    counts: str
    """What the row comes to, in words."""
    ticks: tuple[Tick, ...]


def ticks_of_run(run: Run) -> tuple[Tick, ...]:
    """The boundaries of the run that the others are compared with; the document's end is none."""
    document = run.document
    cuts = [chunk for chunk in run.chunks if chunk.body.end < len(document.text)]
    ticks = [
        Tick("cut", chunk.body.end, None, f"line {document.line_of(chunk.body.end):,}: {chunk.ended_by.rule}")
        for chunk in cuts
    ]
    return tuple(thinned(ticks, document))


def ticks_of_changes(changes: Sequence[BoundaryChange], document: Document) -> tuple[Tick, ...]:
    """What became of the boundaries in another run."""
    ticks = [
        Tick(each.change, each.offset, each.before if each.change == "moved" else None, _says(each, document))
        for each in changes
    ]
    return tuple(thinned(ticks, document))


def _says(change: BoundaryChange, document: Document) -> str:
    line = f"line {document.line_of(change.offset):,}"
    was = change.before_reason.rule if change.before_reason else ""
    now = change.after_reason.rule if change.after_reason else ""
    if change.change == "removed":
        return f"{line}: removed, was {was}"
    if change.change == "added":
        return f"{line}: added, {now}"
    reasons = now if was == now else f"{was}, now {now}"
    return f"{line}: {moved_words(change.moved_by) or 'kept'}, {reasons}"


def moved_words(characters: int) -> str:
    """How far a boundary moved, in words; "" when it did not."""
    if not characters:
        return ""
    return f"moved {counted(abs(characters), 'character')} {'later' if characters > 0 else 'earlier'}"


def thinned(ticks: Sequence[Tick], document: Document) -> Iterable[Tick]:
    """All ticks, or, of very many, the most telling one of each stretch, which then says how many
    there are."""
    if len(ticks) <= MOST_TICKS:
        return ticks
    stretches: dict[int, list[Tick]] = {}
    for tick in ticks:
        stretches.setdefault(tick.at * MOST_TICKS // max(len(document.text), 1), []).append(tick)
    return [_together(stretch) for stretch in stretches.values()]


def _together(stretch: Sequence[Tick]) -> Tick:
    most = max(stretch, key=lambda tick: _TELLING[tick.kind])
    others = f", and {len(stretch) - 1:,} more beside it" if len(stretch) > 1 else ""
    return Tick(most.kind, most.at, most.was, most.says + others)
