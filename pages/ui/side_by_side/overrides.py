"""What the overrides of the corpus do where configs are side by side on all of its documents."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.text import counted
from pages.ui import state
from pages.ui.layout import page_frame


def overrides_note(problems: Sequence[str], elsewhere: str) -> None:
    """Say that they hold, and which do not for a config (`problems`); nothing without any.
    `elsewhere` says where they do not."""
    overrides = state.corpus_choices().overrides
    if not overrides:
        return
    count = counted(len(overrides), "override")
    alike = " Where one names a strategy, all configs cut alike." if any(each.strategy for each in overrides) else ""
    page_frame.note(f"With the {count} of Corpus in every config.{alike} {elsewhere}")
    for problem in problems:
        page_frame.problem(f"does not apply to {problem}")
