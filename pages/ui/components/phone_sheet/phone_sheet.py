"""The sheet's Streamlit half. How large it is and which tab is open is the browser's affair alone;
layout/style.css gives the sheet its place."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "phone_sheet.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("phone_sheet", js="phone_sheet/phone_sheet.js", css=_STYLE)


def phone_sheet(chunk: str, *, ends: str, document: str, at: int | None, says: str, key: str) -> None:
    """Draw the head; `chunk` is what its second tab is called, which a tapped chunk opens. Closed
    to its head, the sheet says `ends`, why that chunk ends. A screen reader is told `says`, what is
    selected, when the selected place `at` in the `document` is another one."""
    _component()(key=key, data={"chunk": chunk, "ends": ends, "document": document, "at": at, "says": says})
