"""Pages drawn beside everything else: a panel begins one and looks now and then whether it is
there. What was drawn is remembered within the memory limit."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from chunking import ChunkscopeError
from chunking.document import PagePicture, page_picture
from chunking.runtime import memory
from pages.ui.choices.samples import Source

_AT_ONCE = 2
_MOST = 64
"""Pages that are being drawn, or could not be, that are known."""
_SOON = 0.25
"""Seconds that a panel waits for a picture: most are drawn within them or a little later."""

_threads = ThreadPoolExecutor(_AT_ONCE, "picture of a page")
_begun: OrderedDict[tuple[str, int], Future[PagePicture]] = OrderedDict()
_lock = Lock()


@memory.remembered(most=12, of=lambda source, _: (source.text,), key=lambda source, page: (source.file_hash, page))
def _picture(source: Source, page: int) -> PagePicture:
    return page_picture(source.original, page, source.name)


def picture_of(source: Source, page: int) -> PagePicture | str | None:
    """The picture of a page, or why there is none; None while it is being drawn."""
    if (known := _picture.known(source, page)) is not None:
        return known
    key = (source.file_hash, page)
    with _lock:
        future = _begun.get(key)
        if future is None or (future.done() and not future.exception()):  # drawn, and forgotten since
            future = _begun[key] = _threads.submit(_picture, source, page)
        _begun.move_to_end(key)
        while len(_begun) > _MOST:
            _begun.popitem(last=False)[1].cancel()
    try:
        return future.result(timeout=_SOON)
    except TimeoutError:
        return None
    except ChunkscopeError as error:
        return str(error)
