"""What the command palette lists of Streamlit's own elements, by our keys: the same on every page,
which shows what is on it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from chunking import Document, strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.choices.reading import FILTERED, only_named
from pages.ui.components.command_palette import Listed, command_palette, heading_commands
from pages.ui.components.outline_list import headings
from pages.ui.layout import strategy_choice

_CONTROLS = {
    "document": Listed("Document", "file sample choose"),
    "strategy": Listed("Strategy", "method algorithm splitter chunker"),
    "counter": Listed("Tokenizer", "counter encoding tokens"),
    "heading-patterns": Listed("Headings without #", "loader regular expression patterns"),
    "baseline": Listed("Baseline", "compare before"),
    "compare-counter": Listed("Tokenizer for all numbers", "counter encoding"),
    "tune-across": Listed("Horizontal axis", "x setting range"),
    "tune-up": Listed("Vertical axis", "y setting range"),
    "tune-measure": Listed("Shown", "measure metric"),
    "tune-must": Listed("Requirements (outlined)", "must conditions"),
    "tune-goal-objective": Listed("Goal", "objective optimise optimize best"),
    "tune-goal-must": Listed("Requirements", "must conditions"),
    "retrieve-question": Listed("Question", "ask search query"),
    "reading-only": Listed("Chunks to show", "filter"),
}
_BUTTONS = {
    "add": Listed("Add a document: upload or paste", "file open import new"),
    "open-kept": Listed("Add the kept documents back", "earlier session open restore"),
    "pin": Listed("Use current as baseline", "pin compare"),
    "swap": Listed("Swap with baseline", "exchange"),
    "ask-about": Listed("How to remove this boundary?", "why it ends here", panel="chunk"),
    "reset": Listed("Back to defaults", "reset clear"),
    "open-config": Listed("Open config (YAML), or another tool's chunks", "import load upload"),
    "snapshots": Listed("Snapshots: keep these settings under a name", "save preset"),
    "was": Listed("Settings of the baseline", "before"),
    "corpus-export": Listed("Export", "download save YAML config chunks"),
    "download-yaml": Listed(
        "Export the config as YAML", "download save settings proof", panel="exported", page="Inspect"
    ),
    "download-chunks": Listed("Download the chunks", "export save JSON lines jsonl", panel="exported", page="Inspect"),
    "download-report": Listed("Download the report", "export save HTML", panel="exported"),
    "add-override": Listed("Add an override for a folder (Corpus)", "glob pattern"),
    "retrieve-draft": Listed("Draft questions", "generate write ask model evaluation", page="Retrieve"),
    "retrieve-load": Listed("Load questions", "import open upload file"),
    "retrieve-export-questions": Listed("Export questions", "download save"),
    "retrieve-results-report": Listed("Download the report of the results", "export save HTML evaluation"),
    "retrieve-results-file": Listed("Download the results file", "export save JSON evaluation"),
    "compare-add": Listed("Add a config", "column row"),
    "tune-begin": Listed("Measure all combinations", "run start sweep"),
    "tune-try": Listed("Try configs for the goal", "run start find best"),
    "tune-apply": Listed("Apply to Inspect", "take use"),
    "tune-apply-best": Listed("Apply best to Inspect", "take use"),
    "tune-apply-nearly": Listed("Apply nearly as good to Inspect", "take use"),
}
_OF_ONE_DOCUMENT = ("download-yaml", "download-chunks")
"""Listed where the page shows the chosen document."""
_FILTERS = {
    "all": "Show all chunks",
    "failing": "Show chunks failing a check",
    "torn": "Show torn chunks (cutting a block in two)",
    "over": "Show chunks over the maximum",
}

MOST_HEADINGS = 5_000
"""How many headings of a document are listed on a page that has no outline."""


def palette(*, shows_document: bool, filters_chunks: bool = False, chooses_strategy: bool = False) -> None:
    """Draw its button. From a page that does not show the chosen document, choosing one leads to
    Inspect. A page that `filters_chunks` has its filters listed, one that `chooses_strategy` the
    strategies."""
    source, plan = state.source(), state.plan()
    settings = {
        f"setting.{plan.strategy}.{spec.name}": Listed(f"{spec.title} {spec.label}")
        for spec in setting_specs(strategies.get(plan.strategy))
        if not spec.numeric
    }
    command_palette(
        state.document_titles(),
        source.key if source else "",
        _CONTROLS | settings,
        _buttons(of_document=shows_document and source is not None),
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


def _buttons(*, of_document: bool) -> dict[str, Listed]:
    """Without a document there is none to lead to."""
    if of_document:
        return _BUTTONS
    kept = {name: each for name, each in _BUTTONS.items() if name not in _OF_ONE_DOCUMENT}
    return kept if state.source() else {name: replace(each, page="") for name, each in kept.items()}


def _other_strategies(chosen: str) -> dict[str, Listed]:
    """Those whose package is missing come last: to choose one says only what to install."""
    return {
        name: Listed(f"Strategy: {strategy_choice.title(name)}", last=not strategy_choice.installed(name))
        for name in strategy_choice.names()
        if name != chosen
    }


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
