"""The sizes of several runs over each other, as a plotly figure. No Streamlit; imported late, as plotly is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pages.ui.side_by_side.colours import COLOURS

DASHES = ("solid", "solid", "dash", "dot")
_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000)
_BINS = 36


def sizes_figure(names: Sequence[str], sizes: Sequence[Sequence[int]], counter: str) -> go.Figure:
    """How many chunks have how many tokens; the first run filled, the others as outlines over it."""
    top = max([1, *(size for each in sizes for size in each)])
    rough = top / _BINS
    width = next((step for step in _WIDTHS if step >= rough), rough)
    edges = np.arange(0, top + 2 * width, width)
    traces = [_trace(number, name, each, edges) for number, (name, each) in enumerate(zip(names, sizes, strict=True))]
    return go.Figure(data=traces, layout=_layout(float(edges[-1]), counter))


def _trace(number: int, name: str, sizes: Sequence[int], edges: np.ndarray) -> dict[str, object]:
    counts, _ = np.histogram(sizes, edges)
    colour = COLOURS[number]
    # An outline steps down to zero at both ends of each bin.
    fill = {"fill": "tozeroy", "fillcolor": "rgba(125,132,150,0.28)"} if number == 0 else {}
    return {
        "type": "scatter",
        "name": escape(name),
        "mode": "lines",
        "line": {"shape": "hv", "width": 1.5 if number == 0 else 2.5, "color": colour, "dash": DASHES[number]},
        "x": edges.tolist(),
        "y": [*counts.tolist(), 0],
        "customdata": [f"{left:g} to {left + edges[1] - 1:g}" for left in edges],
        "hovertemplate": f"{escape(name)}<br>%{{customdata}} tokens: %{{y}} chunks<extra></extra>",
        **fill,
    }


def _layout(top: float, counter: str) -> dict[str, object]:
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True}
    return {
        "height": 260,
        "margin": {"l": 36, "r": 12, "t": 34, "b": 36},
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": "toggle"},
        "xaxis": {**axis, "range": [0, top], "title": {"text": f"tokens ({escape(counter)})", "standoff": 4}},
        "yaxis": {**axis, "rangemode": "tozero", "nticks": 5, "title": {"text": "chunks", "standoff": 4}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
    }
