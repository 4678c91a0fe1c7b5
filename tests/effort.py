"""The cost of work as a number of function calls, Python's and C's: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """The number of function calls that `work` makes. Work inside one call of C, as in a pattern,
    is not counted."""
    seen = 0

    def note(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal seen
        seen += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen
