"""The similarity curve as a plotly figure: how alike neighbours are, the threshold, and the cuts.
No Streamlit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]

from chunking import Run
from chunking.analysis import share_text
from chunking.strategies.semantic import Curve, Semantic, semantic_of

MOST_POINTS = 1200
"""Points drawn of a long curve, and of each kind of cut."""
HEIGHT = 168

LINE, CUT, FULL = "#4a67d6", "#c2453d", "#b7791f"
QUIET = "rgba(128,134,150,0.85)"
"""All stand on white and on near-black; cuts differ in shape too."""


def similarity_figure(run: Run, curve: Curve, *, selected: int | None = None) -> go.Figure:
    """The curve over the numbers of the sentences, with the cuts of `run` on it and the threshold
    across it.

    Each point's `customdata` is where the sentence after it starts in the source, and its line:
    what a click goes to.
    """
    semantic = semantic_of(run.config.strategy)
    unlike, full = cuts(run, curve)
    traces = [
        _points(run, curve, thinned(curve.similarities, MOST_POINTS), "similarity", _LINE_STYLE),
        _points(run, curve, _lowest(curve, unlike), "cut: below the threshold", _mark("triangle-down", CUT)),
        _points(run, curve, _lowest(curve, full), "cut: most sentences", _mark("square", FULL)),
    ]
    shapes = [_threshold_line(curve)]
    here = sentence_at(curve, selected)
    if here is not None:
        shapes.append(_selected_line(here))
    words = threshold_words(semantic, curve) if semantic else ""
    return go.Figure(data=[trace for trace in traces if trace["x"]], layout=_layout(curve, shapes, words))


def cuts(run: Run, curve: Curve) -> tuple[list[int], list[int]]:
    """The places on the curve where the run cuts: below the threshold, and at the most
    sentences."""
    ends = [sentence.end for sentence in curve.sentences]
    unlike: list[int] = []
    full: list[int] = []
    for chunk in run.chunks:
        place = bisect_left(ends, chunk.body.end)
        if chunk.ended_by.rule in ("similarity", "max-sentences") and place < len(curve.similarities):
            (unlike if chunk.ended_by.rule == "similarity" else full).append(place)
    return unlike, full


def thinned(values: Sequence[float], most: int) -> list[int]:
    """Which of the values to draw: all, or the least and the greatest of each stretch, so that no
    peak is lost."""
    if len(values) <= most:
        return list(range(len(values)))
    bins = most // 2
    places: list[int] = []
    for number in range(bins):
        stretch = range(number * len(values) // bins, (number + 1) * len(values) // bins)
        low, high = min(stretch, key=values.__getitem__), max(stretch, key=values.__getitem__)
        places.extend(sorted({low, high}))
    return places


def sentence_at(curve: Curve, offset: int | None) -> int | None:
    """The number, from 0, of the sentence that holds this offset; None when none does."""
    if offset is None or not curve.sentences or not curve.sentences[0].start <= offset < curve.sentences[-1].end:
        return None
    return bisect_left(curve.sentences, offset + 1, key=lambda sentence: sentence.end)


def threshold_words(semantic: Semantic, curve: Curve) -> str:
    """What the line across the curve is."""
    if semantic.threshold_kind == "percentile":
        return f"the least alike {share_text(semantic.similarity_threshold)} lie below {curve.threshold:.3g}"
    return f"threshold {curve.threshold:g}"


_LINE_STYLE: dict[str, object] = {
    "mode": "lines+markers",
    "line": {"width": 1.2, "color": LINE},
    "marker": {"size": 4, "color": LINE},
    "unselected": {"marker": {"opacity": 1}},
    "showlegend": False,
}


def _mark(symbol: str, colour: str) -> dict[str, object]:
    return {
        "mode": "markers",
        "marker": {"symbol": symbol, "size": 10, "color": colour, "line": {"width": 0}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _lowest(curve: Curve, places: list[int]) -> list[int]:
    """The places to mark: of very many, the lowest of each stretch."""
    if len(places) <= MOST_POINTS:
        return places
    lowest = thinned([curve.similarities[place] for place in places], MOST_POINTS)
    return [places[number] for number in lowest]


def _points(run: Run, curve: Curve, places: Sequence[int], name: str, style: dict[str, object]) -> dict[str, object]:
    starts = [_start(run, curve, place + 1) for place in places]
    return {
        "type": "scatter",
        "name": name,
        "x": [place + 1.5 for place in places],  # between the sentences it compares, which count from 1
        "y": [curve.similarities[place] for place in places],
        "customdata": [[start, run.document.line_of(start)] for start in starts],
        "hovertemplate": f"line %{{customdata[1]}}: similarity %{{y:.3f}}<br>{name}<extra></extra>",
        **style,
    }


def _start(run: Run, curve: Curve, sentence: int) -> int:
    """Where the sentence's first letter stands."""
    span = curve.sentences[sentence]
    text = run.document[span]
    blank = len(text) - len(text.lstrip())
    return span.start + (blank if blank < len(text) else 0)


def _threshold_line(curve: Curve) -> dict[str, object]:
    line = {"width": 1.5, "color": CUT, "dash": "dash"}
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": curve.threshold,
        "y1": curve.threshold,
        "line": line,
    }


def _selected_line(sentence: int) -> dict[str, object]:
    line = {"width": 1.5, "color": QUIET, "dash": "dot"}
    return {"type": "line", "yref": "paper", "x0": sentence + 1, "x1": sentence + 1, "y0": 0, "y1": 1, "line": line}


def _layout(curve: Curve, shapes: Sequence[dict[str, object]], words: str) -> dict[str, object]:
    low, high = min(*curve.similarities, curve.threshold), max(*curve.similarities, curve.threshold)
    room = max(0.08 * (high - low), 0.02)
    label = {"text": words, "xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": 1, "yanchor": "bottom"}
    axis = {"zeroline": False, "fixedrange": True}
    ends = f"least {min(curve.similarities):.3g}, greatest {max(curve.similarities):.3g}"
    return {
        "meta": f"Chart of similarity between neighbouring sentences: {ends}" + (f"; {words}" if words else ""),
        "height": HEIGHT,
        "margin": {"l": 36, "r": 10, "t": 22, "b": 34},
        "shapes": list(shapes),
        "annotations": [{**label, "showarrow": False, "font": {"size": 12, "color": CUT}}],
        "showlegend": True,
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom", "itemclick": False},
        "xaxis": {
            **axis,
            "showgrid": False,
            "range": [0.5, len(curve.sentences) + 0.5],
            "title": {"text": "sentence", "standoff": 2},
        },
        "yaxis": {**axis, "range": [low - room, high + room], "nticks": 4},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "clickmode": "event+select",
        "dragmode": False,
    }
