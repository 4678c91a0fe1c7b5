"""`chunkscope run -o FOLDER`: a part for each document and a manifest; what did not change is not
cut again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chunking.cli.inputs import Given, places
from chunking.cli.pipeline import CutDocument, cut_document, in_processes
from chunking.cli.terminal import ErrorLog, ProgressLine, note, print_error
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import source_hash, table_hash
from chunking.core.records import Record, json_line
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of
from chunking.errors import DocumentError
from chunking.export.formats import TEXT_FORMATS, to_bytes, whole_file, write_parquet
from chunking.export.run_folder import FORMAT, Entry, RunFolder, key_of, part_of
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
    *,
    format: str,
    skips: bool,
    workers: int,
    limits: RunLimits,
) -> dict[str, DocumentProof]:
    """Write the run of every wanted document to a folder, and give each document's proof, by
    name."""
    parts = Parts(folder, format, skips, config, _decides(config, format, skips=skips))
    written = RunFolder(folder, ENDINGS[format])
    keys: dict[str, str] = {}
    names: list[str] = []
    unchanged = 0

    def to_cut() -> Iterator[FoundFile]:
        nonlocal unchanged
        for found in _outside(folder, places(wanted, errors)):
            try:
                key = parts.key(found.name, source_hash(bytes_of(found)))
            except DocumentError as error:
                errors.report(error)
                continue
            names.append(found.name)
            if written.has(key):
                keys[found.name] = key
                unchanged += 1
            else:
                yield found

    cut = partial(_make_part, parts=parts, limits=limits)
    one = workers == 1
    results = map(partial(cut, progress=progress), to_cut()) if one else in_processes(to_cut(), cut, workers, _place)
    try:
        for made in progress.through(results):
            if isinstance(made, DocumentError):
                errors.report(made)
                continue
            written.add(made.entry)
            keys[made.entry.document] = made.entry.key
            errors.descriptions(len(made.entry.ids), made.entry.undescribed)
            for warning in made.warnings:
                print_error(f"{made.entry.document}: {warning}")
        ordered = [keys[name] for name in names if name in keys]
        proofs = {entry.document: _proof(entry) for entry in map(written.entry, ordered)}
        written.finish(_about(config, format, skips=skips), ordered)
    finally:
        written.close()
    note(f"{folder}: {counted(len(ordered) - unchanged, 'document')} cut, {unchanged:,} unchanged")
    return proofs


def _proof(entry: Entry) -> DocumentProof:
    return DocumentProof(entry.source, entry.chunks, entry.descriptions)


def _decides(config: Config, format: str, *, skips: bool) -> dict[str, str]:
    """As `Parts.decides` has it."""
    chosen = {"": config.with_strategy(config.strategy)}
    chosen |= {each.pattern: config.with_override(each) for each in config.overrides}
    return {
        pattern: key_of(FORMAT, engine_version(), each.to_yaml(), table_hash(each.counter), format, str(skips))
        for pattern, each in chosen.items()
    }


def _about(config: Config, format: str, *, skips: bool) -> dict[str, object]:
    return {
        "engine": engine_version(),
        "config": config.to_yaml(),
        "counter": table_hash(config.counter),
        "parts": format,
        "skips": skips,
    }


def _outside(folder: Path, found: Iterator[FoundFile]) -> Iterator[FoundFile]:
    """What is not in the folder that is written to."""
    inside = os.path.join(os.path.realpath(folder), "")
    return (each for each in found if not os.path.realpath(each.path).startswith(inside))


def _place(found: FoundFile) -> str:
    return found.place


def _make_part(
    found: FoundFile, parts: Parts, *, limits: RunLimits, progress: ProgressLine | None = None
) -> _Made | DocumentError:
    """One document, cut and written to its part; any error as a DocumentError of one line."""
    try:
        return within(limits, partial(_written, found, parts, progress))
    except BaseException as error:
        return document_fault(error, found.place)


def _written(found: FoundFile, parts: Parts, progress: ProgressLine | None) -> _Made:
    piece = TEXT_FORMATS[parts.format].piece if parts.format in TEXT_FORMATS else json_line
    told = progress.of_model if progress else None
    cut = cut_document(found, parts.config, written=piece, proven=True, progress=told)
    assert cut.proof is not None
    key = parts.key(cut.name, cut.proof.source)
    part = parts.place(key)
    part.parent.mkdir(exist_ok=True)
    _write(part, cut, parts)
    ids = tuple((each["id"], each["text_sha256"], each["tokens"]) for each in cut.records if each["type"] == "chunk")
    proof, size = cut.proof, part.stat().st_size
    entry = Entry(cut.name, key, proof.source, proof.chunks, proof.descriptions, size, cut.undescribed, ids)
    return _Made(entry, tuple(cut.warnings))


def _write(part: Path, cut: CutDocument, parts: Parts) -> None:
    def is_wanted(record: Record) -> bool:
        return parts.skips or record["type"] == "chunk"

    with whole_file(part) as file:
        if parts.format == "parquet":
            write_parquet(filter(is_wanted, cut.records), file)
            return
        file.write(to_bytes(TEXT_FORMATS[parts.format].header))
        for record, text in zip(cut.records, cut.texts, strict=True):
            if is_wanted(record):
                file.write(to_bytes(text))
