"""The middle of Inspect: the document as its source, rendered, as cards, by its structure, in
tokens or as a map of its chunks, as the person chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import Run, Span
from chunking.tokens import counter_title
from pages.ui import state
from pages.ui.choices.reading import FILTERED, ONLY, VIEWS, Only, View, only_named, view_named
from pages.ui.choices.resolve import exact_counters
from pages.ui.components.reading_views import cards_view, rendered_view, structure_view, tokens_view
from pages.ui.components.reading_views.sent import Told, cards_sent, rendered_sent, structure_sent, tokens_sent
from pages.ui.components.reading_views.view import component_state
from pages.ui.components.source_view import Mark, Placed, source_view
from pages.ui.components.source_view.payload import run_name
from pages.ui.inspect.chunk_filters import chunks_of, next_cut, next_outside, standing_in_drag, standing_out
from pages.ui.inspect.metric_strip import CHUNKS, WITHIN
from pages.ui.inspect.move_offers import want
from pages.ui.layout import caches

_KEY, _ONLY = "reading", "reading-only"
_HEIGHT = "var(--cs-reading)"
"""What is left of the place of the source by the row of views over it: layout/style.css."""


def reading(
    run: Run, *, baseline: Run | None, marks: Sequence[Mark], on_mark: Callable[[str, Span], None] | None
) -> DeltaGenerator:
    """Draw the views to choose from and the chosen one. Only that one costs a moved threshold
    anything.

    Gives the place for what is offered where a boundary was dragged in the source.
    """
    view, selected, wanted = state.view(), state.shown_selected(), state.only()
    checks = caches.health_of(run) if wanted == "failing" and not state.dragging() and run.chunks else None
    only, wanted_place = standing_out(run, wanted, checks), state.wanted_boundary(run_name(run))
    choices = st.container(horizontal=True, gap="small", vertical_alignment="center", key="reading-choices")
    with choices:
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
        cards_view(run, selected=selected, only=only, key="cards-view", height=_HEIGHT, on_select=_to_source)
    elif view == "structure":
        structure_view(
            run,
            selected=selected,
            only=only,
            key="structure-view",
            height=_HEIGHT,
            on_select=_to_source,
            on_step=state.select,
        )
    elif view == "tokens":
        beside, offered = _tokenizers(run.config.counter)
        tokens_view(
            run,
            selected=selected,
            beside=beside,
            offered=offered,
            key="tokens-view",
            height=_HEIGHT,
            on_select=state.select,
            on_beside=state.choose_beside,
        )
    elif view == "map":
        from pages.ui.inspect.map_panel import map_panel  # with what runs worker processes

        map_panel(run, baseline, selected=selected, height=_HEIGHT)
    else:
        source_view(
            run,
            baseline=baseline,
            selected=selected,
            only=only,
            key="source-view",
            height=_HEIGHT,
            went=state.went(),
            show=state.shown_place(),
            on_select=state.select,
            marks=marks,
            on_mark=on_mark,
            placed=Placed(wanted_place.boundary, wanted_place.place) if wanted_place else None,
            on_place=partial(want, run),
        )
    offers = st.container(key="move-offers", gap="xsmall")
    with choices:  # last: to count them takes longer than to draw the source
        _filter(run, wanted, able=view in FILTERED)
    return offers


def read_in_drag(counter: str) -> Callable[[Run], Mapping[str, object]] | None:
    """What the chosen view draws of a run while a threshold is dragged, with the view's name; None
    for the source, which has a payload of its own, and for the map."""
    view, selected = state.view(), state.shown_selected()
    if view in ("source", "map"):
        return None
    told = {name: said for name, said in component_state(f"{view}-view").items() if isinstance(said, Mapping)}
    return partial(_read, view, selected, told, state.only(), *_tokenizers(counter))


def _read(
    view: View,
    selected: int | None,
    told: Told,
    only: Only,
    beside: str,
    offered: Sequence[tuple[str, str]],
    run: Run,
) -> dict[str, object]:
    if view == "rendered":
        sent = rendered_sent(run, selected, told)
    elif view == "cards":
        sent = cards_sent(run, selected, told, only=standing_in_drag(only, run))
    elif view == "structure":
        sent = structure_sent(run, selected, only=standing_in_drag(only, run), known=None)
    else:
        sent = tokens_sent(run, selected, told, beside=beside, offered=offered)
    return {"view": view, "sent": sent}


def _tokenizers(counter: str) -> tuple[str, list[tuple[str, str]]]:
    """The second tokenizer, "" for none, and those to choose from, by name and title."""
    names = [name for name in exact_counters() if name != counter]
    return state.beside() if state.beside() in names else "", [(name, counter_title(name)) for name in names]


def _filter(run: Run, wanted: Only, *, able: bool) -> None:
    """Which chunks stand out, with how many there would be of each other kind. How many are chosen
    the strip or the view says, which follow a drag: here the number would be the one before it."""
    checks = caches.health_of(run) if run.chunks and not state.dragging() else ()

    def words(only: Only) -> str:
        of_checks = state.dragging() and only == "failing"
        counted = "" if only == wanted or of_checks else f" ({len(chunks_of(run, only, checks)):,})"
        there = f"{ONLY[only]}{counted}"
        return there if able else f"{there}, no filter here"

    st.selectbox(
        "Chunks to show",
        list(ONLY),
        key=state.own(_ONLY, wanted),
        format_func=words,
        label_visibility="collapsed",
        disabled=not able,
        on_change=_choose_only,
        width=230,
    )


def _choose_only() -> None:
    state.choose_only(only_named(state.moved(_ONLY)))


def _choose() -> None:
    state.choose_view(view_named(state.moved(_KEY)))


def _to_source(offset: int) -> None:
    """A card, a section or a torn boundary was clicked: on to where it stands."""
    state.go(offset)
    state.choose_view("source")


def to_counted(run: Run, title: str) -> None:
    """A callback: from a number of the strip to what it counts. The chunks are seen by their
    sections; others lead to the next place, where it can be seen."""
    if title == CHUNKS:
        state.choose_view("structure")
        return
    place = (next_outside if title == WITHIN else next_cut)(run, state.selected())
    if place is None:
        return
    state.go(place)
    if state.view() not in ("source", "rendered", "tokens"):
        state.choose_view("source")
