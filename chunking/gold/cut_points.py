"""Gold cut points: where a person, or a published benchmark, says that a document is to be cut.

The form is HiCBench's: a JSON object whose keys are documents, each with `splits`, a list of
`[text, level]` that joined together are the document; white space may differ. In their place may be
offsets, `[offset, level]`.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Annotated

import numpy as np
from pydantic import BaseModel, Field, RootModel, ValidationError

from chunking.document import Document
from chunking.errors import GoldError
from chunking.text.display import shown_text
from chunking.text.reading import read_at_most
from chunking.text.whitespace import white_flags

_LARGEST = 64 * 1024 * 1024
_Level = Annotated[int, Field(ge=0, le=99)]
_Split = tuple[Annotated[str | int, Field()], _Level]


class _Splits(BaseModel):
    splits: tuple[_Split, ...]


class _File(RootModel[dict[str, _Splits]]):
    pass


def load_cut_points(path: Path, document: Document, level: int = 0) -> tuple[int, ...]:
    """The offsets of a document's gold cut points, ascending; those of levels up to `level`, all
    for 0. Raises GoldError where the file has another form, another text, or not this document."""
    called = shown_text(str(path), 200)
    try:
        found = _File.model_validate_json(read_at_most(path, _LARGEST)).root
    except ValidationError as error:
        first = error.errors()[0]
        place = shown_text(".".join(map(str, first["loc"])), 120)
        raise GoldError(
            f"{called}: {place or 'the file'}: {first['msg']}; cut points are {{document: {{splits: [[text, level], "
            "...]}}"
        ) from None
    splits = _of_document(found, document, called)
    wanted = [(first, depth) for first, depth in splits if not level or depth <= level]
    if all(isinstance(first, int) for first, _ in splits):
        offsets = [first for first, _ in wanted if isinstance(first, int)]
        if any(not 0 <= offset <= len(document.text) for offset in offsets):
            raise GoldError(f"{called}: an offset is not in {document.name}, which has {len(document.text)} characters")
        return tuple(sorted(set(offsets)))
    return _joined(splits, document, called, level)


def _of_document(found: dict[str, _Splits], document: Document, called: str) -> tuple[_Split, ...]:
    name = PurePosixPath(document.name)
    for known in (document.name, name.name, name.stem):
        if known in found:
            return found[known].splits
    there = ", ".join(shown_text(each, 60) for each in list(found)[:5]) or "none"
    raise GoldError(f"{called}: has no cut points of {shown_text(document.name)}; there are those of: {there}")


def _joined(splits: tuple[_Split, ...], document: Document, called: str, level: int) -> tuple[int, ...]:
    """Where each text begins in the document, by its visible characters."""
    visible = np.flatnonzero(~white_flags(document.text))
    plain = "".join(document.text.split())
    offsets, reached = [], 0
    for number, (text, depth) in enumerate(splits):
        if isinstance(text, int):
            raise GoldError(f"{called}: split {number} is an offset, and others are texts; give one of both")
        piece = "".join(text.split())
        if plain[reached : reached + len(piece)] != piece:
            where = document.line_of(int(visible[min(reached, len(visible) - 1)])) if len(visible) else 1
            raise GoldError(
                f"{called}: split {number} is not the text of {shown_text(document.name)} from line {where} on"
            )
        if piece and (not level or depth <= level):
            offsets.append(int(visible[reached]))
        reached += len(piece)
    if reached != len(plain):
        line = document.line_of(int(visible[reached]))
        raise GoldError(f"{called}: the splits end in {shown_text(document.name)} before line {line}")
    return tuple(offsets)
