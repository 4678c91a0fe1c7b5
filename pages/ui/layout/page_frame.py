"""The frame of every page: title, style, the way to the other pages, and the places of the Inspect bench."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import strategies
from pages.ui import state
from pages.ui.choices.shared_text import link_note
from pages.ui.components.copy_link import copy_link
from pages.ui.layout import markup

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[2]
_PAGES = (
    ("app.py", "Inspect"),
    ("pages/compare.py", "Compare"),
    ("pages/tune.py", "Tune"),
    ("pages/retrieve.py", "Retrieve"),
    ("pages/corpus.py", "Corpus"),
    ("pages/strategies.py", "Strategies"),
)


def open_page(title: str, *, of_document: bool = True) -> None:
    """Start a page: title, icon, style and navigation. Every page calls it first: each opens at its own address.

    Whether it is `of_document` decides what a link to it would lack.
    """
    state.open_page(title)
    st.set_page_config(page_title=f"{title} · Chunkscope", page_icon=str(_HERE / "icon.svg"), layout="wide")
    st.html(_HERE / "style.css")
    with st.container(horizontal=True, key="nav", gap="small", vertical_alignment="center"):
        st.html('<span class="cs-brand">Chunkscope</span>', width="content")
        for script, label in _PAGES:
            if (_ROOT / script).exists():
                st.page_link(script, label=label, width="content")
        copy_link(link_note(state.source()) if of_document else "")


_MANY = 300_000
"""New objects after which the collector looks for garbage: a cut of a large document makes half as many, all kept."""


@st.cache_resource(show_spinner=False)
def freeze_what_is_loaded() -> None:
    """Take what is imported out of the garbage collector's way, once: it would be looked through on every move."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MANY)


@dataclass(frozen=True, slots=True)
class Bench:
    """The places of the Inspect page. The live fragment writes into them from outside."""

    chosen: DeltaGenerator
    """Document and strategy."""
    rail: DeltaGenerator
    """The thresholds; on a phone a bar at the bottom, so that they and the text are in view together."""
    settings: DeltaGenerator
    """Other settings, baseline, outline."""
    strip: DeltaGenerator
    counted: DeltaGenerator
    """How far an estimating counter is from an exact one."""
    curve: DeltaGenerator
    """How alike neighbouring sentences are, where a strategy compares them."""
    source: DeltaGenerator
    marked: DeltaGenerator
    """Questions and marks, where there are any: above the chosen chunk, whose height changes with every click."""
    chunk: DeltaGenerator
    more: DeltaGenerator
    """Sizes and export."""


def bench() -> Bench:
    """Lay the bench out: left rail, strip, source, chosen chunk."""
    with st.container(key="bench", horizontal=True, gap="small", wrap=False):
        left = st.container(key="left", gap="xsmall")
        main = st.container(key="main", gap="xsmall")
    with left:
        chosen, rail, settings = (st.container(key=key, gap="xsmall") for key in ("chosen", "rail", "settings"))
    with main:
        strip = st.container(key="strip", gap=None)
        counted = st.container(key="counted", gap=None)
        curve = st.container(key="curve", gap=None)
        with st.container(key="work", horizontal=True, gap="small", wrap=False):
            source = st.container(key="source", gap="xsmall")
            right = st.container(key="right", gap="small")
    with right:
        marked = st.container(key="marked", gap="xsmall")
        chunk = st.container(key="chunk", gap="xsmall")
        more = st.container(key="more", gap="xsmall")
    return Bench(chosen, rail, settings, strip, counted, curve, source, marked, chunk, more)


def problem(text: str) -> None:
    """One line beside the control it belongs to."""
    st.html(markup.problem(text))


def note(text: str) -> None:
    st.html(markup.note(text))


def empty(title: str, text: str) -> None:
    """What stands where there is nothing to show."""
    st.html(markup.empty(title, text))


def strategy_links(shown: str) -> None:
    """A link to each strategy's own address; the one that is shown stands out."""
    with st.container(horizontal=True, key="strategy-links", gap="small"):
        for name in strategies.names():
            label = strategies.get(name).title
            st.page_link(
                "pages/strategies.py",
                label=f"**{label}**" if name == shown else label,
                query_params={"strategy": name},
                width="content",
            )
