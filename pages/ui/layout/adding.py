"""Taking what was uploaded or pasted: it is said what is shown now, and what it was added in
closes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from chunking.errors import RunLimitError
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import read_paste, read_uploads
from pages.ui.layout import markup
from pages.ui.layout.limits import limited

POPOVER = "add"
"""The key of what is closed."""


def take_uploads(key: str) -> None:
    """A callback: add the files that came into the uploader with this key."""
    try:
        _take(*limited(partial(read_uploads, state.uploaded(key))))
    except RunLimitError as error:
        state.add_sources([], [str(error)])


def take_paste(key: str) -> None:
    """A callback: add the text in the field with this key."""
    _take(*read_paste(str(state.moved(key) or "")))
    if not state.refused():
        state.own(key, "")


def _take(read: Sequence[Source], refused: Sequence[str]) -> None:
    state.add_sources(read, refused)
    there = {source.key for source in state.added_sources()}
    added, shown = [source for source in read if source.key in there], state.source()
    if added and shown:
        state.own(POPOVER, False)
        st.toast(f"{counted(len(added), 'document')} added · showing {markup.plain_label(shown.title)}")
