"""A part as the record other programs read, as one JSON line, and the fingerprint over what it
decides.

Keys, their order and their meaning are those of docs/formats/json-lines.md: add, never change. The
fingerprint leaves out the `detail` texts and every key that was added later: rules and numbers
count, wording does not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
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
        added = _added(part, previous, sections, *shared)
        waiting = [{**_chunk_record(part, index, document), **added}]
        index, previous = index + 1, part.id
    yield from waiting


def _added(
    chunk: Chunk,
    previous: str | None,
    sections: SectionIds,
    document_sha256: str,
    front_matter: dict[str, str | list[str]],
) -> AddedKeys:
    section_id, parent_id = sections.of(chunk)
    return {
        "text_sha256": text_hash(chunk.text),
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
        self._ids: dict[int, tuple[str, str | None]] = {}
        before: Counter[tuple[str, ...]] = Counter()
        above: list[tuple[int, str]] = []
        for section in document.sections:
            named = [document.name, *section.breadcrumb, str(before[section.breadcrumb])]
            before[section.breadcrumb] += 1
            made = sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
            while above and above[-1][0] >= section.level:
                above.pop()
            self._ids[id(section)] = made, above[-1][1] if above else None
            above.append((section.level, made))

    def of(self, chunk: Chunk) -> tuple[str, str | None]:
        """The id of the section in which a chunk begins, and that of the one around it."""
        start, end = chunk.kept[0].start, chunk.kept[0].end
        visible = _VISIBLE.search(self._document.text, start, end)
        return self._ids[id(self._document.section_at(visible.start() if visible else start))]


_VISIBLE = re.compile(r"\S")


def _decided(part: Part, index: int, document: Document) -> ChunkRecord | SkipRecord:
    """The keys that a replay must give again."""
    return _skip_record(part, document) if isinstance(part, Skip) else _chunk_record(part, index, document)


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


@dataclass
class Fingerprint:
    """Hashes of one document's parts, complete when all of them have passed `through`."""

    chunks: str = ""
    """sha256, in hex, of the JSON lines with skips, without their `detail` texts, each ended by LF:
    what a replay must reproduce. Where the config's loader finds headings, its settings come
    first, as a line `{"loader": {...}}`; what a chunk gives back in place of itself follows it, as
    a line `{"returned": [...]}`.

    What a model wrote is not in it: such a chunk counts as it is where describing fails, with no
    description in its context, text, tokens, id and metadata. So it is the same whether the model
    answers otherwise, or not at all.
    """
    descriptions: str = ""
    """sha256, in hex, of what models wrote: for each chunk in order what was put before its
    context, as a JSON string ended by LF. Empty when no model was to write anything."""

    def through(self, parts: Iterable[Part], document: Document) -> Iterator[Part]:
        """The parts as they come."""
        cuts, words, wrote, index = sha256(), sha256(), False, 0
        if document.loader:
            cuts.update(_line({"loader": document.loader.plain()}).encode() + b"\n")
        for part in parts:
            described = part.description if isinstance(part, Chunk) else None
            by_model = described if described and described.writer else None
            decided = _decided(by_model.without if by_model else part, index, document)
            cuts.update(fingerprint_line(decided).encode() + b"\n")
            if isinstance(part, Chunk) and part.returned:
                cuts.update(_line({"returned": _offsets(part.returned)}).encode() + b"\n")
            if by_model:
                wrote = True
                words.update(json.dumps(by_model.added).encode() + b"\n")
            index += isinstance(part, Chunk)
            yield part
        self.chunks, self.descriptions = cuts.hexdigest(), words.hexdigest() if wrote else ""


def hashes_of(parts: Iterable[Part], document: Document) -> Fingerprint:
    """The hashes of all the parts of a document."""
    fingerprint = Fingerprint()
    for _ in fingerprint.through(parts, document):
        pass
    return fingerprint
