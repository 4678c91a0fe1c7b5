"""Live thresholds: range inputs under a small token histogram, drawn by rail.js.

Streamlit's own slider speaks only when it is let go; these speak on every movement, with one request in flight and the
latest winning. The script owns the values: it hears of a move through `on_change` and passes the value back in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import streamlit as st

HERE = Path(__file__).parent
BINS = 44
Value = int | float
_ECHO = "_threshold_rail_echo"
_NICE = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Threshold:
    """One live setting: what it is called, where it stands, how far it may go."""

    setting: str
    """The setting's name in snake_case, as the strategy declares it."""
    title: str
    value: Value
    minimum: Value
    maximum: Value
    step: Value = 1
    unit: str = "tokens"
    help: str = ""
    baseline_value: Value | None = None
    """Where the baseline has it: a ghost mark."""
    role: Literal["lower", "upper", ""] = ""
    """Which side of it is outside the limits; the histogram's bars there are hatched."""
    least: Value | None = None
    """The smallest legal value, for the number field; None where it is `minimum`."""
    most: Value | None = None
    """The greatest legal value, for the number field; None where it is `maximum`."""
    error: str = ""
    """Shown under the control when the value cannot be used."""


@dataclass(frozen=True)
class Histogram:
    """Tokens of each chunk, of the run on screen and of its baseline."""

    current: Sequence[int]
    baseline: Sequence[int] = ()


@dataclass(frozen=True)
class ThresholdRailResult:
    """Where the thresholds stand after this run."""

    values: dict[str, Value]
    """Every setting of the rail: what was passed in, and over it what was moved since the last run."""
    released: dict[str, Value]
    """The same, in the run after the pointer or key was let go; empty otherwise. The moment to write a link."""


_component = st.components.v2.component(
    "chunkscope_threshold_rail",
    css=(HERE / "rail.css").read_text(encoding="utf-8"),
    js=(HERE / "rail.js").read_text(encoding="utf-8"),
)


def threshold_rail(
    thresholds: Sequence[Threshold],
    *,
    key: str,
    on_change: Callable[[dict[str, Value]], None] | None = None,
    on_release: Callable[[dict[str, Value]], None] | None = None,
    histogram: Histogram | None = None,
    summary: str = "",
) -> ThresholdRailResult:
    """Draw the thresholds. Call it in a fragment, so that a move re-runs no more than it must.

    `on_change` is called with the settings that moved, before the script runs again; `on_release` likewise, once, when
    a drag or key press has ended. `summary` is the line of live counts under the histogram.
    """

    def moved() -> None:
        values = _moved(thresholds, st.session_state[key].get("moved"), key)
        if values and on_change is not None:
            on_change(values)

    def let_go() -> None:
        values = _moved(thresholds, st.session_state[key].get("released"), key)
        if values and on_change is not None:
            on_change(values)
        if values and on_release is not None:
            on_release(values)

    # Read before drawing, so that a script that stores the values only afterwards does not send the old ones back.
    message = st.session_state.get(key) or {}
    now = _moved(thresholds, message.get("moved"), key)
    released = _moved(thresholds, message.get("released"), key)
    values = {threshold.setting: threshold.value for threshold in thresholds} | now | released
    standing = [replace(threshold, value=values[threshold.setting]) for threshold in thresholds]
    drawn = {
        "thresholds": [asdict(threshold) for threshold in standing],
        "histogram": binned(histogram, standing) if histogram else None,
        "summary": summary,
        "echo": st.session_state.get(_ECHO, {}).get(key, 0),
    }
    _component(key=key, data=drawn, on_moved_change=moved, on_released_change=let_go)
    return ThresholdRailResult(values, values if released else {})


def _moved(thresholds: Sequence[Threshold], message: object, key: str) -> dict[str, Value]:
    """The settings and values a message from the browser names, kept within their bounds; anything else is ignored."""
    if not isinstance(message, Mapping):
        return {}
    sequence, values = message.get("sequence"), message.get("values")
    if isinstance(sequence, int):
        st.session_state.setdefault(_ECHO, {})[key] = sequence
    if not isinstance(values, Mapping):
        return {}
    moved: dict[str, Value] = {}
    for threshold in thresholds:
        value = values.get(threshold.setting)
        if isinstance(value, int | float) and not isinstance(value, bool):
            whole = isinstance(threshold.step, int) and isinstance(threshold.value, int)
            least = threshold.minimum if threshold.least is None else threshold.least
            most = threshold.maximum if threshold.most is None else threshold.most
            bounded = min(max(value, least), most)
            moved[threshold.setting] = round(bounded) if whole else bounded
    return moved


def binned(histogram: Histogram, thresholds: Sequence[Threshold]) -> dict[str, object]:
    """Counts in equal bins from 0 to a round number that holds all chunks and token limits."""
    limits = [
        value
        for threshold in thresholds
        if threshold.unit == "tokens"
        for value in (threshold.value, threshold.baseline_value or 0)
    ]
    top = _nice(max([1, *histogram.current, *histogram.baseline, *(limit * 1.04 for limit in limits)]))
    return {
        "top": top,
        "current": np.histogram(histogram.current, BINS, (0, top))[0].tolist(),
        "baseline": np.histogram(histogram.baseline, BINS, (0, top))[0].tolist() if histogram.baseline else [],
    }


def _nice(value: float) -> float:
    """The next round number, so that the axis does not breathe while a threshold moves."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(step * power for step in _NICE if value <= step * power * (1 + 1e-9)))
