"""What the command palette lists of Streamlit's own elements, by our keys: the same on every page,
which shows what is on it."""

from __future__ import annotations

import streamlit as st

from chunking import Document, strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.choices.reading import FILTERED, only_named
from pages.ui.components.command_palette import command_palette, heading_commands
from pages.ui.components.outline_list import headings
from pages.ui.layout import strategy_choice

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
    "reading-only": "Chunks to show",
}
_BUTTONS = {
    "add": "Add a document: upload or paste",
    "pin": "Use current as baseline",
    "swap": "Swap with baseline",
    "reset": "Back to defaults",
    "open-config": "Open config (YAML), or another tool's chunks",
    "snapshots": "Snapshots: keep these settings under a name",
    "was": "Settings of the baseline",
    "corpus-export": "Export",
    "add-override": "Add an override for a folder (Corpus)",
    "retrieve-draft": "Draft questions",
    "retrieve-load": "Load questions",
    "retrieve-export-questions": "Export questions",
    "compare-add": "Add a config",
    "tune-begin": "Measure all combinations",
    "tune-try": "Try configs for the goal",
    "tune-apply": "Apply to Inspect",
    "tune-apply-best": "Apply best to Inspect",
    "tune-apply-nearly": "Apply nearly as good to Inspect",
}
_FILTERS = {
    "all": "Show all chunks",
    "failing": "Show chunks failing a check",
    "torn": "Show torn chunks (cutting a block in two)",
    "over": "Show chunks over the limit",
}

MOST_HEADINGS = 5_000
"""How many headings of a document are listed on a page that has no outline."""


def palette(*, shows_document: bool, filters_chunks: bool = False, chooses_strategy: bool = False) -> None:
    """Draw its button. From a page that does not show the chosen document, choosing one leads to
    Inspect. A page that `filters_chunks` has its filters listed, one that `chooses_strategy` the
    strategies."""
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
        _FILTERS if filters_chunks and source else {},
        _other_strategies(plan.strategy) if chooses_strategy else {},
        key="commands",
        on_document=state.choose_source if shows_document else _inspect,
        on_filter=_show_only,
        on_strategy=state.choose_strategy,
    )


def document_headings(document: Document) -> None:
    """List the document's headings on a page without an outline; each leads to Inspect."""
    with st.container(key="heading-commands"):
        heading_commands(headings(document)[:MOST_HEADINGS], key="headings", on_go=_inspect_at)


def _other_strategies(chosen: str) -> dict[str, str]:
    return {name: f"Strategy: {strategy_choice.title(name)}" for name in strategy_choice.names() if name != chosen}


def _show_only(name: str) -> None:
    """A callback: have these chunks stand out, in a view where they can."""
    state.choose_only(only_named(name))
    if state.view() not in FILTERED:
        state.choose_view("source")


def _inspect(key: str) -> None:
    """A callback: on to Inspect with this document."""
    state.choose_source(key)
    state.lead_to_inspect()


def _inspect_at(start: int) -> None:
    """A callback: on to Inspect, where this section begins."""
    state.go(start)
    state.lead_to_inspect()
