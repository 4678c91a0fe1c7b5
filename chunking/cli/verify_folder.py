"""`chunkscope verify FOLDER`: whether the parts that `run -o FOLDER/` wrote are what its manifest's
config makes of the documents."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from chunking.analysis.invariants import broken_promises
from chunking.cli.inputs import Given, announce, places
from chunking.cli.run_folder import ENDINGS, Parts, decides, outside, proof_of_entry, write_part
from chunking.cli.shared_parts import table_of
from chunking.cli.terminal import ErrorLog, ProgressLine
from chunking.config.config import Config, DocumentProof, Proof, read_yaml
from chunking.config.proof import document_proof, names_in_proof, other_text, source_hash, table_hash
from chunking.core.records import Record, records
from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile, Selection
from chunking.document.loaders import extension_of
from chunking.document.loading import bytes_of, find, read_from
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.errors import ConfigError, DocumentError, OutputError
from chunking.export.part_records import read_shared
from chunking.export.run_folder import MANIFEST, About, Entry, place_of, read_about, read_manifest, strays
from chunking.runs import Run
from chunking.runtime.faults import document_fault
from chunking.runtime.regular_file import opened_file
from chunking.runtime.version import engine_version
from chunking.text.display import shown_text


def run_folder_at(where: str) -> Path | None:
    """The folder of a run, where this is one or its manifest; None for anything else."""
    path = Path(where)
    if path.is_dir():
        return path
    return path.parent if path.name == MANIFEST and path.is_file() else None


class FolderCheck:
    """The check of one folder; `failures` are its outcome, one line each."""

    def __init__(self, folder: Path, selection: Selection) -> None:
        """Raises OutputError or ConfigError, one line, for a folder that no run wrote."""
        self.folder = folder
        self.about = read_about(folder)
        self.config = _config_of(folder, self.about)
        self.failures: list[str] = []
        self.checked = 0
        self._gone: set[str] = set()
        """Documents whose files are not there, which is said."""
        how = decides(self.config, self.about.parts, skips=self.about.skips, engine=self.about.engine)
        self._parts = Parts(folder, self.about.parts, self.about.skips, self.config, how)
        self._entries: dict[str, Entry] = {}
        self._sharing: dict[str, set[str]] = {}
        """The documents of each part that documents share."""
        known: set[Path] = set()
        for entry in read_manifest(folder):
            known.add(self._place(entry))
            if entry.part:
                self._sharing.setdefault(entry.part, set()).add(entry.document)
            if entry.document in self._entries:
                self.failures.append(f"{entry.document}: is in the manifest twice; run again")
            elif selection.wants(entry.document):
                self._entries[entry.document] = entry
        if self.about.counter != table_hash(self.config.counter):
            self.failures.append("counter: the tokenizer's table is another one than the run's")
        self.failures += [
            f"{folder / each}: is of no document in the manifest; run again" for each in strays(folder, known)
        ]

    def run(self, chosen: Given, errors: ErrorLog) -> None:
        """Check every document of the manifest: among those that are given, by its bytes or its
        name, else where the run read it."""
        found: Iterator[FoundFile | DocumentError] = (
            self._under_manifest_names(list(outside(self.folder, places(chosen.for_configs(self.config), errors))))
            if chosen.paths or chosen.pages
            else self._where_read(chosen.selection.root)
        )
        missing = dict(self._entries)
        for each in ProgressLine(results_on_screen=False).through(found, lambda: len(self._entries)):
            if isinstance(each, DocumentError):
                errors.report(each)
                continue
            entry = missing.pop(each.name, None)
            if entry is None:
                self.failures.append(f"{each.place}: is not in the manifest; run again")
                continue
            try:
                self._check(each, entry, errors)
            except BaseException as error:
                errors.report(document_fault(error, each.name))
        self.failures += [
            f"{name}: is in the manifest and not among the documents; give its path too"
            for name in missing
            if name not in self._gone
        ]

    def _check(self, found: FoundFile, entry: Entry, errors: ErrorLog) -> None:
        source = bytes_of(found)
        if source_hash(source) != entry.source:
            self.failures.append(f"{found.name}: the file changed since the run; run again")
            return
        document = read_from(source, found)
        announce(document, self.config)
        result, problems = broken_promises(document, self.config)
        self.checked += 1
        if result is not None:
            errors.note_descriptions(result)
            if differs := self._difference(
                result, document_proof(source, result.fingerprint, result.descriptions, document)
            ):
                problems = [*problems, differs]
        self.failures += [f"{found.name}: {problem}" for problem in problems]

    def _difference(self, result: Run, proof: DocumentProof) -> str:
        """Where a document's line or part is not what its run is; empty where both are."""
        entry = self._entries[result.document.name]
        made_by = "" if self.about.engine == engine_version() else f"; the run was by version {self.about.engine}"
        if entry.text and entry.text != proof.text:
            return other_text(proof_of_entry(entry), proof).replace("in the proof", "in the run")
        if entry.chunks != proof.chunks:
            way_out = made_by or f"; delete {MANIFEST} and run again"
            return f"the chunks differ from the manifest's{way_out}"
        if entry.descriptions != proof.descriptions:
            return "same cuts, other descriptions"
        listed = list(records(result.parts, result.document))
        ids = tuple((each["id"], each["text_sha256"], each["tokens"]) for each in listed if each["type"] == "chunk")
        if ids != entry.ids:
            return f"the ids of its chunks differ from the manifest's; delete {MANIFEST} and run again"
        if entry.key != (key := self._parts.key(entry.document, entry.source)):
            return f"its key in the manifest is {shown_text(entry.key, 12)}, not {key[:12]}; run again"
        if entry.part:
            return self._shared_difference(entry, listed)
        expected = io.BytesIO()
        write_part(listed, expected, self._parts.format, skips=self._parts.skips)
        return _part_difference(self._place(entry), expected.getvalue(), self._parts.format)

    def _place(self, entry: Entry) -> Path:
        return place_of(self.folder, entry.key, entry.part, ENDINGS[self._parts.format])

    def _shared_difference(self, entry: Entry, listed: Sequence[Record]) -> str:
        """Where a document's records in the part that it shares are not these; empty where they
        are."""
        place, way_out = self._place(entry), "delete it and run again"
        try:
            parts = read_shared(place)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return f"its part {place} cannot be read ({reason}); {way_out}"
        if others := sorted(parts.keys() - self._sharing[entry.part]):
            return f"its part {place} also holds {shown_text(others[0], 200)}, which is not in the manifest; {way_out}"
        there = parts.get(entry.document)
        expected = table_of(listed, skips=self._parts.skips)
        same = not expected.num_rows if there is None else there.equals(expected)
        return "" if same else f"its part {place} does not hold what the config makes of it; {way_out}"

    def _under_manifest_names(self, found: Sequence[FoundFile]) -> Iterator[FoundFile]:
        """The documents under the names that the manifest has for them: ids depend on the name."""
        promised = {name: proof_of_entry(entry) for name, entry in self._entries.items()}
        hashes = [(each.name, _hash_of(each)) for each in found]
        names = names_in_proof(Proof(self.about.engine, documents=promised), hashes)
        for each, name in zip(found, names, strict=True):
            yield each if name is None else replace(each, name=name)

    def _where_read(self, root: Path | None) -> Iterator[FoundFile | DocumentError]:
        """Each document of the manifest at its name below the root, an archive's in the archive."""
        if root is None and not self.about.root:
            raise DocumentError(
                f"{self.folder}: its documents have no root in common; give their paths too: "
                f"chunkscope verify {shown_text(str(self.folder), 200)} PATH..."
            )
        below = Path(os.path.abspath(root or os.path.join(os.path.realpath(self.folder), self.about.root)))
        archives: dict[Path, None] = {}
        for name in self._entries:
            path = below / name
            archive = next((each for each in path.parents if self._holds_documents(each) and each.is_file()), None)
            if archive:
                archives[archive] = None
            elif path.is_file() and path.is_relative_to(below) and ".." not in path.parts:
                yield FoundFile(path, name)
            else:
                self._gone.add(name)
                yield DocumentError(
                    f"{shown_text(str(path), 200)}: there is no such file; give the folder of the documents too: "
                    f"chunkscope verify {shown_text(str(self.folder), 200)} FOLDER"
                )
        if not archives:
            return
        for each in find(archives, Selection(below, text_column=self.config.loader.text_column)):
            if isinstance(each, DocumentError) or each.name in self._entries:
                yield each

    def _holds_documents(self, path: Path) -> bool:
        """Whether a file is an archive or, where the config reads them, a table."""
        return is_archive(path.name) or (bool(self.config.loader.text_column) and extension_of(path.name) in TABLES)


def _config_of(folder: Path, about: About) -> Config:
    if about.parts not in ENDINGS:
        raise OutputError(f"{folder / MANIFEST}: has parts in {shown_text(about.parts, 60)!r}; run again")
    try:
        return read_yaml(about.config, folder)[0]
    except ConfigError as error:
        raise ConfigError(f"{folder / MANIFEST}: {error}") from error


def _hash_of(found: FoundFile) -> str:
    """Of the file as it is; empty where it cannot be read, which is said when it is checked."""
    try:
        return source_hash(bytes_of(found))
    except DocumentError:
        return ""


def _part_difference(part: Path, expected: bytes, format: str) -> str:
    try:
        with opened_file(part) as file:
            there = file.read()
    except OSError as error:
        return f"its part {part} cannot be read ({error.strerror}); run again"
    if there == expected:
        return ""
    way_out = "delete it and run again"
    if format == "parquet":
        return f"its part {part} is not what the config makes of it; {way_out}"
    lines = zip(there.split(b"\n"), expected.split(b"\n"), strict=False)
    line = next((number for number, (one, other) in enumerate(lines, start=1) if one != other), 0)
    where = f"differs in line {line} from" if line else f"has {len(there):,} bytes, not the {len(expected):,} of"
    return f"its part {part} {where} what the config makes of it; {way_out}"
