"""Cutting many documents, in this process or in several; the results keep their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from chunking.cli.inputs import Given, places
from chunking.cli.terminal import ErrorLog, print_error
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import document_proof
from chunking.core.context import Progress
from chunking.core.records import Record, hashes_of, records
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of, read_from
from chunking.errors import DocumentError
from chunking.models.access import Tools
from chunking.models.requests import announced
from chunking.runs import stream, undescribed
from chunking.runtime.faults import document_fault
from chunking.runtime.processes import WorkerEndedError, WorkerPool
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.text.display import shown_text
from chunking.tokens import counter

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class CutDocument:
    """All records of one document: after an error in the middle of it none is written."""

    name: str
    records: Sequence[Record]
    """Chunks and skips in order, proven to tile the document."""
    texts: Sequence[str]
    """Each record as text, made with the document, so that an error in writing is reported for
    it."""
    warnings: Sequence[str]
    undescribed: int
    """Chunks that a model was to describe and did not."""
    proof: DocumentProof | None = None
    """None unless it was wanted."""

    @property
    def chunks(self) -> int:
        return sum(record["type"] == "chunk" for record in self.records)


def cut_all(
    wanted: Given,
    config: Config,
    workers: int,
    errors: ErrorLog,
    *,
    written: Callable[[Record], str],
    proven: bool = False,
    progress: Progress | None = None,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[CutDocument]:
    """Every document that is wanted, cut. One that cannot be read or cut is reported and left out;
    the others go on.

    `written` makes the text of a record; it is called in the process that cuts, so it must be a
    module's own function. `progress` is called with the progress of models, with one worker only.
    What is sent to a server is announced first. With more workers each document is read, parsed and
    cut in one of their processes, a few ahead of the reader. `limits` are those of each document.
    """
    found = places(wanted, errors)
    cut = partial(_cut, config=config, written=written, proven=proven, limits=limits)
    results = map(partial(cut, progress=progress), found) if workers == 1 else in_processes(found, cut, workers, _path)
    for result in results:
        if isinstance(result, DocumentError):
            errors.report(result)
        else:
            errors.descriptions(result.chunks, result.undescribed)
            yield result


def _path(found: FoundFile) -> str:
    return found.place


def _cut(
    found: FoundFile,
    config: Config,
    *,
    written: Callable[[Record], str],
    proven: bool,
    limits: RunLimits,
    progress: Progress | None = None,
) -> CutDocument | DocumentError:
    """One document, read, cut and made into text; any error as a DocumentError of one line."""
    work = partial(cut_document, found, config, written=written, proven=proven, progress=progress)
    try:
        return within(limits, work)
    except BaseException as error:
        return document_fault(error, found.place)


def cut_document(
    found: FoundFile,
    config: Config,
    *,
    written: Callable[[Record], str],
    proven: bool,
    progress: Progress | None,
) -> CutDocument:
    """One document, read, cut and made into text. Raises whatever goes wrong."""
    raw = bytes_of(found)
    document = read_from(raw, found)
    config = config.for_document(document.name)
    document = document.read_by(config.loader)
    tools = Tools(counter(config.counter), progress=progress)
    announced(config.strategy, document, tools, print_error)
    parts = tuple(stream(document, config, tools))
    made = list(records(parts, document))
    texts = [written(each) for each in made]
    hashes = hashes_of(parts, document) if proven else None
    proof = document_proof(raw, hashes.chunks, hashes.descriptions) if hashes else None
    warnings = (*document.warnings, *tools.warnings)
    return CutDocument(found.name, made, texts, warnings, undescribed(parts), proof)


def in_processes(
    things: Iterable[T], work: Callable[[T], R | DocumentError], workers: int, called: Callable[[T], str]
) -> Iterator[R | DocumentError]:
    """What `work` makes of each thing, in order; at most two a worker under way, so that memory
    does not grow with the folder. `called` names a thing.

    When a worker is ended from outside, all things under way are lost with it: each is then done in
    a process of its own, and the one that ends that as well is given up, with a DocumentError in
    its place.
    """
    under_way: deque[tuple[T, Future[R | DocumentError]]] = deque()
    pool = WorkerPool(workers)
    try:
        for thing in things:
            try:
                future = pool.submit(work, thing)
            except WorkerEndedError:
                pool.end()
                pool = WorkerPool(workers)
                future = pool.submit(work, thing)
            under_way.append((thing, future))
            if len(under_way) >= 2 * workers:
                first, done = under_way.popleft()
                yield _result(first, done, work, called)
        for first, done in under_way:
            yield _result(first, done, work, called)
    finally:
        pool.end()


def _result(
    thing: T, future: Future[R | DocumentError], work: Callable[[T], R | DocumentError], called: Callable[[T], str]
) -> R | DocumentError:
    try:
        return future.result()
    except WorkerEndedError:
        return _alone(thing, work, called)
    except Exception as error:  # what it made cannot travel between processes
        return document_fault(error, called(thing))


def _alone(thing: T, work: Callable[[T], R | DocumentError], called: Callable[[T], str]) -> R | DocumentError:
    pool = WorkerPool(1)
    try:
        return pool.submit(work, thing).result()
    except WorkerEndedError:
        problem = "its worker process was ended from outside, perhaps for the memory it took; split the file"
        return DocumentError(f"{shown_text(called(thing), 200)}: {problem}")
    except Exception as error:
        return document_fault(error, called(thing))
    finally:
        pool.end()
