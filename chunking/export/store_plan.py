"""What a store of vectors has to do to go from one run to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chunking.export.run_folder import Entry


@dataclass(frozen=True, slots=True)
class PlannedChunk:
    """A chunk that the store does not have yet."""

    id: str
    document: str
    tokens: int
    vector_of: str = ""
    """The id of a chunk of the former run with the same text, whose vector can be taken; empty
    where it has to be embedded."""


@dataclass(frozen=True, slots=True)
class StorePlan:
    """The chunks to add, move, keep and delete. Kept and deleted are all ids of the former run."""

    kept: int
    add: tuple[PlannedChunk, ...]
    """To embed."""
    move: tuple[PlannedChunk, ...]
    """To store with a vector that is there."""
    delete: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    """Documents whose bytes are under another name now, and no longer under the former one: former
    and present name. A copy is not one."""
    renamed_to_embed: int
    """Chunks of renamed documents that have to be embedded all the same: their text names the
    document."""

    @property
    def tokens_to_embed(self) -> int:
        return sum(chunk.tokens for chunk in self.add)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "keep": self.kept,
            "add": [{"id": each.id, "document": each.document, "tokens": each.tokens} for each in self.add],
            "move": [{"from": each.vector_of, "to": each.id, "document": each.document} for each in self.move],
            "delete": list(self.delete),
            "tokens_to_embed": self.tokens_to_embed,
            "renamed": [{"from": old, "to": new} for old, new in self.renamed],
            "renamed_to_embed": self.renamed_to_embed,
        }


def store_plan(old: Iterable[Entry], new: Iterable[Entry]) -> StorePlan:
    """The plan from the manifest of one run to that of another.

    The vector of a chunk that is deleted goes to one chunk of the same text first; others of that
    text copy it.
    """
    former: dict[str, str] = {}
    sources: dict[str, str] = {}
    for entry in old:
        former |= {chunk: text for chunk, text, _ in entry.ids}
        sources[entry.document] = entry.source
    present: set[str] = set()
    missing: list[tuple[str, str, int, str]] = []
    documents: dict[str, str] = {}
    for entry in new:
        documents[entry.document] = entry.source
        for chunk, text, tokens in entry.ids:
            present.add(chunk)
            if chunk not in former:
                missing.append((chunk, text, tokens, entry.document))
    delete = tuple(chunk for chunk in former if chunk not in present)
    vectors: dict[str, list[str]] = {}
    for chunk, text in former.items():
        vectors.setdefault(text, []).append(chunk)
    gone = set(delete)
    for chunks in vectors.values():
        chunks.sort(key=lambda chunk: chunk not in gone, reverse=True)  # those that are deleted last: taken first
    renamed = _renamed(sources, documents)
    add, move = [], []
    for chunk, text, tokens, document in missing:
        same = vectors.get(text)
        if not same:
            add.append(PlannedChunk(chunk, document, tokens))
            continue
        taken = same.pop() if len(same) > 1 else same[0]
        move.append(PlannedChunk(chunk, document, tokens, taken))
    return StorePlan(
        kept=len(former) - len(delete),
        add=tuple(add),
        move=tuple(move),
        delete=delete,
        renamed=tuple((before, after) for after, before in renamed.items()),
        renamed_to_embed=sum(each.document in renamed for each in add),
    )


def _renamed(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The former names of renamed documents by their present ones, from the hashes of the bytes of
    all documents."""
    gone: dict[str, list[str]] = {}
    for name, source in old.items():
        if new.get(name) != source:
            gone.setdefault(source, []).append(name)
    came = [(name, source) for name, source in new.items() if old.get(name) != source]
    return {name: gone[source].pop(0) for name, source in came if gone.get(source)}
