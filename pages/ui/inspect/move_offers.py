"""What would move a boundary to where somebody dragged it, over the foot of the source: one click
each, found by re-cutting."""

from __future__ import annotations

import streamlit as st

from chunking import Run
from chunking.explanation import Move, Moves
from pages.ui import state
from pages.ui.choices.offers import Taken
from pages.ui.choices.placing import Wanted
from pages.ui.components.source_view import Placed
from pages.ui.components.source_view.payload import run_name
from pages.ui.layout import caches, drawbacks, markup, setting_names, within_limits
from pages.ui.layout.change_messages import (
    SEPARATOR,
    action,
    begins,
    boundaries,
    chunk_counts,
    outcome,
    spoken_action,
    tried_words,
    why_not_there,
)
from pages.ui.layout.drawbacks import Drawback


def want(run: Run, placed: Placed | None) -> None:
    """A callback: look for settings that put this boundary there; None to end that."""
    state.want_boundary(Wanted(placed.boundary, placed.place, run_name(run)) if placed else None)


@within_limits.part
def move_offers(run: Run) -> None:
    """What was found for the boundary that was dragged; nothing where none was."""
    wanted = state.wanted_boundary(run_name(run))
    if wanted is None or state.dragging():
        return
    line = run.document.line_of
    beside = f"from line {line(begins(run.document, wanted.boundary)):,} to line {line(wanted.place):,}"
    st.html(markup.heading("Move the boundary", beside=beside))
    below = st.container(gap="xsmall", key="move-found")
    st.button(
        "Close", key="move-close", on_click=_close
    )  # behind what Tab is to reach first, and there during the search
    with below:
        with st.spinner("Searching for settings that put it there", show_time=False):
            found = caches.moves(run, wanted.boundary, wanted.place)
        _found(run, wanted, found)


def _found(run: Run, wanted: Wanted, found: Moves) -> None:
    said, more = verdict(run, wanted, found)
    against = [(move, drawbacks.of_move(move, run)) for move in found.found]
    against.sort(key=lambda pair: pair[1].weight)
    first = heard(run, found, *against[0]) if against else ""
    elsewhere = found.place != wanted.place  # the verdict says so, and the change where it puts it
    st.html(markup.status(said, heard=f"{said} {first}" if first and elsewhere else first))
    for move, drawback in against:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"move-{_key(move)}"):
            st.button(
                action(move),
                key=f"take-move-{_key(move)}",
                on_click=_take,
                args=(move, found.place, run),
                help="Undo restores the current settings.",
            )
            near = () if move.nearest else ("a smaller change may also work",)
            st.html(markup.consequences(SEPARATOR.join((outcome(move), *near)), drawback=drawback.words))
    if more:
        texts = [setting_names.sentence(each, run.config.strategy) for each in more]
        st.html(markup.folded("More about it", texts, name="about-move"))


def heard(run: Run, found: Moves, first: Move, drawback: Drawback) -> str:
    """What a screen reader is told of what was found: the first change, which is the next
    stop of the Tab key, what comes of it and what speaks against it."""
    there = f"a boundary before line {run.document.line_of(found.place):,}"
    count = len(found.found)
    before = f"{count} changes put {there}. The first: " if count > 1 else ""
    does = spoken_action(first) if before else f"{spoken_action(first)} puts {there}"
    sentences = (f"{before}{does}", chunk_counts(first.chunks_before, first.chunks), drawback.words)
    said = " ".join(f"{each[:1].upper()}{each[1:]}." for each in sentences if each)
    return f"{said} Tab, then Enter, applies it."


def verdict(run: Run, wanted: Wanted, found: Moves) -> tuple[str, tuple[str, ...]]:
    """In one sentence: what was found for it; and what else there is to know."""
    document = run.document
    here, there = document.line_of(begins(run.document, wanted.boundary)), document.line_of(found.place)
    asked = document.line_of(wanted.place)
    both = (
        (f"The boundary before line {here:,} stays as well: no single setting removes it too.",) if found.stays else ()
    )
    if found.found and asked == there:
        which = "This change puts" if len(found.found) == 1 else "Each of these changes puts"
        return f"{which} a boundary there.", both
    none = "No single setting" if found.complete else "No value that was tried"
    nothing = f"{none} puts a boundary before line {asked:,}"
    tried = tried_words(found.tried)
    more = (f"Why: {why_not_there(run, wanted.place)}.", *((f"Tried: {tried}.",) if tried else ()))
    if found.found:
        return f"{nothing}; the nearest line that a change reaches is {there:,}.", (*both, *more)
    nearest = None if found.nearest is None else document.line_of(found.nearest)
    nearer = "" if nearest in (None, asked) else f" or nearer to it than line {nearest:,}"
    return f"{nothing}{nearer}.", more


def _key(move: Move) -> str:
    return f"{move.setting}-{move.after}"


def _close() -> None:
    state.want_boundary(None)


def _take(move: Move, place: int, run: Run) -> None:
    """A callback: take this config, go to the chunk that begins there, and run the whole page
    again, which says what it did."""
    wanted, before = state.wanted_boundary(run_name(run)), state.selected()
    state.want_boundary(None)
    state.take(move.config)
    state.select(place)
    if wanted:
        at = wanted.boundary
        state.note_taken(
            Taken(run.document.text_hash, move.config, place, run.config, before, at, boundaries(run), moved_to=place)
        )
    st.rerun()
