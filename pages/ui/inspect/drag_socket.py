"""The socket that a drag is answered on, beside Streamlit's own: see drag_session.py for what is
said on it.

Only who was given the name of a session's desk, which cannot be guessed, is answered, and no page
of another origin.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from urllib.parse import urlsplit

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from chunking import Config
from pages.ui.inspect.drag_session import Desk, answer, refusal

_MOST_DESKS = 16
"""Sessions that can drag at once; the others go Streamlit's way."""
_NOT_ALLOWED, _NOT_TEXT = 1008, 1003

_desks: OrderedDict[str, Desk] = OrderedDict()
_lock = Lock()
_served: list[bool] = []
"""Not empty where a server has these routes: a script that is run in another way has no socket."""


def routes() -> list[BaseRoute]:
    """For the server that runs the app."""
    _served.append(True)
    return [WebSocketRoute(_path("{name}"), _converse)]


def open_desk(name: str, desk: Desk) -> str:
    """Answer under this name from now on as this desk says. Gives the socket's path, "" where there
    is none."""
    if not _served:
        return ""
    with _lock:
        _desks[name] = desk
        _desks.move_to_end(name)
        while len(_desks) > _MOST_DESKS:
            _desks.popitem(last=False)
    return _path(name)


def last_good(name: str) -> Config | None:
    """The last legal config that was answered under this name; None where nothing was."""
    desk = _desks.get(name)
    return desk.good if desk else None


def _path(name: str) -> str:
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/live/{name}" if base else f"/live/{name}"


async def _converse(socket: WebSocket) -> None:
    name = socket.path_params["name"]
    if name not in _desks or not _same_origin(socket):
        await socket.close(_NOT_ALLOWED)
        return
    await socket.accept()
    try:
        while (message := await socket.receive())["type"] == "websocket.receive":
            question = message.get("text")
            if question is None:
                await socket.close(_NOT_TEXT)
                return
            await socket.send_bytes(await run_in_threadpool(_answer, name, question))
    except WebSocketDisconnect:  # it went while it was being answered
        return


def _answer(name: str, question: str) -> bytes:
    desk = _desks.get(name)
    if desk is None:
        return refusal()
    said, after = answer(desk, question)
    with _lock:
        if _desks.get(name) is desk:  # not one that the script has opened meanwhile
            _desks[name] = after
    return said


def _same_origin(socket: WebSocket) -> bool:
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")
