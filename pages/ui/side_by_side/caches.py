"""Measuring and comparing, remembered for as long as the runs are.

Runs are known by identity: what is remembered holds them, so no other run can take their place
meanwhile.
"""

from __future__ import annotations

import streamlit as st

from chunking import Run
from pages.ui.components.ribbon.ticks import Tick, ticks_of_changes, ticks_of_run
from pages.ui.side_by_side import numbers
from pages.ui.side_by_side.numbers import MeasuredRow, Versus


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Run: id})
def measured(run: Run, counter: str) -> MeasuredRow:
    """The run, counted with this counter."""
    return numbers.measured(run, counter)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={MeasuredRow: id})
def versus(before: MeasuredRow, after: MeasuredRow) -> Versus:
    """What became of the run before in the run after."""
    return numbers.versus(before, after)


def first_ticks(of: MeasuredRow) -> tuple[Tick, ...]:
    """The boundaries of the run that the others are compared with."""
    return _first_ticks(of)[1]


def changed_ticks(of: Versus) -> tuple[Tick, ...]:
    """What became of them in another run."""
    return _changed_ticks(of)[1]


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={MeasuredRow: id})
def _first_ticks(of: MeasuredRow) -> tuple[MeasuredRow, tuple[Tick, ...]]:
    return of, ticks_of_run(of.run)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Versus: id})
def _changed_ticks(of: Versus) -> tuple[Versus, tuple[Tick, ...]]:
    return of, ticks_of_changes(of.changes, of.after.run.document)
