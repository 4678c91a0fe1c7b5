"""Passages: chunks of a run, or of another tool, as texts with the document's spans that they
contain.

In `published` mode a chunk is where its text is first found, less its last full stop, as in
Chroma's evaluation. In `strict` mode it is where it was cut: its overlap and its body less holes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from chunking.core.chunk import Chunk
from chunking.core.metrics import text_parts
from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.retrieval.aligning import Aligner, Claim, Placed
from chunking.retrieval.offset_units import UNITS
from chunking.runs import Run
from chunking.text.display import shown_text
from chunking.text.spans import join_touching
from chunking.tokens import counter, token_index

_TEXTS = ("text", "context", "closing")
Mode = Literal["strict", "published"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk for retrieval: its text, its size in tokens, and where it is in its document."""

    document: str
    text: str
    tokens: int
    spans: tuple[Span, ...]
    """The spans it contains, in order, not touching; empty if it could not be placed."""


def passages_of(run: Run, mode: Mode = "strict", *, counted_by: str = "") -> tuple[Passage, ...]:
    """The chunks of a run, in their order; counted by the run's own counter when `counted_by` is
    left out."""
    document = run.document
    if not counted_by or counted_by == run.config.counter:
        return tuple(_passage(chunk, chunk.tokens, document, mode) for chunk in run.chunks)
    index = token_index(document.text, counter(counted_by))
    sizes = (index.count_parts(text_parts(chunk)) for chunk in run.chunks)
    return tuple(_passage(chunk, tokens, document, mode) for chunk, tokens in zip(run.chunks, sizes, strict=True))


def _passage(chunk: Chunk, tokens: int, document: Document, mode: Mode) -> Passage:
    spans_of_chunk = [chunk.overlap, *chunk.kept] if chunk.overlap else [*chunk.kept]
    spans = tuple(span for span in join_touching(spans_of_chunk) if isinstance(span, Span))
    text = chunk.text
    if mode == "published":
        # Without its context: that is not in the document, and Chroma's chunkers add none.
        found = _first(document.text, text[len(chunk.context) :]) or Span(spans[0].start, spans[-1].end)
        spans = (found,)
    return Passage(document.name, text, tokens, spans)


def _first(text: str, chunk_text: str) -> Span | None:
    chunk_text = chunk_text.removesuffix(".")
    start = text.find(chunk_text)
    return Span(start, start + len(chunk_text)) if start >= 0 and chunk_text else None


@dataclass(frozen=True, slots=True)
class Foreign:
    """The chunks of another tool, and the problems with them."""

    passages: tuple[Passage, ...]
    problems: tuple[str, ...]
    """One line for each chunk that is not at its offsets, or not found at all."""
    notes: tuple[str, ...] = ()
    """What is worth knowing and no problem: offsets that count something else than code points."""


def load_foreign(path: Path, documents: Sequence[Document], counter_name: str, mode: Mode = "strict") -> Foreign:
    """JSON lines of `text`, `document`, and `start` and `end` where known, as our own `run` writes
    them.

    Offsets are checked against the text, and texts found in any order (aligning.py); in `published`
    mode a chunk is where its text is first found. Raises GoldError for a file of another format.
    """
    called = shown_text(str(path), 200)
    try:
        lines = re.split(r"\r\n|\n|\r", path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise GoldError(f"{called}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    by_name = {document.name: document for document in documents}
    rows: list[_ForeignRow] = []
    for number, line in enumerate(lines, start=1):
        where = f"{called}, line {number}"
        row = _row(line, where) if line.strip() else None
        if row is not None:
            rows.append(_ForeignRow(where, _document_name(row, by_name, where), str(row["text"]), _claim(row)))
    if not rows:
        raise GoldError(f"{called}: has no chunks; each line needs text and document")
    placed, notes = _placed(rows, by_name, mode, called)
    count = counter(counter_name)
    passages = [
        Passage(row.document, row.text, count(row.text), _merged(each.spans))
        for row, each in zip(rows, placed, strict=True)
    ]
    problems = (_problem(row, each, mode) for row, each in zip(rows, placed, strict=True))
    return Foreign(tuple(passages), tuple(filter(None, problems)), tuple(notes))


@dataclass(frozen=True, slots=True)
class _ForeignRow:
    """One chunk of another tool, as its line gives it."""

    where: str
    """As `theirs.jsonl, line 3`, for messages."""
    document: str
    text: str
    claim: Claim


def _placed(
    rows: Sequence[_ForeignRow], documents: Mapping[str, Document], mode: Mode, called: str
) -> tuple[list[Placed], list[str]]:
    """Where each row's chunk is, and notes on what its offsets count."""
    placed: dict[int, Placed] = {}
    units: dict[str, list[str]] = {}
    for name, document in documents.items():
        numbers = [number for number, row in enumerate(rows) if row.document == name]
        aligner = Aligner(document)
        claims = [rows[number].claim for number in numbers]
        for number, each in zip(numbers, aligner.place(claims) if numbers else (), strict=True):
            first = aligner.first(rows[number].claim.text.removesuffix(".")) if mode == "published" else None
            placed[number] = Placed((first,), "text") if first else each
        if aligner.unit_known and aligner.unit != UNITS[0]:
            units.setdefault(aligner.unit.name, []).append(name)
    notes = [f"{called}: in {_some(names)}, start and end count {unit}; read as that" for unit, names in units.items()]
    return [placed[number] for number in range(len(rows))], notes


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(shown_text(name) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _problem(row: _ForeignRow, placed: Placed, mode: Mode) -> str:
    """What is wrong with a chunk, with the numbers; "" where nothing is."""
    problem = f"{row.where}: its text is not"
    if placed.by == "offsets" or not row.claim.text.strip() or (mode == "published" and placed.spans):
        return ""
    if not row.claim.pieces:
        return "" if placed.spans else f"{problem} found in {row.document}; it answers nothing"
    start, end = row.claim.pieces[0][0], row.claim.pieces[-1][1]
    if not placed.spans:
        return f"{problem} at {start} to {end} of {row.document}, nor anywhere else in it; it answers nothing"
    there = placed.spans[0]
    return f"{problem} at {start} to {end} of {row.document}, but at {there.start} to {there.end}; taken from there"


def _row(line: str, where: str) -> dict[str, object] | None:
    """A line's chunk; None for a skip that our own `run --skips` wrote."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, dict) and row.get("type") == "skip":
        return None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise GoldError(f"{where}: is not a chunk; each line is a JSON object with text and document")
    return row


def _document_name(row: dict[str, object], documents: Mapping[str, Document], where: str) -> str:
    name = row.get("document")
    if name is None and len(documents) == 1:
        return next(iter(documents))
    if not isinstance(name, str) or name not in documents:
        there = ", ".join(list(documents)[:5])
        raise GoldError(f"{where}: document {shown_text(str(name))!r} is not among the corpora; there are: {there}")
    return name


def _claim(row: dict[str, object]) -> Claim:
    """The chunk of a line as a claim: without context and closing, and with overlap and holes where
    the line has them."""
    text, context, closing = (value if isinstance(value := row.get(key), str) else "" for key in _TEXTS)
    text = text.removeprefix(context).removesuffix(closing)
    start, end = row.get("start"), row.get("end")
    if type(start) is not int or type(end) is not int:
        return Claim(text)
    overlap, holes = _pairs([row.get("overlap")]), _pairs(row.get("holes"))
    edges = [start, *(edge for hole in holes for edge in (hole.start, hole.end)), end]
    if edges != sorted(edges):
        return Claim(text, ((start, end),))  # holes that are out of order: only the outer offsets are used
    kept = list(zip(edges[::2], edges[1::2], strict=True))
    return Claim(
        text, tuple((first, last) for first, last in [*map(_edges, overlap), *kept] if first < last or not holes)
    )


def _edges(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(span for span in join_touching(list(spans)) if isinstance(span, Span))


def _pairs(value: object) -> list[Span]:
    """The pairs of whole numbers in a list, those that go forwards; nothing from anything else."""
    pairs = value if isinstance(value, list) else []
    lists = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    return [Span(*pair) for pair in lists if all(type(edge) is int for edge in pair) and 0 <= pair[0] < pair[1]]
