"""plotly figures of a sweep: a heat map for two settings, a line for one. No Streamlit; imported
late, as plotly is.

Colours are Cividis, made for every kind of colour vision; each cell's number is in it where it
fits, and in its hover.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

import plotly.graph_objects as go  # type: ignore[import-untyped]
from markupsafe import escape
from plotly.colors import sample_colorscale  # type: ignore[import-untyped]

from chunking.analysis import Metric
from chunking.config import Value
from chunking.tuning import Axis, Cell, Invariant
from pages.ui.layout.setting_names import value_words
from pages.ui.tune.markup import value_texts
from pages.ui.tune.measures import broken_words, holds

COLOURS = "Cividis"
LINE, BENEATH = "#ffffff", "#10131b"
"""A light line on a dark one stands out on every colour of the scale, in both themes."""
QUIET = "rgba(128,134,150,0.9)"
_MIDDLE = 0.179
"""The relative luminance on which black and white have the same contrast, of 4.58."""
_SPREAD, _LOW = 20, 0.1
"""The least distance of the ends, and below which share of it half of the values are, where colours
go by the logarithm."""
_TICKS = 12
_LABEL = 18
"""Pixels of the height of a label with the distance to the next."""
_TOP, _MARGINS = 12, 68
"""Pixels above the plot, and above and below it."""
_NAME, _BAR = 15, 44
"""Pixels of the height of the name above a heat map's second axis, and of the colour bar below it:
beside it they would take a third of a phone's width."""
_FAR_APART = 10
"""Times the first value from which on the last one leaves those between no room."""
_RING = 25
"""Pixels across: a cell's number is whole within."""
_TEXT_FITS = 13
"""Columns up to which a cell is wide enough for its number."""

Place = tuple[int, int]
"""Column and row, from 0."""


def heat_map(
    cells: Sequence[Cell],
    axes: Sequence[Axis],
    measure: Metric,
    shown: Sequence[Metric],
    must: Sequence[Invariant],
    now: Sequence[Value],
    chosen: Sequence[Value] | None,
) -> go.Figure:
    """Two settings: the first from left to right, the second from below. `shown` is what a hover
    says."""
    across, down = axes
    columns, rows = len(across.values), len(down.values)
    values: list[list[float | None]] = [[None] * columns for _ in range(rows)]
    for cell in cells:
        if cell.documents:
            values[cell.at[1]][cell.at[0]] = measure.of(cell)
    known = [value for row in values for value in row if value is not None]
    bar: dict[str, object] = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"}
    bar |= {"thickness": 12, "outlinewidth": 0, "xpad": 0, "ypad": 2, "len": 1}
    if is_skewed(known):
        least, greatest = min(known), max(known)
        values = [[None if each is None else shade(each, least, greatest) for each in row] for row in values]
        bar |= _ticks_of_shades(least, greatest)
    heat = {
        "type": "heatmap",
        "z": values,
        "colorscale": COLOURS,
        "xgap": 1,
        "ygap": 1,
        "hoverinfo": "skip",
        "colorbar": bar,
    }
    meeting: set[Place] = {(cell.at[0], cell.at[1]) for cell in cells if cell.documents and holds(cell, must)}
    traces = [
        heat,
        *(_written(cells, measure) if columns <= _TEXT_FITS else []),
        *_illegal(cells),
        *_contour(meeting),
        *_marks(cells, now, chosen),
        _targets(cells, axes, shown, must),
    ]
    height = 360 if rows < 8 else min(620, 130 + 26 * rows)
    above = {"text": escape(down.setting), "showarrow": False, "xref": "paper", "x": 0, "xanchor": "left"}
    layout = _layout(height - _TOP + _NAME + _BAR) | {
        "margin": {"l": 44, "r": 4, "t": _NAME, "b": _MARGINS - _TOP + _BAR},
        "annotations": [above | {"yref": "paper", "y": 1, "yanchor": "bottom", "borderpad": 0}],
        "meta": said("Heat map", cells, axes, measure),
        "xaxis": _axis(across, now[0], {column for column, _ in meeting}),
        "yaxis": _axis(down, now[1], {row for _, row in meeting}, least=-(-_LABEL * rows // (height - _MARGINS)))
        | {"title": None},
    }
    return go.Figure(data=traces, layout=layout)


def is_skewed(values: Sequence[float]) -> bool:
    """Whether one or a few of the values are so far from all others that colours in proportion
    would leave those alike."""
    if not values or max(values) - min(values) < _SPREAD:
        return False
    return (median(values) - min(values)) / (max(values) - min(values)) < _LOW


def shade(value: float, least: float, greatest: float) -> float:
    """Where a value is on the colour scale, from 0 to 1, in proportion to the logarithm of what it
    is above the least one."""
    return math.log1p(value - least) / math.log1p(greatest - least)


def _ticks_of_shades(least: float, greatest: float) -> dict[str, object]:
    """The colour bar's numbers where colours are shades, rounded."""
    above = (math.expm1(part / 4 * math.log1p(greatest - least)) for part in range(5))
    numbers = sorted({round(least + each) for each in above})
    at = [shade(min(greatest, max(least, number)), least, greatest) for number in numbers]
    return {"tickvals": at, "ticktext": [f"{number:,}" for number in numbers]}


def line_chart(
    cells: Sequence[Cell],
    axis: Axis,
    measure: Metric,
    shown: Sequence[Metric],
    must: Sequence[Invariant],
    now: Sequence[Value],
    chosen: Sequence[Value] | None,
) -> go.Figure:
    """One setting: its values from left to right, the measure upwards; shaded where all that must
    hold does."""
    measured = [cell for cell in cells if cell.documents]
    meeting = {cell.at[0] for cell in measured if holds(cell, must)}
    places = _places(axis)
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [places[cell.at[0]] for cell in measured],
        "y": [measure.of(cell) for cell in measured],
        "line": {"color": "#4a67d6", "width": 2},
        "marker": {"size": 8, "color": "#4a67d6"},
        "customdata": [[_number(cells, cell), _words(cell, [axis], shown, must)] for cell in measured],
        "hovertemplate": "%{customdata[1]}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    bands = [
        {
            "type": "rect",
            "x0": _edge(places, first, -1),
            "x1": _edge(places, last, 1),
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "layer": "below",
        }
        | {"fillcolor": "rgba(26,154,116,0.16)", "line": {"width": 1, "color": "rgba(26,154,116,0.9)"}}
        for first, last in _stretches(meeting)
    ]
    marked = [(cell, name) for cell, name in _named(measured, now, chosen)]
    rings = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [places[cell.at[0]] for cell, _ in marked],
        "y": [measure.of(cell) for cell, _ in marked],
        "text": [name for _, name in marked],
        "textposition": "bottom center",
        "marker": {"symbol": "circle-open", "size": 16, "line": {"width": 2.5}, "color": QUIET},
        "hoverinfo": "skip",
    }
    layout = _layout(340) | {
        "meta": said("Line chart", cells, [axis], measure),
        "shapes": bands,
        "xaxis": _axis(axis, now[0], meeting) if places == list(range(len(places))) else _numbers(axis),
        "yaxis": {"title": {"text": escape(measure.title), "standoff": 6}, "fixedrange": True, "zeroline": False},
    }
    return go.Figure(data=[line, rings], layout=layout)


def said(kind: str, cells: Sequence[Cell], axes: Sequence[Axis], measure: Metric) -> str:
    """What is drawn, and where it is least and greatest, for who cannot see it."""
    what = f"{kind} of {measure.title} by {' and '.join(axis.setting for axis in axes)}"
    known = [(value, cell) for cell in cells if cell.documents and (value := measure.of(cell)) is not None]
    if not known:
        return f"{what}: nothing is measured yet"
    least, greatest = (end(known, key=lambda each: each[0])[1] for end in (min, max))
    ends = (f"{measure.text(cell)} at {', '.join(value_texts(axes, cell.values))}" for cell in (least, greatest))
    return "{}: least {}; greatest {}".format(what, *ends)


def _places(axis: Axis) -> list[float]:
    """Where each value stands: numbers where they are; choices, and numbers that grow by a factor,
    one after another."""
    numbers = [float(value) for value in axis.values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == len(axis.values) and not 0 < _FAR_APART * numbers[0] < numbers[-1]:
        return numbers
    return [float(place) for place in range(len(axis.values))]


def _edge(places: Sequence[float], place: int, side: int) -> float:
    """Half-way to the next value on this side; as far out again where there is none."""
    if len(places) == 1:
        return places[0] + side / 2
    beyond = place + side
    other = places[beyond] if 0 <= beyond < len(places) else 2 * places[place] - places[place - side]
    return (places[place] + other) / 2


def _numbers(of: Axis) -> dict[str, object]:
    return {
        "title": {"text": escape(of.setting), "standoff": 6},
        "zeroline": False,
        "showgrid": False,
        "fixedrange": True,
    }


def contour(places: set[Place]) -> list[tuple[Place, Place]]:
    """The edges between these places and all others, as pairs of points in half cells: the cell in
    column 2 goes from 3 to 5."""
    edges: list[tuple[Place, Place]] = []
    for column, row in sorted(places):
        left, right, low, high = 2 * column - 1, 2 * column + 1, 2 * row - 1, 2 * row + 1
        sides = {
            (column - 1, row): ((left, low), (left, high)),
            (column + 1, row): ((right, low), (right, high)),
            (column, row - 1): ((left, low), (right, low)),
            (column, row + 1): ((left, high), (right, high)),
        }
        edges += [edge for beyond, edge in sides.items() if beyond not in places]
    return edges


def _written(cells: Sequence[Cell], measure: Metric) -> list[dict[str, object]]:
    """Each cell's number, dark or light, whichever has more contrast on its colour."""
    known = [(cell, value) for cell in cells if cell.documents and (value := measure.of(cell)) is not None]
    if not known:
        return []
    values = [value for _, value in known]
    least, greatest = min(values), max(values)
    shares = [0.5] * len(values)
    if is_skewed(values):
        shares = [shade(value, least, greatest) for value in values]
    elif greatest > least:
        shares = [(value - least) / (greatest - least) for value in values]
    return [
        {
            "type": "scatter",
            "mode": "text",
            "x": [cell.at[0] for cell, _ in known],
            "y": [cell.at[1] for cell, _ in known],
            "text": [measure.text(cell) for cell, _ in known],
            "textfont": {"color": [ink(colour) for colour in sample_colorscale(COLOURS, shares, colortype="tuple")]},
            "hoverinfo": "skip",
        }
    ]


def ink(colour: tuple[float, float, float]) -> str:
    """Black or white, whichever has more contrast on a colour of red, green and blue, 0 to 1
    (WCAG 2)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#ffffff" if lightness < _MIDDLE else "#000000"


def _contour(places: set[Place]) -> list[dict[str, object]]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x0, y0), (x1, y1) in contour(places):
        xs += [x0 / 2, x1 / 2, None]
        ys += [y0 / 2, y1 / 2, None]
    line = {"type": "scatter", "mode": "lines", "x": xs, "y": ys, "hoverinfo": "skip"}
    if not xs:
        return []
    return [
        {**line, "line": {"color": BENEATH, "width": 6}},
        {**line, "line": {"color": LINE, "width": 2.5}, "name": "meets all requirements"},
    ]


def _illegal(cells: Sequence[Cell]) -> list[dict[str, object]]:
    """A small cross where the values are illegal together."""
    wrong = [cell for cell in cells if cell.error]
    marker = {"symbol": "x-thin", "size": 7, "line": {"width": 1.2, "color": QUIET}}
    trace = {"type": "scatter", "mode": "markers", "marker": marker, "hoverinfo": "skip"}
    return [{**trace, "x": [cell.at[0] for cell in wrong], "y": [cell.at[1] for cell in wrong]}] if wrong else []


def _marks(cells: Sequence[Cell], now: Sequence[Value], chosen: Sequence[Value] | None) -> list[dict[str, object]]:
    """Rings around the current config's cell and the chosen one."""
    traces: list[dict[str, object]] = []
    for cell, name in _named(cells, now, chosen):
        symbol = "circle-open" if name == "now" else "diamond-open"
        place = {"type": "scatter", "mode": "markers", "x": [cell.at[0]], "y": [cell.at[1]], "hoverinfo": "skip"}
        for colour, width in ((BENEATH, 5.5), (LINE, 2.5)):
            marker = {"symbol": symbol, "size": _RING, "color": colour, "line": {"width": width, "color": colour}}
            # Without clipping a ring in an outer cell is whole.
            traces.append({**place, "cliponaxis": False, "name": name, "marker": marker})
    return traces


def _named(cells: Sequence[Cell], now: Sequence[Value], chosen: Sequence[Value] | None) -> list[tuple[Cell, str]]:
    at = {cell.values: cell for cell in cells}
    wanted = [(tuple(now), "now"), (tuple(chosen or ()), "chosen")]
    return [(at[values], name) for values, name in wanted if values in at]


def _targets(
    cells: Sequence[Cell], axes: Sequence[Axis], shown: Sequence[Metric], must: Sequence[Invariant]
) -> dict[str, object]:
    """What is hovered and clicked: a heat map itself cannot be selected."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [cell.at[0] for cell in cells],
        "y": [cell.at[1] for cell in cells],
        "customdata": [[number, _words(cell, axes, shown, must)] for number, cell in enumerate(cells)],
        "hovertemplate": "%{customdata[1]}<extra></extra>",
        "marker": {"symbol": "square", "size": 20, "opacity": 0},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
    }


def _words(cell: Cell, axes: Sequence[Axis], shown: Sequence[Metric], must: Sequence[Invariant]) -> str:
    """What a hover says: the values, each number, and what does not hold."""
    values = [f"{axis.setting} {value_words(value)}" for axis, value in zip(axes, cell.values, strict=True)]
    head = f"<b>{escape(', '.join(values))}</b>"
    if cell.error:
        return f"{head}<br>{escape(cell.error)}"
    if not cell.documents:
        return f"{head}<br>not measured yet"
    lines = [f"{escape(each.title)}: {each.text(cell)}" for each in shown]
    broken = broken_words(cell, must)
    return "<br>".join([head, *lines, *(broken or ["meets all requirements"])])


def _number(cells: Sequence[Cell], cell: Cell) -> int:
    return next(number for number, each in enumerate(cells) if each.at == cell.at)


def _stretches(places: set[int]) -> list[Place]:
    """The first and last of each unbroken row of places."""
    starts = sorted(place for place in places if place - 1 not in places)
    ends = sorted(place for place in places if place + 1 not in places)
    return list(zip(starts, ends, strict=True))


def labelled(count: int, wanted: Sequence[int], least: int) -> list[int]:
    """Which of so many places on an axis have a label: those `wanted`, the first of them first, and
    others at even distances, where they are at least so many places apart."""
    found: list[int] = []
    for place in (*wanted, *range(0, count, -(-count // _TICKS))):
        if all(abs(place - other) >= least for other in found):
            found.append(place)
    return sorted(found)


def _axis(of: Axis, now: Value, meeting: set[int], least: int | None = None) -> dict[str, object]:
    """Labelled are the current value, the ends of what meets all requirements, and those of the
    axis. Labels are `least` places apart; by default as many as all are."""
    count = len(of.values)
    current = [of.values.index(now)] if now in of.values else []
    wanted = [*current, *(end for ends in _stretches(meeting) for end in ends), 0, count - 1]
    places = labelled(count, wanted, -(-count // _TICKS) if least is None else least)
    return {
        "title": {"text": escape(of.setting), "standoff": 18},
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [escape(value_words(of.values[place])) for place in places],
        "range": [-0.55, len(of.values) - 0.45],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }


def _layout(height: int) -> dict[str, object]:
    return {
        "height": height,
        "margin": {"l": 76, "r": 8, "t": _TOP, "b": _MARGINS - _TOP},
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverdistance": 40,
        "clickmode": "event+select",
        "dragmode": False,
    }
