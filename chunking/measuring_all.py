"""Many configs measured on the same documents: one after another here, or in processes of their own.

Each text is parsed and tokenised once in each process, whatever the number of configs.
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

from chunking.asking import steps
from chunking.config import Config
from chunking.document import Document
from chunking.errors import ChunkscopeError, StrategyError
from chunking.gold import Question, WholeMark
from chunking.measuring import Numbers, Tally
from chunking.runs import run
from chunking.tokens import counter
from chunking.tools import Tools

Told = Callable[[int, int], None]
_WORTH_A_PROCESS = 20_000_000
"""Characters to cut, over all documents and configs, from which processes are done sooner: each takes a second to begin
and has to parse and tokenise every text for itself."""
_LOOKS_UP = 0.2
"""Seconds after which whoever waits for a process asks whether it is still wanted."""


def workers_for(documents: Sequence[Document], cells: int) -> int:
    """How many processes are worth their while for so much work: 1 for none beside this one, at most 2."""
    characters = sum(len(document.text) for document in documents)
    return min(2, os.cpu_count() or 1) if characters * cells >= _WORTH_A_PROCESS else 1


def measure_all(
    documents: Sequence[Document],
    configs: Sequence[Config],
    *,
    gold: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    tools: Tools | None = None,
    workers: int = 1,
    progress: Told | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Iterator[tuple[int, Numbers]]:
    """The numbers of each config, by its place among them.

    Here: each config comes once for each document, with the numbers of all documents so far. With `workers` above 1:
    once, when it is measured on all, in any order; whoever asks for no more ends the processes. Configs that ask models
    or are of another package are measured here all the same. `progress` hears how many cuts are done;
    once `stopped` says so, no more are.
    """
    if workers > 1 and all(map(_travels, configs)) and len(configs) > 1:
        yield from _in_processes(documents, configs, gold, whole, min(workers, len(configs)), progress, stopped)
        return
    tallies = [Tally(config) for config in configs]
    done, total = 0, len(configs) * len(documents)
    lent: dict[str, Tools] = {}
    # Documents outside, configs inside: the index of a document is needed for all of them, and then never again.
    for document in documents:
        for number, (config, tally) in enumerate(zip(configs, tallies, strict=True)):
            if stopped and stopped():
                return
            held = tools or lent.setdefault(config.counter, Tools(counter(config.counter)))
            # Fresh numbering of repeats for each run; the same vectors, and each warning once.
            tally.add(run(document, config, held.beneath()), gold, whole)
            done += 1
            if progress:
                progress(done, total)
            yield number, tally.numbers()


def _travels(config: Config) -> bool:
    """Whether another process can measure it: it finds the strategy, and no model has to answer."""
    return type(config.strategy).__module__.startswith("chunking.") and not steps(config.strategy)


def _in_processes(
    documents: Sequence[Document],
    configs: Sequence[Config],
    gold: Sequence[Question],
    whole: Sequence[WholeMark],
    workers: int,
    progress: Told | None,
    stopped: Callable[[], bool] | None,
) -> Iterator[tuple[int, Numbers]]:
    """Every so-manieth config in each process, so that all parts of a sweep fill in alike."""
    results: SimpleQueue[tuple[int, Numbers] | ChunkscopeError | None] = SimpleQueue()
    texts = [(document.name, document.text) for document in documents]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for worker in range(workers):
            share = list(enumerate(configs))[worker::workers]
            process = _started()
            started.append(process)
            work = pickle.dumps((texts, share, tuple(gold), tuple(whole)))
            Thread(target=_listen, args=(process, work, len(share), results), daemon=True).start()
        done, waiting = 0, workers
        while waiting and not (stopped and stopped()):
            try:
                result = results.get(timeout=_LOOKS_UP)
            except Empty:
                continue
            if result is None:
                waiting -= 1
            elif isinstance(result, ChunkscopeError):
                raise result
            else:
                done += 1
                if progress:
                    progress(done * len(documents), len(configs) * len(documents))
                yield result
    finally:
        for process in started:
            process.kill()
            process.wait()


def _started() -> subprocess.Popen[bytes]:
    """A Python of its own, and not a fork or a `multiprocessing` child: those would run a Streamlit script again."""
    home = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(
        [sys.executable, "-m", "chunking.measuring_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        # Ctrl-C reaches whoever waits for the results; the processes are ended from there.
        start_new_session=True,
    )


def _listen(
    process: subprocess.Popen[bytes],
    work: bytes,
    expected: int,
    results: SimpleQueue[tuple[int, Numbers] | ChunkscopeError | None],
) -> None:
    """Hand the work over and pass on what comes back, until all of it has come or the process is gone."""
    assert process.stdin is not None
    assert process.stdout is not None
    came = 0
    with suppress(OSError, EOFError, pickle.UnpicklingError, ValueError):
        process.stdin.write(work)
        process.stdin.close()
        while came < expected:
            result = pickle.load(process.stdout)
            results.put(result)
            came += 1
    if came < expected:
        results.put(StrategyError("a worker process was ended from outside; take fewer workers to use less memory"))
    results.put(None)
