"""plotly figures from Runs. No Streamlit.

Figures are built from plain dicts; plotly checks them against its schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from chunking import Run
from chunking.analysis.comparison import counted_alike
from chunking.core.metrics import limited_sizes

INSIDE, UNDER, OVER = "#4a67d6", "#b7791f", "#c2453d"
BEFORE = "rgba(128,134,150,0.85)"
"""Chosen to differ in lightness too, and to stand on white and on near-black."""


_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000)


def token_histogram(run: Run, baseline: Run | None = None, *, selected_tokens: int | None = None) -> go.Figure:
    """How many chunks have how many tokens, with the strategy's limits drawn in and the baseline as an outline."""
    limits = run.config.strategy.limits()
    sizes = limited_sizes(run).tolist()
    before = list(counted_alike(baseline, run)) if baseline else []
    edges = _edges([*sizes, *before], [limits.minimum, limits.maximum])
    traces = [_bars(sizes, edges, limits.minimum, limits.maximum)]
    if before:
        traces.append(_outline(before, edges))
    lines = [(limits.minimum, "min"), (limits.target, "target"), (limits.maximum, "max")]
    marks = [(value, name) for value, name in lines if value is not None]
    layout = _layout(marks, float(edges[-1]), selected_tokens)
    return go.Figure(data=traces, layout=layout)


def _edges(sizes: Sequence[int], limits: Sequence[int | None]) -> np.ndarray:
    """About forty bins of a round width, the limits inside."""
    top = max([*sizes, *(limit for limit in limits if limit is not None), 1])
    rough = top / 40
    width = next((step for step in _WIDTHS if step >= rough), rough)
    return np.arange(0, top + 2 * width, width)


def _bars(sizes: Sequence[int], edges: np.ndarray, low: int | None, high: int | None) -> dict[str, object]:
    """A bar for each bin, and two where a limit lies inside one: each bar is on one side of the limits."""
    turns = [at for at in (low, None if high is None else high + 1) if at is not None and 0 < at < edges[-1]]
    edges = np.unique(np.concatenate([edges, np.array(turns, dtype=edges.dtype)]))
    counts, _ = np.histogram(sizes, edges)
    colours = [
        UNDER if low is not None and left < low else OVER if high is not None and left > high else INSIDE
        for left in edges[:-1]
    ]
    widths = np.diff(edges).astype(float)
    return {
        "type": "bar",
        "name": "now",
        "x": (edges[:-1] + widths / 2).tolist(),
        "y": counts.tolist(),
        "width": (widths * 0.9).tolist(),
        "marker": {"color": colours, "line": {"width": 0}},
        "customdata": [f"{left:g} to {max(left, right - 1):g}" for left, right in pairwise(edges)],
        "hovertemplate": "%{customdata} tokens<br>%{y} chunks now<extra></extra>",
    }


def _outline(sizes: Sequence[int], edges: np.ndarray) -> dict[str, object]:
    counts, _ = np.histogram(sizes, edges)
    return {
        "type": "scatter",
        "name": "was",
        "mode": "lines",
        "line": {"shape": "hv", "width": 1.5, "color": BEFORE, "dash": "dot"},
        "x": edges.tolist(),
        "y": [*counts.tolist(), 0],
        "hovertemplate": "%{y} chunks before<extra></extra>",
    }


def _layout(marks: Sequence[tuple[int, str]], top: float, selected: int | None) -> dict[str, object]:
    lines = [
        {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": {"width": 1.5, "dash": "solid"}}
        for at, _ in marks
    ]
    labels: list[dict[str, object]] = []
    for place, (at, name) in enumerate(marks):
        close = place > 0 and at - marks[place - 1][0] < top / 4
        label = {"x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 13 if close else 0}
        labels.append({**label, "text": f"{name} {at:,}", "showarrow": False})
    if selected is not None:
        labels.append({"x": selected, "y": 0, "yanchor": "bottom", "text": "▼", "showarrow": False})
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True}
    return {
        "height": 190,
        "margin": {"l": 30, "r": 24, "t": 34, "b": 30},
        "barmode": "overlay",
        "bargap": 0,
        "showlegend": False,
        "shapes": [{**line, "line": {"color": BEFORE, "width": 1.5}} for line in lines],
        "annotations": labels,
        "xaxis": {**axis, "range": [0, top], "title": {"text": "tokens", "standoff": 4}},
        "yaxis": {**axis, "rangemode": "tozero", "nticks": 4},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
    }
