"""Connections of `chunkscope serve` that keep others waiting are ended: a request whose head does
not come whole in time, an answer that nobody takes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from chunking.cli.service.access import SAFE_HEADERS
from chunking.cli.service.request_errors import RequestError, error_answer, too_slow

ANSWER_SECONDS = 60.0
"""For which the client may take nothing of an answer."""
BACKLOG = 256
"""How many connections are accepted in one go, before any of them is counted."""
_FILES = 512
"""Open files of a process, where the system does not tell."""
_MANY_FILES = 1 << 20
"""The same, where the system sets no limit."""


class ImpatientProtocol(H11Protocol):
    """uvicorn's connection, with an end to waiting that it has not by itself."""

    request_seconds = 30.0
    """For which a request may take to arrive, where nobody reads it: its head, or what is sent on
    after it was refused."""
    most = _MANY_FILES
    """How many connections there may be."""
    _request: asyncio.TimerHandle | None = None
    _heard = False
    """Whether anything has come."""
    _answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._refuse(RequestError(503, "too many connections; ask again in a moment", retry_after="1"))
        else:
            self._watch_request()

    def data_received(self, data: bytes) -> None:
        self._heard = True
        super().data_received(data)
        self._watch_request()

    def send_400_response(self, _: str) -> None:
        """Say, as everything is said here, that this is no request."""
        self._refuse(RequestError(400, "this is not a request of HTTP/1.1", connection="close"))

    def _refuse(self, problem: RequestError) -> None:
        """Answer in the place of the application, and close; no answer where one has begun."""
        answer = error_answer(problem)
        headers = [*answer.raw_headers, *((name.encode(), value.encode()) for name, value in SAFE_HEADERS.items())]
        head = h11.Response(
            status_code=problem.status,
            headers=headers,
            reason=HTTPStatus(problem.status).phrase.encode(),
        )
        with suppress(h11.LocalProtocolError):
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._answer = self._answer or self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer = _stop(self._answer)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._request, self._answer = _stop(self._request), _stop(self._answer)

    def _watch_request(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._request = _stop(self._request)
        elif self._request is None:
            self._request = self.loop.call_later(self.request_seconds, self._end_request)

    def _end_request(self) -> None:
        self._request = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._watch_request()  # the application reads it, and has its own patience
        elif self._heard and self.conn.their_state is h11.IDLE:
            self._refuse(too_slow(self.request_seconds))
        else:
            self.transport.close()


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Stop a timer; what is there in its place."""
    if timer is not None:
        timer.cancel()
    return None


def impatient(seconds: float) -> type[ImpatientProtocol]:
    """The connection for a server that waits so many seconds for a request, and leaves some of the
    files that a process may have open for what is not a connection."""
    files = _open_files()
    most = max(files // 2, files - 2 * BACKLOG)
    return type("Impatient", (ImpatientProtocol,), {"request_seconds": seconds, "most": most})


def _open_files() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:  # Windows
        return _FILES
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return files if files != resource.RLIM_INFINITY else _MANY_FILES
