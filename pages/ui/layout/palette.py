"""What the command palette lists of Streamlit's own elements, by our keys: the same on every page,
which shows what is on it."""

from __future__ import annotations

import streamlit as st

from chunking import Document, strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.components.command_palette import command_palette, heading_commands
from pages.ui.components.outline_list import headings

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
    "add": "Add a document: upload or paste",
    "pin": "Use current as baseline",
    "swap": "Swap with baseline",
    "reset": "Back to defaults",
    "open-config": "Open config (YAML), or another tool's chunks",
    "snapshots": "Snapshots: keep these settings under a name",
    "was": "Settings of the baseline",
    "add-override": "Add an override for a folder (Corpus)",
    "retrieve-draft": "Draft questions",
    "retrieve-load": "Load questions",
    "tune-begin": "Measure all combinations",
    "tune-try": "Try configs for the goal",
    "tune-apply": "Apply to Inspect",
    "tune-apply-best": "Apply best to Inspect",
}


MOST_HEADINGS = 5_000
"""How many headings of a document are listed on a page that has no outline."""


def palette(*, shows_document: bool) -> None:
    """Draw its button. From a page that does not show the chosen document, choosing one leads to
    Inspect."""
    source, plan = state.source(), state.plan()
    settings = {
        f"setting.{plan.strategy}.{spec.name}": f"{spec.title} {spec.label}"
        for spec in setting_specs(strategies.get(plan.strategy))
        if not spec.numeric
    }
    command_palette(
        state.document_titles(),
        source.key if source else "",
        _CONTROLS | settings,
        _BUTTONS,
        key="commands",
        on_document=state.choose_source if shows_document else _inspect,
    )


def document_headings(document: Document) -> None:
    """List the document's headings on a page without an outline; each leads to Inspect."""
    with st.container(key="heading-commands"):
        heading_commands(headings(document)[:MOST_HEADINGS], key="headings", on_go=_inspect_at)


def _inspect(key: str) -> None:
    """A callback: on to Inspect with this document."""
    state.choose_source(key)
    state.lead_to_inspect()


def _inspect_at(start: int) -> None:
    """A callback: on to Inspect, where this section begins."""
    state.go(start)
    state.lead_to_inspect()
