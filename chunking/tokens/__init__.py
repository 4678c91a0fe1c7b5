"""Counting tokens: counters by their names, and exact counts of any span from one pass over a
text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.tokens.embedder_windows import LostEnds as LostEnds
    from chunking.tokens.index import TokenIndex as TokenIndex
    from chunking.tokens.names import read_counter as read_counter
    from chunking.tokens.offered_files import counter_title as counter_title
    from chunking.tokens.offered_files import offered as offered
    from chunking.tokens.registry import EXACT as EXACT
    from chunking.tokens.registry import counter as counter
    from chunking.tokens.registry import counter_names as counter_names
    from chunking.tokens.registry import token_index as token_index
    from chunking.tokens.token_counter import OFFERED as OFFERED
    from chunking.tokens.token_counter import TokenCounter as TokenCounter
else:
    __getattr__, __all__ = front(
        __name__,
        embedder_windows=("LostEnds",),
        index=("TokenIndex",),
        names=("read_counter",),
        offered_files=("counter_title", "offered"),
        registry=("EXACT", "counter", "counter_names", "token_index"),
        token_counter=("OFFERED", "TokenCounter"),
    )
