"""`chunkscope run -o FOLDER --engine daft`: parts of many documents each, and a manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from chunking.cli.daft_engine import DaftEngine, Where
from chunking.cli.inputs import Given, places
from chunking.cli.remote_files import is_remote, remote_documents
from chunking.cli.run_folder import Parts, about, decides, outside, proof_of_entry, root_of, stays
from chunking.cli.shared_parts import FORMAT, Asked, Done
from chunking.cli.terminal import ErrorLog, ProgressLine, note, print_error
from chunking.config.config import Config, DocumentProof
from chunking.document.folders import FoundFile
from chunking.document.loaders import is_outdated
from chunking.errors import DocumentError, OutputError
from chunking.export.run_folder import RunFolder
from chunking.export.store_facts import embedding_of
from chunking.models.requests import server_of
from chunking.runtime.run_limits import RunLimits
from chunking.text.display import counted, shown_text


def run_on_daft(
    wanted: Given,
    config: Config,
    folder: Path,
    errors: ErrorLog,
    progress: ProgressLine,
    proven: dict[str, DocumentProof] | None,
    where: Where,
    *,
    skips: bool,
    limits: RunLimits,
    lance: str = "",
    vectors: bool = False,
) -> None:
    """As `run_to_folder`, by daft; also to a Lance dataset where one is named, with `vectors` of
    the chunks."""
    config.to_yaml()  # what has no YAML is refused before anything is begun
    _check_dataset(lance)
    engine = DaftEngine(where)
    folder = folder.absolute()  # a worker may begin elsewhere
    parts = Parts(folder, FORMAT, skips, config, decides(config, FORMAT, skips=skips))
    run = _Run(RunFolder(folder, FORMAT), errors)
    remote = [each for each in wanted.pages if is_remote(each)]
    here = replace(wanted, pages=tuple(each for each in wanted.pages if not is_remote(each)))
    found = chain(outside(folder, places(here, errors)), remote_documents(engine, remote, wanted.selection, errors))
    try:
        run.take(progress.through(engine.cut(run.asked(found), parts, limits)))
        # A part is as it was only where all its documents are.
        run.take(engine.cut(run.in_broken_parts(), parts, limits))
        finished = [key for key in run.keys.values() if key]
        if stays(run.written, finished, folder, errors):
            return
        if proven is not None:
            proven.update((entry.document, proof_of_entry(entry)) for entry in map(run.written.entry, finished))
        places_of_parts = sorted({run.written.part(key) for key in finished})
        run.written.finish(about(config, folder, FORMAT, run.roots, skips=skips), finished)
    finally:
        run.written.close()
    kept = len(run.unchanged)
    if lance and places_of_parts:
        embedding = embedding_of(config.strategy) if vectors else None
        if embedding and embedding.provider != "local":
            told = (
                f"the text of every chunk is sent to {embedding.provider} at {server_of(embedding.provider)} to embed"
            )
            print_error(f"{shown_text(lance, 200)}: {told}; what is remembered is not")
        engine.write_lance(places_of_parts, lance, embedding)
    note(f"{folder}: {counted(len(finished) - kept, 'document')} cut, {kept:,} unchanged")


def _check_dataset(place: str) -> None:
    """Raises OutputError for a folder of this machine that holds something else than a dataset of
    Lance: its files would be put between those."""
    folder = Path(place)
    if place and folder.is_dir() and not (folder / "_versions").is_dir() and any(folder.iterdir()):
        raise OutputError(f"--lance {shown_text(place, 200)}: holds other files; give a new place, or a dataset")
    if place and folder.is_file():
        raise OutputError(f"--lance {shown_text(place, 200)}: is a file; give a new place, or a dataset")


class _Run:
    """What is known of a run on its way."""

    def __init__(self, written: RunFolder, errors: ErrorLog) -> None:
        self.written = written
        self.keys: dict[str, str] = {}
        """Of each document in order, empty until it is finished."""
        self.roots: set[str] = set()
        self.unchanged: dict[str, FoundFile] = {}
        self._errors = errors
        self._before = {name: key for name, key in written.finished_before() if self._stands(key)}
        self._maybe: dict[str, FoundFile] = {}
        """Those that were finished before, until it is known whether they changed."""

    def _stands(self, key: str) -> bool:
        """Whether a part of ours is there, with what the key says."""
        written = self.written
        return written.has(key) and bool(written.shared_part(key)) and not is_outdated(written.loader(key))

    def asked(self, found: Iterator[FoundFile]) -> Iterator[Asked]:
        """The documents for the engine."""
        for each in found:
            self.keys[each.name] = ""
            self.roots.add(root_of(each))
            known = self._before.get(each.name, "")
            if known:
                self._maybe[each.name] = each
            yield Asked(each, known)

    def take(self, done: Iterator[Done]) -> None:
        """Note what came back. Raises OutputError where that ends the run."""
        for each in done:
            self._take(each)

    def _take(self, done: Done) -> None:
        for line in done.said:
            print_error(line)
        found = self._maybe.pop(done.name, None)
        if done.ends:
            raise OutputError(done.problem)
        if done.problem:
            self._errors.report(DocumentError(done.problem))
        elif done.entry:
            self.written.add(done.entry)
            self.keys[done.name] = done.entry.key
            self._errors.descriptions(len(done.entry.ids), done.entry.undescribed)
        elif found:
            self.keys[done.name] = self._before[done.name]
            self.unchanged[done.name] = found

    def in_broken_parts(self) -> Iterator[Asked]:
        """The documents that are as they were, and share a part with one that is not: they are cut
        again, into another part."""
        shared = {name: self.written.shared_part(key) for name, key in self.written.finished_before()}
        broken = {part for name, part in shared.items() if name not in self.unchanged}
        for name in [each for each in self.unchanged if shared[each] in broken]:
            yield Asked(self.unchanged.pop(name))
