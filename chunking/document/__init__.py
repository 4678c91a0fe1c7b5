"""What was written, and where: Markdown read into blocks and sections, with every offset kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front
from chunking.text.spans import Span as Span

if TYPE_CHECKING:
    from chunking.document.conversion import Conversion as Conversion
    from chunking.document.folders import PassedOver as PassedOver
    from chunking.document.given_files import FileState as FileState
    from chunking.document.given_files import files_to_open as files_to_open
    from chunking.document.given_files import read_given as read_given
    from chunking.document.given_files import state_of as state_of
    from chunking.document.given_files import watched as watched
    from chunking.document.given_files import web_pages_allowed as web_pages_allowed
    from chunking.document.heading_kinds import HEADING_KINDS as HEADING_KINDS
    from chunking.document.loader_settings import NO_LOADER as NO_LOADER
    from chunking.document.loader_settings import LoaderSettings as LoaderSettings
    from chunking.document.loaders import extension_of as extension_of
    from chunking.document.loaders import is_read as is_read
    from chunking.document.loaders import text_of as text_of
    from chunking.document.loading import archive_upload as archive_upload
    from chunking.document.loading import upload_name as upload_name
    from chunking.document.model import Block as Block
    from chunking.document.model import BlockKind as BlockKind
    from chunking.document.model import Document as Document
    from chunking.document.model import Section as Section
    from chunking.document.names import is_url as is_url
    from chunking.document.page_pictures import PagePicture as PagePicture
    from chunking.document.page_pictures import page_picture as page_picture
    from chunking.document.page_pictures import regions as regions
    from chunking.document.parser import ready as ready
    from chunking.document.web_pages import fetch as fetch
else:
    __getattr__, __all__ = front(
        __name__,
        conversion=("Conversion",),
        folders=("PassedOver",),
        given_files=("FileState", "files_to_open", "read_given", "state_of", "watched", "web_pages_allowed"),
        heading_kinds=("HEADING_KINDS",),
        loader_settings=("NO_LOADER", "LoaderSettings"),
        loaders=("extension_of", "is_read", "text_of"),
        loading=("archive_upload", "upload_name"),
        model=("Block", "BlockKind", "Document", "Section"),
        names=("is_url",),
        page_pictures=("PagePicture", "page_picture", "regions"),
        parser=("ready",),
        web_pages=("fetch",),
    )
