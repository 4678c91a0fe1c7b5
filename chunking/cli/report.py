"""`chunkscope run --format html`: one report on all documents, a section for each; in a folder an
index, and a page for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile

from chunking.cli.batches import in_processes
from chunking.cli.inputs import Given, places
from chunking.cli.pipeline import load_for
from chunking.cli.run_folder import outside
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error
from chunking.config.config import Config, DocumentProof
from chunking.document import Document
from chunking.document.folders import FoundFile, reason
from chunking.document.loading import bytes_of, read_from
from chunking.errors import DocumentError, OutputError
from chunking.export.formats import to_bytes, whole_file
from chunking.models.access import Tools
from chunking.models.requests import announced
from chunking.report.report import INDEX, PAGES, ReportedDocument, index_pieces, report_pieces, reported
from chunking.runs import Run, run
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tokens import counter


@dataclass(frozen=True, slots=True)
class ReportJob:
    """The documents of a report, and how they are cut. A document that cannot be read is said to
    `errors` and left out."""

    wanted: Given
    config: Config
    baseline: Config | None
    workers: int
    errors: ErrorLog
    progress: ProgressLine
    proven: dict[str, DocumentProof] | None
    """Where each document's proof is put."""
    limits: RunLimits = NO_LIMITS
    """Of each document, its section included."""

    def in_one(self, folder: Path | None) -> Iterator[str]:
        """One report on all documents, piece by piece. `folder` is where it will lie.

        The sections wait in a temporary file: the overview comes before them, and they may be
        larger than memory.
        """
        found = [*enumerate(places(self.wanted, self.errors), start=1)]
        documents: list[ReportedDocument] = []
        lengths: list[int] = []
        with TemporaryFile("w+", encoding="utf-8", errors="backslashreplace", newline="") as waiting:
            for each in self._made(found, alone=len(found) == 1):
                lengths.append(waiting.write(each.section))
                documents.append(replace(each, section=""))
            self._prove(documents)
            waiting.seek(0)
            sections = (waiting.read(length) for length in lengths)
            yield from report_pieces(documents, sections, self.config, self.baseline, folder)

    def in_pages(self, folder: Path) -> None:
        """Write a page for each document into `folder` as it comes, then the index; pages of a
        former report that it does not have are removed.

        Raises OutputError for a folder that holds something else.
        """
        _make_ready(folder)
        found = [*enumerate(outside(folder, places(self.wanted, self.errors)), start=1)]
        documents: list[ReportedDocument] = []
        for each in self._made(found, alone=True, checked=True):
            now = self.config.for_document(each.name)
            before = self.baseline.for_document(each.name) if self.baseline else None
            page = folder / each.page
            _write(page, report_pieces([each], [each.section], now, before, page.parent, index=f"../{INDEX}"))
            documents.append(replace(each, section=""))
        self._prove(documents)
        _write(folder / INDEX, index_pieces(documents, self.config, self.baseline, folder))
        there = {folder / each.page for each in documents}
        for page in (folder / PAGES).iterdir():
            if _PAGE.fullmatch(page.name) and page not in there:
                page.unlink()

    def _made(
        self, found: Sequence[tuple[int, FoundFile]], *, alone: bool, checked: bool = False
    ) -> Iterator[ReportedDocument]:
        """The documents in their order."""
        cut = partial(
            _reported, config=self.config, baseline=self.baseline, limits=self.limits, alone=alone, checked=checked
        )
        made: Iterator[ReportedDocument | DocumentError] = (
            map(partial(cut, progress=self.progress), found)
            if self.workers == 1
            else in_processes(found, cut, self.workers, _file, partial(load_for, self.config))
        )
        for each in self.progress.through(made, lambda: len(found)):
            if isinstance(each, DocumentError):
                self.errors.report(each)
                continue
            for warning in each.warnings:
                print_error(f"{each.name}: {warning}")
            self.errors.descriptions(each.metrics.chunk_count, each.undescribed)
            yield each

    def _prove(self, documents: Sequence[ReportedDocument]) -> None:
        if self.proven is not None:
            self.proven.update((each.name, each.proof) for each in documents)


_PAGE = re.compile(r"[0-9a-f]{20}\.html")
_LOOKED_AT = 2_000
"""Characters of an index, up to behind its title."""


def _make_ready(folder: Path) -> None:
    index = folder / INDEX
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: is a file; give -o another folder")
    try:
        if index.is_file():
            with index.open(encoding="utf-8", errors="replace") as file:
                ours = "Chunkscope report</title>" in file.read(_LOOKED_AT)
        else:
            ours = not folder.is_dir() or {each.name for each in folder.iterdir()} <= {PAGES}
        if ours:
            (folder / PAGES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: {reason(error)}") from error
    if not ours:
        raise OutputError(f"{folder}: holds other files; give -o a new or empty folder")


def _write(path: Path, pieces: Iterator[str]) -> None:
    with whole_file(path) as file:
        for piece in pieces:
            file.write(to_bytes(piece))


def _reported(
    numbered: tuple[int, FoundFile],
    config: Config,
    baseline: Config | None,
    *,
    limits: RunLimits,
    alone: bool,
    checked: bool = False,
    progress: ProgressLine | None = None,
) -> ReportedDocument | DocumentError:
    work = partial(_report_document, numbered, config, baseline, alone=alone, checked=checked, progress=progress)
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
    checked: bool,
    progress: ProgressLine | None,
) -> ReportedDocument:
    number, found = numbered
    raw = bytes_of(found)
    document = read_from(raw, found)
    before = _cut(document, baseline, progress) if baseline else None
    now = _cut(document, config, progress)
    number = 1 if alone else number
    hashed = sha256(raw).hexdigest()
    return reported(now, before, number=number, alone=alone, file_hash=hashed, checked=checked)


def _file(numbered: tuple[int, FoundFile]) -> FoundFile:
    return numbered[1]


def _cut(document: Document, config: Config, progress: ProgressLine | None) -> Run:
    config = config.for_document(document.name)
    document = document.read_by(config.loader)
    tools = Tools(counter(config.counter), progress=progress.of_model if progress else None)
    announced(config.strategy, document, tools, print_error)
    return run(document, config, tools)
