"""A reranker over HTTP on the Retrieve page: which are set up, and nothing is sent before somebody
says so."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import Document
from chunking.errors import ModelError
from chunking.models import RERANKERS, CachedReranker, reranker
from chunking.retrieval import CANDIDATES
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import page_frame

HOW_TO = (
    "No reranker is set up: set CHUNKSCOPE_BASE_URL (with /rerank), CHUNKSCOPE_TEI_URL, or a key of Cohere, Jina or "
    "Voyage, and start the app again."
)


def set_up() -> tuple[str, ...]:
    """The rerankers that have their key or address in the environment."""
    return tuple(name for name in RERANKERS if _made(name, "m"))


def _made(name: str, model: str) -> CachedReranker | None:
    try:
        return reranker(name, model)
    except ModelError:
        return None


def chosen(
    retrieving: Retrieving, documents: Sequence[Document], questions: int, place: DeltaGenerator
) -> CachedReranker | None:
    """The reranker that may be asked now; None without one, or before somebody allowed it, which
    `place` asks for."""
    if not retrieving.reranker:
        return None
    try:
        found = reranker(retrieving.reranker, retrieving.rerank_model)
    except ModelError as error:
        page_frame.problem(str(error))
        return None
    texts = sha256("\0".join(each.text_hash for each in documents).encode()).hexdigest()
    key = f"rerank/{found.name}/{texts}"
    if state.is_allowed(key):
        return found
    asked = counted(max(1, questions), "question")
    with place.container(key="retrieve-leave-rerank", gap="xsmall"):
        page_frame.note(
            f"{asked}, each with up to {counted(CANDIDATES, 'chunk')} of each config, would be sent to {found.name} to "
            "be ranked; what is asked about these documents later, too. Answers are remembered."
        )
        st.button("Send to be ranked", key="retrieve-rerank", type="primary", on_click=state.allow, args=(key,))
    return None
