"""The Tune page's tables, as frames, and how their columns are written; imported late, as pandas
is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
from streamlit.column_config import NumberColumn, TextColumn

from chunking import Config
from chunking.analysis import Metric, percent_to_show
from chunking.tuning import Axis, Cell, Invariant
from pages.ui.choices.snapshots import Snapshot, config_title
from pages.ui.tune.markup import changed_words, value_words
from pages.ui.tune.measures import broken_words

if TYPE_CHECKING:
    from chunking.tuning import Effect, Evidence, Goal, Point

_FORMATS = {"count": "localized", "tokens": "localized", "share": "%.1f %%", "score": "%.3f"}


def cells_table(
    cells: Sequence[Cell], axes: Sequence[Axis], shown: Sequence[Metric], must: Sequence[Invariant]
) -> tuple[pd.DataFrame, list[Cell], dict[str, str]]:
    """A row for each measured cell, those that meet every requirement first; these cells in the
    rows' order; how the columns of numbers are written."""
    measured = sorted((cell for cell in cells if cell.documents), key=lambda cell: bool(broken_words(cell, must)))
    columns: dict[str, list[object]] = {
        axis.setting: [_plain(cell.values[number]) for cell in measured] for number, axis in enumerate(axes)
    }
    columns["Requirements not met"] = ["; ".join(broken_words(cell, must)) for cell in measured]
    columns |= {each.title: [_scaled(each, cell) for cell in measured] for each in shown}
    return pd.DataFrame(columns), measured, {each.title: _FORMATS[each.unit] for each in shown}


def _scaled(by: Metric, cell: Cell) -> float | None:
    value = by.of(cell)
    return percent_to_show(value, 1) if value is not None and by.unit == "share" else value


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else value_words(str(value))


POINT_COLUMNS = {
    **{name: NumberColumn(width=116, format="localized") for name in ("Tokens to embed", "Median tokens")},
    "Chunks": NumberColumn(width=64, format="localized"),
    "Settings": TextColumn(
        width=340, help="What differs from the current config; of another strategy, from its defaults"
    ),
}
"""How the columns of `points_table` are written."""
_IN_ONE_LINE = 48
"""As many characters of settings fit in one line of their column."""
_TWO_LINES = 66
"""Pixels: Streamlit goes on in a second line only in rows of more than 64."""
_ONE_LINE = 36
EFFECT_COLUMNS = {"Tokens to embed": NumberColumn(format="localized")}


def points_table(
    points: Sequence[Point],
    goal: Goal,
    now: Config,
    known: Evidence | None = None,
    snapshots: Sequence[Snapshot] = (),
) -> pd.DataFrame:
    """A row for each config: what it is worth, what it costs, what it is, beside the current one;
    those of snapshots by name."""
    columns: dict[str, list[object]] = {
        goal.unit[:1].upper() + goal.unit[1:]: [goal.shown(point.quality) for point in points],
    }
    if known:
        intervals = [known.interval(point) for point in points]
        columns["95% interval"] = [f"{each.low:.3f} to {each.high:.3f}" for each in intervals]
        columns["Answers cut"] = [point.summary.answers_cut for point in points]
    columns |= {
        "Tokens to embed": [point.tokens for point in points],
        "Chunks": [point.summary.chunks for point in points],
        "Median tokens": [point.summary.median_tokens for point in points],
        "Strategy": [config_title(point.config, snapshots) for point in points],
        "Settings": [changed_words(point.config, now) for point in points],
    }
    if any(point.broken for point in points):
        columns["Requirements not met"] = ["; ".join(point.broken) for point in points]
    return pd.DataFrame(columns)


def row_height(table: pd.DataFrame) -> int:
    """In pixels: for two lines where a config has that much to say."""
    return _TWO_LINES if table["Settings"].str.len().max() > _IN_ONE_LINE else _ONE_LINE


def effects_table(found: Sequence[Effect], best: Point, goal: Goal) -> pd.DataFrame:
    """A row for each setting of the best that was changed, the largest change of quality first."""
    from chunking.tuning import change_words

    return pd.DataFrame(
        {
            "Setting": [each.setting for each in found],
            "From": [value_words(str(each.before)) for each in found],
            "To": [value_words(str(each.after)) for each in found],
            "Difference": [change_words(each, best, goal) for each in found],
            "Tokens to embed": [each.point.tokens - best.tokens for each in found],
            "Requirements not met": ["; ".join(each.point.summary.faults or each.point.broken) for each in found],
        }
    )
