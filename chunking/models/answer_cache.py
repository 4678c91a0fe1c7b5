"""What models answered, kept by content, so that nothing is asked or paid for twice.

A file in the user's cache folder (or in the folder that CHUNKSCOPE_CACHE names) behind a memory of
this process. Keys are sha256 of the model's name and the text, so the keys tell nothing of a
document; several processes may share the file. A cache that cannot be used is done without: it
saves work and decides nothing.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar

from chunking.errors import ConfigError
from chunking.runtime.folders import CACHE_VARIABLE as CACHE_VARIABLE
from chunking.runtime.folders import user_folder
from chunking.runtime.made_once import once
from chunking.text.display import shown

Known = TypeVar("Known")

_MOST_BYTES = 64 * 2**20
"""Of values held in memory; the oldest go first. The file keeps all."""
_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between tries where another process holds the file in a way that SQLite does not wait
for: turning it to WAL, recovering it."""
_AT_A_TIME = 500
"""Keys asked for in one statement: SQLite has a limit."""
SIZE_VARIABLE, AGE_VARIABLE = "CHUNKSCOPE_CACHE_MB", "CHUNKSCOPE_CACHE_DAYS"
_MB, _DAYS = 1000, 180
"""The limits where the environment names none."""
_BETWEEN_LOOKS = 16 * 2**20
"""Bytes that a process writes before it looks at the limits again; it also looks at its first."""
_KEPT_SHARE = 0.9
"""How far a file over its size is emptied, so that not each write empties it."""
_LAST_USE_KNOWN_TO = 7
"""Days by which the last use of an answer may be off: not each reading is to write."""
_DAY = 86_400
_TABLE = """
CREATE TABLE IF NOT EXISTS kept (
    key BLOB PRIMARY KEY, answer BLOB NOT NULL, hash BLOB NOT NULL, day INTEGER NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the file keeps, and for how long."""

    megabytes: int = _MB
    days: int = _DAYS
    """Since an answer was last used."""


@dataclass(frozen=True, slots=True)
class CacheContents:
    """What is in the file."""

    answers: int
    bytes: int
    """Of the file, without what is free in it."""
    oldest: date | None
    """When the answer that was not used for the longest time was used, to a week; None without
    answers."""


def limits() -> Limits:
    """The limits that the environment names. Raises ConfigError for a value that is not a whole
    number."""
    return Limits(_whole_number(SIZE_VARIABLE, _MB), _whole_number(AGE_VARIABLE, _DAYS))


def _whole_number(variable: str, otherwise: int) -> int:
    text = os.environ.get(variable, "")
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ConfigError(f"{variable}: {shown(text)} is not a whole number; set it to one, such as {otherwise}")
    return int(text)


def answer_key(model: str, request: str) -> bytes:
    """The key of what `model` (provider and all that changes its answers) answers to a text."""
    return sha256(f"{model}\0{request}".encode("utf-8", "surrogatepass")).digest()


class AnswerCache:
    """Answers by key: bytes to bytes, in memory and, where `file` can be written, in a file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._in_memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0
        self._until_look = 0
        self._lock = Lock()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The answers that are known, from memory first."""
        with self._lock:
            found = {key: self._in_memory[key] for key in keys if key in self._in_memory}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            read = self._in_file(lambda file: _read(file, missing), dict[bytes, bytes]())
            self._hold(read)
            found.update(read)
        return found

    def put(self, answers: Mapping[bytes, bytes]) -> None:
        """Keep the answers, in place of older ones under the same keys. Now and then the file is
        brought within its limits."""
        self._hold(answers)
        self._in_file(lambda file: _write(file, answers), None)
        with self._lock:
            self._until_look -= sum(map(len, answers.values()))
            look = self._until_look <= 0
            self._until_look = _BETWEEN_LOOKS if look else self._until_look
        if look:
            within = limits()
            self._in_file(lambda file: pruned(file, within), 0)

    def _hold(self, answers: Mapping[bytes, bytes]) -> None:
        with self._lock:
            for key, answer in answers.items():
                self._bytes += len(answer) - len(self._in_memory.pop(key, b""))
                self._in_memory[key] = answer
            while self._bytes > _MOST_BYTES:
                self._bytes -= len(self._in_memory.popitem(last=False)[1])

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
    stale: list[tuple[int, bytes]] = []
    today = _today()
    with _opened(file) as database:
        for at in range(0, len(keys), _AT_A_TIME):
            some = keys[at : at + _AT_A_TIME]
            marks = ",".join("?" * len(some))
            rows = database.execute(f"SELECT key, answer, hash, day FROM kept WHERE key IN ({marks})", some)
            for key, answer, digest, day in rows:
                if isinstance(answer, bytes) and digest == _hash(key, answer):
                    found[key] = answer
                    if not isinstance(day, int) or day < today - _LAST_USE_KNOWN_TO:
                        stale.append((today, key))
        database.executemany("UPDATE kept SET day = ? WHERE key = ?", stale)
    return found


def _write(file: Path, answers: Mapping[bytes, bytes]) -> None:
    today = _today()
    rows = [(key, answer, _hash(key, answer), today) for key, answer in answers.items()]
    with _opened(file) as database:
        database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", rows)


def _hash(key: bytes, answer: bytes) -> bytes:
    """What tells an answer from one that was damaged in the file."""
    return sha256(key + answer).digest()[:16]


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // _DAY)


def cache_contents(file: Path) -> CacheContents:
    """What is in the file. Raises sqlite3.Error or OSError for one that cannot be used."""
    with _opened(file) as database:
        answers, oldest = database.execute("SELECT count(*), min(day) FROM kept").fetchone()
        used = date(1970, 1, 1) + timedelta(oldest) if isinstance(oldest, int) and 0 <= oldest < 10**6 else None
        return CacheContents(answers, _size(database), used)


def pruned(file: Path, within: Limits) -> int:
    """Bring the file within the limits; how many answers went. Raises as `cache_contents`."""
    with _opened(file) as database:
        gone = database.execute("DELETE FROM kept WHERE day < ?", (_today() - within.days,)).rowcount
        most = within.megabytes * 10**6
        if _size(database) > most:
            there = database.execute("SELECT count(*) FROM kept").fetchone()[0]
            oldest = f"SELECT key FROM kept ORDER BY day LIMIT {max(1, there // 20)}"
            while there and _size(database) > most * _KEPT_SHARE:
                went = database.execute(f"DELETE FROM kept WHERE key IN ({oldest})").rowcount
                gone, there = gone + went, there - went
    if gone:
        _give_back(file)
    return gone


def cleared(file: Path) -> int:
    """Remove every answer, and a file that is no cache any more; how many went. Raises as
    `cache_contents`."""
    try:
        with _opened(file) as database:
            gone = database.execute("DELETE FROM kept").rowcount
        _give_back(file)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
        for ending in ("", "-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
        return 0
    return gone


def _size(database: sqlite3.Connection) -> int:
    """Bytes in use."""
    pages, free, size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _give_back(file: Path) -> None:
    """Give free pages back to the file system."""
    with _opened(file) as database:
        database.executescript("PRAGMA incremental_vacuum")  # `execute` would free a single page


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The file for one transaction: opened anew each time, which is safe for threads and forks."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = sqlite3.connect(file, timeout=30.0)
    try:
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file; another stays as it is
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cell_size_check = ON")
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute(_TABLE)
        database.execute("DROP TABLE IF EXISTS answers")  # as earlier versions kept them: without a hash
        with database:
            yield database
    finally:
        database.close()


def shared_cache() -> AnswerCache:
    """This process's memory of model answers, over the file in the cache folder."""
    return _remembered(cache_file())


@once
def _remembered(file: Path | None) -> AnswerCache:
    return AnswerCache(file)


def cache_file() -> Path | None:
    """The file of answers in the cache's folder; None without one."""
    folder = cache_folder()
    return folder / "answers.sqlite" if folder else None


def cache_folder() -> Path | None:
    """Where the cache is: CHUNKSCOPE_CACHE, else the platform's folder for caches; None for `off`
    or without a home."""
    return user_folder("cache", CACHE_VARIABLE)
