"""Measuring and comparing, remembered for as long as the runs are.

Runs are known by identity: what is remembered holds them, so no other run can take their place
meanwhile.
"""

from __future__ import annotations

from chunking import Run
from chunking.analysis import EditStability, edit_stability
from chunking.runtime import memory
from pages.ui.components.ribbon.ticks import Tick, ticks_of_changes, ticks_of_run
from pages.ui.side_by_side import numbers
from pages.ui.side_by_side.numbers import MeasuredRow, Versus


@memory.remembered(most=32, of=lambda run, _: (run.document.text,), key=lambda run, counter: (id(run), counter))
def measured(run: Run, counter: str) -> MeasuredRow:
    """The run, counted with this counter."""
    return numbers.measured(run, counter)


@memory.remembered(
    most=32,
    of=lambda before, _: (before.run.document.text,),
    key=lambda before, after: (id(before), id(after)),
)
def versus(before: MeasuredRow, after: MeasuredRow) -> Versus:
    """What became of the run before in the run after."""
    return numbers.versus(before, after)


@memory.remembered(
    most=32,
    of=lambda before, after: (before.run.document.text, after.run.document.text),
    key=lambda before, after: (id(before), id(after)),
)
def _stability(before: MeasuredRow, after: MeasuredRow) -> tuple[MeasuredRow, MeasuredRow, EditStability]:
    return before, after, edit_stability(before.drawn, after.drawn)


def stability(before: MeasuredRow, after: MeasuredRow) -> EditStability:
    """What an edit did to the chunks: two versions of a document, cut alike and counted alike."""
    return _stability(before, after)[2]


def first_ticks(of: MeasuredRow) -> tuple[Tick, ...]:
    """The boundaries of the run that the others are compared with."""
    return _first_ticks(of)[1]


def changed_ticks(of: Versus) -> tuple[Tick, ...]:
    """What became of them in another run."""
    return _changed_ticks(of)[1]


@memory.remembered(most=32, of=lambda of: (of.run.document.text,), key=lambda of: id(of))
def _first_ticks(of: MeasuredRow) -> tuple[MeasuredRow, tuple[Tick, ...]]:
    return of, ticks_of_run(of.run)


@memory.remembered(most=32, of=lambda of: (of.after.run.document.text,), key=lambda of: id(of))
def _changed_ticks(of: Versus) -> tuple[Versus, tuple[Tick, ...]]:
    return of, ticks_of_changes(of.changes, of.after.run.document)
