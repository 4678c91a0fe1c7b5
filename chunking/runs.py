"""A document, cut: parts in order, proven to tile it, with what there is to say about them.

Importing this is light; what cuts, counts and measures is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from chunking.config.config import Config
from chunking.core.chunk import Chunk, Part, Skip
from chunking.core.context import SplitContext
from chunking.core.records import Fingerprint, hashes_of
from chunking.document import Document
from chunking.errors import StrategyError
from chunking.models.access import Tools
from chunking.runtime.gc_pause import gc_paused
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tokens import counter

if TYPE_CHECKING:
    from chunking.core.chunk_table import Columns
    from chunking.core.metrics import Metrics


@dataclass(frozen=True)
class Run:
    """What a config made of a document. Equal for equal documents and configs."""

    document: Document
    config: Config
    parts: tuple[Part, ...]
    """Chunks and Skips in source order; their bodies tile the document."""
    warnings: tuple[str, ...] = ()

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        return tuple(part for part in self.parts if isinstance(part, Chunk))

    @cached_property
    def skips(self) -> tuple[Skip, ...]:
        """The parts that were left out, without the holes inside chunks."""
        return tuple(part for part in self.parts if isinstance(part, Skip))

    @cached_property
    def undescribed(self) -> int:
        """How many chunks a model was to describe and did not: their text is as it was (DECISIONS
        sc-4)."""
        return undescribed(self.parts)

    @cached_property
    def columns(self) -> Columns:
        """The chunks' places and sizes as columns of numbers."""
        from chunking.core.chunk_table import columns_of

        return columns_of(self.chunks)

    @property
    def approximate(self) -> bool:
        """Whether the token counts are estimates."""
        return counter(self.config.counter).approximate

    @cached_property
    def metrics(self) -> Metrics:
        """The run in numbers, counted by its own counter."""
        from chunking.core.metrics import measure

        return measure(self)

    @property
    def fingerprint(self) -> str:
        """sha256, in hex, of the document's JSON lines with skips: what a replay must reproduce.

        Source: docs/formats/json-lines.md.
        """
        return self._hashes.chunks

    @property
    def descriptions(self) -> str:
        """sha256, in hex, of what models wrote, which the fingerprint leaves out; empty when they
        wrote nothing."""
        return self._hashes.descriptions

    @cached_property
    def _hashes(self) -> Fingerprint:
        return hashes_of(self.parts, self.document)


def undescribed(parts: Iterable[Part]) -> int:
    """How many chunks among the parts a model was to describe and did not."""
    chunks = (part for part in parts if isinstance(part, Chunk))
    return sum(bool(each.description and each.description.writer and not each.description.added) for each in chunks)


def run(document: Document, config: Config, tools: SplitContext | None = None, *, limits: RunLimits = NO_LIMITS) -> Run:
    """Cut the document, with what the config's overrides say of its name. `tools` is made from the
    config's counter when left out.

    Raises RunLimitError when it takes more than `limits`; there are none unless they are given.
    """
    import chunking.tokens.counter_kinds  # noqa: F401  # numpy, tiktoken: no run's limits count it

    chosen = config.for_document(document.name)
    same = chosen.counter == config.counter
    return within(limits, lambda: _run(document, chosen, tools if same else None))


def _run(document: Document, config: Config, tools: SplitContext | None) -> Run:
    tools = tools or Tools(counter(config.counter))
    with gc_paused():
        parts = tuple(stream(document, config, tools))
    return Run(document, config, parts, (*document.warnings, *tools.warnings))


def stream(document: Document, config: Config, tools: SplitContext) -> Iterator[Part]:
    """The parts as they come, each proven to begin where the one before it ended.

    Raises StrategyError when a strategy leaves a gap, goes back, or stops before the end.
    """
    from chunking.core.strategy import announced_by

    for _, request in announced_by(config.strategy):
        tools.announce(request.doing, request.provider, request.model)
    reached = 0
    for part in config.strategy.split(document, tools):
        if part.body.start != reached or part.body.end <= part.body.start:
            raise StrategyError(
                f"{config.strategy.name} left {document.name} untiled at {reached}: "
                f"its next part is {part.body.start} to {part.body.end}"
            )
        reached = part.body.end
        yield part
    if reached != len(document.text):
        raise StrategyError(f"{config.strategy.name} stopped at {reached} of {len(document.text)} in {document.name}")
