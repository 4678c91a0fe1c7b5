"""What a point of Qdrant holds besides its vector (section-rules.md, "Metadata Schema")."""

from __future__ import annotations

import json
from typing import Any

from chunking.export.stored_chunks import StoredChunk, valid


def payload(of: StoredChunk) -> dict[str, Any]:
    """What a point holds besides its vector: what the strategy says of the chunk (section-rules
    gives the fields of its spec), its number and breadcrumb in any case, and the whole record."""
    record = json.loads(of.record)
    given = {name: valid(value) if isinstance(value, str) else value for name, value in record["metadata"].items()}
    return {
        "chunk_index": record["index"],
        "breadcrumb": [valid(each) for each in record["breadcrumb"]],
        **given,
        "text": valid(of.text),
        "document": of.document,
        "chunk_id": of.id,
        "record": of.record,
    }
