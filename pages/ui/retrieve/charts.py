"""Means with their intervals as dots and lines, as a plotly figure. No Streamlit; imported late, as
plotly is."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]
from markupsafe import escape

from chunking.retrieval import Leaderboard, metric_name
from pages.ui.choices.comparing import LETTERS
from pages.ui.side_by_side.colours import COLOURS

_ROW = 34
"""Pixels."""


def intervals_figure(board: Leaderboard, letters: Sequence[str]) -> go.Figure:
    """A dot for each config's mean with its interval, the first place on top; in each row's own
    colour."""
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,  # a dot at 1 is whole
            "x": [place.value.mean],
            "y": [at],
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [place.value.high - place.value.mean],
                "arrayminus": [place.value.mean - place.value.low],
                "color": COLOURS[LETTERS.index(letter)],
                "thickness": 3,
                "width": 6,
            },
            "marker": {"size": 12, "color": COLOURS[LETTERS.index(letter)]},
            "hovertemplate": f"{escape(place.name)}<br>%{{x:.3f}} ({place.value.low:.3f} to {place.value.high:.3f})"
            "<extra></extra>",
        }
        for at, (place, letter) in enumerate(zip(board.places, letters, strict=True))
    ]
    return go.Figure(data=traces, layout=_layout(board, letters))


def _layout(board: Leaderboard, letters: Sequence[str]) -> dict[str, object]:
    low = min(place.value.low for place in board.places)
    high = max(place.value.high for place in board.places)
    room = max(0.02, (high - low) * 0.08)
    means = (
        f"{each.name} {each.value.mean:.3f} ({each.value.low:.3f} to {each.value.high:.3f})" for each in board.places
    )
    return {
        "meta": f"Chart of mean {metric_name(board.metric)} with its 95% interval: {'; '.join(means)}",
        "height": 58 + _ROW * len(board.places),
        "margin": {"l": 30, "r": 12, "t": 6, "b": 40},
        "showlegend": False,
        "xaxis": {
            "range": [max(0.0, low - room), min(1.0, high + room)],
            "title": {"text": f"{metric_name(board.metric)}, mean over the questions, 95% interval", "standoff": 4},
            "zeroline": False,
            "fixedrange": True,
            "nticks": 7,
        },
        "yaxis": {
            "tickvals": list(range(len(letters))),
            "ticktext": [f"<b>{escape(letter)}</b>" for letter in letters],
            "range": [len(letters) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
    }
