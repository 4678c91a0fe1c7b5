"""The Streamlit half of undo and redo. Streamlit's own shortcuts would also answer while somebody
types in a field."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "undo_buttons.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("undo_buttons", js="undo_buttons/undo_buttons.js", css=_STYLE)


def undo_buttons(
    undo: str,
    redo: str,
    *,
    key: str,
    kept: str,
    on_undo: Callable[[], None],
    on_redo: Callable[[], None],
    on_recall: Callable[[str], None],
) -> None:
    """Draw the buttons. `undo` and `redo` say what each would change; "" where there is nothing to
    do.

    `kept` is the history as JSON, which the browser's tab remembers. After a reload `on_recall`
    gets the one that it had, where that leads to the same setup.
    """

    def stepped() -> None:
        step = told(key, "step")
        if step == "undo":
            on_undo()
        elif step == "redo":
            on_redo()

    def recalled() -> None:
        on_recall(str(told(key, "recalled") or ""))

    _component()(
        key=key,
        data={"undo": undo, "redo": redo, "kept": kept},
        on_step_change=stepped,
        on_recalled_change=recalled,
    )
