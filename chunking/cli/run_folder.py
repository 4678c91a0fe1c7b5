"""`chunkscope run -o FOLDER`: a part for each document and a manifest; what did not change is not
cut again."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import IO, cast

from chunking.cli.inputs import Given, places
from chunking.cli.pipeline import CutDocument, cut_document, itself, load_for
from chunking.cli.reading_ahead import reading_ahead
from chunking.cli.terminal import ErrorLog, ProgressLine, note, print_error
from chunking.cli.written import made_of
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import source_hash, table_hash
from chunking.core.arrow_table import Row
from chunking.core.records import Record
from chunking.document.folders import FoundFile
from chunking.document.loaders import is_outdated
from chunking.document.loading import bytes_of
from chunking.errors import DocumentError
from chunking.export.formats import TEXT_FORMATS, part_file, to_bytes, write_rows
from chunking.export.run_folder import FORMAT, About, Entry, RunFolder, key_of, part_of
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import RunLimits, within
from chunking.runtime.version import engine_version
from chunking.text.display import counted

ENDINGS = {"jsonl": "jsonl", "csv": "csv", "markdown": "md", "parquet": "parquet"}
"""The formats that a folder may have, with the ending of its parts."""


@dataclass(frozen=True, slots=True)
class Parts:
    """How the parts of a run are made. Travels to worker processes."""

    folder: Path
    format: str
    skips: bool
    config: Config
    decides: dict[str, str]
    """What decides a document's records besides the document, hashed, by the pattern of the
    override that holds for it."""

    def key(self, name: str, source: str) -> str:
        """The key of the part of a document with this name and hash of its bytes."""
        override = self.config.override_for(name)
        return key_of(self.decides[override.pattern if override else ""], name, source)

    def place(self, key: str) -> Path:
        return part_of(self.folder, key, ENDINGS[self.format])


@dataclass(frozen=True, slots=True)
class _Made:
    entry: Entry
    warnings: tuple[str, ...]


def run_to_folder(
    wanted: Given,
    config: Config,
    folder: Path,
    errors: ErrorLog,
    progress: ProgressLine,
    proven: dict[str, DocumentProof] | None,
    *,
    format: str,
    skips: bool,
    workers: int,
    limits: RunLimits,
) -> None:
    """Write the run of every wanted document to a folder. With `proven`, each document's proof is
    put there, by name."""
    parts = Parts(folder, format, skips, config, decides(config, format, skips=skips))
    written = RunFolder(folder, ENDINGS[format])
    keys: list[str] = []  # of each document in order, empty until it is finished
    under_way: deque[int] = deque()  # where the keys of those that are cut belong
    unchanged = 0
    roots: set[str] = set()

    def to_cut() -> Iterator[FoundFile]:
        nonlocal unchanged
        for found in outside(folder, places(wanted, errors)):
            keys.append("")
            roots.add(root_of(found))
            # Read here only where that can spare the cut: who cuts it reads it anyway.
            if written.knows(found.name):
                try:
                    key = parts.key(found.name, source_hash(bytes_of(found)))
                except DocumentError as error:
                    errors.report(error)
                    continue
                # A part with others' records in it would keep those of what changes later.
                if written.has(key) and not written.shared_part(key) and not is_outdated(written.loader(key)):
                    keys[-1] = key
                    unchanged += 1
                    continue
            under_way.append(len(keys) - 1)
            yield found

    cut = partial(_make_part, parts=parts, limits=limits)
    results: Iterator[_Made | DocumentError]
    ahead = partial(reading_ahead, config=config, limits=limits)
    if workers == 1:
        results = map(partial(cut, progress=progress), ahead(to_cut()))
    else:
        from chunking.cli.batches import in_processes  # as in `cut_all`

        results = in_processes(to_cut(), cut, workers, itself, partial(load_for, config), ahead)
    try:
        for made in progress.through(results, wanted.count, lambda: unchanged):
            place = under_way.popleft()
            if isinstance(made, DocumentError):
                errors.report(made)
                continue
            written.add(made.entry)
            keys[place] = made.entry.key
            errors.descriptions(len(made.entry.ids), made.entry.undescribed)
            for warning in made.warnings:
                print_error(f"{made.entry.document}: {warning}")
        finished = [key for key in keys if key]
        if stays(written, finished, folder, errors):
            return
        if proven is not None:
            proven.update((entry.document, proof_of_entry(entry)) for entry in map(written.entry, finished))
        written.finish(about(config, folder, format, roots, skips=skips), finished)
    finally:
        written.close()
    note(f"{folder}: {counted(len(finished) - unchanged, 'document')} cut, {unchanged:,} unchanged")


def stays(written: RunFolder, finished: Sequence[str], folder: Path, errors: ErrorLog) -> bool:
    """Whether the folder stays as it was, for not one document could be cut: a source that is not
    there must not empty it."""
    if finished or not errors.count:
        return False
    if any(written.finished_before()):
        print_error(f"{folder}: left as it was, for not one document could be cut")
    written.leave()
    return True


def proof_of_entry(entry: Entry) -> DocumentProof:
    """A document's proof, as a manifest has it."""
    return DocumentProof(entry.source, entry.chunks, entry.descriptions, entry.loader, entry.text)


def decides(config: Config, format: str, *, skips: bool, engine: str = "") -> dict[str, str]:
    """As `Parts.decides` has it, for a run by this version or by another `engine`."""
    chosen = {"": config.with_strategy(config.strategy)}
    chosen |= {each.pattern: config.with_override(each) for each in config.overrides}
    by = engine or engine_version()
    return {
        pattern: key_of(FORMAT, by, each.to_yaml(), table_hash(each.counter), format, str(skips))
        for pattern, each in chosen.items()
    }


def about(config: Config, folder: Path, format: str, roots: Set[str], *, skips: bool) -> About:
    """What a manifest says of its run. `roots` are the folders where documents' names begin."""
    return About(
        engine=engine_version(),
        config=config.to_yaml(folder=folder),
        counter=table_hash(config.counter),
        parts=format,
        skips=skips,
        root=_as_seen_from(folder, next(iter(roots))) if len(roots) == 1 else "",
    )


def root_of(found: FoundFile) -> str:
    """The folder where a document's name begins; empty where its path does not end with its
    name, and for a file that is elsewhere."""
    if found.url:
        return ""
    name = found.name.removesuffix(f"/{found.member}") if found.member else found.name
    path = os.path.abspath(found.path)
    return path[: -len(name)] if path.replace(os.sep, "/").endswith(f"/{name}") else ""


def _as_seen_from(folder: Path, root: str) -> str:
    try:
        return os.path.relpath(os.path.realpath(root), os.path.realpath(folder)).replace(os.sep, "/") if root else ""
    except ValueError:  # another drive
        return ""


def outside(folder: Path, found: Iterator[FoundFile]) -> Iterator[FoundFile]:
    """What is not in the folder that is written to."""
    inside = os.path.join(os.path.realpath(folder), "")
    real = cache(os.path.realpath)  # of folders: thousands of files are in a few

    def place(file: Path) -> str:
        return os.path.realpath(file) if os.path.islink(file) else os.path.join(real(file.parent), file.name)

    return (each for each in found if not place(each.path).startswith(inside))


def _make_part(
    found: FoundFile, parts: Parts, *, limits: RunLimits, progress: ProgressLine | None = None
) -> _Made | DocumentError:
    """One document, cut and written to its part; any error as a DocumentError of one line."""
    if limits:
        # What it loads when it is first called (pyarrow) is not a document's work.
        write_part((), BytesIO(), parts.format, skips=parts.skips)
    try:
        return within(limits, partial(_written, found, parts, progress))
    except BaseException as error:
        return document_fault(error, found.place)


def _written(found: FoundFile, parts: Parts, progress: ProgressLine | None) -> _Made:
    told = progress.of_model if progress else None
    cut = cut_document(found, parts.config, make=tuple, proven=True, progress=told)
    entry = entry_of(cut, parts)
    with part_file(parts.place(entry.key)) as file:
        write_part(cut.made, file, parts.format, skips=parts.skips)
        size = file.tell()
    return _Made(replace(entry, size=size), tuple(cut.warnings))


def entry_of(cut: CutDocument[tuple[Record, ...]], parts: Parts) -> Entry:
    """What a manifest says of a document, but for its part."""
    proof = cut.proof
    assert proof is not None
    key = parts.key(cut.name, proof.source)
    ids = tuple((each["id"], each["text_sha256"], each["tokens"]) for each in cut.made if each["type"] == "chunk")
    hashes = (proof.source, proof.chunks, proof.descriptions)
    return Entry(cut.name, key, *hashes, 0, cut.undescribed, ids, proof.loader, proof.text)


def write_part(records: Iterable[Record], file: IO[bytes], format: str, *, skips: bool) -> None:
    """The records of one document as a part holds them."""
    made = made_of([*records], format, skips=skips)
    if format == "parquet":
        write_rows([cast("list[Row]", made)], file)
    else:
        file.write(to_bytes(TEXT_FORMATS[format].header + cast(str, made)))
