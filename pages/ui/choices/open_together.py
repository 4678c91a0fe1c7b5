"""Which kept documents were open together, as a value and as its owner's small file says it. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 10_000
"""Documents that are remembered."""
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document that was open."""

    key: str
    """sha256 of its text."""
    name: str


def written(documents: Sequence[OpenDocument]) -> list[dict[str, str]]:
    """The documents as JSON, in the order in which they were opened; the last ones of too many."""
    return [{"key": each.key, "name": each.name[:_LONGEST_NAME]} for each in documents[-MOST:]]


def read(found: object) -> tuple[OpenDocument, ...]:
    """What `written` wrote; what is nothing of the kind is passed over."""
    documents: dict[str, OpenDocument] = {}
    for each in found[:MOST] if isinstance(found, list) else ():
        key, name = (each.get("key"), each.get("name")) if isinstance(each, dict) else (None, None)
        if isinstance(key, str) and isinstance(name, str):
            documents[key] = OpenDocument(key, name[:_LONGEST_NAME])
    return tuple(documents.values())
