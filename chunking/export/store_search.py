"""A store asked: by meaning, by words, or by both. What it answers is read with distrust."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, cast, get_args

import numpy as np
import regex

from chunking.core.records import ChunkRecord
from chunking.errors import ModelError, StoreError
from chunking.export.store_facts import Embedding, facts_in
from chunking.export.stored_chunks import Vectors, unit, valid
from chunking.export.vector_store import Store
from chunking.models.embedders import embedder

Mode = Literal["hybrid", "cosine", "bm25"]
MODES: tuple[Mode, ...] = get_args(Mode)
RANK_CONSTANT = 60
"""k of reciprocal rank fusion: a rank counts 1 / (60 + rank), as in the paper that proposed it
(Cormack 2009)."""
NEAREST = 1000
"""Chunks that a search by meaning asks a store for: more have no rank in a hybrid search."""
_MOST_TEXTS = 200_000
"""Chunks whose texts are read for a search by words."""
_TEXTS, _LINES = ("document", "text", "context"), ("start_line", "end_line")
"""The keys of a record that a search shows, by type."""
# Words, and for scripts that are written without blanks each character by itself.
_TERM = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]|[\p{L}\p{M}\p{N}_]+")


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found for a question, with its scores."""

    rank: int
    """From 1."""
    score: float
    """The score that ranks it: the cosine, the BM25 score, or the fused reciprocal ranks."""
    cosine: float | None
    bm25: float | None
    record: ChunkRecord


def embedder_of(facts: Mapping[str, str]) -> Embedding:
    """The embedder of a store with these facts, which a search asks for the question's vector."""
    return Embedding(facts["provider"], facts["model"])


def search(store: Store, question: str, *, mode: Mode = "hybrid", top: int = 5) -> tuple[Hit, ...]:
    """The chunks that match a question best, best first.

    `cosine` compares vectors, `bm25` words; `hybrid` fuses both by reciprocal rank. BM25 leaves out
    chunks without any of the question's words. Raises StoreError for what is not a Chunkscope
    store, ModelError when the question can't be embedded as the store was.
    """
    if not question.strip():
        raise StoreError("the question is empty; give a few words")
    facts = facts_in(store)
    words = _by_words(store, question) if mode != "cosine" else {}
    asked = _embedded(store, question, facts) if mode != "bm25" else None
    near = store.nearest(asked, max(top, NEAREST)) if asked is not None else []
    ranked = sorted(words, key=words.__getitem__, reverse=True)
    scores = _fused(near, ranked) if mode == "hybrid" else words
    best = near if mode == "cosine" else sorted(scores, key=scores.__getitem__, reverse=True)
    best = best[: max(0, top)]
    cosines = _cosines(store, best, asked)
    records = store.records(best)
    found = [each for each in best if each in records]  # another process may have removed some by now
    return tuple(
        Hit(
            rank,
            round(cosines[each] if mode == "cosine" else scores[each], 6),
            round(cosines[each], 6) if asked is not None else None,
            round(words.get(each, 0.0), 6) if mode != "cosine" else None,
            _record(store, records[each]),
        )
        for rank, each in enumerate(found, start=1)
    )


def _fused(near: Sequence[str], ranked: Sequence[str]) -> dict[str, float]:
    """Reciprocal rank fusion of two orders of ids; the first one's order among equals."""
    scores = dict.fromkeys(near, 0.0)
    for order in (near, ranked):
        for rank, each in enumerate(order, start=1):
            scores[each] = scores.get(each, 0.0) + 1 / (RANK_CONSTANT + rank)
    return scores


def fused(cosines: Vectors, bm25: Vectors) -> Vectors:
    """Reciprocal rank fusion of both orders; a text without any of the words has no rank in the
    second."""
    fused = np.zeros(len(cosines), dtype=np.float32)
    for scores in (cosines, bm25):
        order = np.argsort(-scores, kind="stable")
        ranked = order if scores is cosines else order[scores[order] > 0]
        fused[ranked] += 1 / (RANK_CONSTANT + np.arange(1, len(ranked) + 1, dtype=np.float32))
    return fused


def terms(text: str) -> list[str]:
    """The words by which BM25 compares texts: folded, and single characters in scripts without
    blanks."""
    return [found.casefold() for found in _TERM.findall(text)]


def term_spans(text: str, wanted: Container[str]) -> Iterator[tuple[int, int]]:
    """Where these words stand in a text, in order: offsets, half-open."""
    return (found.span() for found in _TERM.finditer(text) if found[0].casefold() in wanted)


def _embedded(store: Store, question: str, facts: Mapping[str, str]) -> Vectors:
    by = embedder_of(facts)
    embed = embedder(by.provider, by.model)
    if embed.name != facts["embedder"]:
        raise ModelError(
            f"{store.shown}: was embedded with {facts['embedder']}, and this is {embed.name}; write it again"
        )
    vector: Vectors = unit(np.asarray(embed([valid(question)]), dtype=np.float32))[0]
    if (held := facts.get("dimensions", "0")) not in ("0", str(len(vector))):
        _refuse(store, f"holds vectors of {held} numbers, and {embed.name} gives {len(vector)}")
    return vector


def _cosines(store: Store, ids: Sequence[str], asked: Vectors | None) -> dict[str, float]:
    """From the vectors themselves: what an engine calls a score, a distance or a similarity is not
    asked."""
    if asked is None:
        return {}
    vectors = store.vectors(ids)
    if any(each.shape != asked.shape or not np.isfinite(each).all() for each in vectors.values()):
        _refuse(store, f"holds vectors that are not {len(asked)} finite numbers")
    return {each: float(vectors[each] @ asked) if each in vectors else 0.0 for each in ids}


def _by_words(store: Store, question: str) -> dict[str, float]:
    """Lucene's BM25 (k1 1.5, b 0.75) of the chunks that share a word with the question, by id."""
    import bm25s

    ids: list[str] = []
    corpus: list[list[str]] = []
    for each, text in store.texts():
        ids.append(each)
        corpus.append(terms(text))
        if len(ids) > _MOST_TEXTS:
            raise StoreError(
                f"{store.shown}: has more than {_MOST_TEXTS:,} chunks to search by words; take --mode cosine"
            )
    known = {term for document in corpus for term in document}
    query = [term for term in terms(question) if term in known]
    if not query:
        return {}
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    scores: Vectors = np.asarray(index.get_scores(query), dtype=np.float32)
    return {ids[at]: float(scores[at]) for at in np.flatnonzero(scores > 0).tolist()}


def _record(store: Store, text: str) -> ChunkRecord:
    """A record from its JSON."""
    try:
        found = json.loads(text)
        json.dumps(found, allow_nan=False)
    except (ValueError, RecursionError):
        _refuse(store, "holds a record that is not valid JSON")
    if not isinstance(found, dict):
        _refuse(store, "holds a record that is not a JSON object")
    for keys, kind, called in ((_TEXTS, str, "text"), (_LINES, int, "a number")):
        for key in keys:
            if not isinstance(found.get(key), kind):
                _refuse(store, f"holds a record whose {key} is not {called}")
    return cast(ChunkRecord, found)


def _refuse(store: Store, problem: str) -> NoReturn:
    raise StoreError(f"{store.shown}: {problem}; write one with `chunkscope run CONFIG PATH -o`")
