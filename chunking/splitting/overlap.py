"""The overlap of a chunk: the span at the end of the previous chunk's kept body that is
repeated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import regex

from chunking.core.context import SplitContext
from chunking.document import BlockKind, Document, Span
from chunking.document.sentences import starts_backwards
from chunking.splitting.known_limits import KnownLimits
from chunking.text.graphemes import grapheme_ceiling, grapheme_floor, grapheme_stops
from chunking.text.whitespace import first_visible
from chunking.tokens import TokenIndex
from chunking.tracing import is_traced

WINDOW = 64
"""Characters of the first suffix that is tried; doubled while the suffix still fits."""
_FEW = 16
"""Characters that are looked through one by one."""
SLACK = 8
"""Tokens by which a longer suffix may count less than a shorter one: a cut inside a token adds
tokens."""
WIDEST_TOKEN = 24
"""Characters of text for each token of overlap in which sentences are looked for; few tokens are
longer."""

UNDIVIDED: frozenset[BlockKind] = frozenset({"code", "table", "html", "math"})
"""Kinds of blocks that are repeated whole or not at all."""

_WORD_START = regex.compile(r"(?<!\S)\S")


def longest_suffix(document: Document, within: Span, limit: int, tools: SplitContext) -> Span | None:
    """The longest suffix of a chunk's last kept span that begins on a grapheme boundary and counts
    at most `limit`.

    None when `limit` is 0 or not even one cluster fits. Source: section-rules.md, "Overlap";
    DECISIONS sr-2.
    """
    if limit <= 0:
        return None
    index, text, end = tools.index(document), document.text, within.end
    start = within.start
    near = -1 if is_traced(limit) else index.last_over(start, end, limit)
    if near >= 0:
        following = index.next_firm(near + 1, end)
        # Where this fills the limit, there is no room for a token more before it.
        if index.count(following, end) == limit and grapheme_floor(text, following, start) == following:
            return Span(following, end)
    else:
        start = later = end
        window = WINDOW
        while start > within.start and index.count(start, end) <= limit + SLACK:
            later, start = start, grapheme_floor(text, max(within.start, end - window), within.start)
            window *= 2
        whole = index.count(start, end)
        if whole <= limit:
            return Span(start, end)
        near = start if whole <= limit + SLACK else _last_over(index, start, later, end, limit)
    return _first_that_fits(_stops(text, grapheme_floor(text, near, start), end), end, limit, tools, document)


def _last_over(index: TokenIndex, start: int, later: int, end: int, limit: int) -> int:
    """An offset up to which nothing is within the limit, counted from there to `end`, and few
    characters before the last such offset. `start` is one, and none is much after `later`."""
    while later - start > _FEW:
        middle = (start + later) // 2
        firm = index.next_firm(middle, end)
        # From before a firm position it is a token more; from elsewhere it may be a few less.
        at, most = (firm, limit) if middle < firm < later else (middle, limit + SLACK)
        if index.count(at, end) > most:
            start = at
        else:
            later = middle
    return start


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    """The ends of the grapheme clusters between the two boundaries, found as they are asked for."""
    while start < end:
        until = grapheme_ceiling(text, min(start + 2 * _FEW, end), start)
        for stop in grapheme_stops(text, start, until):
            if stop < end:
                yield stop
        start = until


def last_sentences(
    document: Document, kept: Span, limit: int, tools: SplitContext, limits: KnownLimits | None = None
) -> Span | None:
    """The last whole sentences of a chunk's last kept span that fit in `limit` tokens, else the
    last whole words. It never begins inside code or a table: after half a fence, text would be read
    as code and code as text. None when `limit` is 0 or nothing fits. `limits` are narrowed to those
    with the same answer. Source: block-packing.md, section 3; DECISIONS bp-4.
    """
    limits = limits or KnownLimits()
    if not limits.admit(1, limit):
        return None
    last = document.block_at(kept.end - 1)
    if last.kind in UNDIVIDED:
        whole = max(last.span.start, kept.start)
        fits = limits.admit(tools.index(document).count(whole, kept.end), limit)
        return Span(whole, kept.end) if fits else None
    # How far back it looks depends on the limit: `int` narrows a traced one to its present value.
    from_here = grapheme_floor(document.text, max(kept.start, kept.end - int(limit) * WIDEST_TOKEN), kept.start)
    if not limits.admit(-(-len(kept) // WIDEST_TOKEN), limit):
        limits.pin(limit)
    within = Span(from_here, kept.end)
    cut_off = from_here > kept.start  # the first sentence, or word, may be
    sentences = starts_backwards(document, within)
    sentences = _without_last(sentences) if cut_off else sentences
    found = _furthest_back(sentences, kept.end, limit, tools, document, limits)
    if found is not None:
        return found
    words = _words_backwards(document.text, from_here, kept.end)
    words = _without_last(words) if cut_off else words
    return _furthest_back(words, kept.end, limit, tools, document, limits)


def with_blanks_after(document: Document, overlap: Span | None, until: int) -> Span | None:
    """The overlap extended over the white space that follows it in the source, up to `until`."""
    if overlap is None:
        return None
    return Span(overlap.start, first_visible(document.text, overlap.end, until))


def _furthest_back(
    starts: Iterable[int], end: int, limit: int, tools: SplitContext, document: Document, limits: KnownLimits
) -> Span | None:
    """The span from the earliest of `starts` that fits; they come in descending order, and the
    first that does not fit ends the search."""
    index, best = tools.index(document), None
    for start in starts:
        block = document.block_at(start)
        if block.kind in UNDIVIDED and block.span.start < start:
            continue
        if not limits.admit(index.count(start, end), limit):
            break
        best = start
    return None if best is None else Span(best, end)


def _words_backwards(text: str, start: int, end: int) -> Iterator[int]:
    """Where words begin, the last one first and `start` in the end; those before are not looked for
    yet."""
    until = end
    while until > start:
        begin = grapheme_floor(text, max(start, until - WINDOW), start)
        words = [grapheme_floor(text, word.start(), begin) for word in _WORD_START.finditer(text, begin, until)]
        yield from (word for word in reversed(dict.fromkeys(words)) if word > start)
        until = begin
    yield start


def _without_last(starts: Iterator[int]) -> Iterator[int]:
    return (start for start, _ in pairwise(starts))


def _first_that_fits(
    starts: Iterable[int], end: int, limit: int, tools: SplitContext, document: Document
) -> Span | None:
    """The first span that fits; of starts before a firm position after which there is no room for a
    token more, none is counted."""
    index, firm, skipped = tools.index(document), -1, 0
    for start in starts:
        if start > firm:
            firm = index.next_firm(start, end)
            full = start < firm < end and index.count(firm, end) >= limit
            skipped = firm if full else start
        if start >= skipped and index.count(start, end) <= limit:
            return Span(start, end)
    return None
