"""Parsing and cutting, remembered: by the hash of the text, and by the config.

What is remembered is immutable and shared, so it is kept as it is (`cache_resource`) and not copied on every move.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from chunking import Config, Document, Run, explain, parse
from chunking import run as cut
from chunking.comparison import counted_alike
from chunking.config import DocumentProof
from chunking.explaining import Explanation
from chunking.metrics import Metrics, measure
from chunking.proving import proof_of
from chunking.tokens import counter as counter_named
from pages.ui.samples import Source, text_hash


def document(source: Source) -> Document:
    """The parsed text, its lines and its blocks."""
    return _document(source.name, source.hash, source.text)


def run(of: Document, config: Config) -> Run:
    """The document, cut."""
    return _run(of.name, text_hash_of(of), config, of)


@dataclass(frozen=True, slots=True)
class Recounted:
    """The baseline in numbers, counted with the counter of what it is compared with (DECISIONS all-5)."""

    metrics: Metrics
    sizes: tuple[int, ...]
    """Tokens of each chunk's whole text."""


def recounted(before: Run, now: Run) -> Recounted:
    """The baseline counted like the run it is compared with; once, since a move changes only the other one."""
    return _recounted(
        before.document.name, text_hash_of(before.document), before.config, now.config.counter, before, now
    )


@lru_cache(maxsize=32)
def text_hash_of(of: Document) -> str:
    """sha256 of the document's text; computed once per document."""
    return text_hash(of.text)


@st.cache_resource(max_entries=24, show_spinner=False)
def _document(name: str, sha256: str, _text: str) -> Document:  # noqa: ARG001
    parsed = parse(_text, name=name)
    gc.collect()
    gc.freeze()  # a parsed document is for keeps: looking through it again would cost each move
    return parsed


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Config: repr})
def _run(name: str, sha256: str, config: Config, _document: Document) -> Run:  # noqa: ARG001
    return cut(_document, config)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Config: repr})
def _recounted(name: str, sha256: str, config: Config, counter: str, _before: Run, _now: Run) -> Recounted:  # noqa: ARG001
    same = config.counter == counter
    metrics = _before.metrics if same else measure(_before, counter_named(counter))
    return Recounted(metrics, tuple(counted_alike(_before, _now)))


def explanation(of: Run, offset: int) -> Explanation:
    """Why the boundary at this offset is there and when it would go; many re-cuts, so only for what was clicked."""
    return _explanation(of.document.name, text_hash_of(of.document), of.config, offset, of.document)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Config: repr})
def _explanation(name: str, sha256: str, config: Config, offset: int, _document: Document) -> Explanation:  # noqa: ARG001
    return explain(_document, config, offset=offset)


def yaml_with_proof(of: Run, source: Source) -> str:
    """The config's YAML with what a replay must come to: the hashes of the table, the file and the chunks."""
    descriptions = f"sha256:{of.descriptions}" if of.descriptions else ""
    proof = DocumentProof(f"sha256:{source.file_hash}", f"sha256:{of.fingerprint}", descriptions)
    return of.config.to_yaml(proof_of(of.config, {of.document.name: proof}))
