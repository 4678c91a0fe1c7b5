"""A page with nothing but one of the reading views, for the browser tests: `path`, `strategy` and
`view` say which."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from chunking import Config, Document, Run, parse, run, strategies
from pages.ui.components.reading_views import cards_view, rendered_view, structure_view, tokens_view

st.set_page_config(layout="wide")


@st.cache_resource
def document(path: str) -> Document:
    return parse(Path(path).read_bytes().decode("utf-8"), name=Path(path).name)


@st.cache_resource
def cut(path: str, strategy: str) -> Run:
    return run(document(path), Config(strategies.get(strategy)()))


query = st.query_params
st.session_state.setdefault("selected", None)


def choose(offset: int) -> None:
    st.session_state.selected = offset


st.session_state.setdefault("beside", "")


def choose_beside(name: str) -> None:
    st.session_state.beside = name


def tokens(of: Run, **drawn: Any) -> None:
    beside, offered = st.session_state.beside, [("minilm", "minilm")]
    tokens_view(of, **drawn, beside=beside, offered=offered, on_beside=choose_beside)


views: dict[str, Callable[..., None]] = {
    "rendered": rendered_view,
    "cards": cards_view,
    "structure": partial(structure_view, on_step=choose),
    "tokens": tokens,
}
show = views[query["view"]]


@st.fragment
def shown() -> None:
    strategy = st.segmented_control("strategy", strategies.names()[:7], default=query.get("strategy", "recursive"))
    show(
        cut(query["path"], strategy or "recursive"),
        selected=st.session_state.selected,
        key="view",
        height="calc(100dvh - 250px)",
        on_select=choose,
    )
    st.text(f"selected {st.session_state.selected}")


shown()
