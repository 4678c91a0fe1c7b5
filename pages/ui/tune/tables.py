"""The Tune page's tables, as frames, and how their columns are written; imported late, as pandas
is."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

import pandas as pd
from streamlit.column_config import NumberColumn, TextColumn

from chunking import Config
from chunking.analysis import Metric, percent_to_show
from chunking.config import Value
from chunking.tuning import Axis, Cell, Invariant
from pages.ui.choices.snapshots import Snapshot, config_title
from pages.ui.layout.setting_names import title, value_words
from pages.ui.tune.markup import changed_words
from pages.ui.tune.measures import broken_words

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ColumnConfig

    from chunking.tuning import Effect, Evidence, Goal, Objective, Point

_FORMATS = {"count": "localized", "tokens": "localized", "share": "percent", "score": "%.3f"}


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
    formats = {axis.setting: _FORMATS["count"] for axis in axes if not isinstance(_plain(axis.values[0]), str)}
    return pd.DataFrame(columns), measured, formats | {each.title: _FORMATS[each.unit] for each in shown}


def _scaled(by: Metric, cell: Cell) -> float | None:
    value = by.of(cell)
    return round(percent_to_show(value, 1) / 100, 3) if value is not None and by.unit == "share" else value


def _plain(value: Value) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else value_words(value)


_QUALITY: dict[Objective, str] = {
    "recall": "Recall",
    "iou": "IoU",
    "precision-omega": "Precision-omega",
    "whole-blocks": "Cuts in blocks",
    "even-sizes": "Share",
    "few-tokens": "Tokens to embed",
}
"""The head of what is wanted, so short that on a phone the config stands beside it."""
_CONFIG_WIDTH = 262
_IN_ONE_LINE = 38
"""As many characters of a config fit in one line of its column."""
_ONE_LINE, _LEAST_FOR_MORE, _LINE = 36, 66, 20
"""Pixels: Streamlit goes on in a second line only in rows of more than 64."""


def point_columns(goal: Goal) -> dict[str, ColumnConfig]:
    """How the columns of `points_table` are written."""
    numbers = {"Tokens to embed": 116, "Median tokens": 104, "Chunks": 64}
    cut = "Answers cut or left out"
    changed = "What differs from the strategy's defaults"
    return {
        **{name: NumberColumn(width=width, format="localized") for name, width in numbers.items()},
        cut: NumberColumn("Not whole", width=92, format="localized", help=cut),
        "95% interval": TextColumn(width=116),
        "Config": TextColumn(width=_CONFIG_WIDTH, help=changed),
        **({} if goal.is_cost else {_QUALITY[goal.objective]: TextColumn(help=_named(goal))}),
    }


def _named(goal: Goal) -> str:
    return goal.unit[:1].upper() + goal.unit[1:]


EFFECT_COLUMNS = {"Tokens to embed": NumberColumn(format="localized")}


def points_table(
    points: Sequence[Point],
    goal: Goal,
    now: Config,
    known: Evidence | None = None,
    snapshots: Sequence[Snapshot] = (),
) -> pd.DataFrame:
    """A row for each config: what it is worth, what it is beside the current one, what it costs;
    those of snapshots by name."""
    columns: dict[str, list[object]] = {
        _QUALITY[goal.objective]: [goal.shown(point.quality) for point in points],
        "Config": [_config_words(each.config, now, snapshots) for each in points],
    }
    if known:
        intervals = [known.interval(point) for point in points]
        columns["95% interval"] = [f"{each.low:.3f} to {each.high:.3f}" for each in intervals]
        columns["Answers cut or left out"] = [point.summary.answers_cut for point in points]
    columns |= {
        "Tokens to embed": [point.tokens for point in points],
        "Chunks": [point.summary.chunks for point in points],
        "Median tokens": [point.summary.median_tokens for point in points],
        "Largest": [point.summary.max_tokens for point in points],
    }
    if any(point.broken for point in points):
        columns["Requirements not met"] = ["; ".join(point.broken) for point in points]
    return pd.DataFrame(columns)


def _config_words(config: Config, now: Config, snapshots: Sequence[Snapshot]) -> str:
    current = " (current)" if config == now else ""
    return f"{config_title(config, snapshots)}: {changed_words(config)}{current}"


def row_height(table: pd.DataFrame) -> int:
    """In pixels: for as many lines as the longest config takes."""
    lines = ceil(int(table["Config"].str.len().max()) / _IN_ONE_LINE)
    return _ONE_LINE if lines < 2 else max(_LEAST_FOR_MORE, _LINE * lines + 8)


def effects_table(found: Sequence[Effect], best: Point, goal: Goal) -> pd.DataFrame:
    """A row for each setting of the best that was changed, the largest change of quality first."""
    from chunking.tuning import change_words

    return pd.DataFrame(
        {
            "Setting": [title(each.setting, best.config.strategy) for each in found],
            "From": [value_words(each.before) for each in found],
            "To": [value_words(each.after) for each in found],
            "Difference": [change_words(each, best, goal).replace("-", "−") for each in found],
            "Tokens to embed": [each.point.tokens - best.tokens for each in found],
            "Requirements not met": ["; ".join(each.point.summary.faults or each.point.broken) for each in found],
        }
    )
