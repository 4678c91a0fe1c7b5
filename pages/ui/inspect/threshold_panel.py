"""The live thresholds: the strategy's numbers on the rail, followed while they are dragged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from chunking import Run, strategies
from chunking.core import Metrics, limited_sizes
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.measured import Measured
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import Resolution
from pages.ui.components.source_view import Mark
from pages.ui.components.source_view.payload import run_name, source_text
from pages.ui.components.threshold_rail import (
    Axis,
    Histogram,
    RailDrawn,
    Threshold,
    rail_drawn,
    rail_height,
    steady_axis,
    threshold_rail,
)
from pages.ui.dragging import drag_socket
from pages.ui.dragging.drag_session import DragSession
from pages.ui.dragging.thresholds import let_go, moved, thresholds_of
from pages.ui.inspect import metric_strip
from pages.ui.inspect.chunk_filters import standing_in_drag
from pages.ui.inspect.reading_panel import read_in_drag
from pages.ui.layout import caches, markup, page_frame
from pages.ui.layout.caches import Recounted

_WAS = ", was "


def rail(run: Run, baseline: Recounted | None, resolution: Resolution, marks: Callable[[Run], Sequence[Mark]]) -> None:
    """Draw the strategy's numbers under the sizes they make, with the baseline's marks and what is
    wrong.

    `marks` gives the marks of the source over a run: they are drawn again on every move of a
    threshold.
    """
    plan, before = state.plan(), state.baseline_plan()
    seen = Measured(source_text(run.document).hash, run.config, run.metrics)
    was = state.before_change(seen.document)
    if not state.dragging():
        state.note_measured(seen)
    earlier = caches.run.known(run.document, was.config) if was and not state.dragging() else None
    parts = rail_parts(before, baseline, run, plan, resolution, was, earlier)
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
        rail=partial(_drawn, before, baseline, state.link_faults(), plan, axis, was if state.dragging() else seen),
        figures=partial(metric_strip.moved, was=baseline.metrics if baseline else None),
        reading=read_in_drag(run.config.counter),
    )
    st.html(markup.reserved(f"rail-{plan.strategy}", rail_height(parts.thresholds)))
    threshold_rail(
        parts.thresholds,
        key=key,
        histogram=parts.histogram,
        axis=axis,
        summary=parts.summary,
        title=strategies.get(plan.strategy).title,
        run=parts.run,
        dragging=state.dragging(),
        # The map is made of vectors, beside the page: it does not follow the short way.
        channel=drag_socket.open_session(state.channel(), session) if state.view() != "map" else "",
        on_change=partial(moved, plan.strategy),
        on_release=partial(let_go, plan.strategy),
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
    before: Plan | None,
    baseline: Recounted | None,
    run: Run,
    plan: Plan,
    resolution: Resolution,
    was: Measured | None = None,
    earlier: Run | None = None,
) -> RailParts:
    """What to draw for a run of this plan, beside the baseline's plan and numbers, and what `was`
    before the last change: its numbers, and the `earlier` run itself where that is at hand."""
    limits = run.config.strategy.limits_in(run.document)
    return RailParts(
        thresholds_of(plan, before, resolution),
        Histogram(limited_sizes(run), baseline.sizes if baseline else (), limits.minimum, limits.maximum),
        summary(run, was, earlier),
        run_name(run),
    )


def _drawn(
    before: Plan | None,
    baseline: Recounted | None,
    faults: Mapping[str, str],
    opened: Plan,
    axis: Axis,
    was: Measured | None,
    run: Run,
    plan: Plan,
    resolution: Resolution,
) -> RailDrawn:
    """`faults` are those of the link; they stay where nothing has moved since `opened`."""
    standing = {name: problem for name, problem in faults.items() if plan.value(name) == opened.value(name)}
    parts = rail_parts(
        before, baseline, run, plan, replace(resolution, problems={**standing, **resolution.problems}), was
    )
    return rail_drawn(parts.thresholds, parts.histogram, parts.summary, parts.run, axis)


def summary(run: Run, was: Measured | None, earlier: Run | None = None) -> str:
    """The line of live counts: chunks, how many are outside the limits, visible characters that are
    in no chunk, if there are any, and what is to be embedded; each with what it was before the last
    change. What another tokenizer or other limits counted is not compared.

    Where the change has altered none of them, how many boundaries of the `earlier` run it moved, if
    that is at hand.
    """
    metrics, limits = run.metrics, run.config.strategy.limits_in(run.document)
    before = was.metrics if was else None
    same_counter = was is not None and was.config.counter == run.config.counter
    same_limits = same_counter and was is not None and was.config.strategy.name == run.config.strategy.name
    tokens, outside = (before if same else None for same in (same_counter, same_limits))
    counts = [counted(metrics.chunk_count, "chunk") + _was(before, metrics, lambda each: each.chunk_count)]
    if limits.minimum is not None:
        # With the context that the limit does not count, the smallest chunk has enough.
        without = " without context" if metrics.under_minimum and metrics.min_tokens >= limits.minimum else ""
        under = f"{metrics.under_minimum:,} under min{without}"
        counts.append(under + _was(outside, metrics, lambda each: each.under_minimum))
    if limits.maximum is not None:
        more = f" ({metrics.over_with_context:,} more with context)" if metrics.over_with_context else ""
        over = f"{metrics.over_maximum:,} over max{more}"
        counts.append(over + _was(outside, metrics, lambda each: each.over_maximum))
    if metrics.left_out or (before and before.left_out):
        lost = f"{counted(metrics.left_out, 'character')} left out"
        counts.append(lost + _was(before, metrics, lambda each: each.left_out))
    embedded = f"{metrics.tokens_to_embed:,} tokens to embed"
    counts.append(embedded + _was(tokens, metrics, lambda each: each.tokens_to_embed))
    if earlier is not None and earlier.config != run.config and not any(_WAS in each for each in counts):
        counts[0] = f"Still {counts[0]}, {_moved_boundaries(run, earlier)}"
    return " · ".join(counts)


def _moved_boundaries(run: Run, earlier: Run) -> str:
    """How many of as many chunks begin or end elsewhere than in the earlier run, in words."""
    now, then = run.columns, earlier.columns
    moved = max(len(np.setdiff1d(now.start, then.start)), len(np.setdiff1d(now.end, then.end)))
    return f"{counted(moved, 'boundary', 'boundaries')} moved" if moved else "the same boundaries"


def _was(before: Metrics | None, now: Metrics, of: Callable[[Metrics], int]) -> str:
    return "" if before is None or of(before) == of(now) else f"{_WAS}{of(before):,}"
