"""What counts the tokens of a page, said once; and how far an estimating counter is from an exact
one here."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chunking import Config, Document, Run
from chunking.errors import ChunkscopeError
from chunking.tokens import EXACT, counter
from pages.ui import state
from pages.ui.layout import caches, markup


def counted_note(run: Run) -> None:
    """Nothing for an exact counter, which the strip names; for one that estimates, its measured
    ratio and a switch."""
    ratio_note(run, lambda: state.choose_counter(EXACT), "counted-switch")


def config_note(document: Document, config: Config) -> None:
    """What counts every config that is tried on a page, and the ratio that the current one has on
    this document."""
    st.html(markup.counted_by(config.counter))
    if not counter(config.counter).approximate:
        return
    try:
        run = caches.run(document, config)
    except ChunkscopeError:  # said where it is cut; nothing can be measured on it
        return
    counted_note(run)


def ratio_note(run: Run, switch: Callable[[], None], key: str, before: str = "", act: str = "Switch") -> None:
    """The ratio measured on this run: quiet where it is near, and with a button to `switch` where
    it is not."""
    ratio = caches.ratio_of(run)
    if ratio is None:
        return
    sentence = before + ratio.sentence
    if not ratio.far:
        st.html(markup.note(sentence))
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{key}-banner"):
        st.html(markup.caution(sentence), width="content")
        st.button(f"{act} to {ratio.exact}", key=key, on_click=switch)
