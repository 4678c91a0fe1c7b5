"""A store of embedded chunks in one SQLite file: written by `run -o kb.sqlite`, read by `search`.

The spec's pipeline in one file: load, chunk, embed, store, search (semantic-contextual.md, "Full
Pipeline").
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np
import numpy.typing as npt
import regex

from chunking.config.config import Config
from chunking.core.records import ChunkRecord, Record, json_line
from chunking.core.strategy import Strategy
from chunking.errors import ModelError, StoreError
from chunking.export.store_file import FORMAT, opened_store
from chunking.models.embedders import embedder
from chunking.text.languages import EnglishTally, english_warning, seems_other_than_english
from chunking.tokens.embedder_windows import LostEnds, LostEndsPlace, LostEndsTally, text_sizes, window_named

Vectors = npt.NDArray[np.float32]
Mode = Literal["hybrid", "cosine", "bm25"]
MODES: tuple[Mode, ...] = get_args(Mode)
_MOST_NOTES = 20
BATCH = 256
"""Chunks embedded at a time."""
RANK_CONSTANT = 60
"""k of reciprocal rank fusion: a rank counts 1 / (60 + rank), as in the paper that proposed it
(Cormack 2009)."""

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, document TEXT NOT NULL, tokens INTEGER NOT NULL,
    text TEXT NOT NULL, record TEXT NOT NULL, vector BLOB NOT NULL
);
"""
# Made when all rows are there: ids come in no order, and each would change another page.
_INDEX = "CREATE INDEX chunks_by_id ON chunks (id)"
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "temp_store = FILE")
"""For a file that nobody else has yet, and that counts only once it is whole."""
# Words, and for scripts that are written without blanks each character by itself.
_TERM = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]|[\p{L}\p{M}\p{N}_]+")


@dataclass(frozen=True, slots=True)
class Embedding:
    """The embedder of a store's vectors; keys and addresses stay in the environment."""

    provider: str
    model: str


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


def embedding_of(strategy: Strategy) -> Embedding:
    """The embedder that the strategy, or one that it wraps, cuts by; the local model where none
    does."""
    inner: object = strategy
    while isinstance(inner, Strategy):
        provider = getattr(inner, "embedder", None)
        if isinstance(provider, str):
            return Embedding(provider, str(getattr(inner, "model", "")))
        inner = getattr(inner, "base", None)
    return Embedding("local", "")


@dataclass(frozen=True, slots=True)
class Stored:
    """What the embedder did not read, or reads badly: reported when the store is written, and kept
    in it for searches."""

    lost: LostEnds | None
    """Chunks that are longer than the embedder reads; None where its limit is not known."""
    not_english: tuple[str, ...]
    """Documents that seem not to be English, for an English embedder."""
    documents: int
    embedder: str

    @property
    def notes(self) -> tuple[str, ...]:
        """The warnings, one line each."""
        if self.lost is None:
            ends = f"how much of a text {self.embedder} reads is not known here: ends of long chunks may be lost"
        else:
            ends = self.lost.message if self.lost.chunks else ""
        english = english_warning(self.embedder, self.not_english, self.documents)
        return tuple(note for note in (ends, english) if note)


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as a row of the store, without its vector."""

    id: str
    document: str
    tokens: int
    text: str
    """As it is; `valid` makes it what the store can hold."""
    record: str
    """The record as JSON."""
    first_line: int
    last_line: int


def rows_of(records: Iterable[Record]) -> list[StoredChunk]:
    """The chunks among some records, as rows."""
    return [
        StoredChunk(
            *(each["id"], valid(each["document"]), each["tokens"], each["text"], json_line(each)),
            *(each["start_line"], each["end_line"]),
        )
        for each in records
        if each["type"] == "chunk"
    ]


def write_store(
    chunks: Iterable[StoredChunk],
    place: Path,
    config: Config,
    progress: Callable[[int], None] | None = None,
    folder: Path | None = None,
) -> Stored:
    """Embed the chunks and write them to `place`, an empty file or none, as one SQLite database.

    Each batch is in the file before the next one is embedded, and nothing of it is kept in memory.
    `progress` is called with the chunks stored. `folder` is where the store will be, if not the
    current one: its YAML names a tokenizer.json relative to it. Raises ModelError; what is at
    `place` then is no store.
    """
    embedding = embedding_of(config.strategy)
    embed = embedder(embedding.provider, embedding.model)
    coming = iter(chunks)
    with closing(sqlite3.connect(place)) as store:
        for pragma in _PRAGMAS:
            store.execute(f"PRAGMA {pragma}")
        store.executescript(_TABLES)
        stored, window = 0, window_named(embed.name)
        lost = LostEndsTally(window) if window else None
        languages: dict[str, EnglishTally] = {}
        while batch := list(islice(coming, BATCH)):
            vectors = unit(np.asarray(embed([valid(each.text) for each in batch]), dtype=np.float32))
            rows = zip(range(stored, stored + len(batch)), batch, vectors, strict=True)
            store.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", (_row(*row) for row in rows))
            store.commit()
            stored += len(batch)
            if window and lost:
                for each, size in zip(batch, text_sizes([each.text for each in batch], window), strict=True):
                    lost.add(size, LostEndsPlace(each.document, each.first_line, each.last_line))
            for each in batch:
                languages.setdefault(each.document, EnglishTally()).add(each.text)
            if progress:
                progress(stored)
        others = tuple(name for name, tally in languages.items() if embed.is_local and tally.seems_other)
        made = Stored(lost.found if lost else None, others, len(languages), embed.name)
        facts = {
            "format": FORMAT,
            "config": config.to_yaml(folder=folder),
            "provider": embedding.provider,
            "model": embedding.model,
            "embedder": embed.name,
            "lost_ends": json.dumps(made.lost.to_dict() if made.lost else None),
            "notes": json.dumps(made.notes),
        }
        store.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
        store.execute(_INDEX)
        store.commit()
    return made


def embedder_of(store: Path) -> Embedding:
    """The embedder of a store, which a search asks for the question's vector. Raises StoreError."""
    with opened_store(store) as opened:
        facts = opened.facts()
    return Embedding(facts["provider"], facts["model"])


def store_notes(store: Path, question: str) -> tuple[str, ...]:
    """Warnings for a search by vectors in this store, one line each. Raises StoreError."""
    with opened_store(store) as opened:
        facts = opened.facts()
    try:
        written = json.loads(facts.get("notes", "[]"))
    except (ValueError, RecursionError):
        written = []
    notes = [note for note in written[:_MOST_NOTES] if isinstance(note, str)] if isinstance(written, list) else []
    if facts.get("provider") == "local" and seems_other_than_english([question]):
        notes.append("the question seems not to be English, and the model that embedded this store is")
    return tuple(notes)


def search(store: Path, question: str, *, mode: Mode = "hybrid", top: int = 5) -> tuple[Hit, ...]:
    """The chunks that match a question best, best first.

    `cosine` compares vectors, `bm25` words; `hybrid` fuses both by reciprocal rank. BM25 leaves out
    chunks without any of the question's words. Raises StoreError for a file that is not a
    Chunkscope store, ModelError when the question can't be embedded as the store was.
    """
    if not question.strip():
        raise StoreError("the question is empty; give a few words")
    with opened_store(store) as opened:
        facts, rows = opened.facts(), opened.texts_and_records()
        if not rows:
            return ()
        vectors = opened.vectors(len(rows)) if mode in ("cosine", "hybrid") else None
        cosines = None if vectors is None else _cosines(question, facts, vectors, store)
        bm25 = _bm25(question, [text for text, _ in rows]) if mode in ("bm25", "hybrid") else None
        scores = _scores(cosines, bm25)
        order = np.argsort(-scores, kind="stable")
        if mode == "bm25":
            order = order[scores[order] > 0]
        return tuple(
            Hit(
                rank,
                round(float(scores[at]), 6),
                None if cosines is None else round(float(cosines[at]), 6),
                None if bm25 is None else round(float(bm25[at]), 6),
                opened.record(rows[at][1]),
            )
            for rank, at in enumerate(order[: max(0, top)].tolist(), start=1)
        )


def _scores(cosines: Vectors | None, bm25: Vectors | None) -> Vectors:
    """What ranks: both fused, or the one there is."""
    if cosines is not None and bm25 is not None:
        return fused(cosines, bm25)
    return cosines if cosines is not None else cast(Vectors, bm25)


def terms(text: str) -> list[str]:
    """The words by which BM25 compares texts: folded, and single characters in scripts without
    blanks."""
    return [found.casefold() for found in _TERM.findall(text)]


def _row(number: int, of: StoredChunk, vector: Vectors) -> tuple[int, str, str, int, str, str, bytes]:
    return number, of.id, of.document, of.tokens, valid(of.text), of.record, vector.tobytes()


def valid(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 holds, as visible escapes. The record keeps
    them as they are."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def unit(vectors: Vectors) -> Vectors:
    """The vectors scaled to length 1, so that their products are cosines; a zero vector stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return unit


def _cosines(question: str, facts: dict[str, str], vectors: Vectors, store: Path) -> Vectors:
    embed = embedder(facts["provider"], facts["model"])
    if embed.name != facts["embedder"]:
        raise ModelError(f"{store}: was embedded with {facts['embedder']}, and this is {embed.name}; write it again")
    query = unit(np.asarray(embed([valid(question)]), dtype=np.float32))[0]
    if len(query) != vectors.shape[1]:
        raise ModelError(
            f"{store}: holds vectors of {vectors.shape[1]} numbers, and {embed.name} gives {len(query)}; write it again"
        )
    cosines: Vectors = vectors @ query
    return cosines


def _bm25(question: str, texts: Sequence[str]) -> Vectors:
    """Lucene's BM25 (k1 1.5, b 0.75) of each text for the question; 0 where no word is shared."""
    import bm25s

    corpus = [terms(text) for text in texts]
    known = {term for document in corpus for term in document}
    query = [term for term in terms(question) if term in known]
    if not query:
        return np.zeros(len(texts), dtype=np.float32)
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    scores: Vectors = np.asarray(index.get_scores(query), dtype=np.float32)
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
