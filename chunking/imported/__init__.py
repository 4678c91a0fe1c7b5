"""Chunks that were made elsewhere: read from files, functions and programs, placed in their
document, and audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.imported.audit import Audit as Audit
    from chunking.imported.sources import FileChunks as FileChunks
    from chunking.imported.sources import file_chunks as file_chunks
    from chunking.imported.strategy import MadeElsewhere as MadeElsewhere
    from chunking.imported.strategy import audit_of as audit_of
else:
    __getattr__, __all__ = front(
        __name__,
        audit=("Audit",),
        sources=("FileChunks", "file_chunks"),
        strategy=("MadeElsewhere", "audit_of"),
    )
