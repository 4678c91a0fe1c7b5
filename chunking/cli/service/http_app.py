"""The web application of `chunkscope serve`: routes, how a request is read and an answer is sent.

This process passes bytes on; reading JSON and cutting is done in worker processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Self

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Address
from starlette.types import ASGIApp, Receive, Scope, Send

from chunking.cli.service.access import Access, guarded
from chunking.cli.service.answers import ROUTES, Refusal, Route, answer
from chunking.cli.service.openapi import openapi
from chunking.cli.service.request_errors import JSON, RequestError, error_answer, json_answer, too_slow
from chunking.cli.service.work import Terms, error_line
from chunking.cli.service.workers import BusyError, Workers, WorkLostError
from chunking.cli.terminal import print_error
from chunking.errors import ChunkscopeError
from chunking.runtime.version import engine_version
from chunking.text.display import shown_text

JSON_LINES = "application/x-ndjson"
_BODIES = 4
"""How many bodies of the largest size may be in memory at once."""


@dataclass(frozen=True, slots=True)
class Service:
    """What the server's owner chose, and the workers."""

    workers: Workers
    terms: Terms
    max_body: int
    """Bytes of a request."""
    body_seconds: float
    """For which a request may take to arrive."""
    access: Access


def application(service: Service) -> ASGIApp:
    """The routes, behind what guards them; the workers are begun and ended with them."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        service.workers.begin()
        try:
            yield
        finally:
            await service.workers.end()

    bodies = _Bodies(_BODIES * service.max_body)
    routes = [Address("/health", _health), Address("/openapi.json", _described)]
    routes += [
        Address(f"/v1/{name}", _Answering(name, route, service, bodies), methods=["POST" if route.body else "GET"])
        for name, route in ROUTES.items()
    ]
    handlers = {RequestError: _say_error, HTTPException: _say_status, Exception: _say_fault}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False  # behind a proxy with TLS it would send the token on without
    return guarded(app, service.access, [each.path for each in routes])


async def _health(_: Request) -> Response:
    return json_answer({"status": "ok", "version": engine_version()})


async def _described(_: Request) -> Response:
    return json_answer(openapi(engine_version()))


async def _say_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_answer(error)


async def _say_fault(_: Request, error: Exception) -> Response:
    """A fault of ours: its kind for the log, and nothing that was sent."""
    print_error(f"internal error; please report it: {type(error).__name__}")
    return json_answer({"error": "internal error; the server's log has its kind"}, 500)


async def _say_status(request: Request, error: Exception) -> Response:
    """What Starlette refuses: an address or a method that is not there."""
    assert isinstance(error, HTTPException)
    said = {404: "no such address; GET /openapi.json lists them", 405: f"not by {request.method}"}
    words = said.get(error.status_code, error.detail)
    return json_answer({"error": words}, error.status_code, dict(error.headers or {}))


class _Bodies:
    """How much of requests is in memory."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    def hold(self, size: int) -> None:
        """Count so many bytes more. Raises RequestError where that is too much in all."""
        if self._held + size > self._most:
            raise RequestError(503, "too much is being sent at once; ask again in a moment", retry_after="1")
        self._held += size

    def let_go(self, size: int) -> None:
        """Count so many bytes less."""
        self._held -= size


class _Reader:
    """Reads one request's body within the owner's limits; what it holds counts until it is left."""

    def __init__(self, bodies: _Bodies, service: Service) -> None:
        self._bodies = bodies
        self._most = service.max_body
        self._seconds = service.body_seconds
        self._held = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bodies.let_go(self._held)

    async def read(self, request: Request) -> bytes:
        """The body. Raises RequestError where it is too large, before it is in memory, or too slow;
        ClientDisconnect."""
        self._check_head(request)
        pieces: list[bytes] = []
        try:
            async with asyncio.timeout(self._seconds):
                async for piece in request.stream():
                    if self._held + len(piece) > self._most:
                        raise self._too_large()
                    self._bodies.hold(len(piece))
                    self._held += len(piece)
                    pieces.append(piece)
        except TimeoutError:
            raise too_slow(self._seconds) from None
        return b"".join(pieces)

    def _check_head(self, request: Request) -> None:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != JSON:
            raise RequestError(415, f"content-type: {shown_text(media) or 'is missing'}; send {JSON}")
        if request.headers.get("content-encoding", "identity") != "identity":
            raise RequestError(415, "content-encoding: compressed requests are not read; send it as it is")
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._most:
            raise self._too_large()

    def _too_large(self) -> RequestError:
        return RequestError(
            413, f"more than {self._most // 1_000_000:,} MB (--max-body); send fewer documents at a time"
        )


class _Answering:
    """Answers the requests of one route."""

    def __init__(self, name: str, route: Route, service: Service, bodies: _Bodies) -> None:
        self._name = name
        self._route = route
        self._service = service
        self._bodies = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        with _Reader(self._bodies, self._service) as reader, suppress(ClientDisconnect):
            content = await reader.read(request) if self._route.body else b""
            await _while_connected(receive, self._answer(content, scope, receive, send))

    async def _answer(self, content: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        sending = _Sending(scope, receive, send, lines=self._route.lines)
        refusal = None
        try:
            async with self._service.workers.work(answer, self._name, content, self._service.terms) as work:
                async for piece in work.results():
                    if isinstance(piece, Refusal):
                        refusal = piece
                    else:
                        await sending.piece(piece)
        except BusyError as error:
            raise RequestError(503, str(error), retry_after="1") from None
        except WorkLostError as error:
            refusal = Refusal(422, str(error))
        except ChunkscopeError as error:
            refusal = Refusal(500, str(error))
        # Behind the work: a client that has its answer counts as gone.
        await sending.end(refusal)


class _Sending:
    """An answer on its way: a status with the first piece, or a problem in its place."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, lines: bool) -> None:
        self._asgi = scope, receive, send
        self._send = send
        self._lines = lines
        self._begun = False

    async def piece(self, piece: bytes) -> None:
        """Send it."""
        if not self._begun:
            self._begun = True
            headers = [(b"content-type", (JSON_LINES if self._lines else JSON).encode())]
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self, refusal: Refusal | None) -> None:
        """Say that it is over, or why; behind other pieces that is a line of JSON lines."""
        if refusal and not self._begun:
            await error_answer(RequestError(refusal.status, refusal.problem))(*self._asgi)
            return
        await self.piece(error_line(refusal.problem) if refusal else b"")
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})


async def _while_connected(receive: Receive, work: Coroutine[object, object, None]) -> None:
    """Do this work; give it up as soon as the client has gone."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not working.done():
            working.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
