"""The live thresholds: the strategy's numbers on the rail, followed while they are dragged."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from chunking import Run, strategies
from chunking.metrics import Metrics
from chunking.strategy import Limits
from pages.ui import shell, state
from pages.ui.cached import Recounted
from pages.ui.choices import Settled
from pages.ui.declared import Declared, declared_settings
from pages.ui.plans import Plan, SettingValue
from pages.ui.threshold_rail import Histogram, Threshold, Value, threshold_rail


def rail(run: Run, baseline: Recounted | None, settled: Settled) -> None:
    """Draw the strategy's numbers under the sizes they make, with the baseline's marks and what is wrong."""
    plan, before = state.plan(), state.baseline_plan()
    numbers = [declared for declared in declared_settings(strategies.get(plan.strategy)) if declared.numeric]
    if not numbers:
        shell.note(f"{strategies.get(plan.strategy).title} has no thresholds: nothing to drag.")
    limits = run.config.strategy.limits()
    threshold_rail(
        [_threshold(declared, plan, before, limits, settled) for declared in numbers],
        key=f"rail-{plan.strategy}",
        histogram=Histogram(sizes(run), baseline.sizes if baseline else ()),
        summary=summary(run.metrics, limits),
        on_change=_moved,
        on_release=_let_go,
    )
    if settled.problems:
        shell.note(shown_instead(plan, settled))


def shown_instead(plan: Plan, settled: Settled) -> str:
    """What stands on screen while the settings cannot be followed."""
    strategy = settled.config.strategy
    values = [
        f"{field.alias or name} {getattr(strategy, name)}"
        for name, field in type(strategy).model_fields.items()
        if getattr(strategy, name) != plan.value(name)
    ]
    return f"Still showing {', '.join(values) or 'the last good settings'}."


def sizes(run: Run) -> list[int]:
    """The chunks' tokens as the limits count them: of the body alone, or of the whole text."""
    counts = run.config.strategy.limits().counts
    return [chunk.limited_tokens(counts) for chunk in run.chunks]


def summary(metrics: Metrics, limits: Limits) -> str:
    """The line of live counts: chunks, how many are outside the limits, and what is to be embedded."""
    said = [f"{metrics.chunk_count:,} chunk{'s' if metrics.chunk_count != 1 else ''}"]
    if limits.minimum is not None:
        said.append(f"{metrics.under_minimum:,} under min")
    if limits.maximum is not None:
        said.append(f"{metrics.over_maximum:,} over max")
    said.append(f"{metrics.tokens_to_embed:,} tokens to embed")
    return " · ".join(said)


def _moved(values: dict[str, Value]) -> None:
    state.drag(held=True)
    state.choose_values(values)


def _let_go(values: dict[str, Value]) -> None:
    """The drag has ended: now also what is slow to find out, the export and the link."""
    state.drag(held=False)
    state.choose_values(values)
    st.rerun()


def _threshold(declared: Declared, plan: Plan, baseline: Plan | None, limits: Limits, settled: Settled) -> Threshold:
    value = _number(plan.value(declared.name))
    low, high = declared.slider or (declared.minimum or 0, declared.maximum or max(4 * value, 1))
    kind = int if declared.kind == "whole" else float
    same = baseline is not None and baseline.strategy == plan.strategy
    return Threshold(
        setting=declared.name,
        title=declared.title,
        value=kind(value),
        minimum=kind(min(low, value)),
        maximum=kind(max(high, value)),
        step=kind(declared.step),
        least=None if declared.minimum is None else kind(declared.minimum),
        most=None if declared.maximum is None else kind(declared.maximum),
        unit=declared.unit,
        help=declared.help,
        baseline_value=kind(_number(baseline.value(declared.name))) if same and baseline else None,
        role=_role(declared.name, limits),
        error=settled.problems.get(declared.name, ""),
    )


def _role(setting: str, limits: Limits) -> Literal["lower", "upper", ""]:
    if setting == limits.minimum_setting:
        return "lower"
    return "upper" if setting == limits.maximum_setting else ""


def _number(value: SettingValue) -> float:
    return value if isinstance(value, int | float) else 0
