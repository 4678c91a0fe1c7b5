"""`chunkscope run --format html`: one report on all documents, a section for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile

from chunking.cli.batches import in_processes
from chunking.cli.inputs import Given, places
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error
from chunking.config.config import Config, DocumentProof
from chunking.document import Document
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of, read_from
from chunking.errors import DocumentError
from chunking.models.access import Tools
from chunking.models.requests import announced
from chunking.report.report import ReportedDocument, report_pieces, reported
from chunking.runs import Run, run
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tokens import counter


def report(
    wanted: Given,
    config: Config,
    baseline: Config | None,
    workers: int,
    errors: ErrorLog,
    progress: ProgressLine,
    proven: dict[str, DocumentProof] | None,
    folder: Path | None = None,
    *,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[str]:
    """The report on every document that is wanted, piece by piece; one that cannot be read is
    reported and left out.

    The sections wait in a temporary file: the overview comes before them, and they may be larger
    than memory. With `proven`, each document's proof is put there. `folder` is where the report
    will lie. `limits` are those of each document, its section included.
    """
    found = [*enumerate(places(wanted, errors), start=1)]
    cut = partial(_reported, config=config, baseline=baseline, limits=limits, alone=len(found) == 1)
    made = map(partial(cut, progress=progress), found) if workers == 1 else in_processes(found, cut, workers, _file)
    documents: list[ReportedDocument] = []
    lengths: list[int] = []
    with TemporaryFile("w+", encoding="utf-8", errors="backslashreplace", newline="") as waiting:
        for each in progress.through(made, lambda: len(found)):
            if isinstance(each, DocumentError):
                errors.report(each)
                continue
            for warning in each.warnings:
                print_error(f"{each.name}: {warning}")
            errors.descriptions(each.metrics.chunk_count, each.undescribed)
            lengths.append(waiting.write(each.section))
            documents.append(replace(each, section=""))
        if proven is not None:
            proven.update((each.name, each.proof) for each in documents)
        waiting.seek(0)
        yield from report_pieces(documents, (waiting.read(length) for length in lengths), config, baseline, folder)


def _reported(
    numbered: tuple[int, FoundFile],
    config: Config,
    baseline: Config | None,
    *,
    limits: RunLimits,
    alone: bool,
    progress: ProgressLine | None = None,
) -> ReportedDocument | DocumentError:
    work = partial(_report_document, numbered, config, baseline, alone=alone, progress=progress)
    try:
        return within(limits, work)
    except BaseException as error:
        return document_fault(error, numbered[1].place)


def _report_document(
    numbered: tuple[int, FoundFile],
    config: Config,
    baseline: Config | None,
    *,
    alone: bool,
    progress: ProgressLine | None,
) -> ReportedDocument:
    number, found = numbered
    raw = bytes_of(found)
    document = read_from(raw, found)
    before = _cut(document, baseline, progress) if baseline else None
    now = _cut(document, config, progress)
    return reported(now, before, number=number, alone=alone, file_hash=sha256(raw).hexdigest())


def _file(numbered: tuple[int, FoundFile]) -> FoundFile:
    return numbered[1]


def _cut(document: Document, config: Config, progress: ProgressLine | None) -> Run:
    config = config.for_document(document.name)
    document = document.read_by(config.loader)
    tools = Tools(counter(config.counter), progress=progress.of_model if progress else None)
    announced(config.strategy, document, tools, print_error)
    return run(document, config, tools)
