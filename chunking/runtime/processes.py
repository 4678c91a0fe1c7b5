"""Worker processes: loky's, each a new Python. A child of `multiprocessing` would be a fork of a
server with threads, or would run a Streamlit script again. A command without threads may fork,
which spares each worker what the command has loaded.

They print nothing to our standard output, are ended at once when their work is no longer wanted,
and end with their parent.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing import resource_tracker as python_tracker
from threading import Lock, active_count
from typing import Any, TypeVar, cast

from loky import process_executor
from loky.backend.resource_tracker import ensure_running
from loky.process_executor import ProcessPoolExecutor
from loky.process_executor import TerminatedWorkerError as WorkerEndedError

from chunking.errors import ChunkscopeError, StrategyError
from chunking.runtime.faults import fault_message
from chunking.runtime.gc_pause import this_program_is_ours
from chunking.runtime.parent import end_with_parent
from chunking.runtime.run_limits import resident_bytes

__all__ = [
    "SAFE_PATH",
    "Ended",
    "WorkerEndedError",
    "WorkerPool",
    "can_fork",
    "in_processes",
    "safe_path",
    "set_safe_path",
]

Result = TypeVar("Result")
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has one way only
_POLL = 0.2
"""Seconds between two calls of `stopped` while waiting for a result."""
_CLOSES = 1.0
"""Seconds within which an executor sees that its workers were killed, where it does not wait for
the rest of a result."""
_NO_WARNING = "ignore:resource_tracker:UserWarning"
SAFE_PATH = "PYTHONSAFEPATH"
"""A Python that is begun with this variable does not look for modules in the current folder."""


_one_begins = Lock()


class WorkerPool:
    """Some worker processes. Calls wait for a free one; what they return can be pickled."""

    def __init__(self, workers: int, *, forked: bool = False) -> None:
        """With `forked` they begin as copies of this process, which must be one that `can_fork`."""
        with _one_begins:  # the variable is everybody's
            set_by_others = os.environ.get(SAFE_PATH)
            if not forked:  # what is forked shares nothing that would be left behind
                _begin_trackers()
        self._executor = ProcessPoolExecutor(
            workers,
            context=get_context("fork") if forked else None,
            initializer=_begin,
            initargs=(os.getpid(), set_by_others),
            env={SAFE_PATH: "1"},
        )
        self._begins = Lock()
        self._ended = False

    def submit(self, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Call a function of a module in a worker. The future raises WorkerEndedError when a worker
        is ended from outside; all calls that are under way are lost with it."""
        with self._begins, _no_interrupt():
            if self._ended:
                raise WorkerEndedError("the workers have been ended")
            return cast("Future[Result]", self._executor.submit(function, *arguments))

    def begin(self, function: Callable[..., Iterator[object]], *share: object) -> Future[object]:
        """The first that `function(*share)` yields, in a pool of one worker; `go_on` gives the
        rest.

        An `Ended` comes after the last one, a ChunkscopeError in place of what could not be made.
        """
        return self.submit(_first, function, share)

    def go_on(self) -> Future[object]:
        """What is yielded next."""
        return self.submit(_next)

    def resident_bytes(self) -> int:
        """Memory that the workers hold; 0 where the system does not tell it as Linux does."""
        return sum(resident_bytes(worker) for worker in list(self._executor._processes))

    def end(self) -> None:
        """End the workers, whatever they are doing."""
        with self._begins:  # none begins meanwhile
            self._ended = True
        # Not by `kill_workers`, which calls the program pgrep for each, and Ctrl-C ends that too.
        for worker in list(self._executor._processes.values()):
            with suppress(ProcessLookupError):
                os.kill(worker.pid, _KILL)
        self._end_of_results()
        self._executor.shutdown(wait=True)

    def _end_of_results(self) -> None:
        """A worker that was ended while it sent a result has sent only a part: without this, the
        executor would wait for the rest."""
        reading, results = self._executor._executor_manager_thread, self._executor._result_queue
        if reading is None or results is None:
            return
        reading.join(_CLOSES)  # it closes the queue itself where it does not wait
        if reading.is_alive():
            # What is closed twice may be a file of somebody else's by then.
            handle, results._writer._handle = results._writer._handle, None
            if handle is not None:
                os.close(handle)


_WITH_THREADS = ("torch", "onnxruntime", "tokenizers")
"""Libraries with threads of their own, which another package's splitter may have loaded."""


def can_fork() -> bool:
    """Whether a copy of this process would be whole: other threads, and the locks that they hold,
    are not copied. On macOS, system libraries do not stand it."""
    return sys.platform == "linux" and active_count() == 1 and not any(map(sys.modules.get, _WITH_THREADS))


def in_processes(
    function: Callable[..., Iterator[Result]],
    shares: Sequence[tuple[object, ...]],
    stopped: Callable[[], bool] | None = None,
) -> Iterator[Result]:
    """Yields what `function(*share)` yields for each share, each in its own process, as it comes.

    The function is at the top level of a module, and its arguments and results can be pickled. The
    processes end when the iterator is closed, or when `stopped` returns True. Raises StrategyError
    for an error in a process, or when one is killed, as soon as the other processes are done.
    """
    pools: list[WorkerPool] = []
    waiting: dict[Future[Any], WorkerPool] = {}
    failed: ChunkscopeError | None = None
    try:
        for share in shares:
            pools.append(WorkerPool(1))
            waiting[pools[-1].begin(function, *share)] = pools[-1]
        while waiting and not (stopped and stopped()):
            for future in wait(waiting, _POLL, FIRST_COMPLETED).done:
                pool = waiting.pop(future)
                try:
                    result = future.result()
                except WorkerEndedError:
                    result = StrategyError(
                        "a worker process was ended from outside; take fewer workers to use less memory"
                    )
                if isinstance(result, ChunkscopeError):
                    failed = failed or result
                elif not isinstance(result, Ended):
                    waiting[pool.go_on()] = pool  # it goes on while this one is used
                    yield result
        if failed is not None:
            raise failed
    finally:
        for pool in pools:
            pool.end()


def _begin_trackers() -> None:
    """Begin the processes, loky's and Python's, that remove what a program leaves behind, where
    they have not begun.

    They take their warnings from ours, and are not to warn of what they remove: a program that a
    signal ends would say three lines in place of one.
    """
    sys.warnoptions.append(_NO_WARNING)
    try:
        with safe_path():
            ensure_running()
            python_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_NO_WARNING)


@contextmanager
def safe_path() -> Iterator[None]:
    """Let a Python that is begun meanwhile import nothing from the current folder, which may be
    anybody's: a file there that is called like a module would be run."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        set_safe_path(before)


def set_safe_path(value: str | None) -> None:
    """Give the variable this value, or take it away."""
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


# ---- in a worker ----


class Ended:
    """Comes back when there is nothing more to yield."""


_yielding: list[Iterator[object]] = []
"""What this worker was asked to run, if it is a generator's."""


def _begin(parent: int, safe_path: str | None) -> None:
    """What a worker does first, a child of the process `parent`. Ctrl-C is the parent's to answer:
    it ends the workers. `safe_path` is the parent's variable, for the programs that a worker
    begins."""
    set_safe_path(safe_path)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent(parent)
    this_program_is_ours()
    # Else loky looks after a worker's memory each second: it goes through all objects, which keeps
    # an answer waiting, and exchanges one that has grown by 300 MB, with what it was given before.
    process_executor._MEMORY_LEAK_CHECK_DELAY = math.inf
    sys.stdout = sys.stderr  # what a library prints there is not part of our output


def _first(function: Callable[..., Iterator[object]], share: tuple[object, ...]) -> object:
    try:
        _yielding[:] = [function(*share)]
    except BaseException as error:
        return _message(error)
    return _next()


def _next() -> object:
    try:
        return next(_yielding[0], Ended())
    except BaseException as error:
        return _message(error)


def _message(error: BaseException) -> ChunkscopeError:
    return StrategyError(str(error) if isinstance(error, ChunkscopeError) else fault_message(error))


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Keep Ctrl-C from a worker that is being started and does not ignore it yet."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
