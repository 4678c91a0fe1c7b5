"""A page with nothing but the boundary view, for the browser tests. Reads the document's path from `?path=`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from chunking import Config, Document, Run, parse, run, strategies
from pages.ui.source_view.view import source_view

st.set_page_config(layout="wide", initial_sidebar_state="collapsed")


@st.cache_resource
def document(path: str) -> Document:
    return parse(Path(path).read_bytes().decode("utf-8", "surrogatepass"), name=Path(path).name)


@st.cache_resource
def cut(path: str, strategy: str, settings: tuple[tuple[str, int], ...]) -> Run:
    return run(document(path), Config(strategies.get(strategy)(**dict(settings))))


path = st.query_params.get("path", os.environ.get("SHOW_SOURCE", ""))
strategy = st.query_params.get("strategy", "every-heading")
settings = tuple((name, int(value)) for name, value in st.query_params.items() if name not in ("path", "strategy"))
shown = cut(path, strategy, settings)
baseline = cut(path, "every-heading", ())
st.session_state.setdefault("selected", None)


def choose(offset: int) -> None:
    st.session_state.selected = offset


result = source_view(
    shown,
    baseline=baseline,
    selected=st.session_state.selected,
    key="view",
    height="calc(100dvh - 220px)",
    on_select=choose,
)
st.text(f"selected {st.session_state.selected} just {result.selected}")
