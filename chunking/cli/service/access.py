"""Who may ask `chunkscope serve`, what every response says to a browser, and the one line that is
logged of a request: no name, no text, no key."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chunking.cli.service.request_errors import RequestError, error_answer
from chunking.cli.terminal import print_error
from chunking.errors import ConfigError
from chunking.runtime.host_names import ip_of, is_loopback, is_same_origin, parsed_host

TOKEN = "CHUNKSCOPE_TOKEN"
"""Environment variable with the token that everybody must bring, also to the app."""
NONE_ASKED = "off"
SHORTEST = 16
"""Characters of a token: a shorter one could be guessed."""
_OPEN = "/health"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SAFE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every response: a browser is to run, frame, guess and keep nothing."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in."""

    address: str
    """Where the server listens."""
    hosts: tuple[str, ...] = ()
    """Names by which others may reach it, as of a proxy."""
    token: str = ""
    """What everybody must bring; empty where nothing is asked for."""

    def knows(self, host: str) -> bool:
        """Whether the server may be asked by this name. On loopback a page whose own name is
        pointed there (DNS rebinding) is not answered."""
        if is_loopback(host) or any(host == each.lower().removesuffix(".") for each in self.hosts):
            return True
        return not is_loopback(self.address) and (ip_of(host) is not None or host == self.address)


def token_for(address: str, hosts: Iterable[str]) -> tuple[str, bool]:
    """The token to ask for, and whether it was drawn here: that of the environment; else none on
    loopback, and beyond it a new one. Raises ConfigError for one that could be guessed."""
    given = os.environ.get(TOKEN, "")
    if given == NONE_ASKED:
        return "", False
    if given and len(given) < SHORTEST:
        raise ConfigError(f"{TOKEN} has {len(given)} characters, fewer than {SHORTEST}; set a longer one")
    alone = is_loopback(address) and not any(True for _ in hosts)
    return (given, False) if given or alone else (secrets.token_urlsafe(24), True)


def guarded(app: ASGIApp, access: Access, paths: Iterable[str]) -> ASGIApp:
    """The application behind all of this; `paths` are those that the log names."""
    return _SafeHeaders(_Logged(_Gate(app, access), frozenset(paths)))


class _Gate:
    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope) if scope["type"] == "http" else None
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await error_answer(problem)(scope, receive, send)

    def _problem(self, scope: Scope) -> RequestError | None:
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        host = parsed_host(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self._access.knows(host[0]):
            return RequestError(403, "this server is not known by that name; its owner can allow it with --host NAME")
        if len(origins) > 1 or (origins and not is_same_origin(origins[0], host)):
            return RequestError(403, "pages of other sites may not ask this server")
        if self._access.token and scope["path"] != _OPEN and not self._brings_token(headers.get("authorization", "")):
            words = "bring the token: Authorization: Bearer TOKEN"
            return RequestError(401, words, www_authenticate="Bearer")
        return None

    def _brings_token(self, brought: str) -> bool:
        kind, _, token = brought.partition(" ")
        same = secrets.compare_digest(token.strip().encode("latin-1", "replace"), self._access.token.encode())
        return kind.lower() == "bearer" and same


class _SafeHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SAFE_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


class _Logged:
    """One line on standard error for each request: how, where, what came of it, how long it
    took."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self._app = app
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = "gone"
        began = time.monotonic()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "-"
            path = scope["path"] if scope["path"] in self._paths else "-"
            if path != _OPEN:
                print_error(f"{method} {path} {status} {time.monotonic() - began:.2f} s")
