"""Vectors for the Retrieve page: what is missing is embedded here before anything is ranked.

A model on this machine is asked at once where that is quick, and only with permission where it is
not; a server only with permission. What was embedded is remembered by its text, so a moved
threshold embeds only the chunks that changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking.errors import ModelError
from chunking.models import CachedEmbedder, Waiting, embedder, server_of, while_waiting
from chunking.retrieval import embed_missing
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.retrieving import LOCAL, Retrieving
from pages.ui.layout import limits, model_messages, page_frame
from pages.ui.retrieve import messages
from pages.ui.retrieve.throughput import Pace

QUICK = 20.0
"""Seconds that are not asked about."""
QUICK_FOR_ALL = 2.0
"""The same where all documents are searched: a switch must not begin a long wait unasked."""
_FIRST = 8
"""Texts by which the pace is found, where it is not known yet."""
_CANCELLED = "Cancelled; what was embedded until then is remembered."
_pace = Pace()
"""Of this machine; shared by all sessions, which share the machine."""


def chosen(retrieving: Retrieving) -> CachedEmbedder | None:
    """Whose vectors are compared; None where none are, or where a name, key or address is wrong,
    which is said."""
    if not retrieving.embeds:
        return None
    try:
        return embedder(retrieving.embedder, retrieving.model)
    except ModelError as error:
        page_frame.problem(str(error))
        return None


def embed(retrieving: Retrieving, by: CachedEmbedder, texts: Sequence[str], place: DeltaGenerator) -> bool:
    """Whether these texts, which had no vectors, have them now; else `place` says what it takes, or
    what failed."""
    if not texts:
        return True
    key = f"retrieve/{by.name}"  # not of the texts: some of them may be embedded by the time leave is given
    here, wanted = retrieving.embedder == LOCAL, state.take_wanted(key)
    done = False
    if wanted or (here and not state.model_problem(key)):
        with place.container(key="retrieve-asking", horizontal=True, vertical_alignment="center", gap="small"):
            bar = st.progress(0.0, text=messages.beginning(retrieving))
            st.button("Cancel", key="retrieve-cancel", on_click=state.note_model_problem, args=(key, _CANCELLED))
        try:
            patience = QUICK_FOR_ALL if retrieving.all_documents else QUICK
            done = _embed(by, texts, bar, here=here, patience=float("inf") if wanted else patience)
        except ModelError as error:
            state.note_model_problem(key, str(error))
        place.empty()
    if not done:
        _ask_for_leave(retrieving, by, texts, key, place)
    return done


def _embed(by: CachedEmbedder, texts: Sequence[str], bar: DeltaGenerator, *, here: bool, patience: float) -> bool:
    """Embed texts with progress; False where that takes longer here than `patience`, in seconds.
    Raises ModelError."""
    if here and not _pace.known:
        by(texts[:1])  # loads the model: no measure of the pace
        _timed(by, texts[1 : 1 + _FIRST], bar, here=here)
    missing = by.unknown(texts)
    if here and missing and _pace.known and _pace.seconds(missing) > patience:
        return False
    _timed(by, missing, bar, here=here)
    return True


def _timed(by: CachedEmbedder, texts: Sequence[str], bar: DeltaGenerator, *, here: bool) -> None:
    began = last = time.monotonic()
    measured, share, message = 0, 0.0, ""

    def tell(done: int, total: int) -> None:
        nonlocal last, measured, share, message
        now = time.monotonic()
        if here and done > measured:  # at once: whoever stops it half way has measured as well
            _pace.note(texts[measured:done], now - last)
            last, measured = now, done
        share, message = done / max(total, 1), messages.progress(done, total, now - began)
        bar.progress(share, text=message)

    def wait(waiting: Waiting | None) -> None:
        # Where the bar is drawn, Streamlit ends a script that somebody cancelled.
        bar.progress(share, text=model_messages.waiting_words(waiting, message) if waiting else message)

    with while_waiting(wait):
        limits.cancellable(partial(embed_missing, texts, by, tell))


def _ask_for_leave(
    retrieving: Retrieving, by: CachedEmbedder, texts: Sequence[str], key: str, place: DeltaGenerator
) -> None:
    missing, problem = by.unknown(texts), state.model_problem(key)
    with place.container(key="retrieve-leave", gap="xsmall"):
        if problem:
            page_frame.problem(problem)
        if retrieving.embedder == LOCAL:
            seconds = _pace.seconds(missing) if _pace.known else None
            page_frame.note(messages.would_take(len(missing), seconds))
        else:
            page_frame.note(messages.would_send(missing, by.name, server_of(retrieving.embedder)))
        failed = problem and problem != _CANCELLED
        label = "Try again" if failed else messages.leave(len(missing), here=retrieving.embedder == LOCAL)
        st.button(label, key="retrieve-embed", type="primary", on_click=state.want, args=(key,))


@contextmanager
def reading(place: DeltaGenerator, letter: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for late chunking, which reads whole documents with the local model; its way out."""
    key = f"retrieve-reading-{letter}"
    with place.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, text=f"Reading the documents for {letter}")
        st.button("Cancel", key=f"retrieve-late-cancel-{letter}", on_click=_read_no_more)

    def tell(done: int, total: int) -> None:
        # Where the bar is drawn, Streamlit ends a script that somebody cancelled.
        bar.progress(done / max(total, 1), text=f"Reading for {letter}: {done:,} of {counted(total, 'document')}")

    yield tell
    place.empty()


def _read_no_more() -> None:
    state.retrieve(replace(state.retrieving(), late=False))
