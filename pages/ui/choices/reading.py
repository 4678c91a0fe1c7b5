"""The ways of reading a document: as its source and beside it. No Streamlit."""

from __future__ import annotations

from typing import Literal

View = Literal["source", "rendered", "cards", "structure", "tokens"]
VIEWS: dict[View, str] = {
    "source": "Source",
    "rendered": "Rendered",
    "cards": "Cards",
    "structure": "Structure",
    "tokens": "Tokens",
}
"""By their names in links; the first is what a new session opens with."""


def view_named(name: object) -> View:
    """The view with this name; the source for any other."""
    return next((view for view in VIEWS if view == name), "source")
