"""Chunks that begin with a word that points back at what is not in them: "It", "This", "As
mentioned above". English only.

A list of words, no grammar: "It is raining" points at nothing and is counted. Not counted are a
document's first chunk, one whose text begins with a heading, which may say what is meant, and one
that begins in code, a table or another block that is not prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chunking.core.chunk import Chunk
from chunking.document.language import document_seems_other
from chunking.runs import Run
from chunking.text.whitespace import first_visible

_PROSE = frozenset({"paragraph", "list", "task-list", "quote", "footnote"})
_POINTING = (
    "it|its|itself|this|that|these|those|they|them|their|theirs|themselves|he|him|his|himself|she|her|hers|herself|such"
)
_BACK = (
    r"as (?:was |were |is |are )?(?:(?:already |previously |just )?"
    r"(?:mentioned|described|noted|shown|said|discussed|explained|stated|seen|defined) "
    r"(?:above|before|earlier|previously)|above|before)",
    r"the (?:above|former|latter|aforementioned)",
    r"(?:for|in) (?:this|that|the same) (?:reason|case|way)",
    r"(?:because|instead) of (?:this|that|it)",
)
_MARKS = r"(?:[-*+>•]\s++|\d{1,3}[.)]\s++|\[[ xX]\]\s++|[*_\"'“‘(\[])*+"
"""What may stand before the first word: marks of lists and quotes, emphasis, quotation marks. It
gives none of them back: a chunk of 50 brackets would be tried in 2**50 ways."""
_DANGLING = re.compile(rf"{_MARKS}({'|'.join(_BACK)}|{_POINTING})\b(?!-)", re.I)
_LOOKED_AT = 120
"""Characters of a chunk's beginning."""


@dataclass(frozen=True, slots=True)
class DanglingStart:
    """A chunk that begins by pointing back."""

    chunk: int
    """Its number, from 0."""
    offset: int
    """Where its text begins, in the document."""
    words: str
    """What it begins with: `As mentioned above`."""


def dangling_starts(run: Run) -> tuple[DanglingStart, ...] | None:
    """The chunks of a run that begin by pointing back; None where the document seems not to be in
    English. About 5 ms for 1,000 chunks."""
    if document_seems_other(run.document.text):
        return None
    return tuple(_found(run))


def _found(run: Run) -> Iterator[DanglingStart]:
    text = run.document.text
    for number, chunk in enumerate(run.chunks[1:], start=1):
        start = first_visible(text, _text_start(chunk), chunk.body.end)
        if start == chunk.body.end or run.document.block_at(start).kind not in _PROSE:
            continue
        found = _DANGLING.match(text[start : start + _LOOKED_AT])
        if found:
            yield DanglingStart(number, start, found[1])


def _text_start(chunk: Chunk) -> int:
    """Where what the chunk has of the document begins."""
    return chunk.overlap.start if chunk.overlap else chunk.kept[0].start
