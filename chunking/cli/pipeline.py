"""Cutting many documents, in this process or in several; the results keep their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from chunking.cli.inputs import Given, places
from chunking.cli.reading_ahead import reading_ahead
from chunking.cli.terminal import ErrorLog, print_error
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import document_proof
from chunking.core.context import Progress
from chunking.core.records import Record, hashes_of
from chunking.core.strategy import announced_by
from chunking.document import Document
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of
from chunking.errors import DocumentError
from chunking.models.access import Tools
from chunking.runs import cut_file, undescribed
from chunking.runtime.faults import document_fault
from chunking.runtime.gc_pause import gc_paused
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.runtime.text_memory import memory
from chunking.tokens import counter

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class CutDocument(Generic[Made]):
    """One document, cut whole: after an error in the middle of it nothing is written."""

    name: str
    made: Made
    """What was made of its records, where it was cut: an error in writing them is reported for
    it."""
    chunks: int
    warnings: Sequence[str]
    undescribed: int
    """Chunks that a model was to describe and did not."""
    proof: DocumentProof | None = None
    """None unless it was wanted."""


def cut_all(
    wanted: Given,
    config: Config,
    workers: int,
    errors: ErrorLog,
    *,
    make: Callable[[Sequence[Record]], Made],
    proven: bool = False,
    progress: Progress | None = None,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[CutDocument[Made]]:
    """Every document that is wanted, cut. One that cannot be read or cut is reported and left out;
    the others go on.

    `make` is given all records of a document, chunks and skips in order, proven to tile it. It is
    called in the process that cuts, so it must be a module's own function. `progress` is called
    with the progress of models, with one worker only. What is sent to a server is announced first.
    With more workers each document is read, parsed and cut in one of their processes, a few ahead
    of the reader. `limits` are those of each document.
    """
    found = places(wanted, errors)
    cut = partial(_cut, config=config, make=make, proven=proven, limits=limits)
    results: Iterator[CutDocument[Made] | DocumentError]
    ahead = partial(reading_ahead, config=config, limits=limits)
    if workers == 1:
        results = map(partial(cut, progress=progress), ahead(found))
    else:
        from chunking.cli.batches import in_processes  # what begins processes, for those who want several

        results = in_processes(found, cut, workers, itself, partial(load_for, config), ahead)
    for result in results:
        if isinstance(result, DocumentError):
            errors.report(result)
        else:
            errors.descriptions(result.chunks, result.undescribed)
            yield result


def load_for(config: Config) -> None:
    """Load what cutting by a config takes longest to load: the parser, and the table of a packaged
    encoding."""
    from chunking.document.parser import parse
    from chunking.tokens import token_index
    from chunking.tokens.tiktoken_tables import PACKAGED

    if config.counter in PACKAGED:
        token_index(parse("# Title\n").text, counter(config.counter))


def itself(found: FoundFile) -> FoundFile:
    """The file that a file is about, for `in_processes`."""
    return found


def _cut(
    found: FoundFile,
    config: Config,
    *,
    make: Callable[[Sequence[Record]], Made],
    proven: bool,
    limits: RunLimits,
    progress: Progress | None = None,
) -> CutDocument[Made] | DocumentError:
    """One document, read, cut and made into what is written; any error as a DocumentError of one
    line."""
    work = partial(cut_document, found, config, make=make, proven=proven, progress=progress)
    try:
        return within(limits, work)
    except BaseException as error:
        return document_fault(error, found.place)


def cut_document(
    found: FoundFile,
    config: Config,
    *,
    make: Callable[[Sequence[Record]], Made],
    proven: bool,
    progress: Progress | None,
    say: Callable[[str], None] = print_error,
) -> CutDocument[Made]:
    """One document, read, cut and made into what is written; `say` is told what is sent to servers.
    Raises whatever goes wrong."""

    def announce(config: Config, document: Document, tools: Tools) -> None:
        if announced_by(config.strategy):
            from chunking.models.requests import announced  # every model and HTTP, for those who ask one

            announced(config.strategy, document, tools, say)

    raw = bytes_of(found)
    with gc_paused():
        cut = cut_file(raw, found, config, progress=progress, before=announce)
        made = make(cut.records)
        hashes = hashes_of(cut.parts, cut.document, cut.records) if proven else None
    chunks = sum(each["type"] == "chunk" for each in cut.records)
    proof = document_proof(raw, hashes.chunks, hashes.descriptions, cut.document) if hashes else None
    memory.forget(cut.document.text)
    return CutDocument(found.name, made, chunks, cut.warnings, undescribed(cut.parts), proof)
