"""What the embedder of the Retrieve page does not read of a config's chunks, and the way to each of
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from chunking import Document
from chunking.models import LOCAL_MODEL, PROVIDERS
from chunking.retrieval import not_english
from chunking.text import be, english_warning
from chunking.tokens import LostEnds
from pages.ui.choices.retrieving import LOCAL, Retrieving
from pages.ui.layout import page_frame
from pages.ui.retrieve import caches
from pages.ui.retrieve.rows import RetrieveRow

MOST = 12
"""Chunks that a way leads to; the line says how many there are."""


def embedder_name(retrieving: Retrieving) -> str:
    """The chosen embedder's whole name, whether it can be asked or not."""
    model = retrieving.model or (LOCAL_MODEL if retrieving.embedder == LOCAL else PROVIDERS[retrieving.embedder].model)
    return f"{retrieving.embedder}/{model}"


def language_note(retrieving: Retrieving, documents: Sequence[Document]) -> None:
    """Say that documents seem not to be English, where the embedder is."""
    if retrieving.embeds and retrieving.embedder == LOCAL:
        warning = english_warning(embedder_name(retrieving), not_english(documents), len(documents))
        if warning:
            page_frame.note(f"{warning}. A search by keywords is not affected.")


def lost_note(row: RetrieveRow, retrieving: Retrieving, go: Callable[[int], None]) -> None:
    """How many chunks lose their ends with this embedder, and a button to each of the first; `go`
    opens one."""
    if not retrieving.embeds or retrieving.reads_late or row.corpus is None:
        return
    name = embedder_name(retrieving)
    lost = caches.lost(row.corpus, row.config, retrieving.mode, name)
    if lost is None:
        page_frame.note(f"How much of a text {name} reads is not known here: ends of long chunks may be lost.")
    elif lost.chunks:
        with st.expander(
            headline(lost, by_words=retrieving.way == "hybrid"),
            key=f"retrieve-lost-{row.letter}",
            icon=":material/warning:",
        ):
            page_frame.note(f"{lost.message[:1].upper()}{lost.message[1:]}.")
            page_frame.note(ways_out(retrieving))
            for at in lost.chunks[:MOST]:
                way_to(row, at, go, key=f"retrieve-lost-{row.letter}-{at}")


def headline(lost: LostEnds, *, by_words: bool = False) -> str:
    """The line that is always in view: what is wrong, in plain words; where keywords are searched
    too, these find what vectors do not."""
    about = "About " if lost.window.estimated else ""
    count = len(lost.chunks)
    ends = "its end" if count == 1 else "their ends"
    outcome = {
        "cut": f"only keywords find {ends}" if by_words else f"no question finds {ends}",
        "refused": f"{'it' if count == 1 else 'they'} would be refused",
        "unknown": f"{ends} may be lost",
    }[lost.window.beyond]
    return f"{about}{count:,} of {lost.of:,} chunks {be(count)} longer than the embedding model reads: {outcome}"


def ways_out(retrieving: Retrieving) -> str:
    """What can be done about chunks that are too long."""
    ways = [
        "smaller chunks (open one in Inspect and lower what limits its size)",
        "an embedding model that reads more",
    ]
    if retrieving.embedder == LOCAL:
        ways.append("Late chunking, which reads whole documents")
    return f"Ways out: {', '.join(ways)}, or a search by Keywords, which reads all of a chunk."


def way_to(row: RetrieveRow, at: int, go: Callable[[int], None], *, key: str) -> None:
    """A button to one chunk, by its lines."""
    if row.corpus is None:
        return
    number, chunk = row.corpus.chunks[at]
    name = row.corpus.documents[number].name
    label = f"Open lines {chunk.start_line:,} to {chunk.end_line:,} in Inspect"
    if st.button(label, key=key, help=name, type="tertiary", icon=":material/search:"):
        go(at)
