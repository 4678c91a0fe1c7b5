"""The worker processes of a server: one piece of work at a time in each; work that nobody wants any
more is ended with its process."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from threading import Thread
from typing import Generic, TypeVar

from chunking.errors import ChunkscopeError
from chunking.runtime.processes import Ended, WorkerEndedError, WorkerPool

Result = TypeVar("Result")

_MB = 1_000_000
_SPARE_MB = 500
"""What a worker may hold besides what it remembers: Python keeps memory that it was given."""


class BusyError(ChunkscopeError):
    """More is asked at once than the server takes."""


class WorkLostError(ChunkscopeError):
    """Work whose process is gone, or was ended for the time it took."""


class Work(Generic[Result]):
    """What a generator yields in a worker, one after the other, one ahead of the reader."""

    def __init__(self, worker: WorkerPool, first: Future[object], patience: float | None) -> None:
        self._worker = worker
        self._first = first
        self._patience = patience
        self.over = False
        """Whether it has come to its end, so that the worker is free."""

    async def results(self) -> AsyncIterator[Result]:
        """What is yielded. Raises WorkLostError."""
        waiting = asyncio.wrap_future(self._first)
        while True:
            result = await self._in_time(waiting)
            if isinstance(result, Ended):
                self.over = True
                return
            if isinstance(result, ChunkscopeError):
                raise result
            waiting = asyncio.wrap_future(self._worker.go_on())
            yield result  # type: ignore[misc]  # it comes from another process

    async def _in_time(self, waiting: asyncio.Future[object]) -> object:
        try:
            async with asyncio.timeout(self._patience):
                return await waiting
        except TimeoutError:
            raise WorkLostError(f"stopped after {self._patience:g} s without a result; split the document") from None
        except WorkerEndedError:
            problem = "its worker process was ended from outside, perhaps for the memory it took; split the document"
            raise WorkLostError(problem) from None


class Workers:
    """So many processes, begun when they are first needed. To be used in one thread with a loop,
    which has to live as long as they do (runtime/parent.py)."""

    def __init__(
        self, count: int, waiting: int, patience: float | None, ready: Callable[..., None], share: int
    ) -> None:
        """`waiting` is how much work may wait for a free worker, `patience` the seconds that one
        may take for a result; each worker calls `ready(share)` first, with the megabytes that it
        may remember. One that holds far more memory once its work is over is replaced."""
        self._count = count
        self._most = count + waiting
        self._patience = patience
        self._ready = ready
        self._share = share
        self._most_bytes = (_SPARE_MB + share) * _MB if share else math.inf
        self._asked = 0
        self._free = asyncio.Semaphore(count)
        self._idle: list[WorkerPool] = []
        self._busy: set[WorkerPool] = set()

    def begin(self) -> None:
        """Begin all of them now, so that the first request does not wait."""
        self._idle = [self._new() for _ in range(self._count)]

    @asynccontextmanager
    async def work(self, function: Callable[..., Iterator[Result]], *share: object) -> AsyncIterator[Work[Result]]:
        """What `function(*share)` yields, in a worker. The worker is ended when the work is left
        before its end. Raises BusyError."""
        if self._asked >= self._most:
            raise BusyError(f"{self._asked} requests are being answered or wait; ask again in a moment")
        self._asked += 1
        try:
            async with self._free:
                worker, first = self._begun(function, *share)
                self._busy.add(worker)
                work: Work[Result] = Work(worker, first, self._patience)
                try:
                    yield work
                finally:
                    self._take_back(worker, free=work.over)
        finally:
            self._asked -= 1

    async def end(self) -> None:
        """End all of them, whatever they are doing."""
        every = [*self._idle, *self._busy]
        self._idle = []
        self._busy = set()
        await asyncio.gather(*(asyncio.to_thread(each.end) for each in every))

    def _begun(self, function: Callable[..., Iterator[object]], *share: object) -> tuple[WorkerPool, Future[object]]:
        """A worker that has begun, and what it yields first. One that was ended from outside while
        it was idle is let go."""
        while self._idle:
            worker = self._idle.pop()
            try:
                return worker, worker.begin(function, *share)
            except WorkerEndedError:
                _end_aside(worker)
        worker = self._new()
        return worker, worker.begin(function, *share)

    def _take_back(self, worker: WorkerPool, *, free: bool) -> None:
        if worker not in self._busy:
            return  # ended with all others
        self._busy.discard(worker)
        if free and worker.resident_bytes() <= self._most_bytes:
            self._idle.append(worker)
            return
        _end_aside(worker)
        self._idle.append(self._new())  # so that the next request waits less

    def _new(self) -> WorkerPool:
        worker = WorkerPool(1)
        worker.submit(self._ready, self._share)
        return worker


def _end_aside(worker: WorkerPool) -> None:
    """End a worker while others go on."""
    Thread(target=worker.end, name="end of a worker", daemon=True).start()
