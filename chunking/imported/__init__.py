"""Chunks that were made elsewhere: read from files, functions and programs, placed in their
document, and audited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.imported.audit import Audit as Audit
    from chunking.imported.foreign import Foreign as Foreign
    from chunking.imported.foreign import audit_of as audit_of
    from chunking.imported.held import given_chunkers as given_chunkers
    from chunking.imported.held import hold as hold
    from chunking.imported.peer import Peer as Peer
    from chunking.imported.peer import other_versions as other_versions
    from chunking.imported.peers import PEERS as PEERS
    from chunking.imported.sources import chunks_in as chunks_in
    from chunking.imported.sources import strangers_chunks as strangers_chunks
    from chunking.imported.strategy import MadeElsewhere as MadeElsewhere
    from chunking.imported.table_files import ENDINGS as ENDINGS
    from chunking.imported.table_files import is_config as is_config
else:
    __getattr__, __all__ = front(
        __name__,
        audit=("Audit",),
        foreign=("Foreign", "audit_of"),
        held=("given_chunkers", "hold"),
        peer=("Peer", "other_versions"),
        peers=("PEERS",),
        sources=("chunks_in", "strangers_chunks"),
        strategy=("MadeElsewhere",),
        table_files=("ENDINGS", "is_config"),
    )
