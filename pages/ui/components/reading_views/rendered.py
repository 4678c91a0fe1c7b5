"""A stretch of a document as people read it, with the places where a run cuts it. No Streamlit.

Only blocks near a place are rendered: a document of 1 MB costs as much as one of 30 KB.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

from chunking import Document, Run
from chunking.document import Block
from pages.ui.components.reading_views.cuts import Cut, cut_of, parts_between
from pages.ui.components.reading_views.rendered_markdown import References, references, rendered, written

BEFORE, AFTER = 8_000, 22_000
"""Characters that are rendered before and after the place that is looked at."""
SHOWN_OF_ONE = 60_000
"""More than this of one block is not shown here; the source has all of it."""
_AS_WRITTEN = frozenset({"html", "front-matter", "math", "footnote", "blank"})
_REMEMBERED = 3_000


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block as HTML. Where the run cuts inside it there is an `<i class="cut">` with its number
    in `inside`."""

    start: int
    end: int
    kind: str
    html: str
    before: tuple[int, ...]
    """Offsets of the cuts that stand before the block."""
    inside: tuple[int, ...] = ()
    """Offsets of the cuts inside it."""
    note: str = ""
    """What is not shown of it, or not as it would look."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Blocks that follow each other, and the cuts among and in them, by where they are."""

    blocks: tuple[ShownBlock, ...]
    cuts: tuple[Cut, ...]
    """In source order; the first is what the stretch begins in, which may begin before it."""


class _Reading:
    """What is remembered of a document: its link definitions, and blocks that were rendered."""

    def __init__(self, document: Document) -> None:
        texts = [document.text[block.span.start : block.content_end] for block in document.blocks if _defines(block)]
        self.references: References = references(texts)
        self.html: dict[tuple[int, tuple[int, ...]], tuple[str, str]] = {}


_readings: WeakKeyDictionary[Document, _Reading] = WeakKeyDictionary()
_lock = Lock()


def _defines(block: Block) -> bool:
    return block.kind in ("paragraph", "quote", "list")


def stretch(run: Run, around: int) -> Stretch:
    """The blocks near an offset, rendered, with the run's cuts."""
    document = run.document
    if not document.blocks:
        return Stretch((), ())
    with _lock:
        reading = _readings.get(document)
        if reading is None:
            reading = _readings[document] = _Reading(document)
    first, last = _near(document, around)
    blocks = document.blocks[first : last + 1]
    parts = parts_between(run, blocks[0].span.start, blocks[-1].span.end)
    cuts = [cut for cut in (cut_of(run, index) for index in parts) if cut is not None]
    return Stretch(tuple(_shown(document, reading, first, blocks, [cut.at for cut in cuts])), tuple(cuts))


def _near(document: Document, around: int) -> tuple[int, int]:
    """The first and the last block of the stretch, by their numbers."""
    blocks = document.blocks
    first = last = max(0, bisect_right([block.span.start for block in blocks], around) - 1)
    while first > 0 and blocks[last].span.start - blocks[first].span.start < BEFORE:
        first -= 1
    middle = last
    while last + 1 < len(blocks) and blocks[last].span.end - blocks[middle].span.start < AFTER:
        last += 1
    return first, last


def _shown(
    document: Document, reading: _Reading, first: int, blocks: tuple[Block, ...], cuts: list[int]
) -> Iterator[ShownBlock]:
    """The blocks with their cuts; what is cut after a block's last line stands before the next
    block."""
    at = bisect_left(cuts, blocks[0].span.start)
    for number, block in enumerate(blocks, first):
        before, inside = [], []
        while at < len(cuts) and cuts[at] <= block.span.start:
            before.append(cuts[at])
            at += 1
        while at < len(cuts) and cuts[at] < block.content_end:
            inside.append(cuts[at])
            at += 1
        html, note = _remembered(document, reading, number, block, tuple(inside))
        yield ShownBlock(block.span.start, block.span.end, block.kind, html, tuple(before), tuple(inside), note)


def _remembered(
    document: Document, reading: _Reading, number: int, block: Block, inside: tuple[int, ...]
) -> tuple[str, str]:
    known = reading.html.get((number, inside))
    if known is None:
        if len(reading.html) >= _REMEMBERED:
            reading.html.clear()
        known = reading.html[(number, inside)] = _block(document, reading.references, block, inside)
    return known


def _block(document: Document, known: References, block: Block, inside: tuple[int, ...]) -> tuple[str, str]:
    """One block's HTML, and what there is to say of it."""
    text = document.text[block.span.start : block.content_end].replace("\0", "␀")
    cuts = [offset - block.span.start for offset in inside]
    note = ""
    as_written = block.kind in _AS_WRITTEN or document.language is not None
    html = None if as_written else rendered(text, known, cuts)
    if html is None:
        if not as_written and len(text) > 2:
            note = "Shown as it is written: too large, or nothing to show, as Markdown."
        if len(text) > SHOWN_OF_ONE:
            note = f"The first {SHOWN_OF_ONE:,} of {len(text):,} characters, as written; the source has them all."
            cuts = [cut for cut in cuts if cut < SHOWN_OF_ONE]
        html = written(text[:SHOWN_OF_ONE], cuts)
    return html, note
