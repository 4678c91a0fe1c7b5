"""The map of a run's chunks, made in the background: begun here, and looked at again while it is
not ready."""

from __future__ import annotations

from dataclasses import replace

from chunking import Run
from chunking.analysis import Layout
from pages.ui import state
from pages.ui.background.map_jobs import MapJob, jobs
from pages.ui.background.map_state import layout_to_make, map_state
from pages.ui.choices.mapped import MapChunk, evenly, map_chunk
from pages.ui.components.reading_views.chunk_map import COLOURS, placed
from pages.ui.components.reading_views.cuts import number_of
from pages.ui.components.reading_views.map_view import Mapped, MapState, map_choices, map_view
from pages.ui.components.source_view.payload import run_name, source_text
from pages.ui.server.owners import owner

_KEY = "map-view"


def map_panel(run: Run, baseline: Run | None, *, selected: int | None, height: str) -> None:
    """Draw the map. While a threshold is dragged, nothing is begun: what is there stays."""
    chosen = map_choices(_KEY, COLOURS)
    beside = baseline if chosen.colour == "config" else None
    layout, absent = layout_to_make(chosen)
    now = MapState(waits="Waiting for the thresholds to rest")
    if run.chunks and not state.dragging():
        now = map_state(
            _job(run, beside, layout),
            chosen,
            lambda found: placed(_chunks(run), _chunks(beside), found, chosen.colour, total=len(run.chunks)),
        )
    document = run.document
    of = Mapped(source_text(document).hash, document.base_name, len(run.chunks), number_of(run, selected))
    map_view(
        of,
        replace(now, absent=absent),
        COLOURS,
        key=_KEY,
        height=height,
        on_select=lambda _, offset: state.select(offset),
    )


def _job(run: Run, beside: Run | None, layout: Layout) -> MapJob:
    names = [f"{run_name(each)} {sum(each.columns.tokens.tolist())}" for each in (run, beside) if each is not None]
    key = " ".join([owner().key, *names])
    return jobs.about(state.channel(), key, lambda: [*_texts(run), *_texts(beside)], len(_numbers(run)), layout)


def _chunks(run: Run | None) -> list[MapChunk]:
    return [] if run is None else [map_chunk(run.chunks[number], number) for number in _numbers(run)]


def _texts(run: Run | None) -> list[str]:
    return [] if run is None else [run.chunks[number].text for number in _numbers(run)]


def _numbers(run: Run) -> list[int]:
    return evenly(len(run.chunks))
