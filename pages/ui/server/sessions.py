"""When a session begins and ends: what only it used is forgotten then.

It ends when its browser goes. Its choices and uploads are kept for a browser that comes back: of
the last few that went, for almost two minutes. Streamlit alone would keep more, for two minutes,
and give back what they hold only when somebody else goes.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from itertools import count
from threading import Lock, Thread

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from chunking.runtime import memory

_works_for: ContextVar[str | None] = ContextVar("works_for", default=None)


def session_id() -> str | None:
    """The session that this thread works for; None where it is of none."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else _works_for.get()


def work_for(user: str) -> None:
    """Have what this thread, which is of no session, uses from now on count as this user's."""
    _works_for.set(user)


def here() -> None:
    """Say that this session is there; every run of a page says it, also after an interruption."""
    note_use()
    user = session_id()
    if user is not None:
        memory.asks = session_id
        memory.welcome(user)
        _left.pop(user, None)
        at_end("memory", partial(memory.release, user))
        at_end("session", partial(_leave, user))


def note_use() -> None:
    """Say that somebody waits for an answer now."""
    _used[0] = time.monotonic()


def at_end(name: str, act: Callable[[], None]) -> None:
    """Have this done when the session ends, in place of what had this name. Does nothing where
    there is no session."""
    if session_id() is not None:
        _to_do()[name] = act


def _end(to_do: dict[str, Callable[[], None]]) -> None:
    for act in list(to_do.values()):
        act()


_MOST_LEFT = 16
_SECONDS_LEFT = 110.0
"""Less than the 120 after which Streamlit's own store takes a session to be gone: it shuts down
none that it no longer knows, and raises an error for one that turns so old while it is closed."""
_COLLECTED_EVERY = 8
"""Sessions whose garbage is looked for at once: that takes some hundredths of a second."""
_REST = 3.0
"""Seconds without a question after which the server is taken to be at rest."""
_used = [0.0]
"""When somebody last asked for something, by `time.monotonic`."""
_waits_for_rest = Lock()
_left: OrderedDict[str, object] = OrderedDict()
"""The sessions whose browser went, the first of them first, each with a mark of that time."""
_closed = count(1)


def _leave(session: str) -> None:
    """Keep a session whose browser went for a while. On the server's own thread."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return  # a page that is run without a server
    _left[session] = mark = object()
    _left.move_to_end(session)
    for first in list(_left)[:-_MOST_LEFT]:
        # Not in this step: the one that goes now is still being put aside.
        loop.call_soon(_close, first, _left[first])
    loop.call_later(_SECONDS_LEFT, _close, session, mark)


def _close(session: str, mark: object) -> None:
    """Give back all that a session holds, unless its browser came back since."""
    if _left.get(session) is not mark:
        return
    del _left[session]
    if not runtime.exists() or runtime.get_instance().is_active_session(session):
        return
    # A server that was busy or asleep may come so late that the store drops the session in this
    # very moment, with a KeyError. Nothing holds it then; Streamlit shuts down what is collected.
    with suppress(KeyError):
        runtime.get_instance().close_session(session)
    collect_sometimes()


def collect_sometimes() -> None:
    """Look for garbage once in some sessions that end."""
    if next(_closed) % _COLLECTED_EVERY == 0:
        Thread(target=collect, name="garbage of sessions", daemon=True).start()


def collect() -> None:
    """Look for garbage among what is new; for that among what was frozen (caches.py) while its
    session was there, wait until the server is at rest: it keeps everybody waiting for a third of a
    second."""
    gc.collect()
    if not _waits_for_rest.acquire(blocking=False):
        return
    try:
        while (left := _used[0] + _REST - time.monotonic()) > 0:
            time.sleep(left)
        _collect_frozen()
    finally:
        _waits_for_rest.release()


def _collect_frozen() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@st.cache_resource(scope="session", on_release=_end, show_spinner=False)
def _to_do() -> dict[str, Callable[[], None]]:
    return {}
