"""The middle of Inspect: the document as its source, rendered, as cards, by its structure or in
tokens, as the person chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from chunking import Run, Span
from chunking.tokens import counter_title
from pages.ui import state
from pages.ui.choices.reading import VIEWS, view_named
from pages.ui.choices.resolve import exact_counters
from pages.ui.components.reading_views import cards_view, rendered_view, structure_view, tokens_view
from pages.ui.components.source_view import Mark, source_view

_KEY = "reading"
_HEIGHT = "calc(var(--cs-source, calc(var(--cs-page) - 7.1rem)) - 2.5rem)"
"""What is left of the place of the source by the row of views over it."""


def reading(
    run: Run, *, baseline: Run | None, marks: Sequence[Mark], on_mark: Callable[[str, Span], None] | None
) -> None:
    """Draw the views to choose from and the chosen one. Only that one costs a moved threshold
    anything."""
    view, selected = state.view(), state.shown_selected()
    st.segmented_control(
        "How to read the document",
        list(VIEWS),
        key=state.own(_KEY, view, again=False),
        required=True,
        format_func=lambda name: VIEWS[name],
        label_visibility="collapsed",
        on_change=_choose,
    )
    if view == "rendered":
        rendered_view(run, selected=selected, key="rendered-view", height=_HEIGHT, on_select=state.select)
    elif view == "cards":
        cards_view(run, selected=selected, key="cards-view", height=_HEIGHT, on_select=_to_source)
    elif view == "structure":
        structure_view(run, selected=selected, key="structure-view", height=_HEIGHT, on_select=_to_source)
    elif view == "tokens":
        names = [name for name in exact_counters() if name != run.config.counter]
        tokens_view(
            run,
            selected=selected,
            beside=state.beside() if state.beside() in names else "",
            offered=[(name, counter_title(name)) for name in names],
            key="tokens-view",
            height=_HEIGHT,
            on_select=state.select,
            on_beside=state.choose_beside,
        )
    else:
        source_view(
            run,
            baseline=baseline,
            selected=selected,
            key="source-view",
            height=_HEIGHT,
            on_select=state.select,
            marks=marks,
            on_mark=on_mark,
        )


def _choose() -> None:
    state.choose_view(view_named(state.moved(_KEY)))


def _to_source(offset: int) -> None:
    """A card or a section was clicked: on to where it stands."""
    state.select(offset)
    state.choose_view("source")
