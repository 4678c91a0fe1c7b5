"""The numbers of a strategy as thresholds of the rail, and what is done when they have moved."""

from __future__ import annotations

import streamlit as st

from chunking import strategies
from chunking.config import SettingSpec, setting_specs
from pages.ui import state
from pages.ui.choices.neighbours import above, below, remark
from pages.ui.choices.plans import Plan, SettingValue
from pages.ui.choices.resolve import Resolution
from pages.ui.components.threshold_rail import Threshold, Value
from pages.ui.dragging import drag_socket


def thresholds_of(plan: Plan, baseline: Plan | None, resolution: Resolution) -> tuple[Threshold, ...]:
    """The plan's numbers, with the baseline's where it is of the same strategy, and what is wrong
    with them."""
    numbers = (spec for spec in setting_specs(strategies.get(plan.strategy)) if spec.numeric)
    return tuple(_threshold(spec, plan, baseline, resolution) for spec in numbers)


def _threshold(spec: SettingSpec, plan: Plan, baseline: Plan | None, resolution: Resolution) -> Threshold:
    value = _number(plan.value(spec.name))
    low, high = spec.slider or (spec.minimum or 0, spec.maximum or max(4 * value, 1))
    kind = int if spec.kind == "whole" else float
    same = baseline is not None and baseline.strategy == plan.strategy
    return Threshold(
        setting=spec.name,
        title=spec.title,
        value=kind(value),
        minimum=kind(min(low, value)),
        maximum=kind(max(high, value)),
        step=kind(spec.step),
        least=None if spec.minimum is None else kind(spec.minimum),
        most=None if spec.maximum is None else kind(spec.maximum),
        unit=spec.unit_among(plan.value),
        help=spec.help,
        remark=remark(strategies.get(plan.strategy), spec.name, plan.value),
        label=spec.label,
        flag=spec.short,
        baseline_value=kind(_number(baseline.value(spec.name))) if same and baseline else None,
        error=resolution.problems.get(spec.name, ""),
        not_above=above(strategies.get(plan.strategy), spec.name),
        not_below=below(strategies.get(plan.strategy), spec.name),
    )


def _number(value: SettingValue) -> float:
    return value if isinstance(value, int | float) else 0


def moved(strategy: str, values: dict[str, Value]) -> None:
    """A callback: thresholds stand elsewhere, and are still held. `strategy` is the one whose
    thresholds they are: another one may have been chosen in the same moment."""
    _keep_what_was_shown()
    state.drag(dragging=True)
    state.choose_values(values, strategy)


def let_go(strategy: str, values: dict[str, Value]) -> None:
    """The drag has ended: now also what is slow to find out, the export and the link."""
    _keep_what_was_shown()
    state.drag(dragging=False)
    state.choose_values(values, strategy)
    st.rerun()


def _keep_what_was_shown() -> None:
    """Where the values are not legal, what the drag last showed stays, and not what was there
    before it."""
    good = drag_socket.last_good(state.channel())
    if good is not None:
        state.keep_good(good)
