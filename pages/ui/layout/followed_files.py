"""The line that says which file is followed on disk, and looks at it every second."""

from __future__ import annotations

import streamlit as st

from chunking.text import counted
from pages.ui import state
from pages.ui.layout import page_frame

_EVERY_SECONDS = 1.0
_ALONE = 2
"""So many files that cannot be read are said at once; more behind one line."""
_MOST = 200


def followed_files() -> None:
    """Draw the line; where files are followed, it looks for changes by itself."""
    if state.watches_files():
        _follow()
    else:
        _say()


@st.fragment(run_every=_EVERY_SECONDS, key="followed")
def _follow() -> None:
    if state.look_at_files():
        st.rerun()
    _say()


def _say() -> None:
    problems = state.file_problems()
    if len(problems) <= _ALONE:
        for problem in problems:
            page_frame.problem(problem)
    else:
        with st.expander(
            f"{counted(len(problems), 'file')} could not be read", icon=":material/warning:", key="unread"
        ):
            for problem in problems[:_MOST]:
                page_frame.problem(problem)
            if len(problems) > _MOST:
                page_frame.note(f"and {len(problems) - _MOST:,} others")
    if state.follows_shown() and not problems:
        page_frame.note("Following this file on disk.")
