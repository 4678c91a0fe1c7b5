"""A page with nothing but the boundary view, for the browser tests.

The address says what is shown: `path`, and either `strategy` or `every` (cut every so many
characters, wherever that is, with `overlap` characters repeated and each fifth piece skipped). With
`marking`, selected text can be marked.
"""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from chunking import Boundary, Chunk, Config, Document, Run, Skip, Span, parse, run, strategies
from pages.ui.components.source_view import Mark, source_view
from pages.ui.components.source_view.payload import source_text

st.set_page_config(layout="wide")


@st.cache_resource
def document(path: str) -> Document:
    return parse(Path(path).read_bytes().decode("utf-8"), name=Path(path).name)


@st.cache_resource
def cut(path: str, strategy: str) -> Run:
    return run(document(path), Config(strategies.get(strategy)()))


@st.cache_resource
def cut_every(path: str, step: int, overlap: int) -> Run:
    """Cuts in mid-line, overlaps and skips at places that a test can compute."""
    source = document(path)
    parts: list[Chunk | Skip] = []
    for number, start in enumerate(range(0, len(source.text), step)):
        body = Span(start, min(start + step, len(source.text)))
        if number % 5 == 4:
            parts.append(Skip(body, Boundary("excluded", "each fifth piece stays out")))
            continue
        repeated = Span(start - overlap, start) if overlap and number % 5 else None
        flags = (Boundary("unsplittable", "a flag to look at"),) if number % 5 == 2 else ()
        ended = Boundary("size-reached", f"{step} characters <b>held</b>")
        parts.append(Chunk(source, body, ended, (source.base_name, "Piece"), step, step, (), repeated, flags=flags))
    return Run(source, Config(strategies.get("every-heading")()), tuple(parts))


query = st.query_params
path = query["path"]
if "every" in query:
    shown = cut_every(path, int(query["every"]), int(query.get("overlap", 0)))
else:
    shown = cut(path, query.get("strategy", "every-heading"))
st.session_state.setdefault("selected", None)


def choose(offset: int) -> None:
    st.session_state.selected = offset


def keep(kind: str, span: Span) -> None:
    st.session_state.setdefault("marked", []).append((kind, span))


def marks() -> list[Mark]:
    """What was marked, with what the boundaries of the run that is shown do to it."""
    starts = [chunk.body.start for chunk in shown.chunks]
    return [
        Mark(span, kind, f"about <b>{number}</b>", any(span.start < start < span.end for start in starts))
        for number, (kind, span) in enumerate(st.session_state.get("marked", []))
    ]


if "presumed" in query and "_source_texts_sent" not in st.session_state:  # as after a message that was lost
    st.session_state["_source_texts_sent"] = {source_text(shown.document).hash: None}
if "beside" in query:
    left, right = st.columns(2)
    with left:
        source_view(cut_every(path, 300, 0), key="left", height="400px", together="pair")
    with right:
        source_view(cut_every(path, 170, 30), key="right", height="400px", together="pair")
elif not st.toggle("taken down"):
    result = source_view(
        shown,
        baseline=cut(path, "every-heading") if "baseline" in query else None,
        selected=st.session_state.selected,
        key="view",
        height="calc(100dvh - 260px)",
        on_select=choose,
        marks=marks(),
        on_mark=keep if "marking" in query else None,
    )
    for kind, span in st.session_state.get("marked", []):
        st.text(f"{kind} {span.start} {span.end} {shown.document[span]!r}")
    st.text(f"selected {st.session_state.selected} just {result.selected}")
if st.button("choose the first"):
    st.session_state.selected = 0
    st.rerun()
