"""Counting tokens: counters by their names, and exact counts of any span from one pass over a
text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.tokens.counters import OFFERED as OFFERED
    from chunking.tokens.embedder_windows import LostEnds as LostEnds
    from chunking.tokens.names import read_counter as read_counter
    from chunking.tokens.offered_files import counter_title as counter_title
    from chunking.tokens.offered_files import offered as offered
    from chunking.tokens.registry import EXACT as EXACT
    from chunking.tokens.registry import TokenCounter as TokenCounter
    from chunking.tokens.registry import TokenIndex as TokenIndex
    from chunking.tokens.registry import counter as counter
    from chunking.tokens.registry import counter_names as counter_names
    from chunking.tokens.registry import token_index as token_index
else:
    __getattr__, __all__ = front(
        __name__,
        counters=("OFFERED",),
        embedder_windows=("LostEnds",),
        names=("read_counter",),
        offered_files=("counter_title", "offered"),
        registry=("EXACT", "TokenCounter", "TokenIndex", "counter", "counter_names", "token_index"),
    )
