"""Passages: chunks of a run, or of another tool, as texts with the document's spans that they
contain.

In `published` mode a chunk is where its text is first found, less its last full stop, as in
Chroma's evaluation. In `strict` mode it is where it was cut: its overlap and its body less holes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from chunking.core.chunk import Chunk
from chunking.core.metrics import text_parts
from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.imported.aligning import Aligner, Claim, Placed
from chunking.imported.offset_units import UNITS
from chunking.imported.placement import Placement
from chunking.imported.rows import closeness, read_rows
from chunking.imported.table_files import read_file
from chunking.runs import Run
from chunking.text.display import shown_text
from chunking.text.spans import join_touching
from chunking.tokens import counter, token_index

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
    returned: tuple[Span, ...] = ()
    """What a hit gives back in its place, in order, not touching; empty where that is the passage
    itself."""

    @property
    def given(self) -> tuple[Span, ...]:
        """What a hit gives back."""
        return self.returned or self.spans


def passages_of(run: Run, mode: Mode = "strict", *, counted_by: str = "") -> tuple[Passage, ...]:
    """The chunks of a run, in their order; counted by the run's own counter when `counted_by` is
    left out."""
    document = run.document
    sizes: Iterable[int] = (chunk.tokens for chunk in run.chunks)
    if counted_by and counted_by != run.config.counter:
        index = token_index(document.text, counter(counted_by))
        sizes = (index.count_parts(text_parts(chunk)) for chunk in run.chunks)
    made = [_passage(chunk, tokens, document, mode) for chunk, tokens in zip(run.chunks, sizes, strict=True)]
    if not any(chunk.returned for chunk in run.chunks):
        return tuple(made)
    return tuple(
        replace(passage, returned=(chunk.returned,) if chunk.returned else passage.spans)
        for passage, chunk in zip(made, run.chunks, strict=True)
    )


def _passage(chunk: Chunk, tokens: int, document: Document, mode: Mode) -> Passage:
    spans_of_chunk = [chunk.overlap, *chunk.kept] if chunk.overlap else [*chunk.kept]
    spans = tuple(span for span in join_touching(spans_of_chunk) if isinstance(span, Span))
    text = chunk.text
    if mode == "published":
        # Without its context: that is not in the document, and Chroma's chunkers add none.
        found = _first(document.text, text[len(chunk.context) :]) or Span(spans[0].start, spans[-1].end)
        spans = (found,)
    return Passage(document.name, text, tokens, spans)


def placed_passages(placement: Placement, counted_by: str, mode: Mode = "strict") -> list[Passage]:
    """The chunks of another tool in a document, with their own texts."""
    count, document = counter(counted_by), placement.document
    passages = []
    for each in placement.rows:
        first = _first(document.text, each.row.text) if mode == "published" else None
        spans = (first,) if first else each.spans
        passages.append(Passage(document.name, each.row.text, count(each.row.text), spans))
    return passages


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
    """The chunks in a file (chunking/imported), by the documents that they name.

    Offsets are checked against the text, and texts found in any order (aligning.py); in `published`
    mode a chunk is where its text is first found. Raises GoldError for a file of another format.
    """
    called = shown_text(str(path), 200)
    by_name = {document.name: document for document in documents}
    given = read_rows(read_file(path), called)
    named = {said: _document_named(said, by_name) for said in {row.document for row in given}}
    rows = []
    for row in given:
        where, document = f"{called}, {row.where}", named[row.document]
        if not document:
            there = ", ".join(list(by_name)[:5])
            problem = f"document {shown_text(row.document)!r} is not among the corpora, or is several of them"
            raise GoldError(f"{where}: {problem}; there are: {there}")
        rows.append(_ForeignRow(where, document, row.text, row.claim))
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


def _document_named(said: str, documents: Mapping[str, Document]) -> str:
    """The document that a row's name fits best, or the only one where it says none; empty where it
    is none, or several."""
    if not said:
        return next(iter(documents)) if len(documents) == 1 else ""
    fits = {name: closeness(said, name) for name in documents}
    best = max(fits.values(), default=0)
    closest = [name for name, each in fits.items() if each == best]
    return closest[0] if best and len(closest) == 1 else ""


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
    there = placed.spans[0] if placed.spans else None
    if placed.by == "alignment" and there:
        altered = f"{row.where}: its text is altered; most of it is at {there.start} to {there.end} of {row.document}"
        return f"{altered}, and it is taken from there"
    if not row.claim.pieces:
        return "" if there else f"{problem} found in {row.document}; it answers nothing"
    start, end = row.claim.pieces[0][0], row.claim.pieces[-1][1]
    claimed = f"at {start}" + ("" if end is None else f" to {end}")
    if not there:
        return f"{problem} {claimed} of {row.document}, nor anywhere else in it; it answers nothing"
    return f"{problem} {claimed} of {row.document}, but at {there.start} to {there.end}; taken from there"


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(span for span in join_touching(list(spans)) if isinstance(span, Span))
