"""The socket that a drag is answered on, beside Streamlit's own: see drag_session.py for what is
said on it.

Only who was given the name of a drag session, which cannot be guessed, is answered, and no page of
another origin. A session has one socket: a later one ends the one before. The latest question
wins: one that comes while another is being answered takes the place of any that waits, which is
never answered. Few answers are worked out at once in the server, so that it has time for
everything else; who finds others dragging goes on in a process (drag_workers.py), and is asked for
pauses (drag_pace.py): a text of the JSON `{"pause": milliseconds}` comes before the answer then.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from dataclasses import replace
from functools import cache, partial
from threading import Lock
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import streamlit as st
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from chunking import Config
from pages.ui.dragging.drag_pace import Pace
from pages.ui.dragging.drag_session import MOST_CHARACTERS, DragSession, LiveSession, refusal
from pages.ui.dragging.drag_workers import workers
from pages.ui.server import sessions

_MOST_SESSIONS = 64
"""Sessions that can drag at once; the others go Streamlit's way. One whose socket is open stays."""
_MOST_AT_ONCE = 2
"""Answers that are worked out in the server at the same time: each takes a whole core."""
_MEETINGS = 4
"""Questions of a session that found others being answered here, or in processes, after which it
gets a place in a process."""
_SHORTEST = 1 / 120
"""Seconds from one question to the next on a socket: a screen draws no more often."""
_NOT_ALLOWED, _NOT_TEXT, _TOO_LONG, _REPLACED = 1008, 1003, 1009, 4000

_sessions: OrderedDict[str, LiveSession] = OrderedDict()
_conversations: dict[str, _Conversation] = {}
_lock = Lock()
_pace = Pace(os.cpu_count() or 1)
_served: list[bool] = []
"""Not empty where a server has these routes: a script that is run in another way has no socket."""


def routes() -> list[BaseRoute]:
    """For the server that runs the app."""
    _served.append(True)
    return [WebSocketRoute(_path("{name}"), _converse)]


def open_session(name: str, session: LiveSession) -> str:
    """Answer under this name from now on as this session says. Gives the socket's path, "" where
    there is none."""
    if not _served:
        return ""
    with _lock:
        _sessions[name] = session
        _sessions.move_to_end(name)
        idle = [each for each in _sessions if each not in _conversations and each != name]
        for each in idle[: max(0, len(_sessions) - _MOST_SESSIONS)]:
            _forget(each)
    if isinstance(session, DragSession):
        workers.renew(name, session)
    else:
        workers.drop(name)
    sessions.at_end("drag", partial(_end_session, name))
    return _path(name)


def _end_session(name: str) -> None:
    with _lock:
        _forget(name)


def _forget(name: str) -> None:
    _sessions.pop(name, None)
    workers.drop(name)


def last_good(name: str) -> Config | None:
    """The last legal config that was answered under this name; None where nothing was."""
    session = _sessions.get(name)
    return session.good if session else None


def _path(name: str) -> str:
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/live/{name}" if base else f"/live/{name}"


async def _converse(socket: WebSocket) -> None:
    name = socket.path_params["name"]
    if name not in _sessions or not _same_origin(socket):
        await socket.close(_NOT_ALLOWED)
        return
    await socket.accept()
    conversation = _Conversation(name, socket)
    earlier = _conversations.get(name)
    _conversations[name] = conversation
    try:
        if earlier:
            await earlier.end(_REPLACED)
        await conversation.hold()
    finally:
        if _conversations.get(name) is conversation:
            del _conversations[name]
            _pace.forget(name)


class _Conversation:
    """One socket: what was asked last on it, and the answers."""

    def __init__(self, name: str, socket: WebSocket) -> None:
        self._name = name
        self._socket = socket
        self._new_question = anyio.Event()
        self._question = ""
        self._meetings = 0

    async def hold(self) -> None:
        """Hear and answer until either side ends it."""
        async with anyio.create_task_group() as both:
            both.start_soon(self._answer)
            await self._hear()
            both.cancel_scope.cancel()

    async def end(self, code: int) -> None:
        """Close it, if it is open."""
        if self._socket.application_state is WebSocketState.CONNECTED:
            await self._socket.close(code)

    async def _hear(self) -> None:
        while (message := await self._socket.receive())["type"] == "websocket.receive":
            question = message.get("text")
            if question is None:
                return await self.end(_NOT_TEXT)
            if len(question) > MOST_CHARACTERS:
                return await self.end(_TOO_LONG)
            self._question = question
            self._new_question.set()
        return None

    async def _answer(self) -> None:
        while True:
            await self._new_question.wait()
            self._new_question = anyio.Event()
            due = anyio.current_time() + _SHORTEST
            _pace.ask(self._name)
            sessions.note_use()
            reply, seconds = await self._worked_out(self._question)
            pause = _pace.pause(self._name, seconds, workers.process_of(self._name))
            try:
                if pause:
                    await self._socket.send_text(json.dumps({"pause": round(1000 * pause)}))
                await self._socket.send_bytes(reply)
            except (WebSocketDisconnect, RuntimeError):  # it went while it was being answered
                return
            await anyio.sleep_until(due)

    async def _worked_out(self, question: str) -> tuple[bytes, float]:
        """The answer, from a worker where this session has a place, and the seconds that it
        took."""
        session = _sessions.get(self._name)
        if session is None:
            return refusal(), 0.0
        if isinstance(session, DragSession) and workers.has_place(self._name):
            answered = await workers.answer(self._name, question)
            if answered is not None:
                reply, good, seconds = answered
                _keep(self._name, session, replace(session, good=good) if good else session)
                return reply, seconds
        self._meetings += _limiter().borrowed_tokens > 0 or (workers.in_use and _pace.others(self._name))
        if self._meetings == _MEETINGS:
            self._meetings = 0
            if isinstance(session, DragSession):
                workers.give_place(self._name, session)
        reply, after, seconds = await anyio.to_thread.run_sync(_timed, session, question, limiter=_limiter())
        _keep(self._name, session, after)
        return reply, seconds


def _timed(session: LiveSession, question: str) -> tuple[bytes, LiveSession, float]:
    began = time.perf_counter()
    reply, after = session.answer(question)
    return reply, after, time.perf_counter() - began


@cache
def _limiter() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(_MOST_AT_ONCE)


def _keep(name: str, before: LiveSession, after: LiveSession) -> None:
    """Go on with what an answer has left, unless the script has opened another session
    meanwhile."""
    with _lock:
        if _sessions.get(name) is before:
            _sessions[name] = after


def _same_origin(socket: WebSocket) -> bool:
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")
