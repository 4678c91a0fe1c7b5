"""What counts the tokens of a page, said once; and how far an estimating counter is from an exact one here."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chunking import Run
from chunking.tokens import EXACT
from pages.ui import cached, markup, state


def counted_note(run: Run) -> None:
    """Nothing for an exact counter, which the strip names; for one that estimates, its measured ratio and a switch."""
    ratio_note(run, lambda: state.choose_counter(EXACT), "counted-switch")


def ratio_note(run: Run, switch: Callable[[], None], key: str) -> None:
    """The ratio measured on this run: quiet where it is near, and with a button to `switch` where it is not."""
    ratio = cached.ratio_of(run)
    if ratio is None:
        return
    if not ratio.far:
        st.html(markup.note(ratio.said))
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{key}-banner"):
        st.html(markup.caution(ratio.said), width="content")
        st.button(f"Switch to {ratio.exact}", key=key, on_click=switch)
