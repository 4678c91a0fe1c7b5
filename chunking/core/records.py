"""A part as the record other programs read, as one JSON line, and the fingerprint over what it
decides.

Keys, their order and their meaning are those of docs/formats/json-lines.md: add, never change. The
fingerprint leaves out the `detail` texts and every key that was added later: rules and numbers
count, wording does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import repeat
from typing import Literal, TypedDict

from chunking.core.chunk import Chunk, Part, Skip
from chunking.document import Document, Span
from chunking.text.hashing import text_hash, uuid_of

Scalar = str | int | float | None


class FlagRecord(TypedDict):
    """Something odd about a chunk."""

    rule: str
    detail: str


class ChunkRecord(TypedDict):
    """A chunk, with everything that replaying, embedding or citing it needs."""

    type: Literal["chunk"]
    id: str
    document: str
    index: int
    """From 0, among the document's chunks; skips are not counted."""
    text: str
    tokens: int
    body_tokens: int
    start: int
    end: int
    start_line: int
    end_line: int
    holes: list[list[int]]
    hole_rules: list[str]
    overlap: list[int] | None
    context: str
    closing: str
    breadcrumb: list[str]
    rule: str
    detail: str
    flags: list[FlagRecord]
    metadata: dict[str, Scalar]


class AddedKeys(TypedDict):
    """What stands after these keys in a written record, and is no part of the fingerprint."""

    text_sha256: str
    uuid: str
    """Version 5, in the namespace of OIDs, of `id`: for stores that take nothing else."""
    section_id: str
    """Of the section in which the chunk begins."""
    parent_id: str | None
    """Of the section around that one; null at the top."""
    previous_id: str | None
    next_id: str | None
    """The chunks before and after in the document."""
    pages: list[int] | None
    """First and last page; null where a document has none."""
    document_sha256: str
    """Of the document's text as UTF-8."""
    front_matter: dict[str, str | list[str]]
    returned: list[int] | None
    """What a hit gives back, as offsets; null where that is the chunk itself."""


class WrittenChunk(ChunkRecord, AddedKeys):
    """A chunk as it is written."""


class SkipRecord(TypedDict):
    """A part that was left out, and why."""

    type: Literal["skip"]
    document: str
    start: int
    end: int
    rule: str
    detail: str


Record = WrittenChunk | SkipRecord


def records(parts: Iterable[Part], document: Document) -> Iterator[Record]:
    """The parts of one document as plain values, skips in their place, chunks numbered from 0, keys
    in the order of docs/formats/json-lines.md.

    A chunk names the one after it, so it comes when that is known.
    """
    sections = SectionIds(document)
    shared = document.text_hash, dict(document.front_matter)
    waiting: list[Record] = []
    index, previous = 0, None
    for part in parts:
        if isinstance(part, Skip):
            waiting.append(_skip_record(part, document))
            continue
        if waiting and waiting[0]["type"] == "chunk":
            waiting[0]["next_id"] = part.id
        yield from waiting
        decided = _chunk_record(part, index, document)
        waiting = [{**decided, **_added(part, decided["text"], previous, sections, *shared)}]
        index, previous = index + 1, part.id
    yield from waiting


def _added(
    chunk: Chunk,
    text: str,
    previous: str | None,
    sections: SectionIds,
    document_sha256: str,
    front_matter: dict[str, str | list[str]],
) -> AddedKeys:
    section_id, parent_id = sections.of(chunk)
    return {
        "text_sha256": text_hash(text),
        "uuid": uuid_of(chunk.id),
        "section_id": section_id,
        "parent_id": parent_id,
        "previous_id": previous,
        "next_id": None,
        "pages": list(chunk.pages) if chunk.pages else None,
        "document_sha256": document_sha256,
        "front_matter": front_matter,
        "returned": _offsets(chunk.returned),
    }


def _offsets(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


class SectionIds:
    """The ids of a document's sections: sha256, in hex, of the document's name, the section's
    breadcrumb and an ordinal among sections of the same breadcrumb, joined by NUL."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ordinals: list[int] = []
        self._parents: list[int] = []
        """By section the number of the one around it; -1 at the top."""
        self._ids: dict[int, str] = {}
        before: dict[tuple[str, ...], int] = {}
        last = [-1] * _DEEPEST
        """The last section so far, by its depth; nothing is above the root."""
        for number, breadcrumb in enumerate(document.breadcrumbs):
            self._ordinals.append(ordinal := before.get(breadcrumb, 0))
            before[breadcrumb] = ordinal + 1
            depth = len(breadcrumb)
            self._parents.append(last[depth - 1])
            last[depth] = number

    def of(self, chunk: Chunk) -> tuple[str, str | None]:
        """The id of the section in which a chunk begins, and that of the one around it."""
        start, end = chunk.kept[0].start, chunk.kept[0].end
        visible = _VISIBLE.search(self._document.text, start, end)
        number = self._document.section_number_at(visible.start() if visible else start)
        parent = self._parents[number]
        return self._id(number), self._id(parent) if parent >= 0 else None

    def _id(self, number: int) -> str:
        known = self._ids.get(number)
        if known is None:
            named = [self._document.name, *self._document.breadcrumbs[number], str(self._ordinals[number])]
            known = sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
            self._ids[number] = known
        return known


_VISIBLE = re.compile(r"\S")
_DEEPEST = 8
"""One more than the most titles of a breadcrumb: the document's name, and six levels."""


def _chunk_record(chunk: Chunk, index: int, document: Document) -> ChunkRecord:
    return {
        "type": "chunk",
        "id": chunk.id,
        "document": document.name,
        "index": index,
        "text": chunk.text,
        "tokens": chunk.tokens,
        "body_tokens": chunk.body_tokens,
        "start": chunk.body.start,
        "end": chunk.body.end,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "holes": [[hole.body.start, hole.body.end] for hole in chunk.holes],
        "hole_rules": [hole.because.rule for hole in chunk.holes],
        "overlap": _offsets(chunk.overlap),
        "context": chunk.context,
        "closing": chunk.closing,
        "breadcrumb": list(chunk.breadcrumb),
        "rule": chunk.ended_by.rule,
        "detail": chunk.ended_by.detail,
        "flags": [{"rule": flag.rule, "detail": flag.detail} for flag in chunk.flags],
        "metadata": dict(chunk.metadata),
    }


def _skip_record(skip: Skip, document: Document) -> SkipRecord:
    return {
        "type": "skip",
        "document": document.name,
        "start": skip.body.start,
        "end": skip.body.end,
        "rule": skip.because.rule,
        "detail": skip.because.detail,
    }


_UNSAFE_IN_A_LINE = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
"""What some readers take for a line end, and surrogates that no UTF-8 can hold; JSON allows all of
them unescaped."""


def json_line(of: ChunkRecord | SkipRecord) -> str:
    """The record as one line of JSON, without its line end: it stays one line in every reader, and
    is valid UTF-8."""
    return _line(of)


_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _line(of: object) -> str:
    line = _encoded(of)
    if line.isascii() or line.isprintable():
        return line
    return _UNSAFE_IN_A_LINE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


_FINGERPRINTED = {
    "chunk": (
        *("type", "id", "document", "index", "text", "tokens", "body_tokens", "start", "end", "start_line", "end_line"),
        *("holes", "hole_rules", "overlap", "context", "closing", "breadcrumb", "rule", "flags", "metadata"),
    ),
    "skip": ("type", "document", "start", "end", "rule"),
}
"""The keys that the fingerprint hashes, in their order. A key that is added to a record is not
added here."""


def fingerprint_line(of: ChunkRecord | SkipRecord) -> str:
    """The record as the fingerprint hashes it: `json_line` of the keys above, a flag with its rule
    alone."""
    values = dict(of)
    hashed = {key: values[key] for key in _FINGERPRINTED[of["type"]]}
    if of["type"] == "chunk":
        hashed["flags"] = [{"rule": flag["rule"]} for flag in of["flags"]]
    return _line(hashed)


@dataclass(frozen=True)
class Fingerprint:
    """Hashes of one document's parts."""

    chunks: str
    """sha256, in hex, of the JSON lines with skips, without their `detail` texts, each ended by LF:
    what a replay must reproduce. Where the config's loader finds headings, its settings come
    first, as a line `{"loader": {...}}`; what a chunk gives back in place of itself follows it, as
    a line `{"returned": [...]}`.

    What a model wrote is not in it: such a chunk counts as it is where describing fails, with no
    description in its context, text, tokens, id and metadata. So it is the same whether the model
    answers otherwise, or not at all.
    """
    descriptions: str
    """sha256, in hex, of what models wrote: for each chunk in order what was put before its
    context, as a JSON string ended by LF. Empty when no model was to write anything."""


def hashes_of(parts: Iterable[Part], document: Document, written: Iterable[Record] | None = None) -> Fingerprint:
    """The hashes of all the parts of a document; `written` are their `records`, where these are
    made already."""
    cuts, words, wrote, index = sha256(), sha256(), False, 0
    if document.loader:
        cuts.update(_line({"loader": document.loader.plain()}).encode() + b"\n")
    for part, record in zip(parts, repeat(None) if written is None else written, strict=False):
        if isinstance(part, Skip):
            decided: ChunkRecord | SkipRecord = record or _skip_record(part, document)
            cuts.update(fingerprint_line(decided).encode() + b"\n")
            continue
        by_model = part.description if part.description and part.description.writer else None
        if by_model:
            decided = _chunk_record(by_model.without, index, document)
        else:
            decided = record or _chunk_record(part, index, document)
        cuts.update(fingerprint_line(decided).encode() + b"\n")
        if part.returned:
            cuts.update(_line({"returned": _offsets(part.returned)}).encode() + b"\n")
        if by_model:
            wrote = True
            words.update(json.dumps(by_model.added).encode() + b"\n")
        index += 1
    return Fingerprint(cuts.hexdigest(), words.hexdigest() if wrote else "")
