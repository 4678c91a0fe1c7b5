"""The chunks of a corpus that are on its map, from the processes that hold it. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunking import Config, Run
from pages.ui.background.held_corpus import cut_there
from pages.ui.choices.mapped import MapChunk, map_chunk

_READ = 4_000
"""Characters of a chunk that are kept to be embedded, so that those of many long ones are not held
whole: the model reads 256 word pieces."""


@dataclass(frozen=True, slots=True)
class TextOnMap:
    """A chunk of the map, and what is embedded of it."""

    chunk: MapChunk
    text: str


def texts_there(
    key: str,
    rows: Sequence[int],
    configs: Sequence[Config | str],
    which: Sequence[int],
    wanted: Mapping[int, Sequence[int]],
) -> list[tuple[TextOnMap, ...]]:
    """The `wanted` chunks of documents, where they are held; `which` and `wanted` are by the number
    of the document."""
    return [_texts(key, row, configs[which[row]], wanted.get(row, ())) for row in rows]


def _texts(key: str, row: int, config: Config | str, numbers: Sequence[int]) -> tuple[TextOnMap, ...]:
    run = cut_there(key, row, config) if numbers else ""
    if not isinstance(run, Run):
        return ()
    chunks = ((number, run.chunks[number]) for number in numbers)
    return tuple(TextOnMap(map_chunk(chunk, number, row), chunk.text[:_READ]) for number, chunk in chunks)
