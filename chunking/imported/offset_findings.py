"""Whether a tool's offsets are right, and if not, what is wrong with them, by name: what they
count, by how much they are shifted, or that they are those of other chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chunking.imported.offset_units import UNITS, TextUnit
from chunking.imported.placement import PlacedRow, Placement
from chunking.text.display import be, counted

OffsetKind = Literal["none", "right", "other unit", "shifted", "shuffled", "ends", "wrong"]
_MOST = 0.9
"""Share of the chunks with offsets, of which a finding must be true."""


@dataclass(frozen=True, slots=True)
class OffsetFinding:
    """What is true of most offsets."""

    kind: OffsetKind
    unit: str
    """What they count, such as "UTF-8 bytes"."""
    claimed: int
    """Chunks that say where they are and were found."""
    fitting: int
    """Of these, how many are there, read in that unit."""
    shift: int
    """By how much most others are off, where that is one number."""
    said: str

    @property
    def wrong(self) -> bool:
        """Whether somebody who takes them as code points takes another text."""
        return self.kind not in ("none", "right")

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "kind": self.kind,
            "unit": self.unit,
            "claimed": self.claimed,
            "fitting": self.fitting,
            "shift": self.shift,
            "said": self.said,
        }


def offset_finding(placement: Placement) -> OffsetFinding:
    """What is true of the offsets of a document's chunks, with the numbers."""
    found = [row for row in placement.rows if row.row.claim.pieces and row.spans]
    # The edges of an altered chunk are only about where its offsets should be.
    rows = [row for row in found if row.by != "alignment"] or found
    unit = placement.unit
    if not rows:
        return OffsetFinding("none", "", 0, 0, 0, "the chunks have none")
    off = [_off(row, placement, unit) for row in rows]
    fitting = sum(each == (0, 0) for each in off)
    if fitting == len(rows):
        if unit == UNITS[0]:
            return _finding("right", unit, rows, fitting, f"all {len(rows)} are right")
        return _finding("other unit", unit, rows, fitting, f"they count {unit.name}; read as that, all are right")
    return (
        _other_unit(unit, rows, fitting)
        or _shifted(placement, rows)
        or (_shuffled(placement, rows, fitting) if any(start for start, _ in off) else None)
        or _wrong(unit, rows, off, fitting)
    )


def _other_unit(unit: TextUnit, rows: Sequence[PlacedRow], fitting: int) -> OffsetFinding | None:
    if unit == UNITS[0] or fitting < _MOST * len(rows):
        return None
    rest = len(rows) - fitting
    words = f"they count {unit.name}; read as that, {rest} of {len(rows)} {be(rest)} still wrong"
    return _finding("other unit", unit, rows, fitting, words)


def _shifted(placement: Placement, rows: Sequence[PlacedRow]) -> OffsetFinding | None:
    """One shift of most starts, counted in any unit."""
    for unit in placement.offsets.differing_units():
        if unit.before or unit.ends_within:
            continue
        shifts = Counter(_off(row, placement, unit)[0] for row in rows)
        shift, times = shifts.most_common(1)[0]
        if shift and times > 1 and times >= _MOST * len(rows):
            way = "too high" if shift > 0 else "too low"
            words = f"{times} of {len(rows)} are shifted: {abs(shift)} {way}, counted in {unit.name}"
            return _finding("shifted", unit, rows, len(rows) - times, words, shift)
    return None


def _shuffled(placement: Placement, rows: Sequence[PlacedRow], fitting: int) -> OffsetFinding | None:
    """Most offsets that are wrong are where another chunk begins."""
    for unit in placement.offsets.differing_units():
        if unit.before or unit.ends_within:
            continue
        true = Counter(placement.offsets.offset_of(row.spans[0].start, unit) for row in rows)
        said = Counter(row.row.claim.pieces[0][0] for row in rows)
        if len(true) > 2 and (true & said).total() >= _MOST * len(rows):
            wrong = len(rows) - fitting
            words = f"{wrong} of {len(rows)} are those of other chunks: the offsets are shuffled"
            return _finding("shuffled", unit, rows, fitting, words)
    return None


def _wrong(unit: TextUnit, rows: Sequence[PlacedRow], off: Sequence[tuple[int, int]], fitting: int) -> OffsetFinding:
    wrong = len(rows) - fitting
    starts = [start for start, _ in off if start]
    ends = [end for start, end in off if end and not start]
    worst = max(map(abs, starts or ends))
    edge = "starts" if starts else "ends"
    words = (
        f"{wrong} of {counted(len(rows), 'chunk')} {be(wrong)} not where they say: their {edge} are up to {worst} off"
    )
    return _finding("wrong" if starts else "ends", unit, rows, fitting, f"{words}, counted in {unit.name}")


def _off(row: PlacedRow, placement: Placement, unit: TextUnit) -> tuple[int, int]:
    """By how much start and end are off, in the unit; an end that is not said is not off."""
    pieces, spans, offset_of = row.row.claim.pieces, row.spans, placement.offsets.offset_of
    (start, _), (_, end) = pieces[0], pieces[-1]
    true_end = offset_of(spans[-1].end, unit) - unit.ends_within
    begins = start == 0 == spans[0].start  # before a byte order mark that counts
    return 0 if begins else start - offset_of(spans[0].start, unit), 0 if end is None else end - true_end


def _finding(
    kind: OffsetKind, unit: TextUnit, rows: Sequence[PlacedRow], fitting: int, words: str, shift: int = 0
) -> OffsetFinding:
    return OffsetFinding(kind, unit.name, len(rows), fitting, shift, words)
