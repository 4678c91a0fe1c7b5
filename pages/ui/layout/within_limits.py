"""A page and its parts, each drawn in at most what a piece of work in the app may take: past it,
one line in its place, and the rest is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

import streamlit as st
from streamlit.errors import StreamlitInvalidLayoutContextError

from chunking.errors import ConfigError, RunLimitError
from pages.ui import state
from pages.ui.layout import limits, page_frame
from pages.ui.server import kept_documents

P = ParamSpec("P")
T = TypeVar("T")


def part(draw: Callable[P, T]) -> Callable[P, T | None]:
    """A part of a page, with what it returns, or None past the limit; what a part inside it takes
    does not count.

    Where the last run of the whole page ended before it came to this part, the places that it fills
    are gone: the whole page is drawn again.
    """

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return limits.limited(partial(draw, *args, **kwargs))
        except RunLimitError as error:
            page_frame.problem(str(error))
        except StreamlitInvalidLayoutContextError:
            st.rerun()
        return None

    return drawn


def page(draw: Callable[[], None]) -> Callable[[], None]:
    """A whole page; its line is seen however far the page has come. A limit whose setting is not a
    whole number is said in its place."""

    @wraps(draw)
    def drawn() -> None:
        try:
            limits.run_limits()
            limits.memory_limit()
            kept_documents.limit_in_bytes()
        except ConfigError as error:
            _stopped(error)
            return
        try:
            limits.limited(draw)
        except RunLimitError as error:
            _stopped(error)
        state.note_page_was_drawn()

    return drawn


def _stopped(error: Exception) -> None:
    with st.container(key="page-stopped"):
        page_frame.problem(str(error))
