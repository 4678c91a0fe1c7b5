"""How much work something is, the same on every machine: the calls of functions, Python's and C's,
while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls. What goes on within one call of C, as in a pattern, is not
    seen."""
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
