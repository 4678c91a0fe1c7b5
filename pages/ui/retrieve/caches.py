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
from chunking.models import CachedEmbedder
from chunking.retrieval import Evaluation, Mode, Ranked, Searcher, evaluate, lost_in
from chunking.tokens import LostEnds
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import caches
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus, with_unique_names

Progress = Callable[[int, int], None]


def corpus(documents: Sequence[Document], config: Config, counter: str) -> ChunkedCorpus:
    """All documents, cut by the config. Raises ChunkscopeError where one cannot be cut."""
    runs = tuple(caches.run(document, config) for document in documents)
    return _chunked_corpus(
        _documents_key(documents), config, caches.answers_for(config.strategy), counter, tuple(documents), runs
    )


def searcher(of: ChunkedCorpus, config: Config, retrieving: Retrieving, embed: CachedEmbedder | None) -> Searcher:
    """The config's chunks, indexed for this way of searching; their texts are embedded already.
    Raises ModelError."""
    key = f"{retrieving.way}/{embed.name if embed else ''}/{retrieving.mode}"
    return _searcher(corpus_key(of, config), key, retrieving, of, embed)


def search(of: Searcher, retrieving: Retrieving, question: str) -> tuple[Ranked, ...]:
    """The best passages for a question, enough to fill the tokens to retrieve. Raises
    ModelError."""
    return of.ranked(question, retrieving.chunks if retrieving.max_tokens is None else MOST_RANKED)


MOST_RANKED = 200
"""Passages that are looked at to fill a number of tokens."""


def evaluation(
    of: ChunkedCorpus,
    config: Config,
    retrieving: Retrieving,
    at: Searcher,
    questions: Sequence[Question],
    progress: Progress,
) -> Evaluation:
    """The config measured on these questions. Raises ModelError."""
    asked = sha256(repr(tuple(questions)).encode("utf-8", "surrogatepass")).hexdigest()
    embedder = f"{retrieving.embedder}/{retrieving.model}"
    key = f"{retrieving.way}/{embedder}/{retrieving.mode}/{retrieving.equal}/{retrieving.chunks}/{retrieving.tokens}"
    whole = f"{corpus_key(of, config)}/{key}/{asked}"
    # Not Streamlit's cache: it would take the progress bar for a part of the result.
    known = _evaluations.get(whole)
    if known is None:
        known = _measured(of, retrieving, at, questions, progress)
        with _lock:
            _evaluations[whole] = known
            while len(_evaluations) > _MOST_EVALUATIONS:
                _evaluations.pop(next(iter(_evaluations)), None)
    return known


_MOST_EVALUATIONS = 64
_lock = Lock()
_evaluations: dict[str, Evaluation] = {}
"""By a key of all their inputs, the oldest first; shared by all sessions, as Streamlit's caches."""


def _measured(
    of: ChunkedCorpus, retrieving: Retrieving, at: Searcher, questions: Sequence[Question], progress: Progress
) -> Evaluation:
    return evaluate(
        of.passages(retrieving.mode),
        questions,
        of.documents,
        at,
        mode=retrieving.mode,
        top=retrieving.chunks,
        max_tokens=retrieving.max_tokens,
        progress=progress,
    )


def lost(of: ChunkedCorpus, config: Config, mode: Mode, embedder_name: str) -> LostEnds | None:
    """The chunks that are longer than this embedder reads; None where its limit is not known."""
    return _lost(f"{corpus_key(of, config)}/{mode}", embedder_name, mode, of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _lost(key: str, embedder_name: str, mode: Mode, _corpus: ChunkedCorpus) -> LostEnds | None:  # noqa: ARG001
    return lost_in(_corpus.passages(mode), _corpus.documents, embedder_name)


def corpus_key(of: ChunkedCorpus, config: Config) -> str:
    """The cache key of a config's chunks of some documents."""
    return f"{_documents_key(of.documents)}/{config!r}/{caches.answers_for(config.strategy)}/{of.counter}"


def _documents_key(documents: Sequence[Document]) -> str:
    """The cache key of some documents: a hash of their names and texts."""
    names = "\0".join(f"{document.name}\0{document.text_hash}" for document in documents)
    return sha256(names.encode("utf-8", "surrogatepass")).hexdigest()


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Config: repr})
def _chunked_corpus(
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
    _retrieving: Retrieving,
    _corpus: ChunkedCorpus,
    _embed: CachedEmbedder | None,
) -> Searcher:
    return Searcher(_corpus.passages(_retrieving.mode), _retrieving.way, _embed)
