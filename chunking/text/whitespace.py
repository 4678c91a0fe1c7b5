"""Where the visible part of a stretch begins and ends, in whole grapheme clusters: a joiner belongs
to its space."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import numpy.typing as npt

from chunking.text.graphemes import grapheme_ceiling, grapheme_floor

_VISIBLE = re.compile(r"\S")


_WIDEST = 0x3000
"""The highest code point that `str.isspace` takes."""


@cache
def _white_points() -> npt.NDArray[np.bool_]:
    """Whether a code point is white space; the last stands for all above, none of which is."""
    return np.array([chr(point).isspace() for point in range(_WIDEST + 2)])


def white_flags(text: str) -> npt.NDArray[np.bool_]:
    """For each character: whether it is white space, as `str.isspace` has it."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    flags: npt.NDArray[np.bool_] = _white_points()[np.minimum(points, _WIDEST + 1)]
    return flags


def is_white(text: str, start: int, end: int) -> bool:
    """Whether a stretch holds white space only (or nothing)."""
    if start < end and not text[start].isspace():
        return False
    return _VISIBLE.search(text, start, end) is None


def visible_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the stretch without the white space at its edges begins and ends; both at `end` when
    all of it is white."""
    lead = first_visible(text, start, end)
    return lead, last_visible(text, lead, end)


def line_begin(text: str, start: int, offset: int) -> int:
    """Where the line of an offset begins, not before `start`."""
    return max(start, text.rfind("\n", start, offset) + 1, text.rfind("\r", start, offset) + 1)


def first_visible(text: str, start: int, end: int) -> int:
    """Offset of the first cluster in a stretch that is not all white space; `end` when there is
    none."""
    if start < end and not text[start].isspace():
        return start
    at, step = start, 64
    while at < end:
        window = text[at : min(at + step, end)]
        shown = window.lstrip()
        if shown:
            at += len(window) - len(shown)
            return at if _plain(text, at) else grapheme_floor(text, at, start)
        at += len(window)
        step *= 4
    return end


def last_visible(text: str, start: int, end: int) -> int:
    """Offset after the last cluster in a stretch that is not all white space; `start` when there is
    none."""
    if start < end and not text[end - 1].isspace():
        return end
    at, step = end, 64
    while start < at:
        window = text[at - step if at - step > start else start : at]
        shown = window.rstrip()
        if shown:
            at -= len(window) - len(shown)
            return at if text[at - 1 : at + 1].isascii() else min(end, grapheme_ceiling(text, at, start))
        at -= len(window)
        step *= 4
    return start


def _plain(text: str, at: int) -> bool:
    """Whether white space and a visible character meet here in ASCII, where there is always a
    boundary."""
    return text[at - 1 : at + 1].isascii()
