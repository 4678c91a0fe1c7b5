"""The containers of the Inspect page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.components.pane_edge import Pane, pane_edge

PANELS = ("chunk", "paged", "checked", "marked", "exported")
"""The keys of the panels of the right side, of which one is seen at a time."""
SETTINGS = Pane("settings", "left", "s", usual=280, least=220, most=480)
RIGHT = Pane("panels", "right", "p", usual=340, least=260, most=640)


@dataclass(frozen=True, slots=True)
class InspectLayout:
    """The containers of the Inspect page. The live fragment writes into them from outside."""

    chosen: DeltaGenerator
    """Document and strategy."""
    rail: DeltaGenerator
    """The thresholds; on a phone a bar at the bottom, so that they and the text are in view
    together."""
    settings: DeltaGenerator
    """Other settings, baseline, outline."""
    strip: DeltaGenerator
    offered: DeltaGenerator
    """A config that is recommended for the document; its place is there before it is."""
    tokenizer: DeltaGenerator
    """What counts the tokens of the strip."""
    counted: DeltaGenerator
    """How far an estimating counter is from an exact one."""
    curve: DeltaGenerator
    """How alike neighbouring sentences are, where a strategy compares them."""
    source: DeltaGenerator
    tabs: DeltaGenerator
    """What says which of the following five is seen."""
    chunk: DeltaGenerator
    paged: DeltaGenerator
    """The page of a PDF as it looks."""
    checked: DeltaGenerator
    """Health, and the sizes of the chunks."""
    marked: DeltaGenerator
    """Questions and marks."""
    exported: DeltaGenerator


def frame() -> InspectLayout:
    """Lay out the page: left rail, strip, source, and panels under tabs."""
    with st.container(key="inspect", horizontal=True, gap=None, wrap=False):
        left = st.container(key="left", gap="xsmall")
        pane_edge(SETTINGS, key="edge-settings")
        main = st.container(key="main", gap="xsmall")
    with left:
        chosen, rail, settings = (st.container(key=key, gap="xsmall") for key in ("chosen", "rail", "settings"))
    with main:
        strip = st.container(key="strip", gap=None)
        with st.container(key="below-strip", horizontal=True, gap="small", wrap=False):
            offered = st.container(key="offered", gap=None)
            tokenizer = st.container(key="tokenizer", gap=None, width="content")
        counted = st.container(key="counted", gap=None)
        curve = st.container(key="curve", gap=None)
        with st.container(key="work", horizontal=True, gap=None, wrap=False):
            source = st.container(key="source", gap="xsmall")
            pane_edge(RIGHT, key="edge-panels")
            right = st.container(key="right", gap="small")
    with right:
        tabs = st.container(key="tabs", gap=None)
        chunk, paged, checked, marked, exported = (st.container(key=key, gap="xsmall") for key in PANELS)
    return InspectLayout(
        *(chosen, rail, settings),
        *(strip, offered, tokenizer, counted, curve, source),
        *(tabs, chunk, paged, checked, marked, exported),
    )
