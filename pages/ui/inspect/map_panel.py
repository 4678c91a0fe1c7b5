"""The map of a run's chunks, made in the background: begun here, and looked at again while it is
not ready."""

from __future__ import annotations

from dataclasses import replace

from chunking import Run
from chunking.analysis import Layout
from chunking.runtime import missing
from pages.ui import state
from pages.ui.components.reading_views.chunk_map import asked, chosen_chunks, placed
from pages.ui.components.reading_views.map_view import MapState, map_choices, map_view
from pages.ui.components.source_view.payload import run_name
from pages.ui.inspect.map_jobs import MapJob, jobs
from pages.ui.server.owners import owner

_KEY = "map-view"


def map_panel(run: Run, baseline: Run | None, *, selected: int | None, height: str) -> None:
    """Draw the map. While a threshold is dragged, nothing is begun: what is there stays."""
    chosen = map_choices(_KEY)
    beside = baseline if chosen.colour == "config" else None
    absent = missing("umap") if chosen.layout == "umap" else ""
    now = MapState()
    if run.chunks and not state.dragging():
        now = _state(run, beside, _job(run, beside, "components" if absent else chosen.layout))
    now = replace(now, absent=absent)
    map_view(run, now, selected=selected, key=_KEY, height=height, on_select=state.select)


def _job(run: Run, beside: Run | None, layout: Layout) -> MapJob:
    own = chosen_chunks(run)
    others = chosen_chunks(beside) if beside is not None else []
    names = [f"{run_name(each)} {sum(each.columns.tokens.tolist())}" for each in (run, beside) if each is not None]
    key = " ".join([owner().key, *names])
    return jobs.about(state.channel(), key, lambda: [chunk.text for chunk in (*own, *others)], len(own), layout)


def _state(run: Run, beside: Run | None, job: MapJob) -> MapState:
    chosen = map_choices(_KEY)
    if job.found is None or job.vectors is None:
        return MapState(done=job.done, total=job.total, problem=job.problem)
    points = placed(run, beside, job.found, chosen.colour)
    if not chosen.question:
        return MapState(points, job.done, job.total)
    answer = jobs.question(chosen.question)
    star = asked(job.found, job.vectors, job.count, answer.vector) if answer.vector is not None else None
    waits = star is None and not answer.problem
    return MapState(points, job.done, job.total, asked=star, asking=waits, question_problem=answer.problem)
