"""When a session begins and ends: what only it used is forgotten then.

It ends when its browser goes; Streamlit keeps its choices for two minutes more, for one that comes
back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from chunking.runtime import memory


def session_id() -> str | None:
    """The session that this thread works for; None where it is of none."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def here() -> None:
    """Say that this session is there; every run of a page says it, also after an interruption."""
    user = session_id()
    if user is not None:
        memory.asks = session_id
        memory.welcome(user)
        at_end("memory", partial(memory.release, user))


def at_end(name: str, act: Callable[[], None]) -> None:
    """Have this done when the session ends, in place of what had this name. Does nothing where
    there is no session."""
    if session_id() is not None:
        _to_do()[name] = act


def _end(to_do: dict[str, Callable[[], None]]) -> None:
    for act in to_do.values():
        act()


@st.cache_resource(scope="session", on_release=_end, show_spinner=False)
def _to_do() -> dict[str, Callable[[], None]]:
    return {}
