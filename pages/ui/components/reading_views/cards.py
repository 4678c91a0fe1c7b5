"""The chunks as cards: what each holds, how full it is, how it begins and why it ends. No
Streamlit.

Only a window of them is made at a time: thousands of chunks cost as much as fifty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Chunk, Run
from chunking.analysis import chunk_hues
from chunking.core import limited_sizes
from pages.ui.components.reading_views.cuts import spoken

WINDOW = 60
MOST = 240
"""Cards that are sent at once, and the most that a large screen is sent."""
_BEGINNING = 420
"""Characters of a chunk's text that its card may show."""


@dataclass(frozen=True, slots=True)
class Card:
    """One chunk at a glance."""

    number: int
    """From 0."""
    hue: int
    start: int
    """Code point where its body starts: what choosing it leads to."""
    crumb: tuple[str, ...]
    """The headings it stands under, without the document's name."""
    tokens: int
    """Of the whole text."""
    limited_tokens: int
    """Those that the limits hold for: of the body or of the text."""
    verdict: str
    """"over 512", "under 100" or "": how it stands to the limits."""
    beginning: str
    """The first lines of its text as embedded."""
    rule: str
    """Why it ends, in a word or two."""
    detail: str
    """Why it ends, as a sentence."""
    flags: tuple[str, ...]
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scale:
    """What the token bars are measured against."""

    full: int
    """Tokens of a full bar."""
    minimum: int | None
    maximum: int | None


def scale(run: Run) -> Scale:
    """Bars reach to the maximum, or to the largest chunk where that is more or there is none."""
    limits = run.config.strategy.limits_in(run.document)
    largest = int(limited_sizes(run).max(initial=1))
    return Scale(max(largest, limits.maximum or 0), limits.minimum, limits.maximum)


def window(first: int, wanted: int, count: int) -> range:
    """The places of the cards to make, of `count`: as many as a browser wants from `first`, within
    reason."""
    size = min(max(wanted, WINDOW), MOST)
    start = max(0, min(first, count - size))
    return range(start, min(count, start + size))


def cards(run: Run, numbers: Sequence[int]) -> tuple[Card, ...]:
    """The cards with these numbers, ascending."""
    if not numbers:
        return ()
    hues = chunk_hues(run.columns.start, numbers[0], numbers[-1] + 1)
    return tuple(_card(run, number, run.chunks[number], hues[number - numbers[0]]) for number in numbers)


def _card(run: Run, number: int, chunk: Chunk, hue: int) -> Card:
    limits = run.config.strategy.limits_in(run.document)
    limited_tokens = chunk.limited_tokens(limits.counts)
    verdict = ""
    if limits.maximum is not None and limited_tokens > limits.maximum:
        verdict = f"over {limits.maximum:,}"
    elif limits.minimum is not None and limited_tokens < limits.minimum:
        verdict = f"under {limits.minimum:,}"
    return Card(
        number=number,
        hue=hue,
        start=chunk.body.start,
        crumb=chunk.breadcrumb[1:],
        tokens=chunk.tokens,
        limited_tokens=limited_tokens,
        verdict=verdict,
        beginning=_beginning(chunk.text),
        rule=spoken(chunk.ended_by.rule),
        detail=chunk.ended_by.detail,
        flags=tuple(f"{spoken(flag.rule)}: {flag.detail}" for flag in chunk.flags),
        lines=(chunk.start_line, chunk.end_line),
    )


def _beginning(text: str) -> str:
    """What a card shows of a text: never half a character, and no line of white space at its
    head."""
    shown = text[:_BEGINNING].encode("utf-8", "replace").decode()
    return shown.lstrip("\r\n") + ("…" if len(text) > _BEGINNING else "")
