"""How far a map of chunks is, for the page that draws it; a question's place on it."""

from __future__ import annotations

from collections.abc import Callable

from chunking.analysis import Layout, VectorMap
from chunking.runtime import missing
from pages.ui.background.map_jobs import MapJob, jobs
from pages.ui.components.reading_views.chunk_map import Placed, asked
from pages.ui.components.reading_views.map_view import MapChoices, MapState


def layout_to_make(chosen: MapChoices) -> tuple[Layout, str]:
    """The layout that a map is made in, and why it is not the chosen one; "" where it is."""
    absent = missing("umap") if chosen.layout == "umap" else ""
    return "components" if absent else chosen.layout, absent


def map_state(job: MapJob, chosen: MapChoices, points: Callable[[VectorMap], Placed]) -> MapState:
    """What there is of this map, its `points` placed, and of the question asked there."""
    if job.found is None or job.vectors is None:
        return MapState(done=job.done, total=job.total, problem=job.problem)
    made = points(job.found)
    if not chosen.question:
        return MapState(made, job.done, job.total)
    answer = jobs.question(chosen.question)
    star = asked(job.found, job.vectors, job.count, answer.vector) if answer.vector is not None else None
    waits = star is None and not answer.problem
    return MapState(made, job.done, job.total, asked=star, asking=waits, question_problem=answer.problem)
