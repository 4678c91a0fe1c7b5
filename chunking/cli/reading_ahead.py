"""Small documents read some at a time, just before they are cut: their tokens are then counted by
one pass over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chunking.config.config import Config
from chunking.document.folders import FoundFile
from chunking.document.loaders import EXTENSIONS, extension_of
from chunking.document.loading import bytes_of, read_from
from chunking.runtime.run_limits import RunLimits
from chunking.tokens import counter, indexes_together, remember_index

_SMALL = 1 << 15
"""Bytes of a document up to which it is read with others: a larger one gains nothing."""
_MOST = 32
"""Documents that are read together."""
_LARGEST = 1 << 18
"""Bytes of these from which on no more are read."""


def reading_ahead(found: Iterable[FoundFile], config: Config, limits: RunLimits) -> Iterator[FoundFile]:
    """The same files in their order, those that are small with their documents.

    What goes wrong with one is left to who cuts it. With limits each is read where these hold.
    """
    if limits:
        yield from found
        return
    together, size = list[FoundFile](), 0
    try:
        for each in map(_read, found):
            together.append(each)
            size += len(each.content or b"")
            if each.document is None or len(together) == _MOST or size >= _LARGEST:
                yield from _indexed(together, config)
                size = 0
    except Exception:  # of what finds them: those that were found come first
        yield from _indexed(together, config)
        raise
    yield from _indexed(together, config)


def _read(found: FoundFile) -> FoundFile:
    """The file with its document, where that is small and can be read."""
    if extension_of(found.name) not in EXTENSIONS:
        return found
    try:
        raw = bytes_of(found)
        if len(raw) > _SMALL:
            return replace(found, content=raw)
        return replace(found, content=raw, document=read_from(raw, found))
    except Exception:
        return found


def _indexed(found: list[FoundFile], config: Config) -> Iterator[FoundFile]:
    """The files, taken out of the list; when one comes, `token_index` knows its text."""
    texts = [each.document.text for each in found if each.document is not None]
    indexes = indexes_together(texts, counter(config.counter)) if len(texts) > 1 else []
    known = {index.text: index for index in indexes if index is not None}
    found.reverse()
    while found:
        each = found.pop()
        if each.document is not None and (index := known.pop(each.document.text, None)) is not None:
            remember_index(index)
        yield each
