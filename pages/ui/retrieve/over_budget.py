"""The chunks that no question can bring back at a token budget, because each alone is over it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chunking.analysis import share_text
from chunking.text import be, counted
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import page_frame
from pages.ui.retrieve.rows import RetrieveRow
from pages.ui.retrieve.truncation import MOST, way_to


def over_budget_note(row: RetrieveRow, retrieving: Retrieving, go: Callable[[int], None]) -> None:
    """How many chunks these are, and a button to each of the largest; `go` opens one."""
    budget = retrieving.max_tokens
    if budget is None or row.corpus is None:
        return
    sizes = row.corpus.hit_sizes(retrieving.mode, retrieving.neighbours)
    over = sorted((at for at, size in enumerate(sizes) if size > budget), key=lambda at: -sizes[at])
    if not over:
        return
    title = headline(len(over), len(sizes), budget)
    with st.expander(title, key=f"retrieve-over-{row.letter}", icon=":material/warning:"):
        own = [passage.tokens for passage in row.corpus.passages(retrieving.mode)]
        page_frame.note(consequences(len(over), sizes[over[0]], sum(own[at] for at in over) / sum(own)))
        for at in over[:MOST]:
            way_to(row, at, go, key=f"retrieve-over-{row.letter}-{at}")


def headline(over: int, of: int, budget: int) -> str:
    """The line that is always in view."""
    them = "it" if over == 1 else "them"
    return (
        f"{over:,} of {counted(of, 'chunk')} {be(over)} over {counted(budget, 'token')}: no question gets {them} back"
    )


def consequences(over: int, largest: int, share: float) -> str:
    """What that means for the results: `largest` in tokens that a hit gives back; `share`, 0 to 1,
    of the tokens to embed that these chunks have."""
    hit, are = ("it", "It has") if over == 1 else ("the largest", "Together they have")
    return (
        f"A hit on {hit} gives back {counted(largest, 'token')}. {are} {share_text(share)} of the tokens to embed. "
        "Where one is found, nothing that is ranked below it is given back either. Ways out: a larger budget, or a "
        "config whose largest chunk is smaller."
    )
