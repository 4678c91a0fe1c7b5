"""Chunks as files, and as a store that can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.export.formats import chunks_as_json_lines as chunks_as_json_lines
    from chunking.export.formats import to_bytes as to_bytes
    from chunking.export.store_search import term_spans as term_spans
    from chunking.export.stored_chunks import valid as valid
else:
    __getattr__, __all__ = front(
        __name__,
        formats=("chunks_as_json_lines", "to_bytes"),
        store_search=("term_spans",),
        stored_chunks=("valid",),
    )
