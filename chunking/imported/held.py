"""Files of chunks that this process has read, by the hash of their bytes, and functions that split,
by their names: how a setting, which is plain text, names one.

`chunkscope app --chunker package.module:function` puts the names into an environment variable, so
that only whoever starts the app decides which functions a link can name.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from chunking.errors import GoldError
from chunking.imported.functions import NamedFunctionChunks, named_function
from chunking.imported.sources import ChunkSource, FileChunks

VARIABLE = "CHUNKSCOPE_CHUNKERS"
"""Environment variable with the names, as a JSON list."""

_MOST = 20
_MOST_CHARACTERS = 100_000_000
"""Of all texts together; the file that was asked for the longest time ago goes first."""
_held: OrderedDict[str, FileChunks] = OrderedDict()
_functions: dict[str, NamedFunctionChunks] = {}
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


def held(key: str) -> ChunkSource | None:
    """The file of chunks with this key, or the function of this name; None where neither is
    known."""
    with _lock:
        found = _held.get(key)
        if found:
            _held.move_to_end(key)
            return found
    return next((each for each in given_chunkers() if each.called == key), None)


def given_chunkers() -> list[NamedFunctionChunks]:
    """The functions that the app was started with, each always the same one: it remembers what it
    was asked."""
    return [_functions.setdefault(name, NamedFunctionChunks(name)) for name in _names()]


def variable_of(names: Sequence[str]) -> str:
    """What the app's environment says of these functions. Raises ConfigError for one that cannot be
    imported."""
    for name in names:
        named_function(name)
    return json.dumps(list(names))


def _names() -> list[str]:
    return [str(name) for name in json.loads(os.environ.get(VARIABLE) or "[]")]
