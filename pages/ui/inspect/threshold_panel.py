"""The live thresholds: the strategy's numbers on the rail, followed while they are dragged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from chunking import Run, strategies
from chunking.config import SettingSpec, setting_specs
from chunking.core import Limits, Metrics, limited_sizes
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.neighbours import above, below
from pages.ui.choices.plans import Plan, SettingValue
from pages.ui.choices.resolve import Resolution
from pages.ui.components.source_view import Mark
from pages.ui.components.source_view.payload import run_name
from pages.ui.components.threshold_rail import (
    Axis,
    Histogram,
    RailDrawn,
    Threshold,
    Value,
    rail_drawn,
    rail_height,
    steady_axis,
    threshold_rail,
)
from pages.ui.inspect import drag_socket, metric_strip
from pages.ui.inspect.chunk_filters import standing_in_drag
from pages.ui.inspect.drag_session import DragSession
from pages.ui.layout import caches, markup, page_frame
from pages.ui.layout.caches import Recounted


def rail(run: Run, baseline: Recounted | None, resolution: Resolution, marks: Callable[[Run], Sequence[Mark]]) -> None:
    """Draw the strategy's numbers under the sizes they make, with the baseline's marks and what is
    wrong.

    `marks` gives the marks of the source over a run: they are drawn again on every move of a
    threshold.
    """
    plan, before = state.plan(), state.baseline_plan()
    parts = rail_parts(before, baseline, run, plan, resolution)
    if not parts.thresholds:
        page_frame.note(f"{strategies.get(plan.strategy).title} has no thresholds: nothing to drag.")
    key = f"rail-{plan.strategy}"
    axis = steady_axis(parts.thresholds, parts.histogram, key=key, dragging=state.dragging())
    session = DragSession(
        document=run.document,
        plan=plan,
        counter=state.counter_choice(),
        good=resolution.config,
        selected=state.shown_selected(),
        thresholds=parts.thresholds,
        cut=caches.cut_live,
        marks=marks,
        only=partial(standing_in_drag, state.only()),
        rail=partial(_drawn, before, baseline, state.link_faults(), plan, axis),
        figures=partial(metric_strip.moved, was=baseline.metrics if baseline else None),
    )
    st.html(markup.reserved(f"rail-{plan.strategy}", rail_height(parts.thresholds)))
    threshold_rail(
        parts.thresholds,
        key=key,
        histogram=parts.histogram,
        axis=axis,
        summary=parts.summary,
        run=parts.run,
        dragging=state.dragging(),
        # Only the source follows the short way; the other views are drawn by Python.
        channel=drag_socket.open_session(state.channel(), session) if state.view() == "source" else "",
        on_change=partial(_moved, plan.strategy),
        on_release=partial(_let_go, plan.strategy),
    )


@dataclass(frozen=True, slots=True)
class RailParts:
    """What the rail shows of a run."""

    thresholds: tuple[Threshold, ...]
    histogram: Histogram
    summary: str
    run: str
    """The name of that run."""


def rail_parts(
    before: Plan | None, baseline: Recounted | None, run: Run, plan: Plan, resolution: Resolution
) -> RailParts:
    """What to draw for a run of this plan, beside the baseline's plan and numbers."""
    limits = run.config.strategy.limits()
    numbers = [spec for spec in setting_specs(strategies.get(plan.strategy)) if spec.numeric]
    return RailParts(
        tuple(_threshold(spec, plan, before, resolution) for spec in numbers),
        Histogram(limited_sizes(run), baseline.sizes if baseline else (), limits.minimum, limits.maximum),
        summary(run.metrics, limits),
        run_name(run),
    )


def _drawn(
    before: Plan | None,
    baseline: Recounted | None,
    faults: Mapping[str, str],
    opened: Plan,
    axis: Axis,
    run: Run,
    plan: Plan,
    resolution: Resolution,
) -> RailDrawn:
    """`faults` are those of the link; they stay where nothing has moved since `opened`."""
    standing = {name: problem for name, problem in faults.items() if plan.value(name) == opened.value(name)}
    parts = rail_parts(before, baseline, run, plan, replace(resolution, problems={**standing, **resolution.problems}))
    return rail_drawn(parts.thresholds, parts.histogram, parts.summary, parts.run, axis)


def summary(metrics: Metrics, limits: Limits) -> str:
    """The line of live counts: chunks, how many are outside the limits, and what is to be
    embedded."""
    counts = [counted(metrics.chunk_count, "chunk")]
    if limits.minimum is not None:
        counts.append(f"{metrics.under_minimum:,} under min")
    if limits.maximum is not None:
        more = f" ({metrics.over_with_context:,} more with context)" if metrics.over_with_context else ""
        counts.append(f"{metrics.over_maximum:,} over max{more}")
    counts.append(f"{metrics.tokens_to_embed:,} tokens to embed")
    return " · ".join(counts)


def _moved(strategy: str, values: dict[str, Value]) -> None:
    """`strategy` is the one whose thresholds they are: another one may have been chosen in the same
    moment."""
    _keep_what_was_shown()
    state.drag(dragging=True)
    state.choose_values(values, strategy)


def _let_go(strategy: str, values: dict[str, Value]) -> None:
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
        unit=spec.unit,
        help=spec.help,
        label=spec.label,
        baseline_value=kind(_number(baseline.value(spec.name))) if same and baseline else None,
        error=resolution.problems.get(spec.name, ""),
        not_above=above(strategies.get(plan.strategy), spec.name),
        not_below=below(strategies.get(plan.strategy), spec.name),
    )


def _number(value: SettingValue) -> float:
    return value if isinstance(value, int | float) else 0
