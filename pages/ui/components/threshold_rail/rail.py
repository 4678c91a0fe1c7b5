"""Live thresholds: range inputs under a small token histogram, drawn by rail.js.

Streamlit's own slider reports a value only when it is let go; these report every movement, with one
request in flight and the latest winning. The script owns the values: a move reaches it through
`on_change`, and it passes the value back in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import streamlit as st

from pages.ui.choices.neighbours import Neighbour
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.components.threshold_rail.histogram import Axis, Histogram, binned, fitted_axis
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "rail.css")
Value = int | float
_ECHO = "_threshold_rail_echo"
_AXIS = "_threshold_rail_axis"


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
    remark: str = ""
    """A few words behind the unit where the value is allowed and hardly meant."""
    label: str = ""
    """The setting's name in the YAML, shown behind the title."""
    flag: str = ""
    """What stands beside its handle on the histogram, where the title is too long for that."""
    baseline_value: Value | None = None
    """Where the baseline has it: a ghost mark."""
    least: Value | None = None
    """The smallest legal value, for the number field; None where it is `minimum`."""
    most: Value | None = None
    """The greatest legal value, for the number field; None where it is `maximum`."""
    error: str = ""
    """Shown under the control when the value cannot be used."""
    not_above: tuple[Neighbour, ...] = ()
    """The thresholds that this one stops at on its way up; it says so."""
    not_below: tuple[Neighbour, ...] = ()
    """The same on its way down."""


@dataclass(frozen=True)
class ThresholdRailResult:
    """Where the thresholds stand after this run."""

    values: dict[str, Value]
    """Every setting of the rail: what was passed in, and over it what was moved since the last
    run."""
    released: dict[str, Value]
    """The same, in the run after the pointer or key was let go; empty otherwise. The moment to
    write a link."""


@cache
def _component() -> ComponentRenderer:
    return package_component("threshold_rail", js="threshold_rail/rail.js", css=_STYLE)


class RailDrawn(TypedDict):
    """What rail.js draws; the same when Streamlit sends it and when it comes the short way."""

    thresholds: list[dict[str, object]]
    histogram: dict[str, object] | None
    summary: str
    run: str
    """The name of the run that all of this is of."""


def rail_drawn(
    thresholds: Sequence[Threshold],
    histogram: Histogram | None,
    summary: str,
    run: str = "",
    axis: Axis | None = None,
) -> RailDrawn:
    """The thresholds where they stand, over the sizes. `run` is the name of the run they are of, as
    the boundary view has it (payload.run_name); `axis` is that of the histogram, else it is
    fitted."""
    return RailDrawn(
        thresholds=[asdict(threshold) for threshold in thresholds],
        histogram=binned(histogram, axis or _fitted(thresholds, histogram)) if histogram else None,
        summary=summary,
        run=run,
    )


def steady_axis(thresholds: Sequence[Threshold], histogram: Histogram, *, key: str, dragging: bool) -> Axis:
    """The axis for the rail with this key: during a drag that from before it."""
    kept: dict[str, Axis] = st.session_state.setdefault(_AXIS, {})
    if key not in kept or not dragging:
        kept[key] = _fitted(thresholds, histogram)
    return kept[key]


def _fitted(thresholds: Sequence[Threshold], histogram: Histogram) -> Axis:
    limits = [threshold for threshold in thresholds if threshold.unit == "tokens"]
    return fitted_axis(histogram, [each.value for each in limits], [each.baseline_value or 0 for each in limits])


def rail_height(thresholds: Sequence[Threshold]) -> int:
    """About how high the rail will be on a wide screen, in pixels: its place until its JavaScript
    has come."""
    return 242 + 70 * len(thresholds) + 17 * sum(threshold.unit == "tokens" for threshold in thresholds)


def threshold_rail(
    thresholds: Sequence[Threshold],
    *,
    key: str,
    on_change: Callable[[dict[str, Value]], None] | None = None,
    on_release: Callable[[dict[str, Value]], None] | None = None,
    histogram: Histogram | None = None,
    axis: Axis | None = None,
    summary: str = "",
    title: str = "",
    channel: str = "",
    run: str = "",
    dragging: bool = False,
) -> ThresholdRailResult:
    """Draw the thresholds. Call it in a fragment, so that a move re-runs no more than it must.

    `on_change` is called with the settings that moved, before the script runs again; `on_release`
    likewise, once, when a drag or key press has ended. `summary` is the line of live counts under
    the histogram; where another strategy is chosen, whose `title` is given, it is told with that.

    `run` is the name of the run on the page: the boundary view shows that one when a drag has
    ended. `dragging` says that a drag goes on: what the page works out only on release is then
    still that of before the drag.

    With `channel`, the address of a socket (dragging/drag_socket.py), moves are drawn from what
    that answers, and the script runs only when a drag rests or has ended.
    """

    def moved() -> None:
        values = _heard(thresholds, told(key, "moved"), key)
        if values and on_change is not None:
            on_change(values)

    def let_go() -> None:
        values = _heard(thresholds, told(key, "released"), key)
        if values and on_change is not None:
            on_change(values)
        if values and on_release is not None:
            on_release(values)

    # Read before drawing, so that a script that stores the values only afterwards does not send the
    # old ones back.
    message = st.session_state.get(key) or {}
    now = _heard(thresholds, message.get("moved"), key)
    released = _heard(thresholds, message.get("released"), key)
    values = {threshold.setting: threshold.value for threshold in thresholds} | now | released
    standing = [replace(threshold, value=values[threshold.setting]) for threshold in thresholds]
    echo = st.session_state.get(_ECHO, {}).get(key, 0)
    shown = rail_drawn(standing, histogram, summary, run, axis)
    drawn = {
        **shown,
        "histogram": (shown["histogram"],),  # no dict: see package_component
        "name": key,
        "title": title,
        "echo": echo,
        "channel": channel,
        "held": dragging,
    }
    _component()(key=key, data=drawn, on_moved_change=moved, on_released_change=let_go)
    return ThresholdRailResult(values, values if released else {})


def _heard(thresholds: Sequence[Threshold], message: object, key: str) -> dict[str, Value]:
    """What a message from the browser moved; its number is sent back with what is drawn from it."""
    if not isinstance(message, Mapping):
        return {}
    sequence = message.get("sequence")
    if isinstance(sequence, int):
        st.session_state.setdefault(_ECHO, {})[key] = sequence
    return moved_values(thresholds, message.get("values"))


def moved_values(thresholds: Sequence[Threshold], values: object) -> dict[str, Value]:
    """The settings and values that the browser names, kept within their bounds; anything else is
    ignored."""
    if not isinstance(values, Mapping):
        return {}
    moved: dict[str, Value] = {}
    for threshold in thresholds:
        value = values.get(threshold.setting)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:  # not NaN
            whole = isinstance(threshold.step, int) and isinstance(threshold.value, int)
            least = threshold.minimum if threshold.least is None else threshold.least
            most = threshold.maximum if threshold.most is None else threshold.most
            bounded = min(max(value, least), most)
            moved[threshold.setting] = round(bounded) if whole else bounded
    return _stopped(thresholds, moved)


def _stopped(thresholds: Sequence[Threshold], moved: dict[str, Value]) -> dict[str, Value]:
    """What was moved, stopped at the thresholds it may not pass; of two that were both moved, the
    lower one stops."""
    standing = {threshold.setting: threshold.value for threshold in thresholds} | moved
    for threshold in (*thresholds, *reversed(thresholds)):  # a stop may itself be stopped
        setting = threshold.setting
        if setting not in moved:
            continue
        for other in threshold.not_above:
            standing[setting] = min(standing[setting], _exact(standing[other.setting] - other.apart, threshold.value))
        for other in threshold.not_below:
            if other.setting not in moved:
                least = _exact(standing[other.setting] + other.apart, threshold.value)
                standing[setting] = max(standing[setting], least)
    return {setting: standing[setting] for setting in moved}


def _exact(value: Value, like: Value) -> Value:
    return int(value) if isinstance(like, int) else value
