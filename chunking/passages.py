"""What can be retrieved: chunks of ours, or of another tool, as texts that know which spans of a document they say.

In `published` mode a chunk is where its text is first found, less its last full stop, as in Chroma's evaluation. In
`strict` mode it is where it was cut: its overlap and its body less holes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from chunking.chunk import Chunk
from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.metrics import text_parts
from chunking.runs import Run
from chunking.showing import shown_text
from chunking.token_index import merged
from chunking.tokens import counter, token_index

Mode = Literal["strict", "published"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as retrieval sees it."""

    document: str
    text: str
    tokens: int
    spans: tuple[Span, ...]
    """What it says of its document, in order, not touching; empty where it could not be placed."""


def passages_of(run: Run, mode: Mode = "strict", *, counted_by: str = "") -> tuple[Passage, ...]:
    """The chunks of a run, in their order; counted by the run's own counter when `counted_by` is left out."""
    document = run.document
    if not counted_by or counted_by == run.config.counter:
        return tuple(_passage(chunk, chunk.tokens, document, mode) for chunk in run.chunks)
    index = token_index(document.text, counter(counted_by))
    sizes = (index.count_parts(text_parts(chunk)) for chunk in run.chunks)
    return tuple(_passage(chunk, tokens, document, mode) for chunk, tokens in zip(run.chunks, sizes, strict=True))


def _passage(chunk: Chunk, tokens: int, document: Document, mode: Mode) -> Passage:
    said = [chunk.overlap, *chunk.kept] if chunk.overlap else [*chunk.kept]
    spans = tuple(span for span in merged(said) if isinstance(span, Span))
    text = chunk.text
    if mode == "published":
        # Without its context: that is not in the document, and Chroma's chunkers add none.
        found = _first(document.text, text[len(chunk.context) :]) or Span(spans[0].start, spans[-1].end)
        spans = (found,)
    return Passage(document.name, text, tokens, spans)


def _first(text: str, said: str) -> Span | None:
    said = said.removesuffix(".")
    start = text.find(said)
    return Span(start, start + len(said)) if start >= 0 and said else None


@dataclass(frozen=True, slots=True)
class Foreign:
    """Chunks of another tool, and what is wrong with them."""

    passages: tuple[Passage, ...]
    problems: tuple[str, ...]


def load_foreign(path: Path, documents: Sequence[Document], counter_name: str, mode: Mode = "strict") -> Foreign:
    """JSON lines of `text`, `document`, and `start` and `end` where known (code points), as our own `run` writes them.

    Without offsets a text is looked for after the start of the one before it (`published`: from the beginning), white
    space read loosely. Raises GoldError for what is no such file.
    """
    called = shown_text(str(path), 200)
    try:
        lines = re.split(r"\r\n|\n|\r", path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise GoldError(f"{called}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    count, reached = counter(counter_name), dict.fromkeys((document.name for document in documents), 0)
    places = {document.name: _Places(document) for document in documents}
    passages, problems = [], []
    for number, line in enumerate(lines, start=1):
        row = _row(line, f"{called}, line {number}") if line.strip() else None
        if row is None:
            continue
        name, text = _document_name(row, places, f"{called}, line {number}"), str(row["text"])
        spans = _known_spans(row, places[name].document, mode)
        if spans is None:
            found = places[name].find(text, 0 if mode == "published" else reached[name], mode)
            spans = (found,) if found else ()
        if not spans:
            problems.append(f"{called}, line {number}: its text is not found in {name}; it answers nothing")
        else:
            reached[name] = spans[0].start + 1
        passages.append(Passage(name, text, count(text), spans))
    if not passages:
        raise GoldError(f"{called}: holds no chunks; each line has text and document")
    return Foreign(tuple(passages), tuple(problems))


class _Places:
    """A document's text, and the same without white space and case, to look in for what another tool has tidied."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._tight: str | None = None
        self._offsets: list[int] = []

    def find(self, text: str, start: int, mode: Mode) -> Span | None:
        said = text.removesuffix(".") if mode == "published" else text
        at = self.document.text.find(said, start) if said else -1
        if at >= 0:
            return Span(at, at + len(said))
        return self._find_tight(said, start)

    def _find_tight(self, text: str, start: int) -> Span | None:
        if self._tight is None:
            # Character by character: some letters become two when folded, and each has its own offset.
            kept = [(folded, at) for at, c in enumerate(self.document.text) if not c.isspace() for folded in c.lower()]
            self._tight, self._offsets = "".join(c for c, _ in kept), [at for _, at in kept]
        wanted = "".join(c.lower() for c in text if not c.isspace())
        low, high = 0, len(self._offsets)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._offsets[middle] < start else (low, middle)
        at = self._tight.find(wanted, low) if wanted else -1
        return Span(self._offsets[at], self._offsets[at + len(wanted) - 1] + 1) if at >= 0 else None


def _row(line: str, where: str) -> dict[str, object] | None:
    """A line's chunk; None for a skip that our own `run --skips` wrote."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, dict) and row.get("type") == "skip":
        return None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise GoldError(f"{where}: is no chunk; each line is a JSON object with text and document")
    return row


def _document_name(row: dict[str, object], places: dict[str, _Places], where: str) -> str:
    name = row.get("document")
    if name is None and len(places) == 1:
        return next(iter(places))
    if not isinstance(name, str) or name not in places:
        there = ", ".join(list(places)[:5])
        raise GoldError(f"{where}: document {shown_text(str(name))!r} is none of the corpora; there are: {there}")
    return name


def _known_spans(row: dict[str, object], document: Document, mode: Mode) -> tuple[Span, ...] | None:
    """The spans that a line gives: with overlap and holes where it is one of ours. None where it gives none.

    In `published` mode a text is looked for all the same, if it is in the document.
    """
    start, end = row.get("start"), row.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(document.text):
        return None
    if mode == "published":
        said = str(row["text"])[len(str(row.get("context") or "")) :]
        return (_first(document.text, said) or Span(start, end),)
    overlap, holes = _pairs([row.get("overlap")]), _pairs(row.get("holes"))
    edges = [start, *(edge for hole in holes for edge in (hole.start, hole.end)), end]
    if edges != sorted(edges) or any(span.end > len(document.text) for span in overlap):
        return (Span(start, end),)  # not of this text: what is said is at least not outside these
    kept = [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(span for span in merged([*overlap, *kept]) if isinstance(span, Span))


def _pairs(value: object) -> list[Span]:
    """The pairs of whole numbers in a list, those that go forwards; nothing from anything else."""
    pairs = value if isinstance(value, list) else []
    lists = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    return [Span(*pair) for pair in lists if all(type(edge) is int for edge in pair) and 0 <= pair[0] < pair[1]]
