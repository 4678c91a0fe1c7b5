"""Chunks that others make, as a strategy: of a file, a function or a program (strategy.py), or of
another package with its settings (peer.py)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from chunking.core.chunk import Chunk, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy
from chunking.document import Block, Document
from chunking.imported.audit import Audit, audit
from chunking.imported.parts import RULES, parts_of
from chunking.imported.placement import Placement
from chunking.tokens import TokenCounter
from chunking.tokens import counter as counter_named


class Foreign(Strategy, ABC):
    """Chunks that others made, each where the document has its text; why they cut is not known."""

    rules: ClassVar[Mapping[str, str]] = RULES

    @property
    @abstractmethod
    def called(self) -> str:
        """Who made the chunks, for messages."""

    @abstractmethod
    def placement(self, document: Document, count: TokenCounter) -> Placement:
        """The chunks of a document, each at its place. `count` is the config's. Raises GoldError,
        one line, where there are none."""

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the chunks that were found, and what no chunk has as skips; warn of what is not the
        source's text."""
        placement = self.placement(document, tools.counter)
        found = audit(placement)
        if not found.faultless:
            tools.warn(f"{self.called}: {found.summary}")
        yield from parts_of(document, placement.rows, tools)

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:  # noqa: ARG002
        """Nothing is known of their reasons."""
        return "another tool did not cut here; why is not known"


def audit_of(strategy: Strategy, document: Document, counter: str = "") -> Audit | None:
    """What the chunks that others made have of a document, by the config's counter; None for a
    strategy of ours."""
    if not isinstance(strategy, Foreign):
        return None
    return audit(strategy.placement(document, counter_named(counter or strategy.default_counter)))
