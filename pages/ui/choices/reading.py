"""The ways of reading a document: as its source and beside it, all of its chunks or only some. No
Streamlit."""

from __future__ import annotations

from typing import Literal

View = Literal["source", "rendered", "cards", "structure", "tokens", "map"]
VIEWS: dict[View, str] = {
    "source": "Source",
    "rendered": "Rendered",
    "cards": "Cards",
    "structure": "Structure",
    "tokens": "Tokens",
    "map": "Map",
}
"""By their names in links; the first is what a new session opens with."""
FILTERED: frozenset[View] = frozenset(("source", "cards", "structure"))
"""In which some chunks can stand out."""


def view_named(name: object) -> View:
    """The view with this name; the source for any other."""
    return next((view for view in VIEWS if view == name), "source")


Only = Literal["all", "failing", "torn", "over"]
ONLY: dict[Only, str] = {
    "all": "All chunks",
    "failing": "Failing a check",
    "torn": "Cutting a block in two",
    "over": "Over the maximum",
}
"""The chunks that stand out, by their names in links; the first is what a new session opens
with."""


def only_named(name: object) -> Only:
    """The filter with this name; all chunks for any other."""
    return next((only for only in ONLY if only == name), "all")
