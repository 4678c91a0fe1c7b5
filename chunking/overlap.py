"""What is repeated of the chunk before: the end of its kept body, and the white space behind it."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from chunking.chunk import Chunk
from chunking.document import BlockKind, Document, Span
from chunking.graphemes import grapheme_floor, grapheme_stops
from chunking.sentences import sentences_in
from chunking.tools import Tools

WINDOW = 64
"""Characters looked back at first for a suffix; doubled while the suffix still fits."""
SLACK = 8
"""Tokens by which a longer suffix may count less than a shorter one: counts are not monotone at the edge."""
WIDEST_TOKEN = 24
"""Characters of text for each token of overlap in which sentences are looked for; few tokens are longer."""

UNDIVIDED: frozenset[BlockKind] = frozenset({"code", "table", "html", "math"})
"""Kinds that are repeated whole or not at all."""

_WORD_START = regex.compile(r"(?<!\S)\S")


def longest_suffix(document: Document, before: Chunk, limit: int, tools: Tools) -> Span | None:
    """The longest suffix of a chunk's last kept span that begins on a grapheme boundary and counts at most `limit`.

    None when `limit` is 0 or not even one cluster fits. Source: section-rules.md, "Overlap"; DECISIONS sr-2.
    """
    kept, index = before.kept[-1], tools.index(document)
    if limit <= 0:
        return None
    start, window = kept.end, WINDOW
    while start > kept.start and index.count(start, kept.end) <= limit + SLACK:
        start = grapheme_floor(document.text, max(kept.start, kept.end - window), kept.start)
        window *= 2
    if index.count(start, kept.end) <= limit:
        return Span(start, kept.end)
    stops = grapheme_stops(document.text, start, kept.end)[:-1]
    # Everything before the first suffix that comes near the limit is far over it.
    low, high = 0, len(stops)
    while low < high:
        middle = (low + high) // 2
        if index.count(stops[middle], kept.end) > limit + SLACK:
            low = middle + 1
        else:
            high = middle
    return _first_that_fits(stops[low:], kept.end, limit, tools, document)


def last_sentences(document: Document, before: Chunk, limit: int, tools: Tools) -> Span | None:
    """Whole sentences from the end of a chunk's last kept span while they fit in `limit` tokens, else whole words.

    It never begins inside code or a table: half a fence would turn what follows inside out. None when `limit` is 0 or
    nothing fits. Source: block-packing.md, section 3; DECISIONS bp-4.
    """
    if limit <= 0:
        return None
    kept = before.kept[-1]
    last = document.block_at(kept.end - 1)
    if last.kind in UNDIVIDED:
        whole = max(last.span.start, kept.start)
        return Span(whole, kept.end) if tools.index(document).count(whole, kept.end) <= limit else None
    from_here = max(kept.start, kept.end - limit * WIDEST_TOKEN)
    sentences = [sentence.start for sentence in sentences_in(document, Span(from_here, kept.end))]
    words = [from_here + found.start() for found in _WORD_START.finditer(document.text[from_here : kept.end])]
    if from_here > kept.start:  # the first of each may be cut off
        sentences, words = sentences[1:], words[1:]
    found = _furthest_back(sentences, kept.end, limit, tools, document)
    return found or _furthest_back(words, kept.end, limit, tools, document)


def reading_on(document: Document, overlap: Span | None, until: int) -> Span | None:
    """The overlap and the white space that follows it in the source, up to `until`, so that the text flows."""
    if overlap is None:
        return None
    end = overlap.end
    while end < until and document.text[end].isspace():
        end += 1
    return Span(overlap.start, end)


def _furthest_back(starts: Iterable[int], end: int, limit: int, tools: Tools, document: Document) -> Span | None:
    """From the end backwards: the last start before the first that does not fit."""
    index, best = tools.index(document), None
    for start in sorted(starts, reverse=True):
        if document.block_at(start).kind in UNDIVIDED and document.block_at(start).span.start < start:
            continue
        if index.count(start, end) > limit:
            break
        best = start
    return None if best is None else Span(best, end)


def _first_that_fits(starts: Iterable[int], end: int, limit: int, tools: Tools, document: Document) -> Span | None:
    index = tools.index(document)
    return next((Span(start, end) for start in starts if index.count(start, end) <= limit), None)
