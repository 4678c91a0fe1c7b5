"""The frontier as a plotly figure: every config that was tried, quality against tokens to embed,
which are against chunks where they are the quality. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]
from markupsafe import escape

from chunking import Config
from chunking.text import counted
from chunking.tuning import Evidence, Goal, Point, Tuning
from pages.ui.tune.markup import changed_words

FRONT, MEETS, BREAKS = "#d9691e", "#4a67d6", "rgba(128,134,150,0.75)"
"""They differ in lightness and in shape too, and stand on white and on near-black."""
_RING = "rgba(128,134,150,1)"


def frontier_chart(found: Tuning, now: Config, chosen: Point | None, known: Evidence | None = None) -> go.Figure:
    """All points; those that meet the conditions filled, those on the frontier with intervals and
    joined by a line."""
    goal, front = found.goal, found.frontier
    numbered, met = list(enumerate(found.points)), len(found.meeting)
    groups = (
        (
            f"misses a requirement ({len(numbered) - met:,})",
            "x-thin-open",
            7,
            BREAKS,
            [each for each in numbered if each[1].broken],
        ),
        (
            f"meets all requirements ({met:,})",
            "circle",
            8,
            MEETS,
            [each for each in numbered if not each[1].broken and each[1] not in front],
        ),
        (
            f"of these, on the frontier ({len(front):,})",
            "diamond",
            12,
            FRONT,
            [each for each in numbered if each[1] in front],
        ),
    )
    traces = [_line(front, goal), *(_group(goal, *group, known) for group in groups), *_rings(found, now, chosen)]
    layout = {
        "meta": said(found),
        "height": 380,
        "margin": {"l": 64, "r": 12, "t": 34, "b": 48},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False},
        "xaxis": {"title": {"text": _across(goal), "standoff": 6}, "zeroline": False, "fixedrange": True},
        "yaxis": {
            "title": {"text": escape(goal.unit), "standoff": 6},
            "autorange": "reversed" if goal.counted else True,
            "zeroline": False,
            "fixedrange": True,
        },
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "clickmode": "event+select",
        "dragmode": False,
    }
    return go.Figure(data=traces, layout=layout)


def said(found: Tuning) -> str:
    """What is drawn, and the ends of the frontier, for who cannot see it."""
    what = f"Chart of {found.goal.unit} by {_across(found.goal)}, {counted(len(found.points), 'config')}"
    if not found.frontier:
        return f"{what}: none meets all requirements"
    ends = dict.fromkeys(
        f"{found.goal.shown(point.quality)} at {_place(found.goal, point):,} {_across(found.goal).split()[0]}"
        for point in (found.frontier[0], found.frontier[-1])
    )
    return f"{what}, {len(found.meeting):,} of them meeting all requirements; the frontier: {' to '.join(ends)}"


def _across(goal: Goal) -> str:
    return "chunks" if goal.is_cost else "tokens to embed"


def _place(goal: Goal, point: Point) -> int:
    return point.summary.chunks if goal.is_cost else point.tokens


def _height(goal: Goal, point: Point) -> float:
    return -point.quality if goal.counted else point.quality


def _line(front: Sequence[Point], goal: Goal) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [_place(goal, point) for point in front],
        "y": [_height(goal, point) for point in front],
        "line": {"color": FRONT, "width": 1.5, "shape": "hv"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _group(
    goal: Goal,
    name: str,
    symbol: str,
    size: int,
    colour: str,
    members: Sequence[tuple[int, Point]],
    known: Evidence | None,
) -> dict[str, object]:
    intervals = [known.interval(point) for _, point in members] if known and symbol == "diamond" else []
    bars = {
        "type": "data",
        "symmetric": False,
        "array": [each.high - each.mean for each in intervals],
        "arrayminus": [each.mean - each.low for each in intervals],
        "color": colour,
        "thickness": 1,
        "width": 4,
    }
    return {
        **({"error_y": bars} if intervals else {}),
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [_place(goal, point) for _, point in members],
        "y": [_height(goal, point) for _, point in members],
        "marker": {"symbol": symbol, "size": size, "color": colour, "line": {"width": 1.5, "color": colour}},
        "customdata": [[number, _words(goal, point)] for number, point in members],
        "hovertemplate": "%{customdata[1]}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _rings(found: Tuning, now: Config, chosen: Point | None) -> list[dict[str, object]]:
    current = found.point_of(now)
    rings = []
    for point, name, symbol in (
        (current, "the current config", "circle-open"),
        (chosen, "selected", "square-open"),
    ):
        if point is not None:
            marker = {"symbol": symbol, "size": 19, "color": _RING, "line": {"width": 2.5}}
            place = {
                "x": [_place(found.goal, point)],
                "y": [_height(found.goal, point)],
                "name": name,
                "marker": marker,
            }
            rings.append({"type": "scatter", "mode": "markers", "hoverinfo": "skip", **place})
    return rings


def _words(goal: Goal, point: Point) -> str:
    head = f"<b>{escape(point.config.strategy.title)}</b><br>{escape(changed_words(point.config))}"
    quality = [] if goal.is_cost else [f"{escape(goal.unit)}: {goal.shown(point.quality)}"]
    cost = (f"{point.tokens:,} tokens to embed", counted(point.summary.chunks, "chunk"))
    return "<br>".join([head, *quality, *cost, *map(escape, point.broken)])
