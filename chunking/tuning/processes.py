"""Runs generators in worker processes: for work that must not block a server, and for two cores.

Each worker is a new Python, and not a fork or a `multiprocessing` child, which would run a
Streamlit script again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from chunking.errors import ChunkscopeError, StrategyError

Result = TypeVar("Result")
_POLL = 0.2
"""Seconds between two calls of `stopped` while waiting for a result."""


class _Done:
    """Marks in the queue that a process yields nothing more."""


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
    results: SimpleQueue[Result | ChunkscopeError | type[_Done]] = SimpleQueue()
    started: list[subprocess.Popen[bytes]] = []
    listeners: list[Thread] = []
    try:
        for share in shares:
            work = pickle.dumps((function, share))
            started.append(_start())
            listeners.append(Thread(target=_listen, args=(started[-1], work, results), daemon=True))
            listeners[-1].start()
        waiting = len(started)
        failed: ChunkscopeError | None = None
        while waiting and not (stopped and stopped()):
            try:
                result = results.get(timeout=_POLL)
            except Empty:
                continue
            if isinstance(result, ChunkscopeError):
                failed = failed or result
            elif isinstance(result, type):
                waiting -= 1
            else:
                yield result
        if failed is not None:
            raise failed
    finally:
        for process in started:
            process.kill()
            process.wait()
        for listener in listeners:
            listener.join()


def _start() -> subprocess.Popen[bytes]:
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(
        [sys.executable, "-m", "chunking.tuning.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        # Ctrl-C goes to the parent only, which then ends the processes.
        start_new_session=True,
    )


def _listen(
    process: subprocess.Popen[bytes], work: bytes, results: SimpleQueue[Result | ChunkscopeError | type[_Done]]
) -> None:
    """Send the work to the process and queue its results, until it is done or gone.

    Its standard input stays open for so long: the process ends when that is closed, as by our end.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    ended = False
    with process.stdout, suppress(OSError, EOFError, pickle.UnpicklingError, ValueError), process.stdin:
        process.stdin.write(work)
        process.stdin.flush()
        while not ended:
            result = pickle.load(process.stdout)
            ended = result is None
            if not ended:
                results.put(result)
    if not ended:
        results.put(StrategyError("a worker process was ended from outside; take fewer workers to use less memory"))
    results.put(_Done)
