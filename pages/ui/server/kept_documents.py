"""Documents that people added, kept on disk: they are there after a reload and a restart.

One file for each text in its owner's folder, named by the sha256 of the text: a line of JSON about
the document, then the text. CHUNKSCOPE_KEEP_MB limits an owner's files together; the document that
was not opened for the longest time goes first. 0 keeps nothing.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from chunking.document import Conversion
from chunking.errors import ConfigError, DocumentError
from chunking.runtime import opened_file, replacing
from chunking.text import shown_text, with_whole_characters

VARIABLE = "CHUNKSCOPE_KEEP_MB"
"""Environment variable with the limit for one owner, in millions of bytes."""
_DEFAULT_MB = 200
_MB = 1_000_000
_ENDING = ".document"
_FILE = re.compile(rf"[0-9a-f]{{64}}\{_ENDING}")
_LONGEST_ABOUT = 2_000_000
"""Bytes of the line of JSON; it has where each page begins."""


def limit_in_bytes() -> int:
    """What one owner's documents may take; 0 where none are kept. Raises ConfigError for anything
    but a whole number."""
    text = os.environ.get(VARIABLE, "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ConfigError(f"{VARIABLE}: {shown_text(text)} is not a whole number; set it to one, or to 0 to keep none")
    return int(text or _DEFAULT_MB) * _MB


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a document besides its text."""

    key: str
    """sha256 of the text."""
    name: str
    title: str
    uploaded: bool
    file_hash: str
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept document as a list shows it."""

    about: About
    size: int
    """Bytes of its file."""
    used: int
    """When it was last opened, in ns."""
    problem: str = ""
    """Why it cannot be opened, as one line."""


class KeptDocuments:
    """The documents of one owner, in files below `folder`; none if it is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder / "documents" if folder else None

    def all(self) -> list[Kept]:
        """Every kept document, the last opened first."""
        return sorted(self._found(), key=lambda each: (-each.used, each.about.key))

    def has(self, key: str) -> bool:
        """Whether there is a file for this text."""
        return bool(self.folder and _FILE.fullmatch(key + _ENDING) and self._file(key).is_file())

    def open(self, key: str) -> tuple[About, str]:
        """A document and its text, from now on the last opened. Raises DocumentError where it is
        damaged."""
        file = self._file(key)
        try:
            with opened_file(file, links=False) as opened:
                about = _about(opened.readline(_LONGEST_ABOUT), key)
                if isinstance(about, str):
                    raise DocumentError(about)
                raw = opened.read(limit_in_bytes() + 1)
            if len(raw) > limit_in_bytes():
                raise DocumentError(_damaged(about.name, f"it has more than {_limit(limit_in_bytes())}"))
            if sha256(raw).hexdigest() != key:
                raise DocumentError(_damaged(about.name, "its text is not the one that was added"))
            os.utime(file)
            text = raw.decode("utf-8", "surrogatepass")
            pages_are_in_it = about.conversion is None or about.conversion.page_starts[-1:] <= (len(text),)
            return (about if pages_are_in_it else replace(about, conversion=None)), text
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else error.reason
            raise DocumentError(_damaged(_unknown(key), str(reason))) from error

    def keep(self, about: About, text: str) -> list[str]:
        """Keep this text. Gives one line for each document that had to go for it, or why it is not
        kept itself."""
        if self.folder is None:
            return []
        raw, limit = text.encode("utf-8", "surrogatepass"), limit_in_bytes()
        content = json.dumps(_plain(about)).encode() + b"\n"
        if len(content) > _LONGEST_ABOUT:
            return [f"{about.name} is not kept: it has too many pages, or too much is said of them; split it"]
        if len(content) + len(raw) > limit:
            return [f"{about.name} is not kept: {size_text(len(raw))} is more than the limit of {_limit(limit)}"]
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            gone = self._make_room(about.key, limit - len(content) - len(raw))
            with replacing(self._file(about.key), private=True) as part:
                part.write(content)
                part.write(raw)
        except OSError as error:
            return [f"{about.name} is not kept: {self.folder} cannot be written ({error.strerror})"]
        return [
            f"{each.about.name} ({size_text(each.size)}) is no longer kept: it was not opened for the longest time, "
            f"and the limit is {_limit(limit)}"
            for each in gone
        ]

    def remove(self, key: str) -> None:
        """Keep this document no longer. Raises DocumentError where its file cannot be removed."""
        file = self._file(key)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise DocumentError(f"{file}: cannot be removed ({error.strerror})") from error

    def _make_room(self, key: str, room: int) -> list[Kept]:
        """Remove what was not opened for the longest time until the other documents take no more
        than `room`."""
        others = [each for each in self.all() if each.about.key != key and each.size]
        taken, gone = sum(each.size for each in others), list[Kept]()
        while others and taken > room:
            gone.append(others.pop())
            taken -= gone[-1].size
            self._file(gone[-1].about.key).unlink(missing_ok=True)
        return gone

    def _found(self) -> Iterator[Kept]:
        try:
            entries = list(os.scandir(self.folder)) if self.folder else []
        except OSError:
            return  # nothing was kept yet
        for entry in entries:
            if not _FILE.fullmatch(entry.name):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # removed in this moment
            about = _read_about(Path(entry.path), status.st_mtime_ns, status.st_size, status.st_ino)
            key = entry.name.removesuffix(_ENDING)
            problem = about if isinstance(about, str) else ""
            known = about if isinstance(about, About) else About(key, _unknown(key), _unknown(key), False, "")
            size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            yield Kept(known, size, status.st_mtime_ns, problem)

    def _file(self, key: str) -> Path:
        if self.folder is None or not _FILE.fullmatch(key + _ENDING):
            raise DocumentError(f"no document is kept as {shown_text(key)}")
        return self.folder / (key + _ENDING)


def size_text(size: int) -> str:
    """A number of bytes for people: "3 KB", "1.2 MB"."""
    unit, per = ("MB", _MB) if size >= _MB // 10 else ("KB", 1000)
    return f"{max(size / per, 0.1):,.1f}".removesuffix(".0") + f" {unit}"


def _limit(limit: int) -> str:
    return f"{limit // _MB:,} MB ({VARIABLE})"


@lru_cache(maxsize=4096)
def _read_about(file: Path, *_stamp: int) -> About | str:
    """The first line of a file, read again when its modification time, size or inode changes."""
    key = file.name.removesuffix(_ENDING)
    try:
        with opened_file(file, links=False) as opened:
            return _about(opened.readline(_LONGEST_ABOUT), key)
    except OSError as error:
        return _damaged(_unknown(key), str(error.strerror))


def _about(line: bytes, key: str) -> About | str:
    """What the line of JSON says; as text, why it says nothing."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("sha256") != key or _has_halves(found):
        return _damaged(_unknown(key), "its first line is not about this text")
    name, title, uploaded, file_hash = (found.get(part) for part in ("name", "title", "uploaded", "fileHash"))
    if not (isinstance(name, str) and isinstance(title, str) and isinstance(file_hash, str) and name):
        return _damaged(_unknown(key), "its first line has no name")
    return About(key, name, title, uploaded is True, file_hash, _conversion(found.get("conversion")))


def _has_halves(found: object) -> bool:
    """Whether half a character is in it, which no page can show."""
    return with_whole_characters(json.dumps(found, ensure_ascii=False))[1] > 0


def _conversion(of: object) -> Conversion | None:
    """How the text was made, of what `_plain` wrote; None where that is nothing."""
    if not isinstance(of, dict):
        return None
    loader, starts, notes = (of.get(part) for part in ("loader", "pageStarts", "notes"))
    if not (isinstance(loader, str) and isinstance(starts, list) and isinstance(notes, list)):
        return None
    if not all(type(each) is int and each >= 0 for each in starts) or not all(isinstance(each, str) for each in notes):
        return None
    if any(after < before for before, after in pairwise(starts)):
        return None
    return Conversion(loader, tuple(starts), tuple(notes))


def _plain(about: About) -> dict[str, object]:
    made = about.conversion
    return {
        "sha256": about.key,
        "name": about.name,
        "title": about.title,
        "uploaded": about.uploaded,
        "fileHash": about.file_hash,
        "conversion": {"loader": made.loader, "pageStarts": made.page_starts, "notes": made.notes} if made else None,
    }


def _unknown(key: str) -> str:
    return f"the document {key[:12]}"


def _damaged(name: str, why: str) -> str:
    return f"{name} cannot be opened: its kept file is damaged or was altered ({why}); add the document again"
