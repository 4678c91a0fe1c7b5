"""Which lines of the document are headings though Markdown does not mark them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from chunking import Config, Document
from chunking.config import LOADER_HELP
from chunking.document import HEADING_KINDS
from chunking.text import counted
from pages.ui import state
from pages.ui.layout import page_frame, within_limits

_PATTERNS, _DELIMITERS = "heading-patterns", "delimiters"


@within_limits.part
def loader_picker(document: Document, config: Config) -> None:
    """Draw the choice of kinds and templates, that of delimiters, and how many headings there
    are."""
    chosen = config.loader
    _list("Headings without #", _PATTERNS, chosen.heading_patterns, (*HEADING_KINDS,), "Kinds, or a template")
    _list("Delimiters", _DELIMITERS, chosen.delimiters, (), "What a line begins with")
    if state.loader_problem():
        page_frame.problem(state.loader_problem())
    elif chosen:
        found = document.headings
        levels = sorted({each.level for each in found})
        of_levels = f" of level {levels[0]}" + (f" to {levels[-1]}" if levels[1:] else "") if levels else ""
        page_frame.note(f"{counted(len(found), 'heading')}{of_levels} in this document, listed in the outline below.")


def _list(title: str, key: str, now: Sequence[str], options: Sequence[str], placeholder: str) -> None:
    st.multiselect(
        title,
        list(dict.fromkeys((*options, *now))),
        key=state.own(key, list(now)),
        format_func=_shown,
        accept_new_options=True,
        placeholder=placeholder,
        help=f"{LOADER_HELP[key.replace('-', '_')]}.",
        on_change=_take,
    )


def _shown(pattern: str) -> str:
    kind = HEADING_KINDS.get(pattern)
    return f"{kind.title}: {kind.example}" if kind else pattern


def _take() -> None:
    state.choose_loader(_written(_PATTERNS), _written(_DELIMITERS))


def _written(key: str) -> list[str]:
    found = state.moved(key)
    return [str(each) for each in found] if isinstance(found, list) else []
