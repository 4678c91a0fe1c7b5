"""A page with the threshold rail and the boundary view, for the browser tests and the drag
benchmark."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from chunking import Config, Document, Run, Tools, counter, parse, run, strategies
from pages.ui.components.source_view import source_view
from pages.ui.components.threshold_rail import Histogram, Threshold, Value, threshold_rail

st.set_page_config(layout="wide")


@st.cache_resource
def freeze() -> None:
    gc.collect()
    gc.freeze()


@st.cache_resource
def document(path: str) -> Document:
    return parse(Path(path).read_text(encoding="utf-8"), name=Path(path).name)


@st.cache_resource
def tools(name: str) -> Tools:
    return Tools(counter(name))


@st.cache_resource
def before(path: str) -> Run:
    return run(document(path), Config(strategies.get("every-heading")(), "cl100k_base"), tools("cl100k_base"))


path = st.query_params.get("path", os.environ.get("SHOW_SOURCE", ""))
strategy = strategies.get(st.query_params.get("strategy", "heading-window"))
NAMES = {
    "heading-window": ("min_tokens", "max_tokens"),
    "hierarchical": ("target", "hard_cap"),
    "fixed": ("overlap_tokens", "max_tokens"),
}
lower, upper = NAMES[strategy.name]
st.session_state.setdefault("settings", {lower: 250, upper: 600})


def move(values: dict[str, Value]) -> None:
    st.session_state.settings = st.session_state.settings | values


def threshold(name: str, minimum: int, maximum: int, ghost: int) -> Threshold:
    value = st.session_state.settings[name]
    title = name.replace("_", " ").capitalize()
    return Threshold(name, title, value, minimum, maximum, 10, help=title, baseline_value=ghost)


@st.fragment
def inspect() -> None:
    settings = st.session_state.settings
    config = Config(strategy(**{lower: min(settings.values()), upper: max(settings.values())}), "cl100k_base")
    shown = run(document(path), config, tools("cl100k_base"))
    baseline = before(path)
    with rail_place:
        result = threshold_rail(
            [threshold(lower, 0, 1000, 100), threshold(upper, 100, 2000, 800)],
            key="rail",
            on_change=move,
            histogram=Histogram([chunk.tokens for chunk in shown.chunks], [chunk.tokens for chunk in baseline.chunks]),
            summary=f"{len(shown.chunks)} chunks",
        )
    with view_place:
        source_view(shown, baseline=baseline, key="view", height="calc(100dvh - 160px)")
        st.text(f"values {result.values} released {result.released}")


rail_column, view_column = st.columns([1, 4])
rail_place, view_place = rail_column.container(), view_column.container()
freeze()
inspect()
