"""The search for changes that keep a mark whole, remembered: it cuts the document many times."""

from __future__ import annotations

import time
from functools import partial

from chunking import Document, Run, Span, Tools
from chunking.explanation import Fixes, fixes
from chunking.runtime import memory
from chunking.tokens import counter
from pages.ui.layout.limits import limited

_WAITS_AT_MOST = 12.0
"""Seconds that somebody waits for one search."""


@memory.remembered(
    most=64,
    of=lambda run, _span, _others: (run.document.text,),
    key=lambda run, span, others: (run.document.name, run.document.text_hash, repr(run.config), span, others),
)
def fixes_of(run: Run, span: Span, others: tuple[Span, ...]) -> Fixes:
    """Single changes of this run's config that keep the span whole. No model is asked."""
    until = time.monotonic() + _WAITS_AT_MOST
    tools = Tools(counter(run.config.counter), asks_models=False)
    return limited(partial(fixes, run, span, others, tools, goes_on=lambda: time.monotonic() < until))


def searched_at_once(document: Document) -> bool:
    """Whether a search is quick enough not to be asked for: it reads the text before the mark many
    times."""
    return len(document.text) <= _AT_ONCE


_AT_ONCE = 150_000
"""Characters of a text up to which the search starts without a click."""
