"""Files of chunks that this process has read, by the hash of their bytes: how a setting, which is
plain text, names one."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from chunking.errors import GoldError
from chunking.imported.sources import FileChunks

_MOST = 20
_MOST_CHARACTERS = 100_000_000
"""Of all texts together; the file that was asked for the longest time ago goes first."""
_held: OrderedDict[str, FileChunks] = OrderedDict()
_lock = Lock()


def hold(source: FileChunks) -> None:
    """Keep a file of chunks to be found by its key. Raises GoldError for one that is too large."""
    if source.size > _MOST_CHARACTERS:
        raise GoldError(f"{source.called}: has more than {_MOST_CHARACTERS} characters; take the command line")
    with _lock:
        _held[source.key] = source
        _held.move_to_end(source.key)
        while len(_held) > _MOST or sum(each.size for each in _held.values()) > _MOST_CHARACTERS:
            _held.popitem(last=False)


def held(key: str) -> FileChunks | None:
    """The file of chunks with this key; None where it is not held."""
    with _lock:
        found = _held.get(key)
        if found:
            _held.move_to_end(key)
        return found
