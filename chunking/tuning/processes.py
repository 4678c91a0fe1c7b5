"""Generators run in processes of their own: for work that must not hold up a server, and for two
cores.

A Python of its own, and not a fork or a `multiprocessing` child: those would run a Streamlit script
again.
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
_LOOKS_UP = 0.2
"""Seconds after which whoever waits for a process asks whether it is still wanted."""


class _Gone:
    """Said when a process has nothing more to say."""


def elsewhere(
    function: Callable[..., Iterator[Result]],
    shares: Sequence[tuple[object, ...]],
    stopped: Callable[[], bool] | None = None,
) -> Iterator[Result]:
    """What `function(*share)` yields for each share, each in a process of its own, as it comes.

    The function is one of a module's own, and all it takes and yields can be pickled. The processes
    end when nobody asks for more, and once `stopped` says so. Raises StrategyError for an error in
    a process, or when one is ended, as soon as the other processes are done.
    """
    results: SimpleQueue[Result | ChunkscopeError | type[_Gone]] = SimpleQueue()
    begun: list[subprocess.Popen[bytes]] = []
    listeners: list[Thread] = []
    try:
        for share in shares:
            work = pickle.dumps((function, share))
            begun.append(_begun())
            listeners.append(Thread(target=_listen, args=(begun[-1], work, results), daemon=True))
            listeners[-1].start()
        waiting = len(begun)
        failed: ChunkscopeError | None = None
        while waiting and not (stopped and stopped()):
            try:
                result = results.get(timeout=_LOOKS_UP)
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
        for process in begun:
            process.kill()
            process.wait()
        for listener in listeners:
            listener.join()


def _begun() -> subprocess.Popen[bytes]:
    home = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(
        [sys.executable, "-m", "chunking.tuning.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        # Ctrl-C reaches whoever waits for the results; the processes are ended from there.
        start_new_session=True,
    )


def _listen(
    process: subprocess.Popen[bytes], work: bytes, results: SimpleQueue[Result | ChunkscopeError | type[_Gone]]
) -> None:
    """Hand the work over and pass on what comes back, until all of it has come or the process is
    gone."""
    assert process.stdin is not None
    assert process.stdout is not None
    ended = False
    with process.stdout, suppress(OSError, EOFError, pickle.UnpicklingError, ValueError):
        try:
            process.stdin.write(work)
        finally:
            process.stdin.close()
        while not ended:
            result = pickle.load(process.stdout)
            ended = result is None
            if not ended:
                results.put(result)
    if not ended:
        results.put(StrategyError("a worker process was ended from outside; take fewer workers to use less memory"))
    results.put(_Gone)
