"""A Run as bytes for the browser: the text once per document, then only columns of offsets.

No Streamlit here. Layout of a payload, little-endian: the magic `CSV1`, the length of a JSON header (uint32), the
header, zero bytes up to a multiple of four, then int32 columns and UTF-8 strings at the places the header names.
Offsets are UTF-16 code units, because that is what JavaScript's strings count; ours are code points.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from chunking import Chunk, Document, Run, Skip

MAGIC = b"CSV1"
Offsets = npt.NDArray[np.int64]
_STEP = 1 << 20
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class SourceText:
    """What is computed once per document: its text in UTF-8, a name for it, and where code points take two units."""

    hash: str
    utf8: bytes
    """Lone surrogates, which UTF-8 has no bytes for, are shown as U+FFFD: one unit for one unit, so offsets hold."""
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

    @property
    def crumbs_utf8(self) -> bytes:
        return join_strings(" › ".join(crumb) for crumb in self.crumbs)


_known: WeakKeyDictionary[Document, SourceText] = WeakKeyDictionary()
_lock = Lock()


def source_text(document: Document) -> SourceText:
    """The document's text as the browser needs it, computed at its first use and dropped with the document."""
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
    """Offsets of the characters beyond U+FFFF, a million at a time: UTF-32 of 10 MB at once would take 40 MB."""
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


@dataclass(frozen=True)
class Gap:
    """A part of the source that no chunk's text holds: a skip between chunks, or a hole inside chunk number `owner`."""

    skip: Skip
    owner: int
    """Index of the chunk, -1 for a skip between chunks."""


def gaps_of(run: Run) -> list[Gap]:
    """Skips and holes in source order."""
    gaps, index = [], 0
    for part in run.parts:
        if isinstance(part, Chunk):
            gaps.extend(Gap(hole, index) for hole in part.holes)
            index += 1
        else:
            gaps.append(Gap(part, -1))
    return gaps


class _Names:
    """Numbers strings in the order they are first met."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def payload(
    run: Run,
    *,
    baseline: Run | None = None,
    selected: int | None = None,
    with_text: bool,
    height: str = "",
    name: str = "",
) -> bytes:
    """Everything the browser draws. `with_text` adds the document's text and breadcrumbs, which it keeps by hash."""
    source = source_text(run.document)
    chunks, gaps = run.chunks, gaps_of(run)
    rules, flags = _Names(), _Names()
    others = _Names()
    columns = _chunk_columns(chunks, source, rules, flags, others) | _gap_columns(gaps, source, rules)
    flagged = [index for index, chunk in enumerate(chunks) if chunk.flags]
    columns["flagged"] = np.array(flagged, np.int64)
    if len(source.astral):
        columns["point"] = np.fromiter((chunk.body.start for chunk in chunks), np.int64, len(chunks))
    if baseline is not None:
        starts = (chunk.body.start for chunk in baseline.chunks)
        columns["baseline"] = source.to_units(np.fromiter(starts, np.int64, len(baseline.chunks)))
    strings = {
        "details": join_strings(chunk.ended_by.detail for chunk in chunks),
        "gapDetails": join_strings(gap.skip.because.detail for gap in gaps),
        "flagDetails": join_strings(
            "\n".join(f"{flag.rule}: {flag.detail}" for flag in chunks[index].flags) for index in flagged
        ),
        "otherCrumbs": join_strings(others.numbers),
    }
    if with_text:
        strings |= {"crumbs": source.crumbs_utf8, "text": source.utf8}
    header = {
        "document": source.hash,
        "name": name or run.document.base_name,
        "units": source.units,
        "chunks": len(chunks),
        "rules": list(rules.numbers),
        "flags": list(flags.numbers),
        "selected": -1 if selected is None else chunk_at(chunks, selected),
        "approximate": run.approximate,
        "height": height,
    }
    return _pack(header, columns, strings)


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


def _chunk_columns(
    chunks: Sequence[Chunk], source: SourceText, rules: _Names, flags: _Names, others: _Names
) -> dict[str, Offsets]:
    def column(values: Iterable[int]) -> Offsets:
        return np.fromiter(values, np.int64, len(chunks))

    overlapping = [chunk.overlap for chunk in chunks]
    return {
        "start": source.to_units(column(chunk.body.start for chunk in chunks)),
        "end": source.to_units(column(chunk.body.end for chunk in chunks)),
        "overlapStart": source.to_units(column(span.start if span else -1 for span in overlapping)),
        "overlapEnd": source.to_units(column(span.end if span else -1 for span in overlapping)),
        "tokens": column(chunk.tokens for chunk in chunks),
        "bodyTokens": column(chunk.body_tokens for chunk in chunks),
        "rule": column(rules.number(chunk.ended_by.rule) for chunk in chunks),
        "flag": column(
            sum(1 << min(flags.number(flag.rule), 30) for flag in chunk.flags) if chunk.flags else 0 for chunk in chunks
        ),
        "crumb": column(_crumb(chunk, source, others) for chunk in chunks),
    }


def _crumb(chunk: Chunk, source: SourceText, others: _Names) -> int:
    """Index into the document's breadcrumbs; -1 and below count through those that no section has."""
    index = source.crumbs.get(chunk.breadcrumb)
    return -1 - others.number(" › ".join(chunk.breadcrumb)) if index is None else index


def _gap_columns(gaps: Sequence[Gap], source: SourceText, rules: _Names) -> dict[str, Offsets]:
    def column(values: Iterable[int]) -> Offsets:
        return np.fromiter(values, np.int64, len(gaps))

    return {
        "gapStart": source.to_units(column(gap.skip.body.start for gap in gaps)),
        "gapEnd": source.to_units(column(gap.skip.body.end for gap in gaps)),
        "gapRule": column(rules.number(gap.skip.because.rule) for gap in gaps),
        "gapOwner": column(gap.owner for gap in gaps),
    }


def _pack(header: dict[str, object], columns: dict[str, Offsets], strings: dict[str, bytes]) -> bytes:
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
