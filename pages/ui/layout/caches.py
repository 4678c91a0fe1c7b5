"""Parsing and cutting, remembered: by the hash of the text, and by the config.

What is remembered is immutable and shared, so it is kept as it is (`cache_resource`) and not copied
on every move.
"""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock

import streamlit as st

from chunking import Config, Document, Run, Span, Tools, explain, health, parse
from chunking import run as cut
from chunking.analysis import Check, Ratio, counted_alike, measured_ratio
from chunking.config import DocumentProof, proof_of
from chunking.core import Estimate, Metrics, Strategy, measure
from chunking.explanation import Explanation, Fixes, Removals, fixes
from chunking.explanation import removals as removals_of
from chunking.gold import coverages
from chunking.models import Step, steps
from chunking.models import estimate as estimate_of
from chunking.strategies.semantic import Curve, Semantic, similarities
from chunking.tokens import counter as counter_named
from chunking.tokens import token_index
from pages.ui.choices.samples import Source
from pages.ui.layout.limits import limited, run_limits

_LARGE = 200_000
"""Characters from which a document is worth keeping out of the garbage collector's way."""


def document(source: Source, counter: str = "") -> Document:
    """The parsed text, its lines and its blocks. With `counter`, what that will count with is made
    at the same time."""
    return _document(source.name, source.hash, source.text, counter)


def run(of: Document, config: Config) -> Run:
    """The document, cut with what models are remembered to have answered.

    Nothing is asked here (model_prompts.py does).
    Raises ModelError where it cannot be cut without asking, RunLimitError past the app's limits.
    """
    return _run(of.name, of.text_hash, config, answers_for(config.strategy), of)


_answers = [0]
"""How often models were asked in this process: what was cut without their answers has to be cut
again."""


def note_answers() -> None:
    """Say that models have answered something."""
    _answers[0] += 1


def answers_for(strategy: Strategy) -> int:
    """How often models had answered, where this strategy asks any: it may be cut otherwise after
    each."""
    return _answers[0] if steps(strategy) else 0


def estimate(of: Document, counter: str, step: Step) -> Estimate:
    """What this step would ask for now. Raises ModelError."""
    return _estimate(of.name, of.text_hash, counter, step, _answers[0], of)


def curve(of: Document, semantic: Semantic) -> Curve:
    """The similarity curve, from remembered answers. Raises ModelError."""
    return similarities(of, semantic, Tools(asks_models=False))


@dataclass(frozen=True, slots=True)
class Recounted:
    """The baseline in numbers, counted with the counter of what it is compared with (DECISIONS
    all-5)."""

    metrics: Metrics
    sizes: tuple[int, ...]
    """Tokens of each chunk's whole text."""


def recounted(before: Run, now: Run) -> Recounted:
    """The baseline counted like the run it is compared with; once, since a move changes only the
    other one."""
    return _recounted(
        before.document.name,
        before.document.text_hash,
        before.config,
        now.config.counter,
        answers_for(before.config.strategy),
        before,
        now,
    )


@st.cache_resource(max_entries=24, show_spinner=False)
def _document(name: str, sha256: str, _text: str, _counter: str) -> Document:  # noqa: ARG001
    if len(_text) < _LARGE:
        return parse(_text, name=name)
    with ThreadPoolExecutor(1) as beside:
        if _counter:
            # A run says what goes wrong in it.
            beside.submit(limited, partial(token_index, _text, counter_named(_counter)))
        parsed = parse(_text, name=name)
    # A parsed document is for keeps: looking through it again would cost each move. What is garbage
    # by now goes first: frozen, it would stay for ever.
    gc.collect()
    gc.freeze()
    return parsed


_LIVE_AT_MOST = 4
_live_lock = Lock()
_live: dict[str, Run] = {}
"""By the text's sha256, the last run of a drag."""


def cut_live(of: Document, config: Config) -> Run:
    """The same for a threshold that is being dragged: only the last is remembered, for when it is
    let go.

    Needs no session. Raises ChunkscopeError, a RunLimitError past the app's limits (limits.py).
    """
    name = of.text_hash
    run = _cut_again(name, of, config)
    with _live_lock:
        _live.pop(name, None)
        _live[name] = run
        while len(_live) > _LIVE_AT_MOST:
            _live.pop(next(iter(_live)), None)
    return run


def _cut_again(name: str, of: Document, config: Config) -> Run:
    last = _live.get(name)
    if last and last.config == config and last.document is of and not steps(config.strategy):
        return last
    return cut(of, config, Tools(counter_named(config.counter), asks_models=False), limits=run_limits())


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Config: repr})
def _run(name: str, sha256: str, config: Config, answers: int, _document: Document) -> Run:  # noqa: ARG001
    return _cut_again(sha256, _document, config)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Step: repr})
def _estimate(name: str, sha256: str, counter: str, step: Step, answers: int, _document: Document) -> Estimate:  # noqa: ARG001
    return estimate_of(step, _document, Tools(counter_named(counter), asks_models=False))


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Config: repr})
def _recounted(
    name: str,  # noqa: ARG001
    sha256: str,  # noqa: ARG001
    config: Config,
    counter: str,
    answers: int,  # noqa: ARG001
    _before: Run,
    _now: Run,
) -> Recounted:
    same = config.counter == counter
    metrics = _before.metrics if same else measure(_before, counter_named(counter))
    return Recounted(metrics, tuple(counted_alike(_before, _now)))


_MOST_WORK = 200_000
"""What finding out about a boundary may cost in one click, in comparisons: a few seconds in a long
text, mostly far less. The command line has no such limit."""
_WAITS_AT_MOST = 3.0
"""Seconds that somebody waits to hear what keeps a block whole."""


def explanation(of: Run, offset: int) -> Explanation:
    """Why the boundary at this offset is there and when it would go; many re-cuts, so only for what
    was clicked."""
    return _explanation(of.document.name, of.document.text_hash, of.config, offset, of.document)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Config: repr})
def _explanation(name: str, sha256: str, config: Config, offset: int, _document: Document) -> Explanation:  # noqa: ARG001
    return explain(_document, config, offset=offset, most_work=_MOST_WORK)


def removals(of: Run, offset: int) -> Removals:
    """The single changes that take this boundary away."""
    return _removals(of.document.name, of.document.text_hash, of.config, offset, of)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Config: repr})
def _removals(name: str, sha256: str, config: Config, offset: int, _of: Run) -> Removals:  # noqa: ARG001
    return removals_of(_of, explanation(_of, offset))


def block_fixes(of: Run, start: int, end: int) -> Fixes | None:
    """The single changes that keep this stretch whole; None where one chunk says all of it as it
    is."""
    return _block_fixes(of.document.name, of.document.text_hash, of.config, start, end, of)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Config: repr})
def _block_fixes(name: str, sha256: str, config: Config, start: int, end: int, _of: Run) -> Fixes | None:  # noqa: ARG001
    span = Span(start, end)
    until = time.monotonic() + _WAITS_AT_MOST
    return None if coverages(_of, [span])[0].whole else fixes(_of, span, goes_on=lambda: time.monotonic() < until)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Run: id})
def _health(of: Run) -> tuple[Run, tuple[Check, ...]]:
    return of, health(of)  # it holds the run, so that no other one can take its identity meanwhile


def health_of(run: Run) -> tuple[Check, ...]:
    """Whether this run is fit to be embedded."""
    return _health(run)[1]


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Run: id})
def _ratio(of: Run) -> tuple[Run, Ratio | None]:
    return of, measured_ratio(of)  # as _health


def ratio_of(run: Run) -> Ratio | None:
    """The run's counter against an exact one on this document; None where it is exact."""
    return _ratio(run)[1] if run.approximate else None


def yaml_with_proof(of: Run, source: Source) -> str:
    """The config's YAML with what a replay must come to: the hashes of the table, the file and the
    chunks."""
    descriptions = f"sha256:{of.descriptions}" if of.descriptions else ""
    proof = DocumentProof(f"sha256:{source.file_hash}", f"sha256:{of.fingerprint}", descriptions)
    return of.config.to_yaml(proof_of(of.config, {of.document.name: proof}))
