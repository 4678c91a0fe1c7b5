"""Cutting, indexing and measuring for the Retrieve page, remembered by what they depend on.

What is remembered is immutable and shared, so it is kept as it is. Keys are hashes of texts and questions, configs, and
how often models have answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from chunking import Config, Document, Run
from chunking.evaluating import Evaluation, evaluate
from chunking.gold import Question
from chunking.models.embedders import RememberingEmbedder
from chunking.searching import Embedded, Ranked, Searcher
from pages.ui import cached
from pages.ui.retrieve_choice import Retrieving
from pages.ui.retrieve_corpus import Shelf, told_apart

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Ready:
    """A config's chunks, made ready to be searched, and what that took when it was done."""

    searcher: Searcher
    embedded: Embedded


def shelf(documents: Sequence[Document], config: Config, counter: str) -> Shelf:
    """All documents, cut as the config says. Raises ChunkscopeError where one cannot be."""
    runs = tuple(cached.run(document, config) for document in documents)
    return _shelf(_of(documents), config, cached.answers_for(config.strategy), counter, tuple(documents), runs)


def ready(
    of: Shelf, config: Config, told: Retrieving, embed: RememberingEmbedder | None, embedded: Embedded | None
) -> Ready:
    """The config's chunks, indexed for this way of searching. Raises ModelError where vectors cannot be had.

    Their texts are embedded already; `embedded` says what that took, None where nothing was looked at.
    """
    key = f"{told.way}/{embed.name if embed and told.embeds else ''}/{told.mode}"
    return _ready(_key(of, config), key, told, of, embed, embedded or Embedded())


def search(of: Ready, told: Retrieving, question: str) -> tuple[Ranked, ...]:
    """The best of all passages, and enough of them to fill what is to be retrieved. Raises ModelError."""
    return of.searcher.ranked(question, told.chunks if told.max_tokens is None else MOST_RANKED)


MOST_RANKED = 200
"""Passages that are looked at to fill a number of tokens."""


def evaluation(
    of: Shelf, config: Config, told: Retrieving, at: Ready, questions: Sequence[Question], progress: Progress
) -> Evaluation:
    """The config measured on these questions. Raises ModelError."""
    asked = sha256(repr(tuple(questions)).encode("utf-8", "surrogatepass")).hexdigest()
    key = f"{told.way}/{told.embedder}/{told.model}/{told.mode}/{told.equal}/{told.chunks}/{told.tokens}"
    return _evaluation(_key(of, config), key, asked, told, of, at, tuple(questions), progress)


def _key(of: Shelf, config: Config) -> str:
    return f"{_of(of.documents)}/{config!r}/{cached.answers_for(config.strategy)}/{of.counter}"


def _of(documents: Sequence[Document]) -> str:
    """What tells these documents from others: their names and texts."""
    told = "\0".join(f"{document.name}\0{cached.text_hash_of(document)}" for document in documents)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Config: repr})
def _shelf(
    documents: str,  # noqa: ARG001
    config: Config,  # noqa: ARG001
    answers: int,  # noqa: ARG001
    counter: str,
    _documents: tuple[Document, ...],
    _runs: tuple[Run, ...],
) -> Shelf:
    return Shelf(told_apart(_documents), _runs, counter)


@st.cache_resource(max_entries=16, show_spinner=False)
def _ready(
    of: str,  # noqa: ARG001
    key: str,  # noqa: ARG001
    _told: Retrieving,
    _shelf: Shelf,
    _embed: RememberingEmbedder | None,
    _embedded: Embedded,
) -> Ready:
    return Ready(Searcher(_shelf.passages(_told.mode), _told.way, _embed), _embedded)


@st.cache_resource(max_entries=32, show_spinner=False)
def _evaluation(
    of: str,  # noqa: ARG001
    key: str,  # noqa: ARG001
    asked: str,  # noqa: ARG001
    _told: Retrieving,
    _shelf: Shelf,
    _at: Ready,
    _questions: tuple[Question, ...],
    _progress: Progress,
) -> Evaluation:
    return evaluate(
        _shelf.passages(_told.mode),
        _questions,
        _shelf.documents,
        _at.searcher,
        mode=_told.mode,
        top=_told.chunks,
        max_tokens=_told.max_tokens,
        progress=_progress,
    )
