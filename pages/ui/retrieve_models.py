"""Vectors for the Retrieve page: what is missing is embedded here before anything is ranked.

A model on this machine is asked at once where that is quick, and after leave where it is not; a server only after
leave. What was embedded is remembered by its text, so a moved threshold embeds only the chunks that changed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import sha256

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking.asking import server_of
from chunking.errors import ModelError
from chunking.models.embedders import RememberingEmbedder, embedder
from chunking.searching import remember
from pages.ui import retrieve_words, shell, state
from pages.ui.retrieve_choice import LOCAL, Retrieving
from pages.ui.retrieve_pace import Pace

QUICK = 20.0
"""Seconds that are not asked about."""
_FIRST = 8
"""Texts by which the pace is found, where it is not known yet."""
_STOPPED = "stopped; what was embedded until then is remembered"
_pace = Pace()
"""Of this machine; shared by all sessions, which share the machine."""


def chosen(told: Retrieving) -> RememberingEmbedder | None:
    """Whose vectors are compared; None where none are, or where a name, key or address is wrong, which is said."""
    if not told.embeds:
        return None
    try:
        return embedder(told.embedder, told.model)
    except ModelError as error:
        shell.problem(str(error))
        return None


def embed(told: Retrieving, by: RememberingEmbedder, texts: Sequence[str], place: DeltaGenerator) -> bool:
    """Whether these texts, which had no vectors, have them now; else `place` says what it takes, or what failed."""
    if not texts:
        return True
    key = f"retrieve/{by.name}/{sha256(chr(0).join(texts).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    wanted, problem = state.take_wanted(key), state.model_problem(key)
    if not wanted and (problem or not _may_begin(told, by, texts, key, place)):
        _ask_for_leave(told, by, texts, key, place)
        return False
    return _embed(told, by, by.unknown(texts), key, place)


def _may_begin(
    told: Retrieving, by: RememberingEmbedder, texts: Sequence[str], key: str, place: DeltaGenerator
) -> bool:
    """Whether embedding here is quick enough to need no leave. The pace is found on the way."""
    if told.embedder != LOCAL:
        return False
    if not _pace.known and not _embed(told, by, texts[:_FIRST], key, place):
        return False
    return _pace.seconds(by.unknown(texts)) <= QUICK


def _embed(told: Retrieving, by: RememberingEmbedder, texts: Sequence[str], key: str, place: DeltaGenerator) -> bool:
    """Embed texts with progress; False where it failed or was stopped, which is noted under `key`."""
    with place.container(key="retrieve-asking", horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, text=retrieve_words.beginning(told))
        st.button("Stop", key="retrieve-stop", on_click=state.note_model_problem, args=(key, _STOPPED))
    began = time.monotonic()

    def tell(done: int, total: int) -> None:
        bar.progress(done / max(total, 1), text=retrieve_words.progress(done, total, time.monotonic() - began))

    try:
        if told.embedder == LOCAL and not _pace.known:
            by(texts[:1])  # loads the model: no measure of the pace
            texts, began = texts[1:], time.monotonic()
        remember(texts, by, tell)
        if told.embedder == LOCAL:
            _pace.note(texts, time.monotonic() - began)
    except ModelError as error:
        state.note_model_problem(key, str(error))
        place.empty()
        _ask_for_leave(told, by, texts, key, place)
        return False
    place.empty()
    return True


def _ask_for_leave(
    told: Retrieving, by: RememberingEmbedder, texts: Sequence[str], key: str, place: DeltaGenerator
) -> None:
    missing, problem = by.unknown(texts), state.model_problem(key)
    with place.container(key="retrieve-leave", gap="xsmall"):
        if problem:
            shell.problem(problem)
        if told.embedder == LOCAL:
            seconds = _pace.seconds(missing) if _pace.known else None
            shell.note(retrieve_words.would_take(len(missing), seconds))
        else:
            shell.note(retrieve_words.would_send(missing, by.name, server_of(told.embedder)))
        label = "Try again" if problem else retrieve_words.leave(len(missing), here=told.embedder == LOCAL)
        st.button(label, key="retrieve-embed", type="primary", on_click=state.want, args=(key,))
