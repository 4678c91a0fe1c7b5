"""Counting tokens: counters by their names, and exact counts of any span from one pass over a
text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.tokens.embedder_windows import LOCAL as LOCAL
    from chunking.tokens.embedder_windows import READS as READS
    from chunking.tokens.embedder_windows import LostEnds as LostEnds
    from chunking.tokens.embedder_windows import window_named as window_named
    from chunking.tokens.index import TokenIndex as TokenIndex
    from chunking.tokens.names import read_counter as read_counter
    from chunking.tokens.offered_files import counter_title as counter_title
    from chunking.tokens.offered_files import offered as offered
    from chunking.tokens.registry import EXACT as EXACT
    from chunking.tokens.registry import counter as counter
    from chunking.tokens.registry import counter_names as counter_names
    from chunking.tokens.registry import indexes_together as indexes_together
    from chunking.tokens.registry import remember_index as remember_index
    from chunking.tokens.registry import token_index as token_index
    from chunking.tokens.tiktoken_tables import fetch_nothing as fetch_nothing
    from chunking.tokens.token_borders import Cell as Cell
    from chunking.tokens.token_borders import TokenSpans as TokenSpans
    from chunking.tokens.token_borders import differing_borders as differing_borders
    from chunking.tokens.token_borders import has_tokens as has_tokens
    from chunking.tokens.token_borders import special_around as special_around
    from chunking.tokens.token_borders import special_texts as special_texts
    from chunking.tokens.token_borders import sure_borders as sure_borders
    from chunking.tokens.token_borders import token_cells as token_cells
    from chunking.tokens.token_borders import token_spans as token_spans
    from chunking.tokens.token_counter import MINILM as MINILM
    from chunking.tokens.token_counter import OFFERED as OFFERED
    from chunking.tokens.token_counter import TokenCounter as TokenCounter
else:
    __getattr__, __all__ = front(
        __name__,
        embedder_windows=("LOCAL", "LostEnds", "READS", "window_named"),
        index=("TokenIndex",),
        names=("read_counter",),
        offered_files=("counter_title", "offered"),
        registry=("EXACT", "counter", "counter_names", "indexes_together", "remember_index", "token_index"),
        tiktoken_tables=("fetch_nothing",),
        token_counter=("MINILM", "OFFERED", "TokenCounter"),
        token_borders=(
            *("Cell", "TokenSpans", "differing_borders", "has_tokens", "special_around", "special_texts"),
            *("sure_borders", "token_cells", "token_spans"),
        ),
    )
