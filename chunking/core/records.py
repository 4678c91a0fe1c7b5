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
from typing import Literal, TypedDict

from chunking.core.chunk import Chunk, Part, Skip
from chunking.document import Document

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


class SkipRecord(TypedDict):
    """A part that was left out, and why."""

    type: Literal["skip"]
    document: str
    start: int
    end: int
    rule: str
    detail: str


Record = ChunkRecord | SkipRecord


def record(part: Part, index: int, document: Document) -> Record:
    """The part as plain values, keys in the order of docs/formats/json-lines.md.

    `index` numbers chunks from 0; a skip has none.
    """
    if isinstance(part, Skip):
        return _skip_record(part, document)
    return _chunk_record(part, index, document)


def records(parts: Iterable[Part], document: Document) -> Iterator[Record]:
    """The parts of one document as records, skips in their place, chunks numbered from 0."""
    index = 0
    for part in parts:
        yield record(part, index, document)
        index += isinstance(part, Chunk)


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
        "overlap": [chunk.overlap.start, chunk.overlap.end] if chunk.overlap else None,
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


def json_line(of: Record) -> str:
    """The record as one line of JSON, without its line end: it stays one line in every reader, and
    is valid UTF-8."""
    return _line(of)


def _line(of: object) -> str:
    line = json.dumps(of, ensure_ascii=False, allow_nan=False)
    return line if line.isascii() else _UNSAFE_IN_A_LINE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


_FINGERPRINTED = {
    "chunk": (
        *("type", "id", "document", "index", "text", "tokens", "body_tokens", "start", "end", "start_line", "end_line"),
        *("holes", "hole_rules", "overlap", "context", "closing", "breadcrumb", "rule", "flags", "metadata"),
    ),
    "skip": ("type", "document", "start", "end", "rule"),
}
"""The keys that the fingerprint hashes, in their order. A key that is added to a record is not
added here."""


def fingerprint_line(of: Record) -> str:
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
    what a replay must reproduce.

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
        for part in parts:
            described = part.description if isinstance(part, Chunk) else None
            by_model = described if described and described.writer else None
            decided = record(by_model.without if by_model else part, index, document)
            cuts.update(fingerprint_line(decided).encode() + b"\n")
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
