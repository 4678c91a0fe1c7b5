"""A splitter of another package that is always here: for the tests of what is done with any."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, ClassVar, Literal

from chunking import strategies
from chunking.core.strategy import setting
from chunking.imported.functions import Splitter
from chunking.imported.peer import Count, Peer, version_of

MODULE = "a_splitter_that_only_tests_have"


class FakePeer(Peer):
    """Words, so many in a chunk."""

    name: ClassVar[str] = "peer:fake"
    title: ClassVar[str] = "Fake splitter"
    summary: ClassVar[str] = "Words, so many in a chunk."
    package: ClassVar[str] = "pytest"
    module: ClassVar[str] = MODULE

    chunk_size: int = setting(4, title="Chunk size", help="Higher makes larger chunks.", ge=1, le=1000, slider=(1, 20))
    unit: Literal["characters", "tokens"] = setting("tokens", title="Unit", help="tokens or characters.")
    version: str = version_of("pytest")

    def splitter(self, module: Any, count: Count) -> Splitter:
        return module.splitter(self.chunk_size, count if self.unit == "tokens" else len)  # type: ignore[no-any-return]


class AbsentPeer(FakePeer):
    """One whose package nobody has."""

    name: ClassVar[str] = "peer:absent"
    title: ClassVar[str] = "Absent splitter"
    package: ClassVar[str] = "a-package-that-nobody-has"
    version: str = version_of("a-package-that-nobody-has")


def splitter(size: int, count: Count) -> Splitter:
    """Lines of words up to a size; raises for the word `please-raise`."""

    def split(text: str) -> list[str]:
        asked.append(text)
        if "please-raise" in text:
            raise RuntimeError("does not split this\nnor that")
        chunks = [""]
        for word in text.split(" "):
            longer = f"{chunks[-1]} {word}" if chunks[-1] else word
            chunks[-1:] = [longer] if count(longer) <= size or not chunks[-1] else [chunks[-1], word]
        return chunks

    return split


asked: list[str] = []
"""The texts that were split."""


@contextmanager
def offered() -> Iterator[None]:
    """The two are known by their names, and the module can be imported."""
    module = ModuleType(MODULE)
    module.splitter = splitter  # type: ignore[attr-defined]
    sys.modules[MODULE] = module
    asked.clear()
    for made in (FakePeer, AbsentPeer):
        strategies.offer(made)
    try:
        yield
    finally:
        del sys.modules[MODULE]
        for made in (FakePeer, AbsentPeer):
            del strategies._offered[made.name]
