"""Cutting, indexing and measuring for the Retrieve page, remembered by what they depend on.

What is remembered is immutable and shared, so it is kept as it is. Keys are hashes of texts and
questions, configs, and how often models have answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Lock

import streamlit as st

from chunking import Config, Document, Run
from chunking.gold import Question
from chunking.models import RememberingEmbedder
from chunking.retrieval import Evaluation, Mode, Ranked, Searcher, evaluate, lost_in
from chunking.tokens import LostEnds
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import caches
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus, with_unique_names

Progress = Callable[[int, int], None]


def shelf(documents: Sequence[Document], config: Config, counter: str) -> ChunkedCorpus:
    """All documents, cut as the config says. Raises ChunkscopeError where one cannot be."""
    runs = tuple(caches.run(document, config) for document in documents)
    return _shelf(_of(documents), config, caches.answers_for(config.strategy), counter, tuple(documents), runs)


def searcher(of: ChunkedCorpus, config: Config, told: Retrieving, embed: RememberingEmbedder | None) -> Searcher:
    """The config's chunks, indexed for this way of searching; their texts are embedded already.
    Raises ModelError."""
    return _searcher(shelf_key(of, config), f"{told.way}/{embed.name if embed else ''}/{told.mode}", told, of, embed)


def search(of: Searcher, told: Retrieving, question: str) -> tuple[Ranked, ...]:
    """The best of all passages, and enough of them to fill what is to be retrieved. Raises
    ModelError."""
    return of.ranked(question, told.chunks if told.max_tokens is None else MOST_RANKED)


MOST_RANKED = 200
"""Passages that are looked at to fill a number of tokens."""


def evaluation(
    of: ChunkedCorpus, config: Config, told: Retrieving, at: Searcher, questions: Sequence[Question], progress: Progress
) -> Evaluation:
    """The config measured on these questions. Raises ModelError."""
    asked = sha256(repr(tuple(questions)).encode("utf-8", "surrogatepass")).hexdigest()
    key = f"{told.way}/{told.embedder}/{told.model}/{told.mode}/{told.equal}/{told.chunks}/{told.tokens}"
    whole = f"{shelf_key(of, config)}/{key}/{asked}"
    # Not Streamlit's cache: it would take the progress bar for a part of the result.
    known = _evaluations.get(whole)
    if known is None:
        known = _measured(of, told, at, questions, progress)
        with _lock:
            _evaluations[whole] = known
            while len(_evaluations) > _MOST_EVALUATIONS:
                _evaluations.pop(next(iter(_evaluations)), None)
    return known


_MOST_EVALUATIONS = 64
_lock = Lock()
_evaluations: dict[str, Evaluation] = {}
"""By what they depend on, the oldest first; shared by all sessions, as Streamlit's caches are."""


def _measured(
    of: ChunkedCorpus, told: Retrieving, at: Searcher, questions: Sequence[Question], progress: Progress
) -> Evaluation:
    return evaluate(
        of.passages(told.mode),
        questions,
        of.documents,
        at,
        mode=told.mode,
        top=told.chunks,
        max_tokens=told.max_tokens,
        progress=progress,
    )


def lost(of: ChunkedCorpus, config: Config, mode: Mode, embedder_name: str) -> LostEnds | None:
    """The chunks that this embedder reads only the beginning of; None where it is not known what it
    reads."""
    return _lost(f"{shelf_key(of, config)}/{mode}", embedder_name, mode, of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _lost(key: str, embedder_name: str, mode: Mode, _of: ChunkedCorpus) -> LostEnds | None:  # noqa: ARG001
    return lost_in(_of.passages(mode), _of.documents, embedder_name)


def shelf_key(of: ChunkedCorpus, config: Config) -> str:
    """What tells these chunks from all others."""
    return f"{_of(of.documents)}/{config!r}/{caches.answers_for(config.strategy)}/{of.counter}"


def _of(documents: Sequence[Document]) -> str:
    """What tells these documents from others: their names and texts."""
    told = "\0".join(f"{document.name}\0{document.text_hash}" for document in documents)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Config: repr})
def _shelf(
    documents: str,  # noqa: ARG001
    config: Config,  # noqa: ARG001
    answers: int,  # noqa: ARG001
    counter: str,
    _documents: tuple[Document, ...],
    _runs: tuple[Run, ...],
) -> ChunkedCorpus:
    return ChunkedCorpus(with_unique_names(_documents), _runs, counter)


@st.cache_resource(max_entries=16, show_spinner=False)
def _searcher(
    of: str,  # noqa: ARG001
    key: str,  # noqa: ARG001
    _told: Retrieving,
    _shelf: ChunkedCorpus,
    _embed: RememberingEmbedder | None,
) -> Searcher:
    return Searcher(_shelf.passages(_told.mode), _told.way, _embed)
