"""A page with the threshold rail and the boundary view, for the browser tests and the drag benchmark."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from chunking import Config, Document, Run, Tools, counter, parse, run, strategies
from pages.ui.source_view.view import source_view
from pages.ui.threshold_rail.rail import Histogram, Threshold, Value, threshold_rail

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
    return run(document(path), Config(strategies.get("every-heading")()), tools("cl100k_base"))


path = st.query_params.get("path", os.environ.get("SHOW_SOURCE", ""))
strategy = strategies.get(st.query_params.get("strategy", "heading-window"))
settings = st.session_state.setdefault("settings", {"min_tokens": 250, "max_tokens": 600})


def move(values: dict[str, Value]) -> None:
    st.session_state.settings = st.session_state.settings | values


@st.fragment
def inspect() -> None:
    settings = st.session_state.settings
    lower, upper = sorted(settings.values())
    config = Config(strategy(min_tokens=lower, max_tokens=upper))
    shown = run(document(path), config, tools("cl100k_base"))
    baseline = before(path)
    with st.sidebar:
        result = threshold_rail(
            [
                Threshold("min_tokens", "Minimum tokens", settings["min_tokens"], 0, 1000, 10, role="lower", help="Higher makes longer chunks.", baseline_value=100),
                Threshold("max_tokens", "Maximum tokens", settings["max_tokens"], 100, 2000, 10, role="upper", help="Higher lets chunks grow.", baseline_value=800),
            ],
            key="rail",
            on_change=move,
            histogram=Histogram([chunk.tokens for chunk in shown.chunks], [chunk.tokens for chunk in baseline.chunks]),
            summary=f"{len(shown.chunks)} chunks",
        )  # fmt: skip
    source_view(shown, baseline=baseline, key="view", height="calc(100dvh - 160px)")
    st.text(f"values {result.values} released {result.released}")


freeze()
inspect()
