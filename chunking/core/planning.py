"""A strategy that finds out all it says of a chunk before the chunk is made."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunking.core.strategy import Strategy

if TYPE_CHECKING:
    from chunking.core.chunk import Part
    from chunking.core.context import SplitContext
    from chunking.core.cut_parts import CutParts, Plan
    from chunking.document import Document


class PlanningStrategy(Strategy):
    """One whose chunks a run makes only when they are read. A strategy that is simpler with
    `SplitContext.seal` has `split` alone."""

    @abstractmethod
    def plan(self, document: Document, tools: SplitContext) -> Plan[Any]:
        """The parts, in order, and how a chunk is made of what is known of it."""

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """The parts of the plan one by one."""
        yield from self.plan(document, tools).one_by_one(tools)

    def cut_at_once(self, document: Document, tools: SplitContext) -> CutParts:
        """All parts of the plan, as Strategy.cut_at_once."""
        return self.plan(document, tools).at_once(self.name)
