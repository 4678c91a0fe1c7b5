"""A secret that everybody must bring to a server which others can reach, as its owner gave it out.

Without one, whoever finds the port could read what is uploaded there. It is asked for on every
route but the health check, sockets included, as soon as `beyond_loopback()`. The owner sets it in
CHUNKSCOPE_TOKEN, else it is drawn when the server starts and printed with the address to open.
`off` asks for none: for a proxy that lets only people in who have signed in.

The address brings it once, as `?token=`; the answer puts it in a cookie that no script can read and
leads to the same address without it.
"""

from __future__ import annotations

import os
import secrets
import sys
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.ui.server.address import server_address
from pages.ui.server.visitors import beyond_loopback

VARIABLE = "CHUNKSCOPE_TOKEN"
NONE_ASKED = "off"
SHORTEST = 16
"""Characters of a token that the owner sets: a shorter one could be guessed."""
_REFUSED = (
    b"401: this server asks for its token. Open the address that it printed when it started: it ends in ?token=...\n"
)

_drawn: list[str] = []
"""The token of this process, once it has been drawn."""


class AsksForToken:
    """Answers 401 to whoever does not bring the token, where one is asked for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = token() if scope["type"] in ("http", "websocket") else ""
        if not wanted or _is_health_check(scope) or _same(_cookie(scope), _hash(wanted)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the wish to connect, before it may be refused
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        elif _same(_requested_token(scope), wanted):
            await _answer(
                send, 303, b"", (b"location", _without_token(scope)), (b"set-cookie", _set_cookie(scope, wanted))
            )
        else:
            body = b"" if scope.get("method") == "HEAD" else _REFUSED
            await _answer(send, 401, body, (b"content-type", b"text/plain; charset=utf-8"))


def _is_health_check(scope: Scope) -> bool:
    """Whether this is the one address that asks for no token: it says that the server is up, and
    nothing else."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    asked: str = scope["path"] if scope["type"] == "http" else ""
    return asked == f"{f'/{base}' if base else ''}/_stcore/health"


def token() -> str:
    """The token that has to be brought; "" where none is: on loopback, or where the owner said
    `off`."""
    given = os.environ.get(VARIABLE, "")
    if given == NONE_ASKED or not beyond_loopback():
        return ""
    if given and len(given) >= SHORTEST:
        return given
    if not _drawn:
        _drawn.append(secrets.token_urlsafe(24))
        too_short = (
            f"{VARIABLE} has {len(given)} characters, fewer than {SHORTEST}: another is drawn. " if given else ""
        )
        where = f"{server_address()}/?token={quote(_drawn[0])}"
        print(f"{too_short}Others can reach this server. Open {where}", file=sys.stderr, flush=True)
    return _drawn[0]


def _same(brought: str, wanted: str) -> bool:
    return secrets.compare_digest(brought.encode("utf-8", "surrogateescape"), wanted.encode())


def _hash(value: str) -> str:
    """What the cookie holds: any token as letters and digits, and not the token itself."""
    return sha256(value.encode()).hexdigest()


def _cookie_name() -> str:
    """A browser keeps one set of cookies for all ports of a host: each server has its own name."""
    return f"chunkscope_token_{st.get_option('server.port')}"


def _cookie(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name.lower() == b"cookie":
            try:
                found = SimpleCookie(value.decode("latin-1")).get(_cookie_name())
            except CookieError:
                continue
            if found is not None:
                return found.value
    return ""


def _requested_token(scope: Scope) -> str:
    return dict(_query(scope)).get("token", "") if scope.get("method") in ("GET", "HEAD") else ""


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)


def _without_token(scope: Scope) -> bytes:
    """The same address without it: a path of this server, whatever it begins with."""
    rest = urlencode([(name, value) for name, value in _query(scope) if name != "token"])
    path = "/" + quote(scope["path"].lstrip("/\\"))
    return f"{path}?{rest}".encode() if rest else path.encode()


def _set_cookie(scope: Scope, value: str) -> bytes:
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{_cookie_name()}={_hash(value)}; Path=/; HttpOnly; SameSite=Lax{secure}".encode()


async def _answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
