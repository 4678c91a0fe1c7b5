"""A splitter of another package as a strategy with settings, named like `peer:semchunk`: presets to
compare one's own settings with, and to see what a splitter that is in use does.

Each runs the package that is installed here, on the text of the document as it is. Its chunks are
placed in the document and audited as any that were made elsewhere. Which packages there are is
written in peers.py: no YAML, link or upload names another one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any, ClassVar

from pydantic import Field

from chunking.core.chunk import Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Strategy
from chunking.document import Document
from chunking.errors import GoldError
from chunking.imported.foreign import Foreign
from chunking.imported.functions import Splitter, rows_from
from chunking.imported.placement import Placement, place_rows
from chunking.runtime.text_memory import memory
from chunking.text.display import shown_text
from chunking.tokens import TokenCounter

PREFIX = "peer:"
"""What a peer's name begins with."""
Count = Callable[[str], int]


@cache
def installed_version(package: str) -> str:
    """The version of a package that is installed; empty without one."""
    from importlib.metadata import PackageNotFoundError, version  # 20 ms

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def version_of(package: str) -> Any:
    """The setting that names a package's version: left out, the one that is installed."""
    return Field(
        default_factory=partial(installed_version, package),
        title="Version",
        description=f"The version of {package} that the config was made with; with another one the cuts may differ.",
        max_length=100,
        json_schema_extra={"unit": "", "slider": None, "step": None, "pinned": True},
    )


class Peer(Foreign):
    """What a package's splitter makes of a document."""

    family: ClassVar[Family] = "other"
    package: ClassVar[str]
    """As pip knows it."""
    module: ClassVar[str]
    """What is imported of it."""
    version: str

    @abstractmethod
    def splitter(self, module: Any, count: Count) -> Splitter:
        """The splitter with these settings; `module` is what was imported. What it counts in tokens
        it counts by `count`."""

    def limits(self) -> Limits:
        """No promise is made for another package: its size is a target, where it counts tokens."""
        size, unit = getattr(self, "chunk_size", None), getattr(self, "unit", "tokens")
        if size is None or unit != "tokens":
            return Limits()
        return Limits(target=size, target_setting="chunk_size", counts="text")

    @classmethod
    def missing(cls) -> str:
        """What to install, where the package is not here; else empty."""
        if installed_version(cls.package):
            return ""
        return f"{cls.package} is not installed; pip install 'chunkscope[peers]'"

    @property
    def called(self) -> str:
        return f"{self.package} {installed_version(self.package)}"

    @property
    def other_version(self) -> str:
        """That the config names another version than the one that is here; else empty."""
        here = installed_version(self.package)
        if not self.version or not here or self.version == here:
            return ""
        return (
            f"{self.name}: the config was made with {self.package} {shown_text(self.version, 40)}, and {here} is "
            "installed; its cuts may differ"
        )

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield what the package makes of the document; warn where it is another version than the
        config names."""
        if self.other_version:
            tools.warn(self.other_version)
        yield from super().split(document, tools)

    def placement(self, document: Document, count: TokenCounter) -> Placement:
        """The package is asked once for each document, settings and counter. Raises GoldError, one
        line."""
        return _placed(self, document, count)[1]

    def texts(self, document: Document, count: TokenCounter) -> Placement:
        """The same, asked now."""
        if absent := self.missing():
            raise GoldError(f"{self.name}: {absent}")
        return place_rows(rows_from(partial(self._asked, count), document.text, self.called), document)

    def _asked(self, count: TokenCounter, text: str) -> Iterable[object]:
        """Nothing is asked of a text without a visible character: some packages fail on it."""
        return self.splitter(import_module(self.module), count)(text) if text.strip() else ()


def other_versions(strategy: Strategy) -> tuple[str, ...]:
    """Each other version than the one that is here that a strategy names, or one that it wraps."""
    settings = (getattr(strategy, name) for name in type(strategy).model_fields)
    inner = (said for value in settings if isinstance(value, Strategy) for said in other_versions(value))
    own = strategy.other_version if isinstance(strategy, Peer) else ""
    return (*([own] if own else []), *inner)


@memory.remembered(
    most=8,
    of=lambda _peer, document, _count: (document.text,),
    # By identity, and the document is part of the value, as in splitting/document_cache.py.
    key=lambda peer, document, count: (repr(peer), id(document), count.name),
)
def _placed(peer: Peer, document: Document, count: TokenCounter) -> tuple[Document, Placement]:
    return document, peer.texts(document, count)
