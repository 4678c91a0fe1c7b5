"""Chunks into a store: embedded batch by batch, each batch stored before the next is embedded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chunking.config.config import Config
from chunking.errors import StoreError
from chunking.export.store_facts import check_same, embedding_of, facts_of
from chunking.export.stored_chunks import StoredChunk, Vectors, unit, valid
from chunking.export.vector_store import UNFINISHED, Store
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.text.languages import EnglishTally, english_warning
from chunking.tokens.embedder_windows import LostEnds, LostEndsPlace, LostEndsTally, text_sizes, window_named

BATCH = 256
"""Chunks embedded at a time."""
SAID = ("lost_ends", "notes")
"""The facts of `said_of`."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What went into a store, and what the embedder did not read of it, or reads badly: kept in the
    store for searches."""

    chunks: int
    removed: int
    """Chunks of the same documents that the store held and that are no longer made."""
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


class Embedded:
    """What embeds the chunks of one write, and remembers what it did not read of them."""

    def __init__(self, embed: CachedEmbedder) -> None:
        self._embed = embed
        self._window = window_named(embed.name)
        self._lost = LostEndsTally(self._window) if self._window else None
        self._languages: dict[str, EnglishTally] = {}

    def __call__(self, chunks: Sequence[StoredChunk]) -> Vectors:
        """A vector of length 1 for each of the chunks. Raises ModelError."""
        return unit(np.asarray(self._embed([valid(each.text) for each in chunks]), dtype=np.float32))

    def note(self, chunks: Sequence[StoredChunk]) -> None:
        """Remember what the embedder does not read of these, whenever they were embedded."""
        if self._window and self._lost:
            for each, size in zip(chunks, text_sizes([each.text for each in chunks], self._window), strict=True):
                self._lost.add(size, LostEndsPlace(each.document, each.first_line, each.last_line))
        for each in chunks:
            self._languages.setdefault(each.document, EnglishTally()).add(each.text)

    def stored(self, chunks: int, removed: int, documents: int) -> Stored:
        """What is to be said of the write."""
        others = tuple(name for name, tally in self._languages.items() if self._embed.is_local and tally.seems_other)
        return Stored(chunks, removed, self._lost.found if self._lost else None, others, documents, self._embed.name)


def said_of(made: Stored) -> dict[str, str]:
    """The facts that a search warns by."""
    return {
        "lost_ends": json.dumps(made.lost.to_dict() if made.lost else None),
        "notes": json.dumps(made.notes),
    }


def fill(
    store: Store,
    documents: Iterable[tuple[str, Sequence[StoredChunk]]],
    config: Config,
    folder: Path | None = None,
) -> Stored:
    """Put all chunks of these documents, which come by name, into the store; what it held of them
    and is no longer among them is removed. Other documents are left as they are.

    Each batch is stored before the next one is embedded, and nothing of it is kept in memory. What
    the store has as it is is passed over. Ended in the middle, it can be done again. `folder` is
    where the store will be, if not the current one: its YAML names a tokenizer.json relative to it.
    Raises ModelError, StoreError.
    """
    embedding = embedding_of(config.strategy)
    embed = embedder(embedding.provider, embedding.model)
    facts = facts_of(config, embed.name, folder)
    if there := store.facts():
        check_same(store.shown, there, facts)
    embedded = Embedded(embed)
    facts["dimensions"] = there.get("dimensions", "0")
    chunks = removed = names = dimensions = 0
    for batch, finished in _batches(documents):
        chunks += len(batch)
        embedded.note(batch)
        if new := not_held(store, batch) if there else batch:
            vectors = embedded(new)
            if not dimensions:
                dimensions = vectors.shape[1]
                check_dimensions(store.shown, there, dimensions)
                facts["dimensions"] = str(dimensions)
                store.write_facts({**facts, UNFINISHED: "yes"}, dimensions)
            store.upsert(new, vectors)
        names += len(finished)
        if there:
            removed += _remove_others(store, finished)
    made = embedded.stored(chunks, removed, names)
    store.write_facts({**facts, **said_of(made)}, dimensions)
    store.flush()
    return made


def check_dimensions(where: str, there: Mapping[str, str], dimensions: int) -> None:
    """Raises StoreError where vectors of so many numbers are not those of a store with these
    facts."""
    if there and there.get("dimensions", str(dimensions)) not in (str(dimensions), "0"):
        raise StoreError(
            f"{where}: holds vectors of {there['dimensions']} numbers, and these have {dimensions}; "
            "give another table with ?table=NAME"
        )


def _batches(
    documents: Iterable[tuple[str, Sequence[StoredChunk]]],
) -> Iterator[tuple[list[StoredChunk], dict[str, set[str]]]]:
    """The chunks in batches, each with the documents that end in it and their ids."""
    waiting: list[StoredChunk] = []
    finished: dict[str, set[str]] = {}
    for name, chunks in documents:
        waiting += chunks
        while len(waiting) > BATCH:
            yield waiting[:BATCH], finished
            waiting, finished = waiting[BATCH:], {}
        finished[name] = {each.id for each in chunks}
    yield waiting, finished


def not_held(store: Store, chunks: Sequence[StoredChunk]) -> list[StoredChunk]:
    """Those of the chunks that the store does not have as they are."""
    held = store.records([each.id for each in chunks])
    return [each for each in chunks if held.get(each.id) != each.record]


def _remove_others(store: Store, finished: Mapping[str, set[str]]) -> int:
    held = store.ids_of([valid(name) for name in finished]) if finished else []
    kept = set().union(*finished.values()) if finished else set()
    gone = [each for each in held if each not in kept]
    if gone:
        store.delete(gone)
    return len(gone)
