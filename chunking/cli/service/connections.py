"""Connections of `chunkscope serve` that keep others waiting are ended: a request that does not
come whole in time, an answer that nobody takes."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 60.0
"""For which a request may take to arrive, where nobody reads it: its head, or what is sent on after
it was refused."""
ANSWER_SECONDS = 60.0
"""For which the client may take nothing of an answer."""


class ImpatientProtocol(H11Protocol):
    """uvicorn's connection, with an end to waiting that it has not by itself."""

    _request: asyncio.TimerHandle | None = None
    _answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_request()

    def send_400_response(self, _: str) -> None:
        """Say, as everything is said here, that this is no request."""
        body = b'{"error": "this is not a request of HTTP/1.1"}\n'
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        with suppress(h11.LocalProtocolError):  # an answer has begun
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
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
            self._request = self.loop.call_later(REQUEST_SECONDS, self._end_request)

    def _end_request(self) -> None:
        self._request = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
        else:
            self._watch_request()  # the application reads it, and has its own patience


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Stop a timer; what is there in its place."""
    if timer is not None:
        timer.cancel()
    return None
