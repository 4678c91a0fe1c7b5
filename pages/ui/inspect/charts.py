"""plotly figures from Runs. No Streamlit.

Figures are built from plain dicts; plotly checks them against its schema.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]

from chunking import Run
from chunking.analysis import Bar, Bins, Side, bars, counted_alike, round_bins
from chunking.core import limited_sizes

INSIDE, UNDER, OVER = "#4a67d6", "#b7791f", "#c2453d"
_COLOURS: dict[Side, str] = {"inside": INSIDE, "under": UNDER, "over": OVER}
BEFORE = "rgba(128,134,150,0.85)"
"""Chosen to differ in lightness too, and to stand on white and on near-black."""


def token_histogram(run: Run, baseline: Run | None = None, *, selected_tokens: int | None = None) -> go.Figure:
    """How many chunks have how many tokens, with the strategy's limits drawn in and the baseline as
    an outline."""
    limits = run.config.strategy.limits()
    sizes = limited_sizes(run).tolist()
    before = list(counted_alike(baseline, run)) if baseline else []
    ends = [limit for limit in (limits.minimum, limits.maximum) if limit is not None]
    bins = round_bins(max([*sizes, *before, *ends, 1]))
    traces = [_bars(bars(sizes, bins, limits.minimum, limits.maximum))]
    if before:
        traces.append(_outline(before, bins))
    lines = [(limits.minimum, "min"), (limits.target, "target"), (limits.maximum, "max")]
    marks = [(value, name) for value, name in lines if value is not None]
    layout = _layout(marks, bins.top, selected_tokens)
    return go.Figure(data=traces, layout=layout)


def _bars(drawn: Sequence[Bar]) -> dict[str, object]:
    widths = [bar.end - bar.start for bar in drawn]
    return {
        "type": "bar",
        "name": "now",
        "x": [bar.start + width / 2 for bar, width in zip(drawn, widths, strict=True)],
        "y": [bar.count for bar in drawn],
        "width": [width * 0.9 for width in widths],
        "marker": {"color": [_COLOURS[bar.side] for bar in drawn], "line": {"width": 0}},
        "customdata": [f"{bar.start} to {bar.end - 1}" for bar in drawn],
        "hovertemplate": "%{customdata} tokens<br>%{y} chunks now<extra></extra>",
    }


def _outline(sizes: Sequence[int], bins: Bins) -> dict[str, object]:
    return {
        "type": "scatter",
        "name": "was",
        "mode": "lines",
        "line": {"shape": "hv", "width": 1.5, "color": BEFORE, "dash": "dot"},
        "x": bins.edges,
        "y": [*bins.counts(sizes), 0],
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
