"""The table's Streamlit half: rows go to marks_list.js, what is clicked comes back as a mark and
what to do with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pages.ui.choices.marking import Marked
from pages.ui.components.marks_list.rows import Column, MarkRow, tally
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "marks_list.css")
Action = Literal["choose", "rename", "remove"]
ACTIONS: tuple[Action, ...] = ("choose", "rename", "remove")


@cache
def _component() -> ComponentRenderer:
    return package_component("marks_list", js="marks_list/marks_list.js", css=_STYLE)


def marks_list(
    rows: Sequence[MarkRow],
    columns: Sequence[Column],
    *,
    key: str,
    chosen: Marked | None = None,
    editable: bool = True,
    fixed: Column | None = None,
    on_act: Callable[[Action, Marked], None] | None = None,
) -> None:
    """Draw the marks against the configs. `on_act` is called with what a person asks for and the
    mark it is about.

    `rename` is about the mark's question. Without `editable` marks can only be chosen. Where the
    config of `fixed` cuts a mark, a button chooses it too: what is then said below the list offers
    changes of that config.
    """
    marks = {row.mark.name: row.mark for row in rows}

    def acted() -> None:
        event = told(key, "acted")
        if not isinstance(event, Mapping) or on_act is None:
            return
        action, mark = event.get("action"), marks.get(str(event.get("mark")))
        known = next((each for each in ACTIONS if each == action), None)
        if known is not None and mark is not None:
            on_act(known, mark)

    _component()(
        key=key,
        data={
            "columns": [
                {"title": each.title, "name": each.name, "tally": tally(each), "fixed": each is fixed}
                for each in columns
            ],
            "rows": [_row(row) for row in rows],
            "chosen": chosen.name if chosen else "",
            "editable": editable,
        },
        on_acted_change=acted,
    )


def _row(row: MarkRow) -> dict[str, object]:
    return {
        "mark": row.mark.name,
        "kind": row.mark.kind,
        "question": row.mark.question,
        "draft": row.mark.draft,
        "quote": row.quote,
        "line": row.line,
        "cells": [{"whole": cell.whole, "rule": cell.rule, "said": cell.said} for cell in row.cells],
    }
