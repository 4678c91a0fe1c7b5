"""Chunks that were made elsewhere: read from files, functions and programs, placed in their
document, and audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.imported.audit import Audit as Audit
    from chunking.imported.held import given_chunkers as given_chunkers
    from chunking.imported.held import hold as hold
    from chunking.imported.sources import chunks_in as chunks_in
    from chunking.imported.strategy import MadeElsewhere as MadeElsewhere
    from chunking.imported.strategy import audit_of as audit_of
    from chunking.imported.table_files import ENDINGS as ENDINGS
else:
    __getattr__, __all__ = front(
        __name__,
        audit=("Audit",),
        held=("given_chunkers", "hold"),
        sources=("chunks_in",),
        strategy=("MadeElsewhere", "audit_of"),
        table_files=("ENDINGS",),
    )
