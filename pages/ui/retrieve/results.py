"""What the question brings up, drawn: each config's passages side by side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from chunking import Chunk
from chunking.errors import ModelError
from chunking.gold import Question
from pages.ui import state
from pages.ui.choices.marking import Marked
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import page_frame, within_limits
from pages.ui.retrieve import caches, markup, messages
from pages.ui.retrieve.controls import chosen_sources
from pages.ui.retrieve.hits import FoundHits, Results, first_rank, results
from pages.ui.retrieve.over_budget import over_budget_note
from pages.ui.retrieve.rows import RetrieveRow
from pages.ui.retrieve.truncation import lost_note
from pages.ui.side_by_side.controls import row_chooser


class Came(NamedTuple):
    """What one config retrieved, in short."""

    words: str = ""
    letter: str = ""
    tokens: int = 0
    """Of all that was retrieved; 0 where nothing was."""


@within_limits.part
def panel(number: int, row: RetrieveRow, retrieving: Retrieving, known: Sequence[Question]) -> Came:
    """One config: what it is, and what it retrieves; that in short, where it is not an alert."""
    row_chooser(number, state.comparing().rows[number].resolution(), row.measured)
    if row.problem:
        page_frame.problem(row.problem)
        return Came()
    if retrieving.all_documents and row.corpus is not None:
        page_frame.note(messages.searched(row.corpus, row.corpus.documents[0].name))
    lost_note(row, retrieving, partial(_open_chunk, number, row))
    over_budget_note(row, retrieving, partial(_open_chunk, number, row))
    if not retrieving.question or row.corpus is None:
        return Came()
    if row.searcher is None:
        page_frame.note(row.waits)
        return Came(f"{row.name}: {row.waits}")
    try:
        ranking = caches.search(row.searcher, retrieving, retrieving.question)
    except ModelError as error:
        page_frame.problem(str(error))
        return Came()
    found = results(row.corpus, retrieving, ranking, known, caches.give_back(row.corpus, retrieving))
    with st.container(key=f"retrieve-results-{row.letter}", gap="xsmall"):
        st.html(markup.total(found, retrieving.max_tokens))
        if row.embedded:
            page_frame.note(f"Vectors: {messages.embedded(row.embedded)}.")
        if found.recall == 0:
            first = first_rank(row.corpus, retrieving, row.searcher.ranking(retrieving.question), known)
            page_frame.note(messages.missed(first, len(row.corpus.chunks)))
        _passages(number, row, found, row.searcher.telling_terms(retrieving.question))
        if not found.found:
            page_frame.note(_nothing(retrieving, bool(ranking)))
    return Came(messages.came(row.name, found), row.letter, found.tokens)


def _nothing(retrieving: Retrieving, ranked: bool) -> str:
    if ranked:
        return f"The first hit has more than {retrieving.tokens:,} tokens: nothing fits."
    return "No chunk has any of these words." if retrieving.way == "bm25" else "There is no chunk."


def _passages(number: int, row: RetrieveRow, of: Results, asked: Collection[str]) -> None:
    with st.container(key=f"retrieve-list-{row.letter}", gap="xsmall"):
        for each in of.found:
            with st.container(key=f"retrieve-card-{row.letter}-{each.rank}", gap=None):
                _passage(number, row.letter, each, asked)


def _passage(number: int, letter: str, of: FoundHits, asked: Collection[str]) -> None:
    key = f"retrieve-{letter}-{of.rank}"
    with st.container(key=f"{key}-head", horizontal=True, gap="small", vertical_alignment="top"):
        st.html(markup.head(of), width="stretch")
        name = f"Open chunk {of.rank} of {letter} in Inspect"
        if st.button(name, key=f"{key}-open", icon=":material/search:", help=name, type="tertiary"):
            _open(number, of)
    st.html(markup.passage(of, letter, asked))


def _open(number: int, of: FoundHits) -> None:
    """Show the chunk in Inspect, as this row cuts it."""
    _inspect(number, of.number, of.chunk)


def _open_chunk(number: int, row: RetrieveRow, at: int) -> None:
    """The same for any chunk of a row, by its number over all documents."""
    if row.corpus is not None:
        _inspect(number, *row.corpus.chunks[at])


def _inspect(number: int, document: int, chunk: Chunk) -> None:
    inspect_place(number, document, chunk.body.start)


def inspect_place(number: int, document: int, offset: int, mark: Marked | None = None) -> None:
    """Open Inspect at an offset of a document, as row `number` (from 0) cuts it; with `mark`
    chosen, so that the changes that keep it whole are shown."""
    every = state.retrieving().all_documents
    configs = state.compared_on_corpus()[0] if every else state.comparing().configs()
    before = configs[0] if number else configs[1]
    state.inspect_document(chosen_sources()[document], configs[number], before)
    state.select(offset)
    if mark:
        state.mark_with(replace(state.marking(), chosen=mark))
    page_frame.open_inspect()
