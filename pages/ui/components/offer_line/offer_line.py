"""The line's Streamlit half. While the offer is being worked out the browser looks for it from time
to time, and never while a threshold is dragged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "offer_line.css")


@dataclass(frozen=True, slots=True)
class Offer:
    """What the line shows."""

    words: str = ""
    """"" where nothing is offered (yet); what is waited for while it is looked for."""
    costs: str = ""
    """What speaks against it, after the words and as heavy as it is; the button is quieter then."""
    rest: str = ""
    """What is said after that."""
    leads: str = ""
    """The last words, as a link that opens a panel of the right side."""
    panel: str = ""
    """The key of that panel."""
    shown: str = ""
    """The words of a button that opens an example of what is not here."""
    takes: bool = False
    """Whether the words offer something that can be taken."""
    undoable: bool = False
    """Whether the words say what was done, which can be undone."""
    looks: bool = False
    """Whether the browser is to look for it again."""
    looked: int = 0
    """How often it has looked."""


Answer = Literal["look", "take", "undo", "show", "dismiss"]


@cache
def _component() -> ComponentRenderer:
    return package_component("offer_line", js="offer_line/offer_line.js", css=_STYLE)


def offer_line(offer: Offer, *, key: str, on_answer: Mapping[Answer, Callable[[], None]]) -> None:
    """Draw the line; what is done with it calls one of `on_answer`."""

    def answered() -> None:
        answer = told(key, "answer")
        act = next((act for name, act in on_answer.items() if name == answer), None)
        if act:
            act()

    _component()(key=key, data=asdict(offer), on_answer_change=answered)
