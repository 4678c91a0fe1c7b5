"""A drag of hierarchical's thresholds, for tests."""

from __future__ import annotations

from functools import partial

from chunking import parse, run
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import resolve
from pages.ui.components.threshold_rail import Axis
from pages.ui.dragging.drag_session import DragSession
from pages.ui.inspect import metric_strip, threshold_panel

TEXT = "# Kettle\n\nfill it\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 12}\n\n" for n in range(1, 9))
PLAN = Plan("hierarchical")


def session(cut: object = run) -> DragSession:
    """Hierarchical with its defaults over eight steps of 38 words or so."""
    document = parse(TEXT, name="kettle.md")
    resolution = resolve(PLAN, "words")
    first = run(document, resolution.config)
    return DragSession(
        document=document,
        plan=PLAN,
        counter="words",
        good=resolution.config,
        selected=None,
        thresholds=threshold_panel.rail_parts(None, None, first, PLAN, resolution).thresholds,
        cut=cut,  # type: ignore[arg-type]
        marks=lambda _: (),
        only=lambda _: None,
        rail=partial(threshold_panel._drawn, None, None, {}, PLAN, Axis(1200, 1200), None),
        figures=partial(metric_strip.moved, was=None),
    )
