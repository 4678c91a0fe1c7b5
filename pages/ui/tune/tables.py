"""The Tune page's tables, as frames. No Streamlit; imported late, as pandas is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from chunking.analysis import Metric
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
    """A row for each measured cell; these cells in the rows' order; how the columns of numbers are
    written."""
    measured = [cell for cell in cells if cell.documents]
    columns: dict[str, list[object]] = {
        axis.setting: [_plain(cell.values[number]) for cell in measured] for number, axis in enumerate(axes)
    }
    columns["Requirements not met"] = ["; ".join(broken_words(cell, must)) for cell in measured]
    columns |= {each.title: [_scaled(each, cell) for cell in measured] for each in shown}
    return pd.DataFrame(columns), measured, {each.title: _FORMATS[each.unit] for each in shown}


def _scaled(by: Metric, cell: Cell) -> float | None:
    value = by.of(cell)
    return 100 * value if value is not None and by.unit == "share" else value


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else value_words(str(value))


def points_table(
    points: Sequence[Point], goal: Goal, known: Evidence | None = None, snapshots: Sequence[Snapshot] = ()
) -> pd.DataFrame:
    """A row for each config: what it is worth, what it costs, what it is; those of snapshots by
    name."""
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
        "Settings": [changed_words(point.config) for point in points],
    }
    if any(point.broken for point in points):
        columns["Requirements not met"] = ["; ".join(point.broken) for point in points]
    return pd.DataFrame(columns)


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
