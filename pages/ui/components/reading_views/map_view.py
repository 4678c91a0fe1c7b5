"""The map of a run's chunks: what Python sends the browser's half (chunk_map.js), and what comes
back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from chunking import Run
from chunking.analysis import Layout
from pages.ui.components.reading_views.chunk_map import COLOURS, LAYOUTS, Asked, Placed
from pages.ui.components.reading_views.cuts import number_of
from pages.ui.components.reading_views.view import Select, component, component_state, tell_chosen
from pages.ui.components.source_view.payload import source_text


@dataclass(frozen=True, slots=True)
class MapState:
    """How far the map is."""

    points: Placed | None = None
    """None until it is made."""
    done: int = 0
    total: int = 0
    """Chunks embedded, and to embed."""
    problem: str = ""
    absent: str = ""
    """Why the chosen layout cannot be had, and how to get it."""
    asked: Asked | None = None
    asking: bool = False
    """Whether the question has no vector yet."""
    question_problem: str = ""


@dataclass(frozen=True, slots=True)
class MapChoices:
    """What somebody chose in the map."""

    layout: Layout
    colour: str
    question: str
    """As it was typed, "" for none."""


def map_choices(key: str) -> MapChoices:
    """What was chosen so far."""
    state = component_state(key)
    colour, question = state.get("colour"), state.get("question")
    return MapChoices(
        "umap" if state.get("layout") == "umap" else "components",
        colour if isinstance(colour, str) and colour in COLOURS else "section",
        question.strip()[:1000] if isinstance(question, str) else "",
    )


def map_view(run: Run, now: MapState, *, selected: int | None, key: str, height: str, on_select: Select) -> None:
    """Draw the map as far as it is made; the browser asks again while it is not."""
    chosen = map_choices(key)
    nothing: Callable[[], None] = lambda: None  # noqa: E731  # what it says is read when the view is drawn
    component("chunk_map")(
        key=key,
        data={
            "name": source_text(run.document).hash,
            "title": run.document.base_name,
            "height": height,
            "chunks": len(run.chunks),
            "selected": number_of(run, selected),
            "layout": chosen.layout,
            "layouts": list(LAYOUTS.items()),
            "colour": chosen.colour,
            "colours": list(COLOURS.items()),
            "question": chosen.question,
            "points": asdict(now.points) if now.points else None,
            "done": now.done,
            "total": now.total,
            "problem": now.problem,
            "absent": now.absent,
            "asked": asdict(now.asked) if now.asked else None,
            "asking": now.asking,
            "questionProblem": now.question_problem,
        },
        on_selected_change=lambda: tell_chosen(key, on_select),
        on_stepped_change=lambda: tell_chosen(key, on_select, "stepped"),
        on_layout_change=nothing,
        on_colour_change=nothing,
        on_question_change=nothing,
        on_look_change=nothing,
    )
