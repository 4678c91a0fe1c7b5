"""A Run as bytes for the browser: the text once per document, then only columns of offsets.

No Streamlit here. Layout of a payload, little-endian: the magic `CSV1`, the length of a JSON header
(uint32), the header, zero bytes up to a multiple of four, then int32 columns and UTF-8 strings at
the places the header names. Offsets are UTF-16 code units, because that is what JavaScript's
strings count; ours are code points.

payload_schema.json declares every column, string and header name. Tests hold what is written to it;
tsc holds what is read in the browser to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from chunking import Chunk, Document, Run, Skip
from chunking.core import BLANK, Columns
from pages.ui.components.shared.standing_out import StandingOut
from pages.ui.components.source_view.torn import torn_columns

MAGIC = b"CSV1"
Offsets = npt.NDArray[np.int64]
_STEP = 1 << 20
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class SourceText:
    """What is computed once per document: its text in UTF-8, a name for it, and where code points
    take two units."""

    hash: str
    utf8: bytes
    """Lone surrogates, which UTF-8 has no bytes for, are shown as U+FFFD: one unit for one unit, so
    offsets hold."""
    units: int
    """Length in UTF-16 code units."""
    astral: Offsets
    """Code-point offsets, ascending, of the characters beyond U+FFFF, which are two units long."""
    crumbs: dict[tuple[str, ...], int]
    """Every breadcrumb of the outline, numbered."""

    def to_units(self, offsets: Offsets) -> Offsets:
        """Code-point offsets as UTF-16 offsets."""
        if not len(self.astral):
            return offsets
        return offsets + np.searchsorted(self.astral, offsets)

    def unit(self, offset: int) -> int:
        """One code-point offset as a UTF-16 offset."""
        return int(self.to_units(np.array([offset], np.int64))[0])

    @property
    def crumbs_utf8(self) -> bytes:
        return join_strings(" › ".join(crumb) for crumb in self.crumbs)


_known: WeakKeyDictionary[Document, SourceText] = WeakKeyDictionary()
_lock = Lock()


def source_text(document: Document) -> SourceText:
    """The document's text as the browser needs it, computed at its first use and dropped with the
    document."""
    with _lock:
        known = _known.get(document)
        if known is None:
            known = _known[document] = _read(document)
        return known


def _read(document: Document) -> SourceText:
    try:
        utf8 = document.text.encode()
    except UnicodeEncodeError:
        utf8 = _LONE_SURROGATES.sub("\ufffd", document.text).encode()
    crumbs = {section.breadcrumb: 0 for section in document.outline.walk()}
    crumbs = {crumb: index for index, crumb in enumerate(crumbs)}
    name = sha256(document.name.encode("utf-8", "replace") + b"\0" + utf8).hexdigest()[:32]
    astral = _astral(document.text)
    return SourceText(name, utf8, len(document.text) + len(astral), astral, crumbs)


def _astral(text: str) -> Offsets:
    """Offsets of the characters beyond U+FFFF, a million at a time: UTF-32 of 10 MB at once would
    take 40 MB."""
    if text.isascii():
        return np.empty(0, np.int64)
    found = []
    for start in range(0, len(text), _STEP):
        part = text[start : start + _STEP].encode("utf-32-le", "surrogatepass")
        found.append(np.flatnonzero(np.frombuffer(part, "<u4") > 0xFFFF) + start)
    return np.concatenate(found).astype(np.int64)


def join_strings(strings: Iterable[str]) -> bytes:
    """Strings as UTF-8 with NUL between them; a NUL inside one is shown by its picture."""
    parts = list(strings)
    joined = "\0".join(parts)
    if joined.count("\0") >= max(len(parts), 1):
        joined = "\0".join(part.replace("\0", "␀") for part in parts)
    return joined.encode("utf-8", "replace")


def run_name(run: Run) -> str:
    """A short name for this config on this document: what is of one run on a page has one name."""
    content = f"{source_text(run.document).hash}\0{run.config!r}"
    return sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True)
class Further:
    """What else a payload carries, by the names it has in the browser: marks, headings, what a
    chunk is copied with."""

    columns: Mapping[str, Offsets] = field(default_factory=dict)
    strings: Mapping[str, bytes] = field(default_factory=dict)
    header: Mapping[str, object] = field(default_factory=dict)


NOTHING_FURTHER = Further()


class _Names:
    """Numbers strings in the order they are first met."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def column(self, names: Iterable[str]) -> Offsets:
        numbers = self.numbers
        return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)


def payload(
    run: Run,
    *,
    baseline: Run | None = None,
    selected: int | None = None,
    only: StandingOut | None = None,
    with_text: bool,
    height: str = "",
    together: str = "",
    letter: str = "",
    went: int = 0,
    show: int | None = None,
    further: Further = NOTHING_FURTHER,
) -> bytes:
    """Everything the browser draws. `with_text` adds the document's text and breadcrumbs, which it
    keeps by hash. `letter` tells views of one document apart for screen readers."""
    source = source_text(run.document)
    drawn = _drawn(run, selected, only)
    columns = {**drawn.columns, **further.columns}
    strings = {**drawn.strings, **further.strings}
    if baseline is not None:
        columns["baseline"] = source.to_units(baseline.columns.start)
    if with_text:
        strings |= {"crumbs": source.crumbs_utf8, "text": source.utf8}
    name = f"{letter}, {run.document.base_name}" if letter else run.document.base_name
    header = {"name": name, "height": height, "together": together, "went": went}
    header["show"] = -1 if show is None else source.unit(show)
    header |= {**drawn.header, **further.header}
    return pack(header, columns, strings)


def moved_payload(
    run: Run,
    *,
    selected: int | None = None,
    only: StandingOut | None = None,
    near: tuple[int, int] | None = None,
    further: Further = NOTHING_FURTHER,
) -> bytes:
    """Only what a threshold move changes: the browser takes the rest (text, baseline, marks) from
    what it was sent. Of why chunks end, only what boundaries `near` the view say, between these
    UTF-16 offsets: the sentences of a large document are more than everything else."""
    drawn = _drawn(run, selected, only, near)
    return pack(
        {**drawn.header, **further.header},
        {**drawn.columns, **further.columns},
        {**drawn.strings, **further.strings},
    )


def _drawn(run: Run, selected: int | None, only: StandingOut | None, near: tuple[int, int] | None = None) -> Further:
    """What a run is drawn from."""
    source = source_text(run.document)
    chunks = run.chunks
    rules, flags, crumbs, reasons = _Names(), _Names(), _Names(), _Names()
    flagged = run.columns.flagged
    columns = _chunk_columns(run.columns, source, rules, crumbs) | _gap_columns(run, source, rules, reasons)
    columns |= torn_columns(run) | _returned_columns(run, source)
    columns["standing"] = np.array(only.chunks if only else (), np.int64)
    columns["flagged"] = np.array(flagged, np.int64)
    columns["flag"] = np.array([_bits(chunks[index], flags) for index in flagged], np.int64)
    told = slice(0, len(chunks)) if near is None else _ending_within(columns["start"], *near)
    strings = {
        "details": join_strings([ending.detail for ending in run.endings(told)]),
        "reasons": join_strings(reasons.numbers),
        "flagDetails": join_strings(
            "\n".join(f"{flag.rule}: {flag.detail}" for flag in chunks[index].flags) for index in flagged
        ),
        "otherCrumbs": join_strings(crumbs.numbers),
    }
    header = {
        "document": source.hash,
        "run": run_name(run),
        "strategy": run.config.strategy.title,
        "only": only.words if only else "",
        "units": source.units,
        "chunks": len(chunks),
        "detailsFrom": told.start,
        "rules": list(rules.numbers),
        "flags": list(flags.numbers),
        "selected": -1 if selected is None else chunk_at(chunks, selected),
        "at": -1 if selected is None else source.unit(selected),
        "approximate": run.approximate,
    }
    return Further(columns, strings, header)


def _ending_within(starts: Offsets, start: int, end: int) -> slice:
    """The chunks at whose ends there are boundaries from `start` to before `end`."""
    first, last = np.searchsorted(starts, (start, end)).tolist()
    return slice(max(0, first - 1), max(0, last - 1))


def chunk_at(chunks: Sequence[Chunk], offset: int) -> int:
    """Index of the chunk whose body holds the code point at `offset`, -1 when none does."""
    low, high = 0, len(chunks)
    while low < high:
        middle = (low + high) // 2
        if chunks[middle].body.end <= offset:
            low = middle + 1
        else:
            high = middle
    return low if low < len(chunks) and chunks[low].body.contains(offset) else -1


def _chunk_columns(chunks: Columns, source: SourceText, rules: _Names, crumbs: _Names) -> dict[str, Offsets]:
    known = source.crumbs
    columns = {
        "start": source.to_units(chunks.start),
        "end": source.to_units(chunks.end),
        "overlapStart": source.to_units(chunks.overlap_start),
        "overlapEnd": source.to_units(chunks.overlap_end),
        "tokens": chunks.tokens,
        "bodyTokens": chunks.body_tokens,
        "rule": rules.column(chunks.rules),
        "crumb": np.array([known.get(crumb, -1) for crumb in chunks.breadcrumbs], np.int64),
    }
    # Breadcrumbs that no section of the document has are counted from -1 down.
    unknown = np.flatnonzero(columns["crumb"] < 0)
    if len(unknown):
        columns["crumb"][unknown] = -1 - crumbs.column(
            [" › ".join(chunks.breadcrumbs[index]) for index in unknown.tolist()]
        )
    if len(source.astral):
        columns["point"] = chunks.start
    return columns


def _returned_columns(run: Run, source: SourceText) -> dict[str, Offsets]:
    """As `Run.returned`, in columns."""
    starts, ends = np.array([(span.start, span.end) for span in run.returned()], np.int64).reshape(-1, 2).T
    return {"returnedStart": source.to_units(starts), "returnedEnd": source.to_units(ends)}


def _bits(chunk: Chunk, flags: _Names) -> int:
    return sum({1 << min(int(number), 30) for number in flags.column([flag.rule for flag in chunk.flags])})


def _gap_columns(run: Run, source: SourceText, rules: _Names, reasons: _Names) -> dict[str, Offsets]:
    """What no chunk's text holds, in source order: skips between chunks (owner -1) and holes inside
    one."""
    columns = run.columns
    other: list[tuple[Skip, int]] = [(skip, -1) for skip in run.skips]
    other += [(hole, row) for row, holes in columns.holes.items() for hole in holes]
    # Most are the white space at the edges of chunks, of which nothing is asked one by one.
    only_edges = np.ones(len(columns.start), np.bool_)
    only_edges[list(columns.holes)] = False
    leading = np.flatnonzero((columns.start < columns.kept_start) & only_edges)
    trailing = np.flatnonzero((columns.kept_end < columns.end) & only_edges)
    edges = len(leading) + len(trailing)
    blank = (rules.column([BLANK.rule]), reasons.column([BLANK.detail])) if edges else (_NONE, _NONE)
    starts = _joined(columns.start[leading], columns.kept_end[trailing], [gap.body.start for gap, _ in other])
    order = np.argsort(starts)
    found = {
        "gapStart": source.to_units(starts),
        "gapEnd": source.to_units(
            _joined(columns.kept_start[leading], columns.end[trailing], [gap.body.end for gap, _ in other])
        ),
        "gapRule": _joined(blank[0].repeat(edges), rules.column([gap.because.rule for gap, _ in other])),
        "gapReason": _joined(blank[1].repeat(edges), reasons.column([gap.because.detail for gap, _ in other])),
        "gapOwner": _joined(leading, trailing, [owner for _, owner in other]),
    }
    if len(source.astral):
        found["gapPoint"] = starts
    return {name: column[order] for name, column in found.items()}


_NONE = np.empty(0, np.int64)


def _joined(*columns: Offsets | Sequence[int]) -> Offsets:
    """Columns one after the other."""
    return np.concatenate([np.asarray(column, np.int64) for column in columns])


def pack(header: dict[str, object], columns: dict[str, Offsets], strings: dict[str, bytes]) -> bytes:
    """Header, then columns, then strings. Places are counted from the end of the padded header."""
    place, body = 0, []
    for kind, parts in (
        ("columns", {name: column.astype("<i4").tobytes() for name, column in columns.items()}),
        ("strings", strings),
    ):
        places = {}
        for name, part in parts.items():
            places[name] = [place, len(part)]
            body.append(part)
            place += len(part)
        header[kind] = places
    head = json.dumps(header, separators=(",", ":")).encode()
    padding = b"\0" * (-(len(MAGIC) + 4 + len(head)) % 4)
    return b"".join([MAGIC, len(head).to_bytes(4, "little"), head, padding, *body])
