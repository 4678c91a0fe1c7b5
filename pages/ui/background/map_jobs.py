"""Chunks embedded by the local model and mapped, in a worker process and beside everything else: a
page begins it, and looks now and then how far it has come.

What was embedded is remembered by its text (`chunking.models`), so only chunks whose text changed
are embedded again. One worker serves all sessions in turn, and ends some time after its last job.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock, Timer
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from chunking import ChunkscopeError
from chunking.analysis import Layout, VectorMap, map_vectors
from chunking.models import embedder
from chunking.runtime import WorkerPool

Vectors = npt.NDArray[np.float32]
Result = TypeVar("Result")

AT_ONCE = 32
"""Texts that the worker embeds between two looks at whether they are still wanted."""
_KEPT = 8
"""Maps, and questions, that are remembered."""
_LINGERS = 120.0
"""Seconds for which the worker waits for another job."""


@dataclass(eq=False)
class MapJob:
    """One map in the making. Mutable: its thread writes, pages read."""

    texts: Sequence[str]
    count: int
    """How many of the texts are the run's own; the others are those of what it is compared with."""
    total: int
    layout: Layout = "components"
    documents: Sequence[int] | None = None
    """The number of each text's document, where they are of several."""
    done: int = 0
    """Texts that have their vectors."""
    vectors: Vectors | None = None
    found: VectorMap | None = None
    problem: str = ""
    cancelled: bool = False


@dataclass(eq=False)
class QuestionJob:
    """A question on its way to a vector."""

    text: str
    vector: Vectors | None = None
    problem: str = ""


class MapJobs:
    """The maps of a server, and the worker that makes them."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, MapJob] = OrderedDict()
        self._questions: OrderedDict[str, QuestionJob] = OrderedDict()
        self._wanted: OrderedDict[str, MapJob] = OrderedDict()
        self._lock = Lock()
        # A worker ends with the thread that started it (runtime/parent.py): one thread does it all.
        self._thread = ThreadPoolExecutor(1, "map of chunks")
        self._pool: WorkerPool | None = None
        self._idle: Timer | None = None

    def about(
        self,
        who: str,
        key: str,
        texts: Callable[[], Sequence[str]],
        count: int,
        layout: Layout = "components",
        documents: Sequence[int] | None = None,
    ) -> MapJob:
        """The map of the texts that this key names in this layout, begun where it is not there yet;
        `documents` has the number of each text's document. What `who` wanted before is not made any
        further, unless somebody else wants it."""
        key = f"{layout} {key}"
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job.cancelled:
                named = texts()
                job = self._jobs[key] = MapJob(named, count, len(named), layout, documents)
                self._thread.submit(self._work, job)
            self._jobs.move_to_end(key)
            self._wanted[who] = job
            self._wanted.move_to_end(who)
            while len(self._wanted) > 4 * _KEPT:
                self._wanted.popitem(last=False)
            wanted = set(map(id, self._wanted.values()))
            for each in self._jobs.values():
                each.cancelled = each.cancelled or (each.found is None and not each.problem and id(each) not in wanted)
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)[1].cancelled = True
        return job

    def question(self, text: str) -> QuestionJob:
        """The vector of a question, begun where it is not there yet."""
        with self._lock:
            job = self._questions.get(text)
            if job is None or job.problem:
                job = self._questions[text] = QuestionJob(text)
                self._thread.submit(self._ask, job)
            self._questions.move_to_end(text)
            while len(self._questions) > _KEPT:
                self._questions.popitem(last=False)
        return job

    def end(self) -> None:
        """End the worker; it begins again when something is wanted."""
        self._thread.submit(self._end).result()

    def _work(self, job: MapJob) -> None:
        try:
            parts = []
            for at in range(0, job.total, AT_ONCE):
                if job.cancelled:
                    return
                parts.append(self._call(embedded, list(job.texts[at : at + AT_ONCE])))
                job.done = min(job.total, at + AT_ONCE)
            job.vectors = np.concatenate(parts)
            job.found = self._call(map_vectors, job.vectors, job.count, job.layout, job.documents)
        except Exception as error:  # whatever it is, the page says it and goes on
            job.problem = _said(error)
        finally:
            job.texts = ()

    def _ask(self, job: QuestionJob) -> None:
        try:
            job.vector = self._call(embedded, [job.text])[0]
        except Exception as error:
            job.problem = _said(error)

    def _call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """What a function gives in the worker. A worker that was lost is replaced the next time."""
        if self._idle is not None:
            self._idle.cancel()
        self._pool = self._pool or WorkerPool(1)
        try:
            return self._pool.submit(function, *arguments).result()
        except ChunkscopeError:
            raise
        except Exception:
            self._end()
            raise
        finally:
            self._idle = Timer(_LINGERS, self._thread.submit, [self._end])
            self._idle.daemon = True
            self._idle.start()

    def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.end()


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, ChunkscopeError) else f"The worker that embeds has failed: {error}"


jobs = MapJobs()
"""The server's own."""


# ---- in the worker ----


def embedded(texts: Sequence[str]) -> Vectors:
    """One vector of the local model for each text; those that are remembered are not asked for."""
    readable = [text.encode("utf-8", "replace").decode() for text in texts]
    return embedder("local")(readable)
