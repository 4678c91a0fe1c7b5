"""Before/after pairs to choose from, and the way to the sample that shows one best."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.ui import state
from pages.ui.choices.comparing import rows_of
from pages.ui.compare.presets import Preset, matching, presets
from pages.ui.layout import page_frame

_OWN = "Custom"


def pair_picker() -> None:
    """The before/after pairs of the specs; what is shown is named when it is one of them."""
    shown = matching(state.comparing().configs())
    st.selectbox(
        "Example comparison",
        [*([] if shown else [_OWN]), *(preset.title for preset in presets())],
        key=state.own("compare-pair", shown.title if shown else _OWN),
        help="Sets the rows to a pair that shows what one improvement does.",
        on_change=_take_pair,
    )
    if shown:
        page_frame.note(f"What this example shows: {shown.why}")
        _document_for(shown)


def _document_for(preset: Preset) -> None:
    """The way to the sample that shows this pair best, where another text is shown."""
    best = next((source for source in state.sources() if source.sample and source.name == preset.sample), None)
    now = state.source()
    if best and now and now.key != best.key:
        st.button(
            f"See it in: {best.title}",
            key="compare-pair-document",
            type="tertiary",
            icon=":material/description:",
            on_click=state.choose_source,
            args=(best.key,),
        )


def _take_pair() -> None:
    title = state.moved("compare-pair")
    for preset in presets():
        if preset.title == title:
            now = state.comparing()
            state.compare(replace(now, rows=rows_of(preset.configs), problem=""))
