"""The map of chunks: what Python sends the browser's half (chunk_map.js), and what comes
back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from chunking.analysis import Layout
from pages.ui.components.reading_views.chunk_map import LAYOUTS, Asked, Placed
from pages.ui.components.reading_views.view import component, component_state, tell_chosen


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a map is of."""

    name: str
    """Of the documents: points of another one are not shown while these have none."""
    title: str
    chunks: int
    selected: int = -1
    """The number of the chosen chunk, -1 for none."""


@dataclass(frozen=True, slots=True)
class MapState:
    """How far the map is."""

    points: Placed | None = None
    """None until it is made."""
    done: int = 0
    total: int = 0
    """Chunks embedded, and to embed."""
    waits: str = ""
    """What is waited for before anything can be embedded."""
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


def map_choices(key: str, colours: Mapping[str, str]) -> MapChoices:
    """What was chosen so far; points are coloured by the first of `colours` until then."""
    state = component_state(key)
    colour, question = state.get("colour"), state.get("question")
    return MapChoices(
        "umap" if state.get("layout") == "umap" else "components",
        colour if isinstance(colour, str) and colour in colours else next(iter(colours)),
        question.strip()[:1000] if isinstance(question, str) else "",
    )


def map_view(
    of: Mapped,
    now: MapState,
    colours: Mapping[str, str],
    *,
    key: str,
    height: str,
    on_select: Callable[[int, int], None],
) -> None:
    """Draw the map as far as it is made; the browser asks again while it is not. `on_select` is
    called with the number of a document and the offset where the chosen chunk begins there."""
    chosen = map_choices(key, colours)
    nothing: Callable[[], None] = lambda: None  # noqa: E731  # what it says is read when the view is drawn

    def selected() -> None:
        place = component_state(key).get("selected")
        if isinstance(place, Sequence) and len(place) == 2 and all(isinstance(at, int) and at >= 0 for at in place):
            on_select(*place)

    component("chunk_map")(
        key=key,
        data={
            **asdict(of),
            "height": height,
            "layout": chosen.layout,
            "layouts": list(LAYOUTS.items()),
            "colour": chosen.colour,
            "colours": list(colours.items()),
            "question": chosen.question,
            "points": asdict(now.points) if now.points else None,
            "done": now.done,
            "total": now.total,
            "waits": now.waits,
            "problem": now.problem,
            "absent": now.absent,
            "asked": asdict(now.asked) if now.asked else None,
            "asking": now.asking,
            "questionProblem": now.question_problem,
        },
        on_selected_change=selected,
        on_stepped_change=lambda: tell_chosen(key, partial(on_select, 0), "stepped"),
        on_layout_change=nothing,
        on_colour_change=nothing,
        on_question_change=nothing,
        on_look_change=nothing,
    )
