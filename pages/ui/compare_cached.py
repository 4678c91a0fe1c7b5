"""Measuring and comparing, remembered for as long as the runs are.

Runs are known by identity: what is remembered holds them, so no other run can take their place meanwhile.
"""

from __future__ import annotations

import streamlit as st

from chunking import Run
from pages.ui import compare_numbers
from pages.ui.compare_numbers import Measured, Versus


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Run: id})
def measured(run: Run, counter: str) -> Measured:
    """The run, counted with this counter."""
    return compare_numbers.measured(run, counter)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Measured: id})
def versus(before: Measured, after: Measured) -> Versus:
    """What became of the run before in the run after."""
    return compare_numbers.versus(before, after)
