"""Work on many documents in worker processes, sent to them in batches; the results keep their
order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeVar

from chunking.cli.terminal import flush
from chunking.document.folders import FoundFile
from chunking.errors import DocumentError
from chunking.runtime.faults import document_fault
from chunking.runtime.processes import WorkerEndedError, WorkerPool, can_fork
from chunking.text.display import shown_text

T = TypeVar("T")
R = TypeVar("R")

_LARGEST = 256 * 2**10
"""Bytes of documents from which a batch is sent: some tenths of a second of work."""
_MOST = 32
"""Documents of one batch."""
_AHEAD = 3
"""Batches under way for each worker, so that a large document does not keep the others waiting."""


def in_processes(
    things: Iterable[T],
    work: Callable[[T], R | DocumentError],
    workers: int,
    place: Callable[[T], FoundFile],
    load: Callable[[], object],
    ahead: Callable[[Iterable[T]], Iterable[T]] = iter,
) -> Iterator[R | DocumentError]:
    """What `work` makes of each thing, in order; so few under way that memory does not grow with
    the folder. `place` gives the file that a thing is about, and `load` loads what all the work
    needs: once for all workers where they begin as copies of this process. A worker calls `ahead`
    with the things of a batch, and does what it gives.

    When a worker is ended from outside, all things under way are lost with it: each is then done
    alone, and the one that ends its worker again is given up, with a DocumentError in its place.
    """
    under_way: deque[tuple[Sequence[T], Future[list[R | DocumentError]]]] = deque()
    forked = can_fork()
    if forked:
        load()
        flush()  # a copy would have it to say, too
    pool = WorkerPool(workers, forked=forked)
    try:
        for batch in in_batches(things, workers, place):
            try:
                future = pool.submit(_each, work, batch, ahead)
            except WorkerEndedError:
                pool.end()
                pool = WorkerPool(workers)
                future = pool.submit(_each, work, batch, ahead)
            under_way.append((batch, future))
            if len(under_way) >= _AHEAD * workers:
                yield from _results(*under_way.popleft(), work, place)
        for first, done in under_way:
            yield from _results(first, done, work, place)
    finally:
        pool.end()


def in_batches(things: Iterable[T], workers: int, place: Callable[[T], FoundFile]) -> Iterator[list[T]]:
    """The things in batches by bytes and by count. The first ones hold one each, so that every
    worker has something to do, and later ones more."""
    batch: list[T] = []
    size = sent = 0
    for thing in things:
        batch.append(thing)
        size += size_of(place(thing))
        if size >= _LARGEST or len(batch) >= min(_MOST, 1 + sent // (4 * workers)):
            yield batch
            sent += len(batch)
            batch, size = [], 0
    if batch:
        yield batch


def size_of(found: FoundFile) -> int:
    """Bytes of a document; 0 where they are not known before it is read."""
    if found.content is not None:
        return len(found.content)
    if found.url:
        return 0
    try:
        return os.stat(found.path).st_size
    except (OSError, ValueError):
        return 0  # what is wrong with it is said where it is read


def _each(work: Callable[[T], R], batch: Sequence[T], ahead: Callable[[Iterable[T]], Iterable[T]]) -> list[R]:
    return [work(thing) for thing in ahead(batch)]


def _results(
    batch: Sequence[T],
    done: Future[list[R | DocumentError]],
    work: Callable[[T], R | DocumentError],
    place: Callable[[T], FoundFile],
) -> Iterator[R | DocumentError]:
    try:
        made = done.result()
    except WorkerEndedError:
        made = None
    except Exception as error:  # what one of them made cannot travel between processes
        document_fault(error, place(batch[0]).place)  # raises what is not a document's
        made = None
    yield from _one_by_one(batch, work, place) if made is None else made


def _one_by_one(
    batch: Sequence[T], work: Callable[[T], R | DocumentError], place: Callable[[T], FoundFile]
) -> Iterator[R | DocumentError]:
    pool = WorkerPool(1)
    try:
        for thing in batch:
            called = place(thing).place
            try:
                made = pool.submit(work, thing).result()
            except WorkerEndedError:
                pool.end()
                pool = WorkerPool(1)
                problem = "its worker process was ended from outside, perhaps for the memory it took; split the file"
                made = DocumentError(f"{shown_text(called, 200)}: {problem}")
            except Exception as error:
                made = document_fault(error, called)
            yield made
    finally:
        pool.end()
