"""What was written, and where: Markdown read into blocks and sections, with every offset kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front
from chunking.text.spans import Span as Span

if TYPE_CHECKING:
    from chunking.document.loaders import text_of as text_of
    from chunking.document.loading import archive_upload as archive_upload
    from chunking.document.loading import upload_name as upload_name
    from chunking.document.model import Block as Block
    from chunking.document.model import BlockKind as BlockKind
    from chunking.document.model import Document as Document
    from chunking.document.model import Section as Section
    from chunking.document.parser import ready as ready
else:
    __getattr__, __all__ = front(
        __name__,
        loaders=("text_of",),
        loading=("archive_upload", "upload_name"),
        model=("Block", "BlockKind", "Document", "Section"),
        parser=("ready",),
    )
