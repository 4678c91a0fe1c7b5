"""What every way of reading a document shows of a cut. No Streamlit."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter

from chunking import Run, Skip
from chunking.analysis import chunk_hues


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a chunk, or what is in none, begins, and why there."""

    at: int
    """Code point."""
    chunk: int
    """Number of the chunk from 0; -1 for what is in none."""
    hue: int
    tokens: int
    words: str
    """What its label says: the rule."""
    sentence: str
    """All of it, for those who ask."""
    torn: int = -1
    """Code point of the boundary here that cuts a table, code or a list in two; -1 for none."""


def parts_between(run: Run, start: int, end: int) -> range:
    """The numbers of the parts that hold something of the text from `start` to `end`; no other part
    is made for it."""
    parts = run.parts
    return range(max(0, bisect_right(parts, start, key=_start) - 1), bisect_left(parts, end, key=_start))


def cut_of(run: Run, index: int) -> Cut | None:
    """The cut at which part number `index` begins; None for white space that is in no chunk, which
    needs no word."""
    part = run.parts[index]
    if isinstance(part, Skip):
        if part.because.rule == "blank":
            return None
        rule = spoken(part.because.rule)
        sentence = f"Left out, {rule}: {part.because.detail}."
        return Cut(part.body.start, -1, -1, 0, rule, sentence, torn_before(run, index))
    chunk = number_of(run, part.body.start)
    hue = chunk_hues(run.columns.start, chunk, chunk + 1)[0]
    tokens = f"{'about ' if run.approximate else ''}{part.tokens:,} tokens"
    title = f"Chunk {chunk + 1:,} of {len(run.chunks):,}, {tokens}."
    if chunk == 0:
        return Cut(part.body.start, 0, hue, part.tokens, "start", f"{title} First chunk.")
    ended = run.chunks[chunk - 1].ended_by
    rule = spoken(ended.rule)
    flags = "".join(f" {flag.rule}: {flag.detail}." for flag in part.flags)
    sentence = f"{title} Chunk {chunk:,} ends here: {ended.detail}. Rule: {rule}.{flags}"
    return Cut(part.body.start, chunk, hue, part.tokens, rule, sentence, torn_before(run, index))


def torn_before(run: Run, index: int) -> int:
    """Where the chunk before part number `index` ends, if that cuts something in two; else -1.
    White space between them is passed over."""
    for at in range(index - 1, -1, -1):
        part = run.parts[at]
        if isinstance(part, Skip):
            if part.because.rule == "blank":
                continue
            return -1
        torn = run.torn_boundaries
        found = bisect_left(torn, part.body.end, key=_offset)
        return part.body.end if found < len(torn) and torn[found].offset == part.body.end else -1
    return -1


_offset = attrgetter("offset")
_start = attrgetter("body.start")


def number_of(run: Run, offset: int | None) -> int:
    """Number of the chunk whose body holds this code point, -1 when none does."""
    if offset is None:
        return -1
    index = bisect_right(run.chunks, offset, key=lambda chunk: chunk.body.start) - 1
    return index if index >= 0 and run.chunks[index].body.contains(offset) else -1


def spoken(rule: str) -> str:
    return rule.replace("-", " ")
