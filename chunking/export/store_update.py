"""A plan applied to a store: what changed between two runs is written, and nothing else is
touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chunking.config.config import Config
from chunking.export.part_records import chunks_in
from chunking.export.run_folder import Entry
from chunking.export.store_facts import CUT_BY, check_same, cut_by, embedding_of, facts_in, facts_of, notes_in
from chunking.export.store_filling import BATCH, SAID, Embedded, check_dimensions, not_held, said_of
from chunking.export.store_plan import StorePlan
from chunking.export.stored_chunks import StoredChunk, Vectors
from chunking.export.vector_store import UNFINISHED, Store
from chunking.models.embedders import embedder


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done to a store."""

    embedded: int
    moved: int
    rewritten: int
    """Chunks that keep their vector, and whose record is another: their lines, their
    neighbours."""
    deleted: int
    holds: int
    """Chunks in the store, others' included."""
    missing: int
    """Chunks of the new run that are not among these: they were missing before."""
    notes: tuple[str, ...]
    """What the embedder did not read of what it embedded, one line each."""


def apply_plan(
    store: Store,
    plan: StorePlan,
    before: Mapping[str, str],
    after: Iterable[Entry],
    folder: tuple[Path, str],
    configs: tuple[Config, Config],
    announce: Callable[[], None] = lambda: None,
) -> Applied:
    """Bring a store that was filled from one run to another.

    `before` has the key of each document of the former run, by name; `after` are the documents of
    the new one; `folder` is where their parts are, and the parts' format, which is READABLE;
    `configs` are those of both. A chunk whose text the store has under any of these ids keeps its
    vector. Ended in the middle, it can be done again. `announce` is called before anything is
    embedded. Raises OutputError, StoreError, ModelError.
    """
    old, new = configs
    embedding = embedding_of(new.strategy)
    embed = embedder(embedding.provider, embedding.model)
    there, facts = facts_in(store), facts_of(new, embed.name)
    check_same(store.shown, there, facts, cut_by(old))
    changed = [each for each in after if before.get(each.document) != each.key]
    work = _Update(store, plan, Embedded(embed), there, announce)
    for batch in _batches(changed, folder):
        work.write(batch)
    for at in range(0, len(plan.delete), BATCH):
        work.delete(plan.delete[at : at + BATCH])
    made = work.embedded.stored(work.new, work.deleted, len(changed)) if work.new else None
    if work.has_begun or there.get(CUT_BY) != facts[CUT_BY] or UNFINISHED in there:
        said = {name: there[name] for name in SAID if name in there}
        if made:
            notes = [*dict.fromkeys((*notes_in({**there, UNFINISHED: "", "provider": ""}), *made.notes))]
            said = {**said_of(made), "notes": json.dumps(notes)}
        known = there.get("dimensions", "0")  # 0 as long as it has had no chunk
        dimensions = known if known != "0" else str(work.dimensions)
        store.write_facts({**facts, **said, "dimensions": dimensions}, 0)
        store.flush()
    holds, wanted = store.count(), plan.kept + len(plan.add) + len(plan.move)
    missing = max(0, wanted - holds)
    notes_made = made.notes if made else ()
    return Applied(work.new, work.moved, work.rewritten, work.deleted, holds, missing, notes_made)


class _Update:
    """One change of a store. Mutable; counts what it did."""

    def __init__(
        self,
        store: Store,
        plan: StorePlan,
        embedded: Embedded,
        facts: Mapping[str, str],
        announce: Callable[[], None],
    ) -> None:
        self._store = store
        self._vector_of = {each.id: each.vector_of for each in plan.move}
        self._facts = facts
        self._announce = announce
        self.embedded = embedded
        self.new = self.moved = self.rewritten = self.deleted = self.dimensions = 0
        self.has_begun = False
        """Whether anything was written."""

    def write(self, chunks: Sequence[StoredChunk]) -> None:
        """Store those of some chunks that the store does not have as they are, with the vectors
        that it has of their texts, or with new ones."""
        chunks = not_held(self._store, chunks)
        if not chunks:
            return
        sources = [source for each in chunks if (source := self._vector_of.get(each.id))]
        held = self._store.vectors([each.id for each in chunks] + sources)
        found = {each.id: held.get(each.id, held.get(self._vector_of.get(each.id, ""))) for each in chunks}
        unknown = [each for each in chunks if found[each.id] is None]
        if unknown:
            if not self.new:
                self._announce()
            vectors = self.embedded(unknown)
            self.embedded.note(unknown)
            check_dimensions(self._store.shown, self._facts, vectors.shape[1])
            found |= {each.id: vector for each, vector in zip(unknown, vectors, strict=True)}
        rows: Vectors = np.stack([_there(found[each.id]) for each in chunks])
        self._begin()
        self._store.upsert(chunks, rows)
        moved = sum(each.id not in held and each.id in self._vector_of for each in chunks if each not in unknown)
        self.new += len(unknown)
        self.moved += moved
        self.rewritten += len(chunks) - len(unknown) - moved
        self.dimensions = rows.shape[1]

    def delete(self, ids: Sequence[str]) -> None:
        """Remove those of the chunks that the store holds."""
        if held := [*self._store.records(ids)]:
            self._begin()
            self._store.delete(held)
            self.deleted += len(held)

    def _begin(self) -> None:
        """Say, before the first change, that this write has not ended."""
        if not self.has_begun:
            self._store.write_facts({**self._facts, UNFINISHED: "yes"}, 0)
            self.has_begun = True


def _there(vector: Vectors | None) -> Vectors:
    assert vector is not None
    return vector


def _batches(entries: Iterable[Entry], folder: tuple[Path, str]) -> Iterator[list[StoredChunk]]:
    """The chunks of these documents, as many as are embedded at a time."""
    waiting: list[StoredChunk] = []
    for entry in entries:
        waiting += chunks_in(entry, *folder)
        while len(waiting) >= BATCH:
            yield waiting[:BATCH]
            waiting = waiting[BATCH:]
    if waiting:
        yield waiting
