"""What the pages of a tab of the browser said in their addresses when they were left: a reload
begins a new session at one page, and the others come back with this.

It lies in the owner's folder, by the name that the browser gives its tab
(components/shared/tab_name.js): two tabs do not mix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from threading import Lock

import streamlit as st

from chunking.errors import ConfigError
from pages.ui.choices.comparing import read_rows
from pages.ui.choices.corpus import read_corpus
from pages.ui.choices.links import Link, read_link
from pages.ui.choices.retrieving import read_retrieving
from pages.ui.choices.tuning import read_tuned
from pages.ui.state.inspect_choices import resolution
from pages.ui.state.kept_choices import owner_files
from pages.ui.state.session import Session, follow, this_session

Left = Mapping[str, Mapping[str, str]]
"""By the title of a page, its query; the page that was left last is the last one."""
COOKIE = "chunkscope-tab"
AGAIN = ".reloaded"
_FILE = "tabs"
_MOST = 16
"""Tabs that are remembered, the last that were used."""
_LONGEST = 20_000
"""Characters of a query that is remembered."""
_NAME = re.compile(r"[a-z0-9]{1,64}")
_lock = Lock()


def note_left(title: str) -> None:
    """Note what the page that was open says, where another one is opened now."""
    session = this_session()
    name, _ = _tab()
    long = sum(len(text) for text in session.wrote.values()) > _LONGEST
    if not name or session.wrote_for is None or long or session.page in ("", title):
        return
    with _lock, suppress(ConfigError):  # it is a convenience: where nothing can be kept, nothing is
        tabs = _tabs()
        left = {page: query for page, query in tabs.pop(name, {}).items() if page != session.page}
        tabs[name] = {**left, session.page: session.wrote}
        owner_files().write(_FILE, dict(list(tabs.items())[-_MOST:]))


def recall_left(title: str) -> bool:
    """Once, in a session that a reload of this page began: take what the others said. Whether it
    says which document is shown."""
    session = this_session()
    if session.recalled:
        return False
    session.recalled = True
    name, again = _tab()
    if not name or not again:
        return False
    with suppress(ConfigError):
        return _take(session, {page: query for page, query in _tabs().get(name, {}).items() if page != title}, title)
    return False


def _take(session: Session, left: Left, title: str) -> bool:
    inspected = read_link(left.get("Inspect", {}))
    if "Inspect" in left:
        if title == "Strategies":  # its address says no config
            follow(session, replace(inspected, problem="", baseline_problem="", faults={}))
        session.view, session.only, session.selected = inspected.view, inspected.only, inspected.selected
    for page in ("Compare", "Retrieve"):
        # Both show the same configs: those of the page that was left last.
        if page in left and title not in ("Compare", "Retrieve"):
            rows = read_rows(left[page])
            session.comparing = replace(rows, problem="") if rows else session.comparing
    if "Retrieve" in left:
        session.retrieving = replace(read_retrieving(left["Retrieve"]), problem="")
    if "Corpus" in left:
        session.corpus = replace(read_corpus(left["Corpus"]), problem="")
    if "Tune" in left:
        session.tuned = replace(read_tuned(left["Tune"], resolution().config), problem="")
    links = [read_link(query) for query in left.values()]
    shown = next((link for link in reversed(links) if link.source), Link())
    if title not in ("Corpus", "Strategies") or not shown.source:
        return False
    session.source, session.linked_name = shown.source, shown.name
    return True


def _tab() -> tuple[str, bool]:
    """The name of the browser's tab, and whether a reload began this session; "" for a browser that
    says none."""
    found = st.context.cookies.get(COOKIE)
    said = found if isinstance(found, str) else ""  # a page that is run without a browser has none
    name = said.removesuffix(AGAIN)
    return (name, said.endswith(AGAIN)) if _NAME.fullmatch(name) else ("", False)


def _tabs() -> dict[str, Left]:
    """What is remembered, by tab; what is not of that form is left out. Raises ConfigError."""
    found = owner_files().read(_FILE)
    tabs = found if isinstance(found, dict) else {}
    return {
        name: {page: {key: str(text) for key, text in query.items()} for page, query in left.items()}
        for name, left in tabs.items()
        if isinstance(left, dict) and all(isinstance(query, dict) for query in left.values())
    }
