"""Curves of a metric over budgets of tokens with their bands, as a plotly figure. No Streamlit;
imported late, as plotly is."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go  # type: ignore[import-untyped]
from markupsafe import escape

from chunking.retrieval import Curve, curve_points, metric_name
from pages.ui.choices.comparing import LETTERS
from pages.ui.side_by_side.colours import COLOURS

_HEIGHT = 260
"""Pixels."""


def curve_figure(curves: Mapping[str, Curve], metric: str) -> go.Figure:
    """A line for each config with a dot at each budget, in its row's colour, over its band. Names
    begin with the row's letter."""
    bands: list[dict[str, object]] = []
    lines: list[dict[str, object]] = []
    for name, points in curve_points(curves, metric).items():
        colour = COLOURS[LETTERS.index(name[0])]
        budgets = [point.budget for point in points]
        around = [point.value.high for point in points] + [point.value.low for point in reversed(points)]
        bands.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [*budgets, *reversed(budgets)],
                "y": around,
                "fill": "toself",
                "fillcolor": _faint(colour),
                "line": {"width": 0},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
        lines.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "cliponaxis": False,  # a dot at 1 is whole
                "name": str(escape(name)),
                "x": budgets,
                "y": [point.value.mean for point in points],
                "customdata": [[point.value.low, point.value.high, point.tokens] for point in points],
                "line": {"color": colour, "width": 2},
                "marker": {"size": 8, "color": colour},
                "hovertemplate": "%{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f}), "
                "%{customdata[2]:,.0f} tokens retrieved<extra></extra>",
            }
        )
    return go.Figure(data=[*bands, *lines], layout=_layout(curves, metric))


def _said(curves: Mapping[str, Curve], metric: str) -> str:
    """What is drawn, with the ends of each curve, for who cannot see it."""
    lines = (
        f"{name} {' to '.join(f'{point.value.mean:.3f} at {point.budget:,}' for point in (points[0], points[-1]))}"
        for name, points in curve_points(curves, metric).items()
    )
    return f"Chart of {metric_name(metric)} by tokens that may be retrieved for a question: {'; '.join(lines)}"


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.14)"


def _layout(curves: Mapping[str, Curve], metric: str) -> dict[str, object]:
    budgets = next(iter(curves.values())).budgets
    return {
        "meta": _said(curves, metric),
        "height": _HEIGHT,
        "margin": {"l": 44, "r": 16, "t": 28, "b": 44},
        "showlegend": len(curves) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1.16},
        "xaxis": {
            "type": "log",
            "tickvals": list(budgets),
            "ticktext": [f"{budget:,}" for budget in budgets],
            "title": {"text": "Tokens that may be retrieved for a question", "standoff": 6},
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": {
            "title": {"text": metric_name(metric)},
            "rangemode": "tozero",
            "zeroline": False,
            "fixedrange": True,
        },
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
    }
