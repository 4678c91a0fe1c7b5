"""What another tool's chunks have of a document: which are its text to the letter, which were
altered, what is in none of them, what is in several, and whether their offsets are right.

    for line in audit(place_rows(rows, document)).lines():
        print(line)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from chunking.document import Document, Span
from chunking.imported.altered_text import differing_words
from chunking.imported.folded_text import folded
from chunking.imported.offset_findings import OffsetFinding, offset_finding
from chunking.imported.placement import PlacedRow, Placement
from chunking.text.display import counted
from chunking.text.whitespace import visible_edges

Verdict = Literal["verbatim", "text added", "white space", "altered", "blank", "not found"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NAMED = 5
"""Chunks of a kind that a line names; JSON has them all."""


@dataclass(frozen=True, slots=True)
class AuditedRow:
    """What one chunk has of the document."""

    number: int
    """Of the chunk among the document's, from 0, in its file's order."""
    where: str
    """In its file, as "line 3"."""
    verdict: Verdict
    said: str
    """What differs from the source, with the numbers; empty for a verbatim chunk."""
    spans: tuple[Span, ...]

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        spans = [[span.start, span.end] for span in self.spans]
        return {"chunk": self.number, "where": self.where, "verdict": self.verdict, "said": self.said, "spans": spans}


@dataclass(frozen=True)
class Audit:
    """What is known of the chunks of one document."""

    document: Document
    rows: tuple[AuditedRow, ...]
    offsets: OffsetFinding

    @cached_property
    def lost(self) -> tuple[Span, ...]:
        """Stretches of the source, without the white space at their edges, that no chunk has; front
        matter is none."""
        start, text = self.document.content_start, self.document.text
        gaps = _stretches(self._times == 0, start)
        edges = [visible_edges(text, gap.start, gap.end) for gap in gaps]
        return tuple(Span(first, last) for first, last in edges if first < last)

    @cached_property
    def repeated(self) -> tuple[Span, ...]:
        """Stretches of the source that several chunks have."""
        return tuple(_stretches(self._times > 1, 0))

    @cached_property
    def _times(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """For each character of the source, how many chunks have it."""
        steps = np.zeros(len(self.document.text) + 1, dtype=np.int64)
        for row in self.rows:
            for span in row.spans:
                steps[span.start] += 1
                steps[span.end] -= 1
        return np.cumsum(steps)[:-1]

    def count(self, verdict: Verdict) -> int:
        return sum(row.verdict == verdict for row in self.rows)

    @property
    def faultless(self) -> bool:
        """Whether every chunk is the source's text, nothing is lost, and no offset is wrong."""
        return self.count("verbatim") == len(self.rows) and not self.lost and not self.offsets.wrong

    @property
    def summary(self) -> str:
        """What was found, in one line."""
        said = [self._counts]
        if self.lost:
            said.append(f"{counted(sum(map(len, self.lost)), 'character')} in no chunk")
        if self.offsets.wrong:
            said.append(f"offsets: {self.offsets.said}")
        return "; ".join(said)

    def lines(self) -> Iterator[str]:
        """The same at length: each kind with the numbers and the first chunks or lines that it is
        true of."""
        yield self._counts
        for verdict in VERDICTS[1:]:
            yield from self._examples(verdict)
        for name, spans in (("in no chunk", self.lost), ("in more than one chunk", self.repeated)):
            if spans:
                characters = sum(map(len, spans))
                share = characters / max(1, len(self.document.text))
                yield f"{counted(characters, 'character')} ({share:.1%}) {name}: {self._lines_of(spans)}"
        yield f"offsets: {self.offsets.said}"

    @property
    def _counts(self) -> str:
        kinds = ", ".join(f"{self.count(verdict)} {_SAID[verdict]}" for verdict in VERDICTS if self.count(verdict))
        return f"{counted(len(self.rows), 'chunk')}{': ' if kinds else ''}{kinds}"

    def _examples(self, verdict: Verdict) -> Iterator[str]:
        rows = [row for row in self.rows if row.verdict == verdict]
        for row in rows[:_NAMED]:
            yield f"  {row.where}: {row.said}"
        if len(rows) > _NAMED:
            yield f"  and {len(rows) - _NAMED} more {_SAID[verdict]}"

    def _lines_of(self, spans: Sequence[Span]) -> str:
        named = []
        for span in spans[:_NAMED]:
            first, last = self.document.line_of(span.start), self.document.line_of(span.end - 1)
            named.append(f"line {first}" if first == last else f"lines {first} to {last}")
        more = f" and {len(spans) - _NAMED} more places" if len(spans) > _NAMED else ""
        return ", ".join(named) + more

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "chunks": len(self.rows),
            "verdicts": {verdict: self.count(verdict) for verdict in VERDICTS},
            "lost": [[span.start, span.end] for span in self.lost],
            "repeated": [[span.start, span.end] for span in self.repeated],
            "offsets": self.offsets.to_dict(),
            "rows": [row.to_dict() for row in self.rows if row.verdict != "verbatim"],
        }


_SAID: dict[Verdict, str] = {
    "verbatim": "verbatim",
    "text added": "with text put before or after",
    "white space": "with other white space or case",
    "altered": "altered",
    "blank": "blank",
    "not found": "not found",
}


def audit(placement: Placement) -> Audit:
    """Compare each chunk with the source at its place, and its offsets with that place."""
    rows = tuple(_audited(number, each, placement.document) for number, each in enumerate(placement.rows))
    return Audit(placement.document, rows, offset_finding(placement))


def _audited(number: int, placed: PlacedRow, document: Document) -> AuditedRow:
    verdict, said = verdict_of(placed, document)
    return AuditedRow(number, placed.row.where, verdict, said, placed.spans)


def verdict_of(placed: PlacedRow, document: Document) -> tuple[Verdict, str]:
    """How a chunk's text compares with the source at its place, and that in words."""
    text = placed.row.text
    if not text.strip():
        return "blank", "its text is empty or white space"
    if not placed.spans:
        return "not found", f"its text is not in {document.name}, nor is half of it anywhere"
    source = placed.source(document)
    if text == source:
        return "verbatim", ""
    if source in text:
        before, after = added(text, source)
        said = [f"{len(each)} characters {where} it" for each, where in ((before, "before"), (after, "after")) if each]
        return "text added", f"put there and not in the source: {' and '.join(said)}"
    if folded(text) == folded(source):
        case = "".join(text.split()) == "".join(source.split())
        return "white space", f"{'white space' if case else 'letters in another case'}, {_lengths(text, source)}"
    missing, words = differing_words(text, source)
    return "altered", f"{missing} of {words} words and signs are not in the source there"


def added(text: str, source: str) -> tuple[str, str]:
    """What a chunk's text has before and after the source's text, which it contains."""
    at = len(text) - len(source) if text.endswith(source) else text.find(source)
    return text[:at], text[at + len(source) :]


def _lengths(text: str, source: str) -> str:
    return f"{len(text)} characters for the source's {len(source)}"


def _stretches(holds: np.ndarray[tuple[int], np.dtype[np.bool_]], start: int) -> list[Span]:
    """Where, from `start`, something holds of characters that stand together."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds[start:], [False]]))) + start
    return [Span(first, last) for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]
