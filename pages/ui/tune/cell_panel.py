"""The selected combination of a sweep, seen before it is taken: its numbers and its cuts beside
those of the current config, and the way to Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from chunking import Config
from chunking.analysis import Metric
from chunking.config import Value
from chunking.errors import ChunkscopeError
from chunking.text import counted
from chunking.tuning import INVARIANTS, Axis, Cell
from pages.ui import state
from pages.ui.choices.tuning import SweepChoice, sweepable
from pages.ui.layout import caches, markup, page_frame
from pages.ui.layout.drawbacks import NO_DRAWBACK, Drawback, of_config
from pages.ui.tune import markup as tune_markup
from pages.ui.tune.measures import broken_words, figures
from pages.ui.tune.preview import preview
from pages.ui.tune.sweep_job import SweepProgress, SweepRequest


def now_values(request: SweepRequest) -> tuple[Value, ...]:
    """Where the current config stands on the axes."""
    at = {each.label: each.now for each in sweepable(request.config)}
    return tuple(at[axis.setting] for axis in request.axes)


def shown_axes(request: SweepRequest) -> tuple[Axis, ...]:
    """The axes with their settings as on screen: `Minimum`; with the YAML name, too, where both
    have one title."""
    titles = {each.label: each.spec.title for each in sweepable(request.config)}
    if len({titles[axis.setting] for axis in request.axes}) < len(request.axes):
        titles = {label: f"{title} {label}" for label, title in titles.items()}
    return tuple(Axis(titles[axis.setting], axis.values) for axis in request.axes)


def cell_panel(
    request: SweepRequest,
    swept: SweepProgress,
    sweeping: SweepChoice,
    shown: Sequence[Metric],
    *,
    applied_above: bool,
) -> None:
    """The selected cell, where there is one; without what it costs and its button where these stand
    above already."""
    cell, now = swept.cell(sweeping.chosen), swept.cell(now_values(request))
    if cell is None or cell.config is None:
        return
    values = ", ".join(tune_markup.value_texts(shown_axes(request), cell.values))
    with st.container(key="tune-head", horizontal=True, gap="small", vertical_alignment="center"):
        chunks = counted(cell.chunks, "chunk")
        same = cell.config == request.config
        against = drawback(request, now, cell)
        becomes = "" if same else ": it becomes the baseline there"
        beside = f"{chunks}; “current” is the config in Inspect{becomes}"
        st.html(markup.heading(values, beside=beside), width="content")
        # Without a `help`: its hover target would be a second button, which the keyboard cannot
        # tell from this one.
        if not applied_above and st.button(
            "Inspect shows this" if same else "Apply to Inspect",
            key="tune-apply",
            type="secondary" if against.words else "primary",
            icon=":material/search:",
            disabled=same,
        ):
            state.inspect(cell.config, request.config)
            page_frame.open_inspect()
    if against.words and not applied_above:
        st.html(markup.drawback(against.words))
    limits = cell.config.strategy.limits(), request.config.strategy.limits()
    st.html(markup.explained(figures(cell, now, shown, limits), beside="current"))
    if len(request.documents) == 1 and not same:
        _preview(request, cell.config)
    broken = broken_words(cell, tuple(INVARIANTS))
    if broken:
        page_frame.note(f"Fails: {'; '.join(broken)}.")


def drawback(request: SweepRequest, now: Cell | None, cell: Cell) -> Drawback:
    """What speaks against a cell in place of the current config, as Inspect's offers say it."""
    if cell.config is None or now is None or not now.documents or cell.config == request.config:
        return NO_DRAWBACK
    unread = 0
    with suppress(ChunkscopeError):  # a model may have to answer first
        unread = caches.unread_with(request.documents, request.config, cell.config)
    return of_config(cell, now, unread=unread)


def told(request: SweepRequest, swept: SweepProgress, sweeping: SweepChoice) -> str:
    """What those are told who hear the page: the selected cell, beside the current config."""
    cell, now = swept.cell(sweeping.chosen), swept.cell(now_values(request))
    if cell is None or cell.config is None:
        return ""
    was = f", now {now.chunks:,}" if now and now.documents and now is not cell else ""
    values = ", ".join(tune_markup.value_texts(shown_axes(request), cell.values))
    return f"{values}: {counted(cell.chunks, 'chunk')}{was}"


def _preview(request: SweepRequest, config: Config) -> None:
    """Where it would cut; nothing where that cannot be said."""
    document = request.documents[0]
    try:
        now, then = caches.run(document, request.config), caches.run(document, config)
    except ChunkscopeError:
        return
    st.html(preview(now, then))
