"""Caches of what is computed from a document, or from a document and a counter, whatever the
settings. Strategies share them, so that a threshold that moves cuts again without computing these
values again. The cached values of a document are dropped together (runtime/text_memory.py). A value
may depend on its key, the document and the counter only: a cached and a fresh run are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, TypeVar, cast

from chunking.document import Document
from chunking.runtime.text_memory import memory
from chunking.tokens import TokenCounter

_DOCUMENTS = 8
"""Maximum number of documents with cached values: as many as `tokens.token_index` caches indexes
of."""

Key = TypeVar("Key")
Value = TypeVar("Value")
Made = TypeVar("Made")


class Memo(dict[Key, Value]):
    """A bounded dict of computed values, by all that they depend on; emptied when it is full. Each
    kind of value has a subclass. A traced number (`tracing.is_traced`) must not be part of a key.
    Threads share it, and another thread may empty it at any moment: look a key up once, not with
    `in` first.
    """

    most: ClassVar[int] = 1 << 17
    """Maximum number of values, or of the sum of their sizes."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0

    def keep(self, key: Key, value: Value, size: int = 1) -> Value:
        """Store a value, and return it. One that takes the place of another is of the same size."""
        if self._size >= self.most:
            self._size = 0
            self._empty()
        self._size += 0 if key in self else size
        self[key] = value
        return value

    def _empty(self) -> None:
        """Forget all values one by one: `clear` would keep other threads waiting for 0.1 s."""
        with suppress(KeyError):  # another thread empties it too
            for _ in range(len(self)):
                self.popitem()


def once_per_document(document: Document, make: Callable[[Document], Made]) -> Made:
    """`make(document)`, computed once per document."""
    found = _values_of(document)[1]
    known = found.get(make)
    # Where two threads make it, both get the one that came first.
    return cast("Made", known if known is not None else found.setdefault(make, make(document)))


def once_per_counter(document: Document, counter: TokenCounter, make: Callable[[], Made]) -> Made:
    """`make()`, such as an empty Memo, created once per document and counter."""
    found, key = _values_of(document)[1], (make, counter)
    known = found.get(key)
    return cast("Made", known if known is not None else found.setdefault(key, make()))


# By identity: an equal one may have other blocks, see `Document.without_unclosed_fence`. The
# document is part of the value, so that no other one can have its identity.
@memory.remembered(most=_DOCUMENTS, of=lambda document: (document.text,), key=lambda document: id(document))
def _values_of(document: Document) -> tuple[Document, dict[object, object]]:
    return document, {}
