"""Who may come in: the Host and the Origin of every request and socket are looked at before
anything answers.

A page whose own name is pointed at 127.0.0.1 (DNS rebinding) has that name as Host and as Origin,
so that both agree: what counts is whether the owner knows the name. Known are the names of this
machine's loopback and those that the owner allowed (`chunkscope app --host NAME`, Streamlit's
`server.allowedHosts`). A server that is bound beyond loopback is also reached by its numbers, which
nobody can point elsewhere.
"""

from __future__ import annotations

from typing import cast

import streamlit as st
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import net_util

from chunking.runtime import ip_of, is_loopback, is_same_origin, parsed_host
from chunking.tokens import fetch_nothing

_REFUSED = b"403: this server is not known by that name. Its owner can allow it: chunkscope app --host NAME\n"

_seen_beyond: list[bool] = []
"""Not empty once somebody came in at an address that is not loopback's, whatever the settings
say."""


class OnlyKnownHosts:
    """Answers 403 to every request and socket whose Host or Origin is not known; everything else
    passes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        note_where(scope)
        if welcome(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the wish to connect, before it may be refused
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(_REFUSED))]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": b"" if scope.get("method") == "HEAD" else _REFUSED})


def ask_nobody_outside() -> None:
    """Keep Streamlit from asking an outside server which address this machine has there, and
    tiktoken from fetching the table of a counter that a link or a YAML names.

    Streamlit would wherever an Origin is not known (and, before this is loaded, where it starts
    headless on all addresses). Its owner can name such an address.
    """
    net_util.get_external_ip = _no_address
    fetch_nothing()


def _no_address() -> None:
    return None


def welcome(scope: Scope) -> bool:
    """Whether the Host is one and known, and the Origin, where there is one, is that very host."""
    hosts = _header(scope, b"host")
    origins = _header(scope, b"origin")
    if len(hosts) != 1 or len(origins) > 1:
        return False
    host = parsed_host(hosts[0])
    if host is None or not _known(host[0]):
        return False
    return not origins or is_same_origin(origins[0], host)


def beyond_loopback() -> bool:
    """Whether others than the person at this machine can come in: by where the server is bound, or
    by a name that its owner let in, which is how a proxy on this machine brings others."""
    address = str(st.get_option("server.address") or "")
    return bool(_seen_beyond) or not is_loopback(address) or any(not is_loopback(each) for each in _allowed())


def note_where(scope: Scope) -> None:
    """Remember that somebody came in beyond loopback: a server can be bound by other means than
    settings."""
    server = scope.get("server")
    if server is None or _seen_beyond:
        return
    # A socket in the file system has no port: whoever stands before it may bring anybody.
    if server[1] is None or (ip_of(str(server[0])) is not None and not is_loopback(str(server[0]))):
        _seen_beyond.append(True)


def _header(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for found, value in scope["headers"] if found.lower() == name]


def _known(host: str) -> bool:
    if is_loopback(host):
        return True
    allowed = _allowed()
    if any(host == each or (each.startswith("*.") and host.endswith(each[1:])) or each == "*" for each in allowed):
        return True
    # With names of its owner's, Streamlit lets nothing else to its socket: a page would come and
    # never be connected.
    return beyond_loopback() and not st.get_option("server.allowedHosts") and ip_of(host) is not None


def _allowed() -> tuple[str, ...]:
    """The names that the owner lets in beside loopback's, as they are compared."""
    named = [*cast(list[str], st.get_option("server.allowedHosts") or []), st.get_option("server.address") or ""]
    names = (str(each).strip().strip("[]").lower().removesuffix(".") for each in named)
    return tuple(each for each in names if each and each not in ("0.0.0.0", "::") and not is_loopback(each))
