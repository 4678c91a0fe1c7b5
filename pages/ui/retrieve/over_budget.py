"""The chunks that no question can bring back at a token budget, because each alone is over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from chunking.analysis import share_text
from chunking.retrieval import cost
from chunking.text import be, counted
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import page_frame
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus
from pages.ui.retrieve.rows import RetrieveRow
from pages.ui.retrieve.truncation import MOST, way_to


def over_budget_note(row: RetrieveRow, retrieving: Retrieving, go: Callable[[int], None]) -> None:
    """How many chunks these are, and a button to each of the largest; `go` opens one."""
    budget = retrieving.max_tokens
    if budget is None or row.corpus is None:
        return
    sizes = hit_sizes(row.corpus, retrieving)
    over = sorted((at for at, size in enumerate(sizes) if size > budget), key=lambda at: -sizes[at])
    if not over:
        return
    title = headline(len(over), len(sizes), budget)
    with st.expander(title, key=f"retrieve-over-{row.letter}", icon=":material/warning:"):
        page_frame.note(consequences([sizes[at] for at in over], sum(sizes)))
        for at in over[:MOST]:
            way_to(row, at, go, key=f"retrieve-over-{row.letter}-{at}")


def hit_sizes(of: ChunkedCorpus, retrieving: Retrieving) -> list[int]:
    """The tokens that a hit on each chunk gives back by itself."""
    return [cost([each], of.span_tokens) for each in of.passages(retrieving.mode, retrieving.neighbours)]


def headline(over: int, of: int, budget: int) -> str:
    """The line that is always in view."""
    them = "it" if over == 1 else "them"
    return (
        f"{over:,} of {counted(of, 'chunk')} {be(over)} over {counted(budget, 'token')}: no question gets {them} back"
    )


def consequences(over: Sequence[int], total: int) -> str:
    """What that means for the measured results, by the sizes of these chunks."""
    holds = "It has" if len(over) == 1 else f"The largest has {counted(max(over), 'token')}; together they have"
    return (
        f"{holds} {counted(sum(over), 'token')}, {share_text(sum(over) / total)} of all. Where one is found, nothing "
        "that is ranked below it is given back either. Ways out: a larger budget, or a config whose largest chunk is "
        "smaller."
    )
