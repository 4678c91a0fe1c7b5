"""What models answered, kept by content, so that nothing is asked or paid for twice.

A file in the user's cache folder (or in the folder that CHUNKSCOPE_CACHE names) behind a memory of
this process. Keys are sha256 of the model's name and the text, so the keys tell nothing of a
document; several processes may share the file. A cache that cannot be used is done without: it
saves work and decides nothing.
"""

from __future__ import annotations

import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar

from chunking.runtime.folders import user_folder
from chunking.runtime.made_once import once

Known = TypeVar("Known")

CACHE_VARIABLE = "CHUNKSCOPE_CACHE"
"""Environment variable that names the cache's folder; `off` keeps everything in memory only."""

_MOST_BYTES = 64 * 2**20
"""Of values held in memory; the oldest go first. The file keeps all."""
_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between tries where another process holds the file in a way that SQLite does not wait
for: turning it to WAL, recovering it."""
_AT_A_TIME = 500
"""Keys asked for in one statement: SQLite has a limit."""


def answer_key(model: str, asked: str) -> bytes:
    """The key of what `model` (provider and all that changes its answers) answers to a text."""
    return sha256(f"{model}\0{asked}".encode("utf-8", "surrogatepass")).digest()


class AnswerCache:
    """Answers by key: bytes to bytes, in memory and, where `file` can be written, in a file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._held: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The answers that are known, from memory first."""
        with self._lock:
            found = {key: self._held[key] for key in keys if key in self._held}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            read = self._in_file(lambda file: _read(file, missing), dict[bytes, bytes]())
            self._hold(read)
            found.update(read)
        return found

    def put(self, answers: Mapping[bytes, bytes]) -> None:
        """Keep the answers, in place of older ones under the same keys."""
        self._hold(answers)
        self._in_file(lambda file: _write(file, answers), None)

    def _hold(self, answers: Mapping[bytes, bytes]) -> None:
        with self._lock:
            for key, answer in answers.items():
                self._bytes += len(answer) - len(self._held.pop(key, b""))
                self._held[key] = answer
            while self._bytes > _MOST_BYTES:
                self._bytes -= len(self._held.popitem(last=False)[1])

    def _in_file(self, work: Callable[[Path], Known], otherwise: Known) -> Known:
        """What `work` does with the file; `otherwise` from the first fault on. A file in use is
        waited for."""
        for wait in _WAITS:
            if self.file is None:
                return otherwise
            try:
                return work(self.file)
            except (sqlite3.Error, OSError) as error:
                if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                    self.file = None
                    return otherwise
            time.sleep(wait)
        return otherwise


def _read(file: Path, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    with _opened(file) as database:
        for at in range(0, len(keys), _AT_A_TIME):
            some = keys[at : at + _AT_A_TIME]
            marks = ",".join("?" * len(some))
            rows = database.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some)
            found.update(row for row in rows if isinstance(row[0], bytes) and isinstance(row[1], bytes))
    return found


def _write(file: Path, answers: Mapping[bytes, bytes]) -> None:
    with _opened(file) as database:
        database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", list(answers.items()))


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The file for one transaction: opened anew each time, which is safe for threads and forks."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = sqlite3.connect(file, timeout=30.0)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID")
        with database:
            yield database
    finally:
        database.close()


def shared_cache() -> AnswerCache:
    """This process's memory of model answers, over the file in the cache folder."""
    return _remembered(cache_folder())


@once
def _remembered(folder: Path | None) -> AnswerCache:
    return AnswerCache(folder / "answers.sqlite" if folder else None)


def cache_folder() -> Path | None:
    """Where the cache is: CHUNKSCOPE_CACHE, else the platform's folder for caches; None for `off`
    or without a home."""
    return user_folder("cache", CACHE_VARIABLE)
