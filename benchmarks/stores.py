"""What each store takes for its part: chunks stored, stored again, asked, and deleted.

    python -m benchmarks.stores [--quick] [--chunks N] [--store NAME]...

Vectors are drawn, of 384 numbers and length 1, so no embedder is measured. Each store that is
installed is new, in a temporary folder; PostgreSQL is the one of the package pgserver, and qdrant
the client's imitation, in memory. Chunks go in by 256, as `run -o` writes them. Times are wall
times, as a server's CPU time is not ours; a question is the least of some.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from chunking.export.open_stores import OURS, opened
from chunking.export.store_filling import BATCH
from chunking.export.stored_chunks import StoredChunk, Vectors, unit
from chunking.export.vector_store import FORMAT, Store
from chunking.runtime.extras import missing

STORES = ("sqlite", *OURS)
DIMENSIONS = 384
_QUESTIONS = 5
_NEAREST = 1000
"""As a search asks for."""
_TEXT = "Pour boiling water over the leaves and wait four minutes before you take them out again. " * 12


def chunks_of(count: int) -> list[StoredChunk]:
    """So many chunks of about 1 KB, ten of each document."""
    made = []
    for number in range(count):
        document, text = f"guides/{number // 10:05}.md", f"# Part {number}\n\n{_TEXT}"
        record = {"document": document, "text": text, "context": "", "start_line": 1, "end_line": 3, "index": number}
        shown = json.dumps({**record, "breadcrumb": [document], "metadata": {}})
        made.append(StoredChunk(sha256(text.encode()).hexdigest(), document, 250, text, shown, 1, 3))
    return made


def measured(address: str, chunks: list[StoredChunk], vectors: Vectors) -> list[float]:
    """Seconds for storing all, storing all again, a question, and deleting all."""

    def store(into: Store) -> None:
        into.write_facts({"format": FORMAT, "provider": "local", "model": "", "embedder": "drawn"}, DIMENSIONS)
        for at in range(0, len(chunks), BATCH):
            into.upsert(chunks[at : at + BATCH], vectors[at : at + BATCH])
        into.flush()

    def delete(all_of: Store) -> None:
        for at in range(0, len(chunks), BATCH):
            all_of.delete([each.id for each in chunks[at : at + BATCH]])
        all_of.flush()

    taken = [_seconds(address, store), _seconds(address, store)]
    with opened(address) as held:
        if held.count() != len(chunks):
            raise SystemExit(f"{held.shown}: holds {held.count()} chunks, not {len(chunks)}")
        questions = []
        for each in vectors[:_QUESTIONS]:
            began = time.perf_counter()
            held.nearest(each, _NEAREST)
            questions.append(time.perf_counter() - began)
    taken += [min(questions), _seconds(address, delete)]
    return taken


def _seconds(address: str, work: Callable[[Store], None]) -> float:
    began = time.perf_counter()
    with opened(address) as store:
        work(store)
    return time.perf_counter() - began


@contextmanager
def place_for(store: str, folder: Path) -> Iterator[str]:
    """The address of a new store; empty, with a line that says why, where it is not installed."""
    absent = missing(OURS[store][0]) if store in OURS else ""
    if not absent and store == "postgresql" and find_spec("pgserver") is None:
        absent = "a PostgreSQL, pip install pgserver"
    if absent:
        print(f"  {store}: left out, needs {absent}")
        yield ""
    elif store == "postgresql":
        import pgserver

        server = pgserver.get_server(folder / "postgres", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
    elif store == "qdrant":
        yield "qdrant://:memory:"
    else:
        yield str(folder / "kb.sqlite") if store == "sqlite" else f"{store}://{folder / store}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="300 chunks: proves that it runs")
    parser.add_argument("--chunks", type=int, default=5000)
    parser.add_argument("--store", choices=STORES, action="append", help="only this; may be repeated")
    chosen = parser.parse_args()
    chunks = chunks_of(300 if chosen.quick else chosen.chunks)
    drawn = np.random.default_rng(1).standard_normal((len(chunks), DIMENSIONS), dtype=np.float32)
    print(f"{len(chunks):,} chunks, vectors of {DIMENSIONS} numbers; seconds: stored, again, a question, deleted")
    with tempfile.TemporaryDirectory() as folder:
        for store in chosen.store or STORES:
            with place_for(store, Path(folder)) as address:
                if address:
                    stored, again, question, deleted = measured(address, chunks, unit(drawn))
                    print(f"  {store}: {stored:.1f}, {again:.1f}, {question:.3f}, {deleted:.1f}", flush=True)


if __name__ == "__main__":
    main()
