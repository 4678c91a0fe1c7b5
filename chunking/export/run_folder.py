"""A run as a folder: a part for each document, and a manifest that says what each was made of.

    out/manifest.jsonl        a line about the run, then one for each document, in their order
    out/parts/ab/ab12….jsonl  the document's records; the name is its key

A run on a cluster writes parts with many documents each, whose lines then name their part. A
document's key is a hash of all that decides its records, so a part that is there is never made
again. Parts and the manifest are written whole, the manifest once all parts are on the disk. What
is finished is noted in out/journal.jsonl first: a run that was killed goes on from there, and what
it leaves in the end does not depend on that.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Set
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple, cast

from chunking.errors import OutputError
from chunking.runtime.regular_file import opened_file
from chunking.runtime.whole_file import held_alone, on_disk, replacing
from chunking.text.display import shown_text

FORMAT = "chunkscope run 1"
MANIFEST, _JOURNAL, _PARTS = "manifest.jsonl", "journal.jsonl", "parts"
_SHARED = re.compile(_PARTS + r"/[0-9a-f]{2}/[0-9a-f]{64}\.\w+")
"""The path of a part that documents share: no manifest leads out of its folder."""
_PATIENCE, _LOOK_EVERY = 5.0, 0.05
"""Seconds that a run waits for another one to let go of its folder, and between two looks: the
processes of one that was killed end soon after it."""
_LONGEST_LINE = 64 * 2**20
"""Bytes of a manifest's line that are read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a manifest says of one document."""

    document: str
    key: str
    source: str
    """sha256 of the file's bytes, as a proof has it."""
    chunks: str
    """The fingerprint, as a proof has it."""
    descriptions: str
    size: int
    """Bytes of the part."""
    undescribed: int
    """Chunks that a model was to describe and did not: such a document is made again."""
    ids: tuple[tuple[str, str, int], ...]
    """Of each chunk its id, the sha256 of its text, and its tokens."""
    loader: str = ""
    """What converted the file, with its version; empty where the text is the file's own."""
    text: str = ""
    """Of the text that came of converting, as a proof has it; empty where it is the file's own."""
    part: str = ""
    """The part that the document shares with others, by its path in the folder; empty where it has
    its own."""

    def line(self) -> bytes:
        """As it stands in a manifest."""
        plain = {
            "document": self.document,
            "key": self.key,
            "source": self.source,
            "chunks": self.chunks,
            "descriptions": self.descriptions,
            "size": self.size,
            "undescribed": self.undescribed,
            "ids": [list(each) for each in self.ids],
        }
        plain |= {"loader": self.loader, "text": self.text} if self.loader else {}
        plain |= {"part": self.part} if self.part else {}
        return json.dumps(plain, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class About:
    """What a manifest says of its run."""

    engine: str
    config: str
    """As YAML, which names a tokenizer.json as seen from the folder."""
    counter: str
    """Hash of the tokenizer's table; empty for a counter that has none."""
    parts: str
    """The parts' format."""
    skips: bool
    root: str = ""
    """The folder where all documents' names begin, as seen from this one; empty without one."""

    def line(self) -> bytes:
        """As it stands in a manifest."""
        plain = {name: value for name, value in asdict(self).items() if value != "" or name != "root"}
        return json.dumps({"format": FORMAT, **plain}).encode() + b"\n"


def key_of(*decides: str) -> str:
    """The key of a document's part: a hash of all that decides what is in it."""
    return sha256(json.dumps(decides).encode()).hexdigest()


class _Finished(NamedTuple):
    """What is kept in memory of a finished document: where its line is, and what decides whether it
    is cut again."""

    file: Path
    at: int
    """Where its line begins, in bytes."""
    size: int
    undescribed: int
    loader: str
    part: str


def _finished(entry: Entry, file: Path, at: int) -> _Finished:
    return _Finished(file, at, entry.size, entry.undescribed, entry.loader, entry.part)


class RunFolder:
    """A folder that a run writes to. Mutable; one process writes to it at a time."""

    def __init__(self, folder: Path, ending: str) -> None:
        """`ending` is that of the parts' names. Raises OutputError where `folder` holds something
        else."""
        self._folder = folder
        self._ending = ending
        self._known: dict[str, _Finished] = {}
        """The documents that were finished before, and those that share a part, by key."""
        self._added: dict[str, int] = {}
        """Where the lines of those that were finished since begin in the journal, by key."""
        self._names: dict[str, str] = {}
        """The key of each document that was finished before, by its name."""
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder}: is a file; give -o another folder")
        if folder.is_dir() and not self._is_ours():
            raise OutputError(f"{folder}: holds other files; give -o a new or empty folder")
        try:
            (folder / _PARTS).mkdir(parents=True, exist_ok=True)
            self._journal = self._held_journal()
        except OSError as error:
            raise self._not_written(error) from error
        try:
            for file in (folder / MANIFEST, folder / _JOURNAL):
                self._note_lines_of(file)
            self._journal.seek(0, os.SEEK_END)  # a line that was torn off is no longer before it
        except OSError as error:
            self.leave()
            raise self._not_written(error) from error

    def _held_journal(self) -> IO[bytes]:
        """The journal, to add to, which no other run gets before this process lets go of it or
        ends. Raises OSError, and OutputError where another run does not let go of it."""
        file = self._folder / _JOURNAL
        until = time.monotonic() + _PATIENCE
        while True:
            if file.exists() and not file.is_file():
                raise OSError(errno.EINVAL, "it is not a file")
            journal = file.open("ab")
            if held_alone(journal):
                if sys.platform == "win32" or os.fstat(journal.fileno()).st_nlink:
                    return journal
                journal.close()  # of a run that ended a moment ago
                continue
            journal.close()
            if time.monotonic() > until:
                raise OutputError(f"{self._folder}: another run writes to it; wait until that has ended")
            time.sleep(_LOOK_EVERY)

    def _not_written(self, error: OSError) -> OutputError:
        return OutputError(f"{self._folder}: cannot be written ({error.strerror}); choose another with -o")

    def _is_ours(self) -> bool:
        with os.scandir(self._folder) as found:
            return all(each.name in (MANIFEST, _JOURNAL, _PARTS) or each.name.startswith(".") for each in found)

    def _note_lines_of(self, file: Path) -> None:
        try:
            opened = opened_file(file)
        except FileNotFoundError:
            return
        with opened:
            while line := opened.readline(_LONGEST_LINE):
                if not line.endswith(b"\n"):
                    # A journal whose writer was killed: what follows would be joined to this line.
                    if file.name == _JOURNAL:
                        os.truncate(file, opened.tell() - len(line))
                    return
                found = _entry(line)
                if found is not None:
                    self._known[found.key] = _finished(found, file, opened.tell() - len(line))
                    self._names[found.document] = found.key

    def part(self, key: str) -> Path:
        """The file of a finished document's records."""
        shared = "" if key in self._added else self.shared_part(key)
        return place_of(self._folder, key, shared, self._ending)

    def shared_part(self, key: str) -> str:
        """The part that a finished document shares with others, as its `Entry` has it."""
        return self._known[key].part

    def finished_before(self) -> Iterator[tuple[str, str]]:
        """The name and the key of each document that was finished before."""
        yield from self._names.items()

    def knows(self, name: str) -> bool:
        """Whether a document of this name was finished before; it may have changed since."""
        return name in self._names

    def has(self, key: str) -> bool:
        """Whether this document is finished: its line is known, and its part is as it was."""
        known = self._known.get(key)
        if known is None or known.undescribed:
            return False
        with suppress(OSError):
            return self.part(key).stat().st_size == known.size
        return False

    def loader(self, key: str) -> str:
        """What converted a finished document, as its `Entry` has it."""
        return self._known[key].loader

    def entry(self, key: str) -> Entry:
        """What is known of a finished document."""
        (line,) = self._lines([key])
        found = _entry(line)
        if found is None:
            raise OutputError(f"{self._folder}: was changed while it was written; run again")
        return found

    def add(self, entry: Entry) -> None:
        """Note that a document is finished; its part is there."""
        at = self._journal.tell()
        self._journal.write(entry.line())
        self._journal.flush()
        if entry.part:
            self._known[entry.key] = _finished(entry, self._folder / _JOURNAL, at)
        else:
            self._added[entry.key] = at  # nothing more: memory does not grow much with the documents

    def finish(self, about: About, keys: Iterable[str]) -> None:
        """Write the manifest: a line about the run, then the documents with these keys; and remove
        what is not in it. Raises OutputError."""
        wanted = list(keys)
        try:
            on_disk(self._folder)  # a manifest names no part that a loss of power could take back
            with replacing(self._folder / MANIFEST) as manifest:
                manifest.write(about.line())
                manifest.writelines(self._lines(wanted))
        except OSError as error:
            raise self._not_written(error) from error
        self._remove_other_parts(wanted)
        self._let_go()
        (self._folder / _JOURNAL).unlink(missing_ok=True)
        self._journal.close()

    def close(self) -> None:
        """Leave the folder to be gone on with."""
        self._journal.close()

    def leave(self) -> None:
        """Leave the folder as it was; nothing is left of one that was not there."""
        self._let_go()
        with suppress(OSError):  # there is something in it
            if not (self._folder / _JOURNAL).stat().st_size:
                (self._folder / _JOURNAL).unlink()
            (self._folder / _PARTS).rmdir()
            self._folder.rmdir()
        self._journal.close()

    def _let_go(self) -> None:
        """Close the journal where a file that is open cannot be removed. Elsewhere it is held until
        it is gone: another run would begin in it."""
        if sys.platform == "win32":
            self._journal.close()

    def _lines(self, keys: Iterable[str]) -> Iterator[bytes]:
        journal = self._folder / _JOURNAL
        opened: dict[Path, IO[bytes]] = {}
        with ExitStack() as closing:
            for key in keys:
                file, at = (journal, self._added[key]) if key in self._added else self._known[key][:2]
                if file not in opened:
                    opened[file] = closing.enter_context(file.open("rb"))
                opened[file].seek(at)
                yield opened[file].readline(_LONGEST_LINE)

    def _remove_other_parts(self, keys: Iterable[str]) -> None:
        own, shared = set[str](), set[str]()
        for key in keys:
            if key in self._added or not self.shared_part(key):
                own.add(key)
            else:
                shared.add(self.part(key).name)
        for folder in sorted((self._folder / _PARTS).iterdir()):
            for file in folder.iterdir() if folder.is_dir() else ():
                key, _, ending = file.name.partition(".")
                if not (ending == self._ending and key in own) and file.name not in shared:
                    file.unlink(missing_ok=True)
            with suppress(OSError):  # not empty
                folder.rmdir()


def part_of(folder: Path, key: str, ending: str) -> Path:
    """Where a part lies."""
    return Path(f"{folder}/{_PARTS}/{key[:2]}/{key}.{ending}")


def folder_of(place: Path) -> Path:
    """The folder of a run that is given by itself or by its manifest."""
    return place if place.is_dir() else place.parent


def place_of(folder: Path, key: str, shared: str, ending: str) -> Path:
    """Where the part with a document's records lies, which may be one that it shares."""
    return folder / shared if shared else part_of(folder, key, ending)


def read_about(place: Path) -> About:
    """What a manifest, or that of the folder it is in, says of its run. Raises OutputError, one
    line, for what is not one."""
    file, called = _manifest_at(place)
    try:
        with opened_file(file) as opened:
            return _about(opened.readline(_LONGEST_LINE), called)
    except OSError as error:
        raise _unreadable(called, error) from error


def read_manifest(place: Path) -> Iterator[Entry]:
    """The documents of a manifest, or of the folder it is in. Raises OutputError, one line, for
    what is not one."""
    file, called = _manifest_at(place)
    try:
        with opened_file(file) as opened:
            _about(opened.readline(_LONGEST_LINE), called)
            number = 1
            while line := opened.readline(_LONGEST_LINE):
                number += 1
                entry = _entry(line)
                if entry is None:
                    raise OutputError(f"{called}: line {number} is not about a document; run again")
                yield entry
    except OSError as error:
        raise _unreadable(called, error) from error


def strays(folder: Path, parts: Set[Path]) -> Iterator[str]:
    """What is in a folder beside its manifest and these parts, by its path in it: what a run left
    that did not end, and parts of no document."""
    if (folder / _JOURNAL).exists():
        yield _JOURNAL
    for place, _, files in os.walk(folder / _PARTS):
        for file in sorted(files):
            if (found := Path(place, file)) not in parts and not file.startswith("."):
                yield str(found.relative_to(folder))


def _manifest_at(place: Path) -> tuple[Path, str]:
    file = place / MANIFEST if place.is_dir() else place
    return file, shown_text(str(file), 200)


def _unreadable(called: str, error: OSError) -> OutputError:
    return OutputError(f"{called}: cannot be read ({error.strerror}); give a folder that run -o wrote")


def _about(line: bytes, called: str) -> About:
    found = _parsed(line)
    if found is None or found.get("format") != FORMAT:
        raise OutputError(f"{called}: is not a manifest of `chunkscope run -o FOLDER`")
    texts = [found.get(name, "") for name in ("engine", "config", "counter", "parts", "root")]
    skips = found.get("skips", False)
    if not all(isinstance(each, str) for each in texts) or not isinstance(skips, bool):
        raise OutputError(f"{called}: line 1 does not say what was run; run again")
    engine, config, counter, parts, root = cast(list[str], texts)
    return About(engine, config, counter, parts, skips, root)


def _entry(line: bytes) -> Entry | None:
    found = _parsed(line)
    if found is None or "document" not in found:
        return None
    texts = [found.get(name) for name in ("document", "key", "source", "chunks", "descriptions")]
    size, undescribed, ids = (found.get(name) for name in ("size", "undescribed", "ids"))
    if not all(isinstance(each, str) for each in texts) or not isinstance(ids, list):
        return None
    if not isinstance(size, int) or not isinstance(undescribed, int):
        return None
    for each in ids:
        if not (isinstance(each, list) and [type(value) for value in each] == [str, str, int]):
            return None
    document, key, source, chunks, descriptions = cast(list[str], texts)
    listed = tuple((each[0], each[1], each[2]) for each in ids)
    more = [found.get(name, "") for name in ("loader", "text", "part")]
    if not all(isinstance(each, str) for each in more):
        return None
    loader, text, part = cast(list[str], more)
    if part and not _SHARED.fullmatch(part):
        return None
    return Entry(document, key, source, chunks, descriptions, size, undescribed, listed, loader, text, part)


def _parsed(line: bytes) -> dict[str, object] | None:
    try:
        found = json.loads(line.decode("utf-8-sig"))  # of bytes, JSON would take UTF-16 as well
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
