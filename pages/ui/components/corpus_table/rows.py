"""The rows as bytes for the browser: a JSON of columns after its length (uint32, little-endian),
then where each chunk ends (uint16, little-endian), document by document. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunking.analysis import DocumentFigures, FailedCheck, Finding, Repeats

TORN = 0x8000
"""Added to a place where the boundary is inside a table, code or a list."""


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """What stands in a row whatever the thresholds are."""

    name: str
    """Path-like: the folders before the last / are shown smaller."""
    override: str = ""


def rows_bytes(
    figures: Mapping[int, DocumentFigures], *, run: str, further: Mapping[str, object] | None = None
) -> bytes:
    """The rows that are known, by the number of their document. `run` names what they are of."""
    rows = sorted(figures)
    found = [figures[row] for row in rows]
    head = {
        "run": run,
        "rows": rows,
        "chunks": [each.chunk_count for each in found],
        "median": [each.median_tokens for each in found],
        "within": [None if (share := each.within_limits) is None else round(share, 9) for each in found],
        "torn": [each.blocks_cut for each in found],
        "over": [each.over_maximum for each in found],
        "over_with_context": [each.over_with_context for each in found],
        "left_out": [each.left_out for each in found],
        "short_tail": [each.short_tail for each in found],
        "lost": [each.lost for each in found],
        "problems": {row: each.problem for row, each in zip(rows, found, strict=True) if each.problem},
        **(further or {}),
    }
    content = json.dumps(head, separators=(",", ":")).encode()
    content += b" " * (-len(content) % 2)  # the places begin at an even offset
    return b"".join([len(content).to_bytes(4, "little"), content, *map(_places, found)])


def whole_table(
    lines: Sequence[DocumentLine],
    figures: Mapping[int, DocumentFigures],
    *,
    run: str,
    corpus: str,
    checks: Mapping[int, Sequence[FailedCheck]],
    repeats: Mapping[int, Repeats] | None,
    shown: Mapping[str, object],
) -> bytes:
    """All rows with their names, the health checks that documents do not pass, of those that are
    checked, what documents have in common (None while that is not known), and how the table is
    ordered and filtered (`shown`)."""
    further = {
        "corpus": corpus,
        "names": [each.name for each in lines],
        "overrides": [each.override for each in lines],
        "checks": _columns_of(checks),
        "repeats": repeats,
        "shown": shown,
    }
    return rows_bytes(figures, run=run, further=further)


def _columns_of(checks: Mapping[int, Sequence[FailedCheck]]) -> dict[str, object]:
    """The titles of all checks by name, and by document the names of those that fail and of those
    that warn."""

    def names(verdict: Finding) -> dict[int, list[str]]:
        return {row: [each.name for each in of if each.verdict == verdict] for row, of in checks.items()}

    titles = {each.name: each.title for of in checks.values() for each in of}
    return {"titles": titles, "failed": names("fail"), "warned": names("warn")}


def _places(figures: DocumentFigures) -> bytes:
    if figures.ends is None or figures.torn_at is None:
        return b""
    places = figures.ends.astype("<u2")
    places[figures.torn_at] |= TORN
    return places.tobytes()
