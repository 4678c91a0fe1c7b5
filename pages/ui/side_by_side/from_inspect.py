"""The line that says that Inspect's config is none of those side by side, with the way to have it
there: what is changed in Inspect later than these pages are opened does not come to them by
itself."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.choices.comparing import LETTERS, row_of
from pages.ui.layout import markup
from pages.ui.side_by_side.controls import changed_settings


def from_inspect() -> None:
    """Draw the line where it is so."""
    config, now = state.resolution().config, state.comparing()
    place = now.place_for(config)
    if place is None or not config.strategy.has_yaml:
        return
    letter, settings = LETTERS[place], ", ".join(changed_settings(row_of(config)))
    adds = place == len(now.rows)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="from-inspect"):
        st.html(markup.note(f"Inspect's config is none of these: {config.strategy.title}, {settings}"), width="content")
        st.button(
            f"Add it as {letter}" if adds else f"Use it as {letter}",
            key="take-from-inspect",
            help=None if adds else f"Replaces {letter}",
            on_click=_take,
        )


def _take() -> None:
    state.compare(state.comparing().with_config(state.resolution().config))
