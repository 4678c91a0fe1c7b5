"""Whose work it is: marks, questions, indexes and sweeps belong to an owner, and nobody else sees
them.

On loopback there is one owner, the person at this machine. Where others can reach the server, each
session is an owner of its own, unless its owner said how people are known:

- CHUNKSCOPE_LOGIN=on: by Streamlit's login (`[auth]` in its secrets);
- CHUNKSCOPE_USER_HEADER=NAME: by this header, which a proxy sets. It is trusted: the proxy has to
  take away what a browser sends under that name, and nobody may reach the server without the proxy.

With either, a session that does not say who it is stands alone, on loopback as well.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import streamlit as st

from pages.ui.server.sessions import session_id
from pages.ui.server.visitors import beyond_loopback

LOGIN = "CHUNKSCOPE_LOGIN"
HEADER = "CHUNKSCOPE_USER_HEADER"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who owns what is made now."""

    kind: Literal["machine", "user", "session"]
    name: str = ""
    """Of a user, a hash; of a session, its id."""

    @property
    def key(self) -> str:
        """Part of the key of everything that is theirs."""
        return f"{self.kind}:{self.name}"


def owner() -> Owner:
    """The owner of what this session does."""
    user = _by_header() or _by_login()
    if user:
        return Owner("user", sha256(user.encode("utf-8", "surrogatepass")).hexdigest())
    if beyond_loopback() or logs_in() or os.environ.get(HEADER):
        return Owner("session", session_id() or "")
    return Owner("machine")


def logs_in() -> bool:
    """Whether people are known by Streamlit's login."""
    return os.environ.get(LOGIN, "") == "on"


def signed_in() -> bool:
    """Whether the person of this session has logged in."""
    return bool(_by_login())


def _by_header() -> str:
    """What the proxy calls the person; "" where it is not asked, or says nothing or several
    things."""
    name = os.environ.get(HEADER, "").strip()
    values = st.context.headers.get_all(name) if name else []
    return f"header\0{values[0]}" if len(values) == 1 and values[0].strip() else ""


def _by_login() -> str:
    """Who logged in, by the provider and its name for them; "" for nobody."""
    user = st.user.to_dict() if logs_in() else {}
    if user.get("is_logged_in") is not True:
        return ""
    name = user.get("sub") or user.get("email")
    return f"login\0{user.get('iss') or ''}\0{name}" if name else ""
