"""Cutting, indexing and measuring for the Retrieve page, remembered by what they depend on.

What is remembered is immutable and shared, so it is kept as it is. Keys are hashes of texts and
questions, configs, and how often models have answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

from chunking import Config, Document, Run
from chunking.gold import Question
from chunking.models import CachedEmbedder, CachedReranker, LateEmbedder, token_embedder
from chunking.retrieval import (
    AutoMerge,
    Costs,
    Curve,
    Evaluation,
    Failure,
    GiveBack,
    Mode,
    Ranked,
    Searcher,
    costs_of,
    evaluate,
    late_vectors,
    lost_in,
    why_failed,
)
from chunking.retrieval import curve as measure_curve
from chunking.runtime import memory
from chunking.tokens import LostEnds, window_named
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import caches
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus, with_unique_names
from pages.ui.server.owners import owner

Progress = Callable[[int, int], None]


def corpus(documents: Sequence[Document], config: Config, counter: str) -> ChunkedCorpus:
    """All documents, cut by the config and its overrides. Raises ChunkscopeError where one cannot
    be."""
    runs = tuple(caches.run(document, config.for_document(document.name)) for document in documents)
    return _chunked_corpus(tuple(documents), runs, config, counter)


def searcher(
    of: ChunkedCorpus,
    config: Config,
    retrieving: Retrieving,
    embed: CachedEmbedder | None,
    rerank: CachedReranker | None = None,
    progress: Progress | None = None,
) -> Searcher:
    """The config's chunks, indexed for this way of searching; their texts are embedded already, but
    for late chunking, which tells `progress`. Raises ModelError."""
    whole = _searcher_key(of, config, retrieving, embed)
    known = _searcher.known(whole, of)
    if known is None:
        passages, vectors = of.passages(retrieving.mode), None
        if embed is not None and retrieving.reads_late:
            vectors = late_vectors(passages, of.documents, LateEmbedder(token_embedder(embed)), progress)
        known = Searcher(passages, retrieving.way, embed, vectors=vectors, rerank=rerank)
        _searcher.keep(known, whole, of)
    return known


def is_indexed(of: ChunkedCorpus, config: Config, retrieving: Retrieving, embed: CachedEmbedder | None) -> bool:
    """Whether `searcher` has nothing left to do."""
    return _searcher.known(_searcher_key(of, config, retrieving, embed), of) is not None


def _searcher_key(of: ChunkedCorpus, config: Config, retrieving: Retrieving, embed: CachedEmbedder | None) -> str:
    return f"{corpus_key(of, config)}/{retrieving.ranks_by}/{embed.name if embed else ''}/{retrieving.mode}"


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
    whole = _evaluated_key(of, config, retrieving, questions)
    known = _evaluation.known(whole, of)
    if known is None:
        known = _measured(of, retrieving, at, questions, progress)
        _evaluation.keep(known, whole, of)
    return known


def _evaluated_key(of: ChunkedCorpus, config: Config, retrieving: Retrieving, questions: Sequence[Question]) -> str:
    """The cache key of all that an evaluation depends on."""
    of_questions = sha256(repr(tuple(questions)).encode("utf-8", "surrogatepass")).hexdigest()
    how = f"{retrieving.ranks_by}/{retrieving.gives_back}/{retrieving.equal}/{retrieving.chunks}/{retrieving.tokens}"
    return f"{corpus_key(of, config)}/{how}/{of_questions}"


@memory.remembered(most=64, of=lambda _, of: _texts(of), key=lambda key, _: key)
def _evaluation(key: str, of: ChunkedCorpus) -> Evaluation | None:  # noqa: ARG001
    """By a key of all its inputs."""
    return None


def curve(
    of: ChunkedCorpus,
    config: Config,
    retrieving: Retrieving,
    at: Searcher,
    questions: Sequence[Question],
) -> Curve:
    """The config measured on these questions at every budget. Raises ModelError."""
    of_questions = sha256(repr(tuple(questions)).encode("utf-8", "surrogatepass")).hexdigest()
    whole = f"{corpus_key(of, config)}/{retrieving.ranks_by}/{retrieving.gives_back}/{of_questions}"
    known = _curve.known(whole, of)
    if known is None:
        passages = of.passages(retrieving.mode, retrieving.neighbours)
        known = measure_curve(
            *(passages, questions, of.documents, at),
            mode=retrieving.mode,
            counted_by=of.counter,
            give_back=give_back(of, retrieving),
        )
        _curve.keep(known, whole, of)
    return known


@memory.remembered(most=32, of=lambda _, of: _texts(of), key=lambda key, _: key)
def _curve(key: str, of: ChunkedCorpus) -> Curve | None:  # noqa: ARG001
    """By a key of all its inputs."""
    return None


def failed(
    of: ChunkedCorpus,
    config: Config,
    retrieving: Retrieving,
    at: Searcher,
    questions: Sequence[Question],
    measured: Evaluation,
    embedder_name: str,
) -> tuple[Failure, ...]:
    """Why questions failed; `measured` is `evaluation` of the same, and `embedder_name` is empty
    where no vectors are compared. Raises ModelError."""
    whole = f"{_evaluated_key(of, config, retrieving, questions)}/{embedder_name}"
    known = _failed.known(whole, of)
    if known is None:
        known = why_failed(
            of.passages(retrieving.mode, retrieving.neighbours),
            *(questions, of.documents, at, measured),
            mode=retrieving.mode,
            counted_by=of.counter,
            window=window_named(embedder_name),
            give_back=give_back(of, retrieving),
        )
        _failed.keep(known, whole, of)
    return known


@memory.remembered(most=32, of=lambda _, of: _texts(of), key=lambda key, _: key)
def _failed(key: str, of: ChunkedCorpus) -> tuple[Failure, ...] | None:  # noqa: ARG001
    """By a key of all its inputs."""
    return None


def _measured(
    of: ChunkedCorpus, retrieving: Retrieving, at: Searcher, questions: Sequence[Question], progress: Progress
) -> Evaluation:
    return evaluate(
        of.passages(retrieving.mode, retrieving.neighbours),
        questions,
        of.documents,
        at,
        mode=retrieving.mode,
        top=retrieving.chunks,
        max_tokens=retrieving.max_tokens,
        counted_by=of.counter,
        give_back=give_back(of, retrieving),
        progress=progress,
    )


def give_back(of: ChunkedCorpus, retrieving: Retrieving) -> GiveBack | None:
    """What several hits give back together; None where each gives back its own."""
    if not retrieving.merge:
        return None
    passages = of.passages(retrieving.mode, retrieving.neighbours)
    return AutoMerge(passages, of.documents, retrieving.merge / 100)


def costs(
    of: ChunkedCorpus,
    config: Config,
    retrieving: Retrieving,
    at: Searcher,
    measured: Evaluation,
    questions: Sequence[Question],
    price: float | None,
) -> Costs:
    """What the config costs; the time of a search is measured once. Raises ModelError."""
    whole = f"{corpus_key(of, config)}/{retrieving.ranks_by}/{len(questions)}"
    known = _costs.known(whole, of)
    if known is None:
        known = costs_of(measured, at, [each.text for each in questions], price)
        _costs.keep(known, whole, of)
    return replace(known, price=price)


@memory.remembered(most=32, of=lambda _, of: _texts(of), key=lambda key, _: key)
def _costs(key: str, of: ChunkedCorpus) -> Costs | None:  # noqa: ARG001
    """By a key of all its inputs."""
    return None


def lost(of: ChunkedCorpus, config: Config, mode: Mode, embedder_name: str) -> LostEnds | None:
    """The chunks that are longer than this embedder reads; None where its limit is not known."""
    return _lost(corpus_key(of, config), embedder_name, mode, of)


@memory.remembered(
    most=32, of=lambda _key, _name, _mode, of: _texts(of), key=lambda key, name, mode, _: (key, name, mode)
)
def _lost(key: str, embedder_name: str, mode: Mode, of: ChunkedCorpus) -> LostEnds | None:  # noqa: ARG001
    return lost_in(of.passages(mode), of.documents, embedder_name)


def _texts(of: ChunkedCorpus) -> list[str]:
    return [document.text for document in of.documents]


def corpus_key(of: ChunkedCorpus, config: Config) -> str:
    """The cache key of a config's chunks of some documents, for this owner."""
    return f"{owner().key}/{_documents_key(of.documents)}/{config!r}/{caches.answers_for(config.strategy)}/{of.counter}"


def _documents_key(documents: Sequence[Document]) -> str:
    """The cache key of some documents: a hash of their names and texts."""
    names = "\0".join(f"{document.name}\0{document.text_hash}" for document in documents)
    return sha256(names.encode("utf-8", "surrogatepass")).hexdigest()


@memory.remembered(
    most=16,
    of=lambda documents, _runs, _config, _counter: [document.text for document in documents],
    key=lambda documents, _, config, counter: (
        *(_documents_key(documents), repr(config), caches.answers_for(config.strategy), counter),
    ),
)
def _chunked_corpus(
    documents: tuple[Document, ...],
    runs: tuple[Run, ...],
    config: Config,  # noqa: ARG001
    counter: str,
) -> ChunkedCorpus:
    return ChunkedCorpus(with_unique_names(documents), runs, counter)


@memory.remembered(most=16, of=lambda _, of: _texts(of), key=lambda key, _: key)
def _searcher(key: str, of: ChunkedCorpus) -> Searcher | None:  # noqa: ARG001
    """By a key of all its inputs."""
    return None
