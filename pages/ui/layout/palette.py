"""What the command palette lists of Streamlit's own elements, by our keys: the same on every page,
which shows what is on it."""

from __future__ import annotations

from chunking import strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.components.command_palette import command_palette

_CONTROLS = {
    "document": "Document",
    "strategy": "Strategy",
    "counter": "Tokenizer",
    "heading-patterns": "Headings without #",
    "baseline": "Baseline",
    "compare-counter": "Tokenizer for all numbers",
    "tune-across": "Horizontal axis",
    "tune-up": "Vertical axis",
    "tune-measure": "Shown",
    "tune-must": "Requirements (outlined)",
    "tune-goal-objective": "Goal",
    "tune-goal-must": "Requirements",
    "retrieve-question": "Question",
}
_BUTTONS = {
    "add": "Add a document",
    "pin": "Use current as baseline",
    "swap": "Swap with baseline",
    "reset": "Back to defaults",
    "tune-begin": "Measure all combinations",
    "tune-try": "Try configs for the goal",
    "tune-apply": "Apply to Inspect",
    "tune-apply-best": "Apply best to Inspect",
}


def palette() -> None:
    """Draw its button."""
    source, plan = state.source(), state.plan()
    settings = {
        f"setting.{plan.strategy}.{spec.name}": f"{spec.title} {spec.label}"
        for spec in setting_specs(strategies.get(plan.strategy))
        if not spec.numeric
    }
    command_palette(
        {each.key: each.title for each in state.sources()},
        source.key if source else "",
        _CONTROLS | settings,
        _BUTTONS,
        key="commands",
        on_document=state.choose_source,
    )
