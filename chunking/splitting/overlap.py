"""The overlap of a chunk: the span at the end of the previous chunk's kept body that is
repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import regex

from chunking.core.context import SplitContext
from chunking.document import BlockKind, Document, Span
from chunking.document.sentences import starts_backwards
from chunking.splitting.document_cache import Memo, once_per_counter
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

StartsIn = Callable[[Document, Span], Iterator[tuple[int, int]]]
_NONE, _UNKNOWN = -1, -2

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
        until = min(start + 2 * _FEW, end)
        stretch = text[start : until + 1]
        if stretch.isascii() and "\r" not in stretch:
            yield from range(start + 1, min(until + 1, end))
        else:
            until = grapheme_ceiling(text, until, start)
            yield from (stop for stop in grapheme_stops(text, start, until) if stop < end)
        start = until


def last_sentences(
    document: Document,
    kept: Span,
    limit: int,
    tools: SplitContext,
    limits: KnownLimits | None = None,
    *,
    again: bool = False,
) -> Span | None:
    """The last whole sentences of a chunk's last kept span that fit in `limit` tokens, else the
    last whole words. It never begins inside code or a table: after half a fence, text would be read
    as code and code as text. None when `limit` is 0 or nothing fits. `limits` are narrowed to those
    with the same answer. Where the document is cut `again`, what is found is remembered. Source:
    block-packing.md, section 3; DECISIONS bp-4.
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
    for starts_in in (starts_backwards, _words_backwards):
        found = _UNKNOWN
        if again and not tools.tracing:
            found = _known_start(starts_in, document, within, limit, tools, limits, cut_off=cut_off)
        if found == _UNKNOWN:
            starts = starts_in(document, within)
            starts = _without_last(starts) if cut_off else starts
            found = _furthest_back(starts, kept.end, limit, tools, document, limits)
        if found != _NONE:
            return Span(found, kept.end)
    return None


class _Tails(Memo[tuple[StartsIn, int], tuple[int, ...]]):
    """By what they are of, and where the last one ends: starts, the last one first, each followed
    by the tokens from there to the end and by how far back was looked. Up to the first one that was
    over the highest limit; one flat tuple, which is nothing to Python's garbage collector."""

    most = 1 << 15


def _known_start(
    starts_in: StartsIn,
    document: Document,
    within: Span,
    limit: int,
    tools: SplitContext,
    limits: KnownLimits,
    *,
    cut_off: bool,
) -> int:
    """What `_furthest_back` finds, of what is remembered for the end of the span; `_UNKNOWN` where
    it depends on where the span begins."""
    tails, key = once_per_counter(document, tools.counter, _Tails), (starts_in, within.end)
    tail = tails.get(key)
    if tail is None or tail[-2] <= limit:
        tail = _tail(starts_in, document, within.end, limit, tools)
        if not tail:
            return _UNKNOWN
        tails.keep(key, tail)
    best = _NONE
    for start, tokens, looked_from in zip(tail[::3], tail[1::3], tail[2::3], strict=True):
        is_first = start == within.start
        if is_first and cut_off:
            return best
        if not is_first and looked_from < within.start:
            return _UNKNOWN
        if not limits.admit(tokens, limit):
            return best
        best = start
        if is_first:
            return best
    return _UNKNOWN


def _tail(starts_in: StartsIn, document: Document, end: int, limit: int, tools: SplitContext) -> tuple[int, ...]:
    """The starts before `end` up to the first one over the limit."""
    index, tail = tools.index(document), list[int]()
    for start, looked_from in starts_in(document, Span(0, end)):
        if _may_begin(document, start):
            tokens = index.count(start, end)
            tail += (start, tokens, looked_from)
            if tokens > limit:
                break
    return tuple(tail)


def with_blanks_after(document: Document, overlap: Span | None, until: int) -> Span | None:
    """The overlap extended over the white space that follows it in the source, up to `until`."""
    if overlap is None:
        return None
    return Span(overlap.start, first_visible(document.text, overlap.end, until))


def _furthest_back(
    starts: Iterable[tuple[int, int]],
    end: int,
    limit: int,
    tools: SplitContext,
    document: Document,
    limits: KnownLimits,
) -> int:
    """The earliest of `starts` from which on the text fits, `_NONE` where none is; they come in
    descending order, and the first that does not fit ends the search."""
    index, best = tools.index(document), _NONE
    for start, _ in starts:
        if not _may_begin(document, start):
            continue
        if not limits.admit(index.count(start, end), limit):
            break
        best = start
    return best


def _may_begin(document: Document, start: int) -> bool:
    """Whether an overlap may begin here: not inside a block that is repeated whole."""
    block = document.block_at(start)
    return block.kind not in UNDIVIDED or block.span.start == start


def _words_backwards(document: Document, span: Span) -> Iterator[tuple[int, int]]:
    """Where words begin, the last one first and the span's start in the end; those before are not
    looked for yet. With each, how far back was looked, as in `starts_backwards`."""
    text, start, until = document.text, span.start, span.end
    while until > start:
        begin = grapheme_floor(text, max(start, until - WINDOW), start)
        words = [grapheme_floor(text, word.start(), begin) for word in _WORD_START.finditer(text, begin, until)]
        for each in reversed(dict.fromkeys(words)):
            if each > start:
                yield each, begin
        until = begin
    yield start, -1


def _without_last(starts: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
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
        if start >= skipped and not index.exceeds(start, end, limit):
            return Span(start, end)
    return None
