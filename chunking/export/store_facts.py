"""What a store says of itself: what its chunks were cut and embedded by, so that nothing else is
mixed into it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from chunking.config.config import Config
from chunking.config.proof import table_hash
from chunking.core.strategy import Strategy
from chunking.errors import StoreError
from chunking.export.run_folder import key_of
from chunking.export.vector_store import FORMAT, UNFINISHED, Store
from chunking.text.display import shown, shown_text
from chunking.text.languages import seems_other_than_english

_MOST_NOTES = 20
_NEEDED = ("provider", "model", "embedder")
CUT_BY, COUNTER = "cut_by", "counter"
ABOUT = "chunkscope"
"""The key of a collection's metadata under which the facts are, as JSON."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The embedder of a store's vectors; keys and addresses stay in the environment."""

    provider: str
    model: str


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


def facts_of(config: Config, embedder: str, folder: Path | None = None) -> dict[str, str]:
    """The facts of a store that holds what this config cuts. `folder` is where its YAML is read,
    if not here. Raises ConfigError where no YAML can say the config."""
    embedding = embedding_of(config.strategy)
    return {
        "format": FORMAT,
        "config": config.to_yaml(folder=folder),
        CUT_BY: cut_by(config),
        COUNTER: _table(config.counter),
        "provider": embedding.provider,
        "model": embedding.model,
        "embedder": embedder,
    }


def cut_by(config: Config) -> str:
    """A hash of what cuts: the config, with each tokenizer's table in the place of its path."""
    named = (config.counter, *(each.counter for each in config.overrides))
    bare = replace(config, counter="words", overrides=tuple(replace(each, counter="") for each in config.overrides))
    return key_of(bare.to_yaml(), *map(_table, named))


def _table(counter: str) -> str:
    return table_hash(counter) or counter if counter else ""


def facts_in(store: Store) -> dict[str, str]:
    """The facts of a store that is to be read. Raises StoreError for one that is not there, or is
    not ours."""
    facts = store.facts()
    if not facts:
        raise StoreError(f"{store.shown}: no such store; write one with `chunkscope run CONFIG PATH -o {store.shown}`")
    check_format(store.shown, facts)
    return facts


def of_others(where: str) -> str:
    """The message for a table or a collection that has no facts beside it."""
    return f"{where}: holds chunks of another program; give another name with ?table=NAME"


def facts_from(about: object, where: str) -> dict[str, str]:
    """The facts in a collection's metadata. Raises StoreError for a collection without any."""
    try:
        found = json.loads(about) if isinstance(about, str) else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise StoreError(of_others(where))
    return found


def check_format(where: str, facts: Mapping[str, str]) -> None:
    """Raises StoreError for facts that are not those of a store of ours, or of a later version."""
    if (form := facts.get("format", "")) != FORMAT:
        newer = form.startswith(FORMAT.rstrip("1"))
        problem = (
            f"is in the format {shown(form)}, and this version reads {FORMAT!r}" if newer else "not a store of ours"
        )
        raise StoreError(f"{where}: {problem}; give another name, or another table with ?table=NAME")
    for name in _NEEDED:
        if name not in facts:
            raise StoreError(f"{where}: does not say its {name}; write another one with -o")


def check_same(where: str, there: Mapping[str, str], wanted: Mapping[str, str], *others: str) -> None:
    """Raises StoreError where chunks with the facts `wanted` may not go into a store with these:
    another embedder, tokenizer or config. `others` are hashes that it may be cut by as well."""
    check_format(where, there)
    way_out = "give another table with ?table=NAME"
    if there["embedder"] != wanted["embedder"]:
        raise StoreError(
            f"{where}: holds vectors of {shown_text(there['embedder'], 100)}, and this config's are of "
            f"{shown_text(wanted['embedder'], 100)}; {way_out}"
        )
    if there.get(CUT_BY, "") in (wanted[CUT_BY], *others):
        return
    if there.get(COUNTER) != wanted[COUNTER] and there.get("config") == wanted["config"]:
        raise StoreError(
            f"{where}: its chunks were counted with another tokenizer ({shown_text(there.get(COUNTER, ''), 20)}, not "
            f"{shown_text(wanted[COUNTER], 20)}); {way_out}, or go over with `chunkscope plan OLD NEW --apply`"
        )
    raise StoreError(
        f"{where}: holds chunks of another config; {way_out}, or go over with `chunkscope plan OLD NEW --apply`"
    )


def notes_in(facts: Mapping[str, str], question: str = "") -> tuple[str, ...]:
    """Warnings for a search by vectors in a store with these facts, one line each."""
    try:
        written = json.loads(facts.get("notes", "[]"))
    except (ValueError, RecursionError):
        written = []
    notes = [note for note in written[:_MOST_NOTES] if isinstance(note, str)] if isinstance(written, list) else []
    if facts.get(UNFINISHED):
        notes.append("the last write to this store did not end; do it again")
    if facts.get("provider") == "local" and seems_other_than_english([question]):
        notes.append("the question seems not to be English, and the model that embedded this store is")
    return tuple(notes)
