"""The search for changes that keep a mark whole, remembered: it cuts the document many times."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from chunking import Config, Document, Run, Span, Tools
from chunking.explanation import Fixes, fixes
from chunking.tokens import counter
from pages.ui.layout.limits import limited

_WAITS_AT_MOST = 12.0
"""Seconds that somebody waits for one search."""


def fixes_of(run: Run, span: Span, others: tuple[Span, ...]) -> Fixes:
    """Single changes of this run's config that keep the span whole. No model is asked."""
    return _fixes(run.document.name, run.document.text_hash, run.config, span, others, run)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Config: repr, Span: repr})
def _fixes(
    name: str,  # noqa: ARG001
    sha256: str,  # noqa: ARG001
    config: Config,
    span: Span,
    others: tuple[Span, ...],
    _run: Run,
) -> Fixes:
    until = time.monotonic() + _WAITS_AT_MOST
    tools = Tools(counter(config.counter), asks_models=False)
    return limited(partial(fixes, _run, span, others, tools, goes_on=lambda: time.monotonic() < until))


def searched_at_once(document: Document) -> bool:
    """Whether a search is quick enough not to be asked for: it reads the text before the mark many
    times."""
    return len(document.text) <= _AT_ONCE


_AT_ONCE = 150_000
