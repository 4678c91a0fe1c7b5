"""The sizes of several runs over each other, as a plotly figure. No Streamlit; imported late, as
plotly is."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]
from markupsafe import escape

from chunking.analysis import Bins, round_bins
from chunking.text import counted
from pages.ui.side_by_side.colours import COLOURS

DASHES = ("solid", "solid", "dash", "dot")


def sizes_figure(names: Sequence[str], sizes: Sequence[Sequence[int]], counter: str) -> go.Figure:
    """How many chunks have how many tokens; the first run filled, the others as outlines over
    it."""
    bins = round_bins(max([1, *(size for each in sizes for size in each)]))
    traces = [_trace(number, name, each, bins) for number, (name, each) in enumerate(zip(names, sizes, strict=True))]
    words = "; ".join(_said(name, each) for name, each in zip(names, sizes, strict=True))
    layout = _layout(bins.top, counter) | {"meta": f"Histogram of chunks by tokens ({counter}): {words}"}
    return go.Figure(data=traces, layout=layout)


def _said(name: str, sizes: Sequence[int]) -> str:
    """What is drawn of a run, for who cannot see it."""
    return f"{name} {counted(len(sizes), 'chunk')}" + (f" of {min(sizes):,} to {max(sizes):,}" if sizes else "")


def _trace(number: int, name: str, sizes: Sequence[int], bins: Bins) -> dict[str, object]:
    colour = COLOURS[number]
    # An outline steps down to zero at both ends of each bin.
    fill = {"fill": "tozeroy", "fillcolor": "rgba(125,132,150,0.28)"} if number == 0 else {}
    return {
        "type": "scatter",
        "name": escape(name),
        "mode": "lines",
        "line": {"shape": "hv", "width": 1.5 if number == 0 else 2.5, "color": colour, "dash": DASHES[number]},
        "x": bins.edges,
        "y": [*bins.counts(sizes), 0],
        "customdata": [f"{left:,.0f} to {left + bins.width - 1:,.0f}" for left in bins.edges],
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
