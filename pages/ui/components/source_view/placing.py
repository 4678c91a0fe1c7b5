"""Boundaries that a person drags in the source to another place. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pages.ui.components.source_view.marks import code_point
from pages.ui.components.source_view.payload import Further, SourceText


@dataclass(frozen=True, slots=True)
class Placed:
    """A boundary, where a chunk begins, and the place that it is to have. Offsets are code
    points."""

    boundary: int
    place: int


def placing(placed: Placed | None, source: SourceText, *, able: bool) -> Further:
    """Whether boundaries can be dragged here, and where one of them was put, -1 without."""
    wanted = -1 if placed is None else source.unit(placed.place)
    return Further(header={"placing": able, "placed": wanted})


def placed_request(message: object, source: SourceText) -> Placed | None:
    """Where the browser says that a boundary was put; None where that is no place of this text, and
    where somebody gave it up."""
    if not isinstance(message, Mapping):
        return None
    boundary, place = message.get("boundary"), message.get("place")
    if not isinstance(boundary, int) or not isinstance(place, int):
        return None
    if not 0 < boundary < source.units or not 0 < place < source.units or boundary == place:
        return None
    return Placed(code_point(source, boundary), code_point(source, place))
