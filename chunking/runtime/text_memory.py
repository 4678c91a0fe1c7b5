"""What the process remembers of texts, within one limit in bytes for all of it.

    @memory.remembered(most=32, of=lambda text: (text,), key=lambda text: text)
    def parsed(text: str) -> Document: ...

What has not been used for the longest time goes first. What is remembered is grouped by the texts
that it was made of: dropping what `carries` a text, such as its parsed document, drops the rest. A
dropped value is only forgotten here; who uses it still has it.

In a server, each text is known to be used by some sessions (`memory.asks`), and is dropped when the
last of them ends.

Bytes are counted object by object (object_sizes.py), in a thread of its own and beside other work:
a new value once, and all of a text again, as values grow, together for at most a twentieth of the
time. Until then a value's bytes are estimated from those of its kind. Against what the allocator
gave (tracemalloc), for 1 and 10 MB, a document, an index, and runs by seven strategies: 0.83 to
0.98 of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import wraps
from itertools import count
from threading import Lock, RLock, Thread
from typing import Generic, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

from chunking.errors import ConfigError
from chunking.runtime.object_sizes import bytes_of
from chunking.text.display import shown

VARIABLE = "CHUNKSCOPE_MEMORY_MB"
"""Environment variable with the limit in millions of bytes; 0 for none."""
_MB = 1_000_000
_DEFAULT_MB = 1000
_RATE = 4.0
"""Bytes for each character, of a kind of which nothing has been counted yet."""
_LEAST = 20_000
"""The least estimate, in bytes, for a value of a kind of which nothing has been counted yet."""
_ENOUGH = 3
"""Values of a kind that are counted before others of it may be dropped by an estimate."""
_REST = 20
"""The pause after the bytes of a text were counted, as a multiple of the CPU time that counting
took."""
_WAITS = 0.05
"""Seconds that somebody who asks for the bytes waits for them to be counted."""
_SLOW = 3 * _MB
"""Bytes of a value that takes some milliseconds to free."""
_PAUSE = 0.02
"""Seconds from one step of counting beside other work to the next."""

Params = ParamSpec("Params")
Result = TypeVar("Result")


def limit_in_bytes() -> int:
    """The limit that the environment names, else 1 GB; 0 for none. Raises ConfigError for anything
    but a whole number."""
    text = os.environ.get(VARIABLE, "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ConfigError(f"{VARIABLE}: {shown(text)} is not a whole number; set it to one, such as {_DEFAULT_MB}")
    return int(text or _DEFAULT_MB) * _MB


class _Text:
    """What is remembered of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: dict[_Entry, None] = {}
        """In the order in which they were made."""
        self.users: set[str] = set()
        self.used = 0
        self.counted = 0
        """When it was used last before its bytes were counted."""


class _Entry:
    """One remembered value."""

    __slots__ = ("counted", "key", "kind", "size", "texts", "used", "value")

    def __init__(self, kind: _Kind, key: Hashable, value: object, texts: tuple[_Text, ...]) -> None:
        self.kind = kind
        self.key = key
        self.value = value
        self.texts = texts
        self.used = 0
        self.counted = False
        estimate = round(kind.rate * sum(len(each.text) for each in texts))
        self.size = estimate if kind.counted else max(_LEAST, estimate)

    @property
    def last_used(self) -> int:
        """When it or, where it carries its texts, anything that was made of them was used."""
        return max(each.used for each in self.texts) if self.kind.carries and self.texts else self.used


class _Kind:
    """The values of one function."""

    def __init__(self, most: int, *, carries: bool) -> None:
        self.most = most
        self.carries = carries
        self.entries: dict[Hashable, _Entry] = {}
        self.rate = _RATE
        self.counted = 0
        """How many of its values have been counted."""


def _nobody() -> None:
    return None


def _nothing_beside() -> Mapping[str, int]:
    return {}


def _let_others() -> None:
    time.sleep(_PAUSE)


def _counted(text: _Text) -> int:
    return text.counted


class Memory:
    """Values by what they were made of, the least recently used of them out first.

    Safe to use from many threads. A value is made by one of them while the others that want it
    wait; an error is not remembered.
    """

    def __init__(self, limit: Callable[[], int] = limit_in_bytes) -> None:
        self._limit = limit
        self._kinds: list[_Kind] = []
        self._texts: dict[str, _Text] = {}
        self._clock = count(1)
        self._users: set[str] = set()
        self.asks: Callable[[], str | None] = _nobody
        """Who asks in this thread: the name of a session, None where it is of no session."""
        self.lent = 0
        """Bytes of the limit that other processes may use in place of this one."""
        self.beside: Callable[[], Mapping[str, int]] = _nothing_beside
        """Bytes that each session holds itself: they count in the limit and are never dropped."""
        self.frees: Callable[[object], None] | None = None
        """Takes over what is dropped and large, to free it beside other work (freeing.py); None to
        free it at once."""
        self._rests_until = 0.0
        """When texts may be counted again."""
        self._lock = RLock()
        self._counting = Lock()
        self._making: WeakValueDictionary[tuple[int, Hashable], _Making] = WeakValueDictionary()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._unlock)

    @property
    def limit(self) -> int:
        """Bytes; 0 for none."""
        return self._limit()

    def used(self, *, exactly: bool = False) -> int:
        """Bytes of what is remembered now; `exactly` as if all of it had just been counted."""
        if exactly:
            with self._lock:
                self._count(self._texts_to_count())
        else:
            self._count_beside()
        return self._total()

    def used_by(self, user: str) -> int:
        """Bytes of what is remembered of the texts that this session uses."""
        self._count_beside()
        made = (entry.size for entry in self._entries() if any(user in text.users for text in entry.texts))
        return sum(made) + self.beside().get(user, 0)

    def welcome(self, user: str) -> None:
        """Say that this session is there: what it uses is remembered until it ends."""
        self._users.add(user)

    def release(self, user: str) -> None:
        """Say that this session has ended: what no other one used is dropped."""
        with self._lock:
            self._users.discard(user)
            alone = [text for text in self._texts.values() if text.users == {user}]
            for text in self._texts.values():
                text.users.discard(user)
            for text in alone:
                self._drop_all(text)

    def forget(self, text: str) -> None:
        """Drop what was made of this text, for it is not asked for again: the next text is then
        worked on in the same memory, which is faster."""
        with self._lock:
            if known := self._texts.get(text):
                self._drop_all(known)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            for text in list(self._texts.values()):
                self._drop_all(text)

    def remembered(
        self,
        *,
        most: int,
        of: Callable[Params, Iterable[str]],
        key: Callable[Params, Hashable],
        carries: bool = False,
    ) -> Callable[[Callable[Params, Result]], Remembered[Params, Result]]:
        """A decorator: the last `most` results are remembered, by `key`, as made `of` these texts;
        in a server, so many for each session that is there, which do not wait for each other's.

        Both are called with the function's arguments, by position.
        """

        def decorated(make: Callable[Params, Result]) -> Remembered[Params, Result]:
            kind = _Kind(most, carries=carries)
            self._kinds.append(kind)
            return wraps(make)(Remembered(self, kind, make, of, key))  # type: ignore[return-value]

        return decorated

    def _use(self, entry: _Entry) -> None:
        entry.used = now = next(self._clock)
        for text in entry.texts:
            text.used = now
        if self._users:
            self._note_user(entry)

    def _note_user(self, entry: _Entry) -> None:
        user = self.asks()
        if user is None or user not in self._users:
            return
        for text in entry.texts:
            if user not in text.users:
                with self._lock:
                    text.users.add(user)

    def _keep(self, kind: _Kind, key: Hashable, value: object, texts: Iterable[str]) -> None:
        user = self.asks()
        if user is not None and user not in self._users:
            return  # its session has ended meanwhile
        with self._lock:
            before = kind.entries.get(key)
            if before is not None:
                self._drop(before)
            known = (self._texts.get(each) or _Text(each) for each in dict.fromkeys(texts))
            entry = _Entry(kind, key, value, tuple(known))
            for text in entry.texts:
                self._texts[text.text] = text
                text.entries[entry] = None
            kind.entries[key] = entry
            self._use(entry)
            while len(kind.entries) > kind.most * max(1, len(self._users)):
                self._drop(min(kind.entries.values(), key=lambda each: each.last_used))
            self._trim()

    def _being_made(self, kind: _Kind, key: Hashable) -> _Making:
        with self._lock:
            return self._making.setdefault((id(kind), key), _Making())

    def _entries(self) -> list[_Entry]:
        return [entry for kind in self._kinds for entry in list(kind.entries.values())]

    def _total(self) -> int:
        return sum(entry.size for entry in self._entries()) + sum(self.beside().values())

    def _trim(self) -> None:
        """Drop the oldest until the rest is within the limit, but for the last of each kind of
        the text in use: to make that again and again would take longer than it saves."""
        limit = self.limit and max(1, self.limit - self.lent)
        if not limit or self._total() <= limit // 2:
            return
        if self._total() <= limit:
            self._count_beside(waits=0)
            return
        for entry in self._entries():
            if not entry.counted and entry.kind.counted < _ENOUGH:
                _count_entry(entry, set(), _nobody)
        self._count_beside(waits=0)
        total = self._total()
        if total <= limit:
            return
        now = max(self._texts.values(), key=lambda text: text.used)
        spared = {id(entry.kind): entry for entry in sorted(now.entries, key=lambda each: each.used)}
        last = set(spared.values())
        for entry in sorted(self._entries(), key=lambda each: each.last_used):
            if total <= limit:
                return
            if entry not in last and entry.kind.entries.get(entry.key) is entry:
                total -= self._drop(entry)

    def _drop(self, entry: _Entry) -> int:
        """Forget it, and what it carries. Gives the bytes that were counted for all of that."""
        if entry.kind.entries.get(entry.key) is not entry:
            return 0
        del entry.kind.entries[entry.key]
        dropped = entry.size
        for text in entry.texts:
            text.entries.pop(entry, None)
            if entry.kind.carries:
                dropped += self._drop_all(text)
            if not text.entries:
                self._texts.pop(text.text, None)
        if self.frees and entry.size >= _SLOW:
            self.frees(entry)
        return dropped

    def _drop_all(self, text: _Text) -> int:
        dropped = sum(self._drop(entry) for entry in list(text.entries))
        self._texts.pop(text.text, None)
        return dropped

    def _count_beside(self, waits: float = _WAITS) -> None:
        """Count in a thread what is to be counted, and wait so many seconds for it: a page is not
        to wait for large documents."""
        if time.monotonic() >= self._rests_until and self._counting.acquire(blocking=False):
            counting = Thread(target=self._count_slowly, name="memory", daemon=True)
            counting.start()
            counting.join(waits)

    def _count_slowly(self) -> None:
        try:
            self._count(self._texts_to_count()[:1], _let_others)
        finally:
            self._counting.release()

    def _texts_to_count(self) -> list[_Text]:
        """Those used since they were counted, the one counted longest ago first."""
        return sorted((text for text in list(self._texts.values()) if text.used > text.counted), key=_counted)

    def _count(self, texts: Iterable[_Text], pause: Callable[[], None] = _nobody) -> None:
        """Count the bytes of what was made of these texts, and of all new values."""
        began = time.thread_time()
        for text in texts:
            used, seen = text.used, set[int]()
            for entry in list(text.entries):
                if entry.texts[0] is text:
                    _count_entry(entry, seen, pause)
            text.counted = used
        for entry in self._entries():
            if not entry.counted:
                _count_entry(entry, set(), pause)
        self._rests_until = time.monotonic() + _REST * (time.thread_time() - began)

    def _unlock(self) -> None:
        """A forked process has the locks of its parent, whose threads are gone."""
        self._lock = RLock()
        self._counting = Lock()
        self._making = WeakValueDictionary()


def _count_entry(entry: _Entry, seen: set[int], pause: Callable[[], None]) -> None:
    """Count it without what is in `seen`, and what is remembered beside it for itself."""
    beside = frozenset(id(each.value) for text in entry.texts for each in list(text.entries) if each is not entry)
    entry.size = bytes_of([entry.value], seen, beside, pause)
    entry.counted = True
    entry.kind.counted += 1
    entry.kind.rate = entry.size / max(1, sum(len(each.text) for each in entry.texts))


class _Making:
    """Held by the thread that makes a value."""

    def __init__(self) -> None:
        self.lock = Lock()


class Remembered(Generic[Params, Result]):
    """A function whose results are remembered."""

    def __init__(
        self,
        memory: Memory,
        kind: _Kind,
        make: Callable[Params, Result],
        of: Callable[Params, Iterable[str]],
        key: Callable[Params, Hashable],
    ) -> None:
        self._memory = memory
        self._kind = kind
        self._make = make
        self._of = of
        self._key = key

    def __call__(self, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        key = self._key(*args, **kwargs)
        entry = self._kind.entries.get(key)
        if entry is None:
            making = self._memory._being_made(self._kind, key)
            with making.lock:
                entry = self._kind.entries.get(key)
                if entry is None:
                    made = self._make(*args, **kwargs)
                    self._memory._keep(self._kind, key, made, self._of(*args, **kwargs))
                    return made
        self._memory._use(entry)
        return cast(Result, entry.value)

    def known(self, *args: Params.args, **kwargs: Params.kwargs) -> Result | None:
        """What is remembered for these arguments; None where nothing is."""
        entry = self._kind.entries.get(self._key(*args, **kwargs))
        if entry is None:
            return None
        self._memory._use(entry)
        return cast(Result, entry.value)

    def keep(self, value: Result, *args: Params.args, **kwargs: Params.kwargs) -> None:
        """Remember this as the result for these arguments, in place of what was."""
        self._memory._keep(self._kind, self._key(*args, **kwargs), value, self._of(*args, **kwargs))


memory = Memory()
"""The process's own."""


def in_megabytes(used: int, limit: int) -> str:
    """Both in one line, as 12.3 of 1,000 MB."""
    return f"{used / _MB:,.1f} of {limit // _MB:,} MB" if limit else f"{used / _MB:,.1f} MB, without a limit"
