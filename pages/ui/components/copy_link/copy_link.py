"""The Streamlit half of "Copy link". The address says all that was chosen, so the browser copies it
by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "copy_link.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("copy_link", js="copy_link/copy_link.js", css=_STYLE)


@dataclass(frozen=True, slots=True)
class LinkText:
    """What a link can have of the document's text, and what it lacks."""

    note: str = ""
    """What somebody who opens the link has to have; "" where the link is enough."""
    size: str = ""
    """How large the text would be in the link; "" where it cannot be in one."""
    packed: str = ""
    """The text, where the link is to hold it."""
    missing: str = ""
    """The key of the document that a link asked for and that is not here."""


def copy_link(
    text: LinkText, *, on_include: Callable[[bool], None], on_text: Callable[[str], None], key: str = "copy-link"
) -> None:
    """Draw the button. `on_include` hears whether the text is to be in the link, `on_text` gets a
    missing text that was in one."""

    def included() -> None:
        on_include(told(key, "include") is True)

    def came() -> None:
        on_text(str(told(key, "text") or ""))

    _component()(key=key, data=asdict(text), width="content", on_include_change=included, on_text_change=came)
