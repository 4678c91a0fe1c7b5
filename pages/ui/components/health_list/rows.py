"""The checks as rows to draw: what is at fault first, each with the places it leads to. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunking import Document, Run
from chunking.analysis import Check, Finding
from chunking.text import counted

ORDER: tuple[Finding, ...] = ("fail", "warn", "ok")
MOST_PLACES = 400
"""More than this of one check are counted and not listed: nobody goes through them by hand."""


@dataclass(frozen=True, slots=True)
class HealthPlace:
    """One button of a row."""

    label: str
    name: str
    """What it is called where its row cannot be seen."""
    offset: int


@dataclass(frozen=True, slots=True)
class HealthRow:
    """One check."""

    name: str
    title: str
    """The promise where it is kept; else what is wrong."""
    meaning: str
    """"" where the row above says it."""
    verdict: Finding
    said: str
    places: tuple[HealthPlace, ...]
    unlisted: int
    """Places beyond `MOST_PLACES`."""


def rows(checks: Sequence[Check], run: Run) -> list[HealthRow]:
    """One row for each check, faults first, then warnings, otherwise in the library's order."""
    listed = [_row(check, run) for verdict in ORDER for check in checks if check.verdict == verdict]
    again = {row.name for above, row in pairwise(listed) if row.verdict != "ok" and row.meaning == above.meaning}
    return [replace(row, meaning="") if row.name in again else row for row in listed]


def _row(check: Check, run: Run) -> HealthRow:
    found = _chunk_places(check, run) if check.chunks else _line_places(check, run.document)
    more = max(0, max(len(check.chunks), len(check.places)) - MOST_PLACES)
    title = check.title if check.verdict == "ok" else check.finding or check.title
    return HealthRow(check.name, title, check.meaning, check.verdict, check.said, found, more)


def _chunk_places(check: Check, run: Run) -> tuple[HealthPlace, ...]:
    return tuple(
        # The last character that is still in the chunk, where a check names the boundary that ends
        # it.
        HealthPlace(f"{number + 1:,}", f"Chunk {number + 1:,}", min(offset, run.chunks[number].body.end - 1))
        for number, offset in zip(check.chunks[:MOST_PLACES], check.places[:MOST_PLACES], strict=True)
    )


def _line_places(check: Check, document: Document) -> tuple[HealthPlace, ...]:
    lines = [(document.line_of(offset), offset) for offset in check.places[:MOST_PLACES]]
    return tuple(HealthPlace(f"line {line:,}", f"Line {line:,}", offset) for line, offset in lines)


def tally(checks: Sequence[Check]) -> str:
    """How many failed, passed or gave a warning: `1 failed, 3 warnings, 7 passed`."""
    failed, warnings, passed = (sum(check.verdict == verdict for check in checks) for verdict in ORDER)
    counts = [f"{failed} failed"] if failed else []
    counts += [counted(warnings, "warning")] if warnings else []
    return ", ".join([*counts, f"{passed} passed"])
