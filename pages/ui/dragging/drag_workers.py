"""Processes in which drags are answered, so that people who drag at the same time do not wait for
each other: one process works out one answer at a time, whatever the number of its threads.

Who drags alone is answered in the server. Who finds others dragging gets a place in the worker
process with the fewest, and a copy of the document there: its text, parsed once more. A worker has
its share of the memory for documents, forgets a session when it ends, and ends itself some time
after its last. What happens to a worker costs nobody an answer: the server gives it then.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from threading import Lock, Thread, Timer
from typing import Any, TypeVar

from chunking import Config
from chunking.runtime import VARIABLE, WorkerPool, memory
from pages.ui.choices.samples import Source
from pages.ui.dragging.drag_session import DragSession, answer
from pages.ui.layout import caches
from pages.ui.server import sessions

Result = TypeVar("Result")

_MOST_WORKERS = 4
_MB = 1_000_000
_BYTES_A_CHARACTER = 20
"""What a document and its token index take, a little above what was measured."""
_LINGERS = 60.0
"""Seconds for which a worker without sessions waits for another one."""
_PATIENCE = 10.0
"""Seconds that a worker has for an answer, those before it included; then it is taken for lost."""


@dataclass(eq=False)
class _Worker:
    pool: WorkerPool
    names: set[str] = field(default_factory=set)
    """The sessions that have a place there."""


@dataclass(eq=False)
class _Place:
    worker: _Worker
    size: int
    """Bytes that its document takes there."""
    ready: bool = False


class DragWorkers:
    """The worker processes of a server, begun when they are first needed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._workers: list[_Worker] = []
        self._places: dict[str, _Place] = {}
        self._lock = Lock()
        # A child ends with the thread that started it (runtime/parent.py): one thread starts all.
        self._starter = ThreadPoolExecutor(1, "drag workers")

    def give_place(self, name: str, session: DragSession) -> None:
        """Begin to prepare a worker for a session. Returns at once; `has_place` says when it is
        ready. A document too large for a worker's share of the memory gets none."""
        if not self._fits(session):
            return
        with self._lock:
            if name in self._places:
                return
            worker = self._least_busy()
            worker.names.add(name)
            place = self._places[name] = _Place(worker, _size(session))
            memory.lent += place.size
        self._send(name, place, session)

    def renew(self, name: str, session: DragSession) -> None:
        """Answer as this session says from now on, where it has a place."""
        if name in self._places and not self._fits(session):
            self.drop(name)
        with self._lock:
            place = self._places.get(name)
            if place is None:
                return
            memory.lent += _size(session) - place.size
            place.size = _size(session)
        self._send(name, place, session)

    @property
    def in_use(self) -> bool:
        """Whether a session has a place."""
        return bool(self._places)

    def has_place(self, name: str) -> bool:
        """Whether questions can be given to a worker."""
        place = self._places.get(name)
        return place is not None and place.ready

    def process_of(self, name: str) -> object | None:
        """What tells the worker that answers a session from the others; None where the server
        answers."""
        place = self._places.get(name)
        return place.worker if place is not None and place.ready else None

    async def answer(self, name: str, question: str) -> tuple[bytes, Config | None, float] | None:
        """The answer, the last legal config where that has changed, and the seconds of work; None
        where the worker could not give it."""
        place = self._places.get(name)
        if place is None:
            return None
        try:
            async with asyncio.timeout(_PATIENCE):
                submitted = await asyncio.wrap_future(self._submit(place.worker, _answer_there, name, question))
                answered = await asyncio.wrap_future(submitted)
        except Exception:  # whatever it is, the server can answer
            answered = None
        if answered is None and self._places.get(name) is place:
            self._lose(place.worker)
        return answered

    def drop(self, name: str) -> None:
        """Forget a session."""
        with self._lock:
            place = self._places.pop(name, None)
            if place is None:
                return
            place.worker.names.discard(name)
            memory.lent -= place.size
            idle = not place.worker.names
        self._watch(place.worker, self._submit(place.worker, _drop_there, name))
        if idle:
            timer = Timer(_LINGERS, self._end_if_idle, [place.worker])
            timer.daemon = True
            timer.start()

    def end(self) -> None:
        """End all workers."""
        for worker in list(self._workers):
            self._lose(worker)

    def _share(self) -> int:
        """Bytes that each worker may remember, of half of the limit; 0 for no limit."""
        return memory.limit // (2 * self._most)

    def _fits(self, session: DragSession) -> bool:
        return not self._share() or _size(session) <= self._share()

    def _least_busy(self) -> _Worker:
        idle = [worker for worker in self._workers if not worker.names]
        if not idle and len(self._workers) < self._most:
            self._workers.append(_Worker(WorkerPool(1)))
            self._submit(self._workers[-1], _begin_there, self._share())
        return min(self._workers, key=lambda worker: len(worker.names))

    def _send(self, name: str, place: _Place, session: DragSession) -> None:
        """Send a session to its worker, with its document as text."""

        def taken(done: Future[None]) -> None:
            if not done.cancelled() and done.exception() is None:
                place.ready = True
            else:
                self.drop(name)

        others = {each.name: getattr(session, each.name) for each in fields(session) if each.name != "document"}
        document = session.document
        sent = self._submit(place.worker, _take_there, name, document.name, document.text, others)
        self._watch(place.worker, sent, taken)

    def _watch(
        self, worker: _Worker, sent: Future[Future[None]], done: Callable[[Future[None]], None] | None = None
    ) -> None:
        """Lose the worker where it turns out to be gone; else call `done`."""

        def answered(answer: Future[None]) -> None:
            if not _answered_by_worker(answer):
                self._lose(worker)
            elif done is not None:
                done(answer)

        def submitted(future: Future[Future[None]]) -> None:
            if future.exception() is None:
                future.result().add_done_callback(answered)
            else:
                self._lose(worker)

        sent.add_done_callback(submitted)

    def _submit(self, worker: _Worker, function: Callable[..., Result], *arguments: object) -> Future[Future[Result]]:
        return self._starter.submit(worker.pool.submit, function, *arguments)

    def _lose(self, worker: _Worker) -> None:
        """End a worker; its sessions have no place any more."""
        with self._lock:
            if worker not in self._workers:
                return
            self._workers.remove(worker)
            for name in worker.names:
                memory.lent -= self._places.pop(name).size
        Thread(target=worker.pool.end, name="end of a drag worker", daemon=True).start()

    def _end_if_idle(self, worker: _Worker) -> None:
        if not worker.names:
            self._lose(worker)


def _size(session: DragSession) -> int:
    """Bytes that its document takes."""
    return _BYTES_A_CHARACTER * len(session.document.text)


def _answered_by_worker(answer: Future[None]) -> bool:
    """Whether there is a worker that has answered, if only with an error."""
    return not answer.cancelled() and not isinstance(answer.exception(), BrokenExecutor)


workers = DragWorkers(min(_MOST_WORKERS, os.cpu_count() or 1))
"""The server's own."""


# ---- in a worker ----

_sessions: dict[str, DragSession] = {}
_at_work: list[str | None] = [None]
"""The session that is being worked for."""


def _begin_there(share: int) -> None:
    os.environ[VARIABLE] = str(max(1, share // _MB) if share else 0)
    memory.asks = lambda: _at_work[0]
    caches.collect_rarely()


def _take_there(name: str, document: str, text: str, others: Mapping[str, Any]) -> None:
    memory.welcome(name)
    _at_work[0] = name
    good: Config = others["good"]
    parsed = good.read(caches.document(Source(document, "", text), good.counter))
    _sessions[name] = DragSession(document=parsed, **others)


def _answer_there(name: str, question: str) -> tuple[bytes, Config | None, float] | None:
    session = _sessions.get(name)
    if session is None:
        return None
    _at_work[0] = name
    sessions.note_use()
    began = time.perf_counter()
    said, after = answer(session, question)
    _sessions[name] = after
    return said, after.good if after.good != session.good else None, time.perf_counter() - began


def _drop_there(name: str) -> None:
    _sessions.pop(name, None)
    _at_work[0] = None
    memory.release(name)
    sessions.collect_sometimes()
