"""What stays true of a document while settings move: found once, and shared by all that cut it.

The scope is a document, or a document and a counter; all that was found of a document is forgotten
together. A remembered run and a fresh one are equal: nothing here may depend on what was chosen
before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar, TypeVar, cast

from chunking.document import Document
from chunking.tokens import TokenCounter

_DOCUMENTS = 8
"""Documents that are remembered, as many as `tokens.token_index` has indexes of."""

Key = TypeVar("Key")
Value = TypeVar("Value")
Made = TypeVar("Made")


class Memo(dict[Key, Value]):
    """Answers by all that they depend on; emptied when it has grown large. Each kind of answer is a
    subclass.

    A number that is watched is no key (`tracing.is_traced`). Threads share it, and each may empty
    it at any moment: it is asked once, in one step.
    """

    most: ClassVar[int] = 1 << 17
    """Answers that are kept, or what their sizes add up to."""

    def __init__(self) -> None:
        super().__init__()
        self._held = 0

    def keep(self, key: Key, value: Value, size: int = 1) -> Value:
        """The value, remembered."""
        if self._held >= self.most:
            self.clear()
            self._held = 0
        self._held += size
        self[key] = value
        return value


def known_of(document: Document, make: Callable[[Document], Made]) -> Made:
    """What `make` makes of the document, made once."""
    found = _found_of(_Same(document))
    known = found.get(make)
    # Where two threads make it, both get the one that came first.
    return cast("Made", known if known is not None else found.setdefault(make, make(document)))


def counted_of(document: Document, counter: TokenCounter, make: Callable[[], Made]) -> Made:
    """A memory, empty as `make` makes it at first, of what a counter says of the document."""
    found, key = _found_of(_Same(document)), (make, counter)
    known = found.get(key)
    return cast("Made", known if known is not None else found.setdefault(key, make()))


class _Same:
    """A document by identity: one that is equal may have other blocks, see
    `Document.without_unclosed_fence`."""

    __slots__ = ("document",)

    def __init__(self, document: Document) -> None:
        self.document = document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.document is self.document

    def __hash__(self) -> int:
        return id(self.document)


@lru_cache(maxsize=_DOCUMENTS)
def _found_of(same: _Same) -> dict[object, object]:  # noqa: ARG001
    return {}
