"""The containers of the Corpus page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


@dataclass(frozen=True, slots=True)
class CorpusLayout:
    """The containers of the page."""

    chosen: DeltaGenerator
    """What the corpus is, and the strategy."""
    rail: DeltaGenerator
    settings: DeltaGenerator
    """Other settings, overrides."""
    strip: DeltaGenerator
    said: DeltaGenerator
    """How far the cut has come, and what it found besides."""
    look: DeltaGenerator
    """Whether the documents are shown as a table or as a map of their chunks."""
    table: DeltaGenerator
    """Either of them."""


def frame() -> CorpusLayout:
    """Lay the page out: what is chosen on the left, numbers and the table on the right."""
    with st.container(key="corpus", horizontal=True, gap="medium", wrap=False):
        left = st.container(key="corpus-left", gap="small")
        results = st.container(key="corpus-results", gap="xsmall")
    with left:
        chosen, rail, settings = (st.container(key=f"corpus-{key}", gap="xsmall") for key in ("chosen", "rail", "set"))
    with results:
        strip = st.container(key="corpus-strip", gap=None)
        with st.container(key="corpus-row", horizontal=True, gap="small", vertical_alignment="center"):
            said, look = (st.container(key=f"corpus-{key}", gap=None) for key in ("said", "look"))
        table = st.container(key="corpus-table", gap=None)
    return CorpusLayout(chosen, rail, settings, strip, said, look, table)
