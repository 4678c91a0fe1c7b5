"""A limit to the CPU time and to the memory of one piece of work, kept by a thread that watches it.

Work that goes past is stopped in its own thread, between two steps of Python: a single call of C
ends first, and so does the import of a module. Other threads go on.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread, get_ident
from typing import Literal, TypeVar

from chunking.errors import RunLimitError

T = TypeVar("T")

_LOOKS_EVERY = 0.05
"""Seconds between two looks at what is being watched."""
_AGAIN_AFTER = 1.0
"""Seconds after which work that was told to stop and did not is told again."""
_MEGABYTE = 1 << 20
_IMPORT_SYSTEM = "<frozen importlib._bootstrap>"
"""The file of the frames that are under every import."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may take; None for no limit."""

    seconds: float | None = None
    """Of CPU time, of the thread that runs; of wall time where the system does not tell it."""
    megabytes: int | None = None
    """Of memory that the process holds more than when the run began."""
    seconds_setting: str = "max_seconds"
    """What a message calls the limit."""
    megabytes_setting: str = "max_memory_mb"

    def __bool__(self) -> bool:
        return self.seconds is not None or self.megabytes is not None


NO_LIMITS = RunLimits()


def within(limits: RunLimits, work: Callable[[], T]) -> T:
    """What `work` returns. Raises RunLimitError once it has gone past a limit.

    Work within work has its own limits: what it takes does not count in the work around it.
    """
    if not limits:
        return work()
    return _under_watch(_Watched(limits), work)


def _under_watch(watched: _Watched, work: Callable[[], T]) -> T:
    try:
        _watch.add(watched)
        try:
            done = work()
        finally:
            _watch.remove(watched)
        if watched.problem:
            raise _Stop  # one that came within a finaliser or a callback is lost
        return done
    except _Stop as stop:
        _watch.remove(watched)  # where the stop arrived while it was being removed
        if not watched.problem:
            raise  # it was meant for work around this
        stop.__traceback__ = None  # the error would keep all that the stopped work had made
        raise RunLimitError(watched.problem) from None


class _Stop(BaseException):
    """Raised in the thread of work that went past a limit; no `except Exception` takes it for a
    fault."""


class _Watched:
    """One piece of work under watch."""

    def __init__(self, limits: RunLimits) -> None:
        self.limits = limits
        self.problem = ""
        self.thread = get_ident()
        self.began = _cpu_seconds(self.thread)
        self.bytes_at_start = resident_bytes() if limits.megabytes is not None else 0
        self.stopped_at: float | None = None
        self.around: _Watched | None = None
        """The work in the same thread that waits for this."""

    def over(self) -> str:
        """The limit that the work is past, as a message; empty when it is within both."""
        seconds, megabytes = self.limits.seconds, self.limits.megabytes
        if seconds is not None and self.seconds() > seconds:
            way_out = "split the document, or give it more time"
            return f"stopped after {seconds:g} s of work ({self.limits.seconds_setting} {seconds:g}); {way_out}"
        if megabytes is not None and resident_bytes() - self.bytes_at_start > megabytes * _MEGABYTE:
            way_out = "split the document, or give it more memory"
            return f"stopped at {megabytes} MB of memory ({self.limits.megabytes_setting} {megabytes}); {way_out}"
        return ""

    def seconds(self) -> float:
        """CPU seconds since it began."""
        return _cpu_seconds(self.thread) - self.began

    def give_back(self) -> None:
        """Take this work's time and memory out of those of the work around it."""
        if self.around is not None:
            self.around.began += self.seconds()
            if self.limits.megabytes is not None:
                self.around.bytes_at_start += resident_bytes() - self.bytes_at_start


class _Watch:
    """The thread that looks at all watched work; it waits while there is none."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._under_watch: list[_Watched] = []
        self._thread: Thread | None = None

    def add(self, watched: _Watched) -> None:
        with self._changed:
            watched.around = self._innermost().get(watched.thread)
            self._under_watch.append(watched)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._look_on, name="run limits", daemon=True)
                self._thread.start()
            self._changed.notify()

    def remove(self, watched: _Watched) -> None:
        """Stop watching it; it may be called more than once. An exception that was raised in the
        thread and has not arrived yet arrives here, and is caught."""
        with self._changed:
            if watched in self._under_watch:
                self._under_watch.remove(watched)
                watched.give_back()
        if watched.stopped_at is not None:
            _let_arrive()

    def _look_on(self) -> None:
        while True:
            with self._changed:
                while not self._under_watch:
                    self._changed.wait()
                self._stop_what_is_over()
            time.sleep(_LOOKS_EVERY)

    def _innermost(self) -> dict[int, _Watched]:
        """By its thread, the work that is being done there; what is around it waits."""
        return {each.thread: each for each in self._under_watch}

    def _stop_what_is_over(self) -> None:
        """Tell work past its limit to stop, what has worked longest first. Memory is the process's,
        so only one is stopped for it at a time."""
        for watched in sorted(self._innermost().values(), key=_Watched.seconds, reverse=True):
            problem = watched.problem or watched.over()
            now = time.monotonic()
            due = watched.stopped_at is None or now - watched.stopped_at > _AGAIN_AFTER
            if problem and due and not _importing(watched.thread):
                watched.problem, watched.stopped_at = problem, now
                _leave_lost_stops_unprinted()
                _raise_in(watched.thread, _Stop)
                return


_watch = _Watch()


def _new_watch() -> None:
    """A forked process has the list and the lock of its parent, and not the thread."""
    _watch.__init__()  # type: ignore[misc]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_watch)


def _leave_lost_stops_unprinted() -> None:
    """Python prints an error that is raised within a finaliser or the callback of a weak reference,
    and loses it. A stop that came there comes again, so there is nothing to read."""
    before = sys.unraisablehook
    if getattr(before, "leaves_stops", False):
        return

    def hook(unraisable: sys.UnraisableHookArgs, /) -> None:
        if unraisable.exc_type is not _Stop:
            before(unraisable)

    hook.leaves_stops = True  # type: ignore[attr-defined]
    sys.unraisablehook = hook


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread at its next step of Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _importing(thread: int) -> bool:
    """Whether the innermost watched work in a thread is importing a module. Stopped within numpy or
    tiktoken, it would leave a part that Python refuses to load a second time."""
    frame = sys._current_frames().get(thread)
    while frame is not None and frame.f_code is not _under_watch.__code__:
        if frame.f_code.co_filename == _IMPORT_SYSTEM:
            return True
        frame = frame.f_back
    return False


def _let_arrive() -> None:
    """Catch what was raised in this thread and has not arrived.

    Another one takes its place, so that one does arrive. To take it back instead (a null pointer
    for the error) leaves CPython 3.11 with a flag set for good, and then no thread gets past a call
    while a profiler is on.
    """
    with contextlib.suppress(_Stop):
        while True:
            _raise_in(get_ident(), _Stop)
            time.sleep(0)


def _cpu_seconds(thread: int) -> float:
    """CPU time of a running thread of this process."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic()
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def resident_bytes(process: int | Literal["self"] = "self") -> int:
    """Memory that a process holds; 0 where the system does not tell it as Linux does."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
