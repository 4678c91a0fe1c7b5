"""Parsing and cutting, remembered: by the hash of the text, and by the config.

What is remembered is immutable and shared, so it is kept as it is and not copied on every move. How
much that may be is `chunking.runtime.text_memory`'s to say.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock

from chunking import Config, Document, Run, Skip, Span, Tools, explain, health, parse
from chunking import run as cut
from chunking.analysis import Check, Ratio, counted_alike, measured_ratio
from chunking.config import proof_of, proof_of_hashes
from chunking.core import Estimate, Metrics, Strategy, measure
from chunking.explanation import (
    CLICK_WORK,
    COUNTED_WHOLE,
    Explanation,
    Fixes,
    Moves,
    Removal,
    Removals,
    counted_to_end,
    fixes,
    keeps,
    unread_in,
)
from chunking.explanation import moves as moves_of
from chunking.explanation import removals as removals_of
from chunking.gold import coverages
from chunking.imported import audit_of
from chunking.models import Step, steps
from chunking.models import estimate as estimate_of
from chunking.runtime import Freeing, memory
from chunking.strategies.semantic import Curve, Semantic, similarities
from chunking.tokens import counter as counter_named
from chunking.tokens import token_index
from pages.ui.choices.samples import Source
from pages.ui.layout.limits import limited, run_limits

_LARGE = 200_000
"""Characters from which a document is worth keeping out of the garbage collector's way."""


@memory.remembered(
    most=24,
    of=lambda source, *_: (source.text,),
    key=lambda source, *_: (source.name, source.hash),
    carries=True,
)
def document(source: Source, counter: str = "") -> Document:
    """The parsed text, its lines and its blocks. With `counter`, what that will count with is made
    at the same time."""
    if len(source.text) < _LARGE:
        return parse(source.text, source.name, source.conversion)
    # What is garbage by now goes first: frozen, it would stay for ever.
    gc.collect()
    with ThreadPoolExecutor(1) as beside, _frozen_as_it_is_made():
        if counter:
            # A run says what goes wrong in it.
            beside.submit(limited, partial(token_index, source.text, counter_named(counter)))
        return parse(source.text, source.name, source.conversion)


def reads_long(source: Source) -> bool:
    """Whether somebody waits for this text to be parsed."""
    return len(source.text) >= _LARGE and document.known(source) is None


_MANY = 75_000
"""New objects after which the collector looks for garbage, for up to 60 ms: a move in a document of
1 MB makes far fewer."""
_LOOKS = 60
"""Of these looks, after which it looks at what all of them left: more than one cut needs."""


def collect_rarely() -> None:
    """Take what this process has loaded out of the garbage collector's way, and have it look for
    garbage only among many new objects: it would look through everything on every move. What is
    forgotten is freed piece by piece."""
    memory.frees = Freeing()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MANY, _LOOKS)


@contextmanager
def _frozen_as_it_is_made() -> Iterator[None]:
    """Keep what is made here out of the garbage collector's way: a parsed document is for keeps,
    and looking through it again would cost each move.

    Part by part, after each of the collector's looks at what is new: all of a large document at
    once would keep others waiting.
    """
    with _lock:
        if not _freezing:
            _freezing.append(gc.get_threshold()[0])
            gc.set_threshold(_PART)
            gc.callbacks.append(_freeze_after)
        _freezing.append(0)
    try:
        yield
        gc.collect()
        gc.freeze()
    finally:
        with _lock:
            _freezing.pop()
            if len(_freezing) == 1:
                gc.callbacks.remove(_freeze_after)
                gc.set_threshold(_freezing.pop())


_PART = 100_000
"""New objects after which the collector looks at them while a document is parsed."""
_lock = Lock()
_freezing: list[int] = []
"""The collector's threshold before, then one for each document that is being parsed."""


def _freeze_after(phase: str, _: object) -> None:
    if phase == "stop":
        gc.freeze()


@memory.remembered(
    most=32,
    of=lambda of, _: (of.text,),
    key=lambda of, config: (of.name, of.text_hash, repr(config), answers_for(config.strategy)),
)
def run(of: Document, config: Config) -> Run:
    """The document, cut with what models are remembered to have answered.

    Nothing is asked here (model_prompts.py does).
    Raises ModelError where it cannot be cut without asking, RunLimitError past the app's limits.
    """
    made = _cut_again(of, config)
    if len(of.text) >= _LARGE:
        gc.freeze()  # a hundred thousand objects, which go without the collector when they are forgotten
    return made


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


@memory.remembered(
    most=32,
    of=lambda of, _counter, _step: (of.text,),
    key=lambda of, counter, step: (of.name, of.text_hash, counter, repr(step), _answers[0]),
)
def estimate(of: Document, counter: str, step: Step) -> Estimate:
    """What this step would ask for now. Raises ModelError."""
    return estimate_of(step, of, Tools(counter_named(counter), asks_models=False))


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


@memory.remembered(
    most=32,
    of=lambda before, _: (before.document.text,),
    key=lambda before, now: (*_key(before), now.config.counter),
)
def recounted(before: Run, now: Run) -> Recounted:
    """The baseline counted like the run it is compared with; once, since a move changes only the
    other one."""
    same = before.config.counter == now.config.counter
    metrics = before.metrics if same else measure(before, counter_named(now.config.counter))
    return Recounted(metrics, tuple(counted_alike(before, now)))


def _key(run: Run) -> tuple[str, str, str, int]:
    """What a run was made of."""
    return run.document.name, run.document.text_hash, repr(run.config), answers_for(run.config.strategy)


@memory.remembered(most=4, of=lambda of: (of.text,), key=lambda of: of.text_hash)
def _dragged(of: Document) -> Run | None:  # noqa: ARG001
    """The last run of a drag."""
    return None


def cut_live(of: Document, config: Config) -> Run:
    """The same for a threshold that is being dragged: only the last is remembered, for when it is
    let go.

    Needs no session. Raises ChunkscopeError, a RunLimitError past the app's limits (limits.py).
    """
    run = _cut_again(of, config)
    _dragged.keep(run, of)
    return run


def _cut_again(of: Document, config: Config) -> Run:
    last = _dragged.known(of)
    if last and last.config == config and last.document is of and not steps(config.strategy):
        return last
    return cut(of, config, Tools(counter_named(config.counter), asks_models=False), limits=run_limits())


_WAITS_AT_MOST = 3.0
"""Seconds that somebody waits to hear what keeps a block whole, or moves a boundary."""


@memory.remembered(most=64, of=lambda of, _: (of.document.text,), key=lambda of, offset: (*_key(of), offset))
def explanation(of: Run, offset: int) -> Explanation:
    """Why the boundary at this offset is there and when it would go; many re-cuts, so only for what
    was clicked."""
    return explain(of.document, of.config, offset=offset, most_work=CLICK_WORK)


@memory.remembered(most=64, of=lambda of, _: (of.document.text,), key=lambda of, offset: (*_key(of), offset))
def removals(of: Run, offset: int) -> Removals:
    """The single changes that take this boundary away."""
    return removals_of(of, explanation(of, offset))


@memory.remembered(most=256, of=lambda of, _: (of.document.text,), key=lambda of, removal: (*_key(of), removal))
def counted_removal(of: Run, removal: Removal) -> Removal:
    """The same change with the numbers of the whole document, which is cut once more for it."""
    return counted_to_end(of, removal)


@memory.remembered(
    most=64, of=lambda of, _start, _end: (of.document.text,), key=lambda of, start, end: (*_key(of), start, end)
)
def block_fixes(of: Run, start: int, end: int) -> Fixes | None:
    """The single changes that keep this stretch whole; None where one chunk has all of it as it
    is."""
    span = Span(start, end)
    until = time.monotonic() + _WAITS_AT_MOST
    return None if coverages(of, [span])[0].whole else fixes(of, span, goes_on=lambda: time.monotonic() < until)


@memory.remembered(most=64, of=lambda of, _: (of.document.text,), key=lambda of, skip: (*_key(of), skip.body))
def kept_by(of: Run, skip: Skip) -> Fixes:
    """The single changes that put what is left out here into chunks."""
    until = time.monotonic() + _WAITS_AT_MOST
    tools = Tools(counter_named(of.config.counter), asks_models=False)
    return keeps(of, skip, tools, goes_on=lambda: time.monotonic() < until)


@memory.remembered(
    most=64,
    of=lambda of, _boundary, _place: (of.document.text,),
    key=lambda of, boundary, place: (*_key(of), boundary, place),
)
def moves(of: Run, boundary: int, place: int) -> Moves:
    """The single changes that move this boundary to another place. A third of the time is for a
    place nearby."""
    begun = time.monotonic()
    return moves_of(
        of,
        boundary,
        place,
        goes_on=lambda: time.monotonic() < begun + _WAITS_AT_MOST * 2 / 3,
        goes_on_nearby=lambda: time.monotonic() < begun + _WAITS_AT_MOST,
    )


@memory.remembered(
    most=64,
    of=lambda documents, _: tuple(each.text for each in documents),
    key=lambda documents, config: (
        *((each.name, each.text_hash) for each in documents),
        repr(config),
        answers_for(config.strategy),
    ),
)
def _unread(documents: Sequence[Document], config: Config) -> int:
    # One is the document that is shown; many cuts would take the place of all that is remembered.
    made = run if len(documents) == 1 else _cut_again
    return sum(unread_in(each, made(each, config).chunks, config.counter) for each in documents)


def unread_with(documents: Sequence[Document], now: Config, then: Config) -> int:
    """How many more tokens an embedder does not read with another config, fewer than 0 where it
    reads more; 0 where that is not known: of very long texts, or where a model describes the
    chunks. Raises ChunkscopeError."""
    long = sum(len(each.text) for each in documents) > COUNTED_WHOLE
    if long or now.strategy.describes or then.strategy.describes:
        return 0
    return _unread(documents, then) - _unread(documents, now)


@memory.remembered(most=16, of=lambda run: (run.document.text,), key=lambda run: id(run))
def _health(run: Run) -> tuple[Run, tuple[Check, ...]]:
    return run, health(run)  # it holds the run, so that no other one can take its identity meanwhile


def health_of(run: Run) -> tuple[Check, ...]:
    """Whether this run is fit to be embedded."""
    return _health(run)[1]


@memory.remembered(most=8, of=lambda run: (run.document.text,), key=lambda run: id(run))
def _audited(run: Run) -> tuple[Run, tuple[str, ...]]:
    found = audit_of(run.config.strategy, run.document, run.config.counter)
    return run, tuple(found.lines()) if found else ()  # as _health


def audit_lines(run: Run) -> tuple[str, ...]:
    """What another tool's chunks have of the document, in sentences; none for a strategy of
    ours."""
    return _audited(run)[1]


@memory.remembered(most=32, of=lambda run: (run.document.text,), key=lambda run: id(run))
def _ratio(run: Run) -> tuple[Run, Ratio | None]:
    return run, measured_ratio(run)  # as _health


def ratio_of(run: Run) -> Ratio | None:
    """The run's counter against an exact one on this document; None where it is exact."""
    return _ratio(run)[1] if run.approximate else None


def yaml_with_proof(of: Run, source: Source) -> str:
    """The config's YAML with what a replay must come to: the hashes of the table, the file and the
    chunks."""
    proof = proof_of_hashes(f"sha256:{source.file_hash}", of.fingerprint, of.descriptions, of.document)
    return of.config.to_yaml(proof_of(of.config, {of.document.name: proof}))
