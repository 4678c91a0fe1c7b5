"""A document's sections by their tokens, and where a run cuts them: an icicle that lies on its
side. No Streamlit.

Tokens are counted from the document's start, so that a section and a cut have their place on one
scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from chunking import Document, Run
from chunking.tokens import counter, token_index
from pages.ui.components.source_view.payload import source_text

MOST = 20_000
"""Sections beyond these are shown with what holds them."""


@dataclass(frozen=True, slots=True)
class Box:
    """One section: where it begins, how much it holds, how deep it stands."""

    title: str
    level: int
    """Columns from the left: 0 for the document, its depth in the outline otherwise, whatever its
    heading's level."""
    start: int
    """Code point of its heading."""
    line: int
    first: int
    """Tokens of the document before it."""
    last: int
    """Tokens of the document up to its end, its descendants included."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections of a document on the scale of its tokens."""

    name: str
    """Changes with the document and with how it is counted."""
    boxes: tuple[Box, ...]
    """In source order; the document itself first."""
    left_out: int
    """How many sections beyond `MOST` are not shown."""


_known: WeakKeyDictionary[Document, dict[str, Outline]] = WeakKeyDictionary()
_lock = Lock()


def outline(document: Document, counted_by: str) -> Outline:
    """The sections, counted once for each counter and kept as long as the document is."""
    with _lock:
        outlines = _known.setdefault(document, {})
        if counted_by not in outlines:
            outlines[counted_by] = _outline(document, counted_by)
        return outlines[counted_by]


def _outline(document: Document, counted_by: str) -> Outline:
    index = token_index(document.text, counter(counted_by))
    boxes: list[Box] = []
    waiting = [(document.outline, 0)]
    while waiting and len(boxes) < MOST:
        section, depth = waiting.pop()
        waiting.extend((child, depth + 1) for child in reversed(section.children))
        start = section.span.start
        first, last = index.count(0, start), index.count(0, section.span.end)
        boxes.append(Box(section.title, depth, start, document.line_of(start), first, max(first, last)))
    left_out = max(0, len(document.sections) - len(boxes))
    return Outline(f"{source_text(document).hash} {counted_by}", tuple(boxes), left_out)


@dataclass(frozen=True, slots=True)
class Cuts:
    """The parts of a run on the same scale."""

    start: npt.NDArray[np.int64]
    """Code points where the parts begin, in source order."""
    at: npt.NDArray[np.int64]
    """Tokens of the document before each."""
    chunk: npt.NDArray[np.int64]
    """Number of the chunk from 0; -1 for what is in none."""


def cuts(run: Run, counted_by: str) -> Cuts:
    """Where the run's parts begin, in tokens of the document's own text: overlap and context are
    not in it."""
    index = token_index(run.document.text, counter(counted_by))
    chunks = run.columns.start
    starts = np.sort(np.concatenate((chunks, np.array([skip.body.start for skip in run.skips], np.int64))))
    numbers = np.full(len(starts), -1)
    numbers[np.searchsorted(starts, chunks)] = np.arange(len(chunks))
    at = [index.count(0, start) for start in starts.tolist()]
    return Cuts(starts, np.array(at, np.int64), numbers)
