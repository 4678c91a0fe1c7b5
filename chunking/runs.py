"""A document, cut: parts in order, proven to tile it, with what there is to say about them.

Importing this is light; what cuts, counts and measures is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.config.config import Config
from chunking.core.chunk import Boundary, Chunk, Part, Skip
from chunking.core.context import Progress, SplitContext
from chunking.core.framework_objects import require
from chunking.core.records import Fingerprint, Record, WrittenChunk, hashes_of, records
from chunking.document import Document, Span
from chunking.models.access import Tools
from chunking.runtime.argument_types import require_type
from chunking.runtime.gc_pause import gc_paused
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tokens import counter

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]
    from haystack import Document as HaystackDocument
    from langchain_core.documents import Document as LangChainDocument
    from llama_index.core.schema import TextNode

    from chunking.core.chunk_table import Columns
    from chunking.core.cut_blocks import TornBoundary
    from chunking.core.cut_parts import CutParts
    from chunking.core.metrics import Metrics
    from chunking.core.strategy import Strategy
    from chunking.document.folders import FoundFile


@dataclass(frozen=True)
class Run:
    """What a config made of a document. Equal for equal documents and configs."""

    document: Document
    config: Config
    parts: Sequence[Part]
    """Chunks and Skips in source order; their bodies tile the document. Not always a tuple: chunks
    may be made when they are read."""
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Run(document={self.document.name!r}, strategy={self.config.strategy.name!r}, "
            f"chunks={len(self.chunks)}, skips={len(self.skips)}, warnings={len(self.warnings)})"
        )

    @cached_property
    def _planned(self) -> CutParts | None:
        """The parts, where their chunks are made when they are read."""
        from chunking.core.cut_parts import CutParts

        return self.parts if isinstance(self.parts, CutParts) else None

    @cached_property
    def chunks(self) -> Sequence[Chunk]:
        if self._planned is not None:
            return self._planned.chunks
        return tuple(part for part in self.parts if isinstance(part, Chunk))

    @cached_property
    def skips(self) -> tuple[Skip, ...]:
        """The parts that were left out, without the holes inside chunks."""
        if self._planned is not None:
            return self._planned.skips
        return tuple(part for part in self.parts if isinstance(part, Skip))

    @cached_property
    def undescribed(self) -> int:
        """How many chunks a model was to describe and did not: their text is as it was (DECISIONS
        sc-4)."""
        return undescribed(self.parts) if self._planned is None else 0

    @cached_property
    def columns(self) -> Columns:
        """The chunks' places and sizes as columns of numbers."""
        from chunking.core.chunk_table import columns_of

        return columns_of(self.chunks) if self._planned is None else self._planned.columns

    def endings(self, rows: slice | None = None) -> Iterator[Boundary]:
        """Why each chunk ends, or each of these `rows`, in source order: where chunks are made when
        they are read, none is made for it."""
        asked = slice(None) if rows is None else rows
        if self._planned is None:
            return iter([chunk.ended_by for chunk in self.chunks[asked]])
        return self._planned.endings(asked)

    def returned(self) -> list[Span]:
        """What a hit on each chunk gives back; nothing where that is the chunk itself for all."""
        if self._planned is not None:
            return self._planned.returned()
        chunks = self.chunks
        return [chunk.returned or chunk.body for chunk in chunks] if any(map(_RETURNED, chunks)) else []

    @cached_property
    def torn_boundaries(self) -> tuple[TornBoundary, ...]:
        """The boundaries that cut a table, code or a list in two, in source order."""
        from chunking.core.cut_blocks import torn_boundaries

        return tuple(torn_boundaries(self.document, self.columns.end))

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

    def written(self) -> list[WrittenChunk]:
        """The chunks as `chunkscope run` writes them: the keys of docs/formats/json-lines.md."""
        return [each for each in records(self.parts, self.document) if each["type"] == "chunk"]

    def to_dataframe(self) -> pd.DataFrame:
        """The chunks as rows, in columns named as in docs/formats/json-lines.md. Raises OutputError
        without pandas."""
        require("pandas", "pandas")
        import pandas as pd

        from chunking.core.arrow_table import COLUMNS

        return pd.DataFrame(self.written(), columns=list(COLUMNS))

    def to_arrow(self) -> pa.Table:
        """The chunks as `--format parquet` writes them. Raises OutputError without pyarrow."""
        require("pyarrow", "pyarrow")
        from chunking.core.arrow_table import table

        return table(self.written())

    def to_langchain(self) -> list[LangChainDocument]:
        """The chunks as documents of LangChain (core/framework_objects.py). Raises OutputError
        without langchain-core."""
        from chunking.core.framework_objects import langchain_documents

        return langchain_documents(self.written())

    def to_llama_index(self) -> list[TextNode]:
        """The chunks as nodes of LlamaIndex (core/framework_objects.py). Raises OutputError without
        llama-index-core."""
        from chunking.core.framework_objects import llama_index_nodes

        return llama_index_nodes(self.written())

    def to_haystack(self) -> list[HaystackDocument]:
        """The chunks as documents of Haystack (core/framework_objects.py). Raises OutputError
        without haystack-ai."""
        from chunking.core.framework_objects import haystack_documents

        return haystack_documents(self.written())

    def _repr_html_(self) -> str:
        """What a notebook shows of a run: its numbers and its first boundaries."""
        from chunking.core.notebook_view import notebook_view

        return notebook_view(self.document, self.config.strategy.title, self.chunks, approximate=self.approximate)


_RETURNED = attrgetter("returned")


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

    require_type(document, Document, "run takes a Document, which parse(text) or load(path) gives")
    require_type(config, Config, "run takes a Config, such as Config.of('fixed') or Config.from_yaml(text)")
    chosen = config.for_document(document.name)
    same = chosen.counter == config.counter
    return within(limits, lambda: _run(document, chosen, tools if same else None))


def _run(document: Document, config: Config, tools: SplitContext | None) -> Run:
    tools = tools or Tools(counter(config.counter))
    document = document.read_by(config.loader)
    with gc_paused():
        parts = cut(document, config.strategy, tools)
    return Run(document, config, parts, (*document.warnings, *tools.warnings))


def cut(document: Document, strategy: Strategy, tools: SplitContext) -> Sequence[Part]:
    """The parts, proven to tile the document.

    Raises StrategyError when a strategy leaves a gap, goes back, or stops before the end.
    """
    from chunking.core.strategy import announced_by

    for _, request in announced_by(strategy):
        tools.announce(request.doing, request.provider, request.model)
    parts = strategy.cut_at_once(document, tools)
    return parts if parts is not None else tuple(_proven(strategy.split(document, tools), document, strategy.name))


def _proven(parts: Iterable[Part], document: Document, strategy: str) -> Iterator[Part]:
    """The parts as they come, each proven to begin where the one before it ended."""
    from chunking.core.cut_parts import stopped, untiled

    reached = 0
    for part in parts:
        if part.body.start != reached or part.body.end <= part.body.start:
            raise untiled(strategy, document, reached, part.body.start, part.body.end)
        reached = part.body.end
        yield part
    if reached != len(document.text):
        raise stopped(strategy, document, reached)


@dataclass(frozen=True, slots=True)
class CutFile:
    """What is in a file, cut whole."""

    document: Document
    parts: Sequence[Part]
    records: list[Record]
    """Chunks and skips in source order."""
    warnings: tuple[str, ...]


def cut_bytes(raw: bytes, name: str, config_yaml: str) -> Iterator[Record]:
    """The records of the document in a file's bytes: the keys of docs/formats/json-lines.md, what
    was left out in its place.

    `name` is the document's, with `/` between folders; its extension says how the bytes are read.
    `config_yaml` opens no file, see `Config.from_yaml`. The document is cut whole before the first
    record comes. Can be pickled: a worker process of any engine may be sent it, and remembers the
    configs that it read. Raises ChunkscopeError, one line.
    """
    from chunking.document.folders import FoundFile

    return iter(cut_file(raw, FoundFile(Path(name), name), _config_from(config_yaml)).records)


@lru_cache(maxsize=16)
def _config_from(text: str) -> Config:
    return Config.from_yaml(text)


def cut_file(
    raw: bytes,
    found: FoundFile,
    config: Config,
    *,
    progress: Progress | None = None,
    before: Callable[[Config, Document, Tools], None] | None = None,
) -> CutFile:
    """The document in a file that was found, whose bytes are `raw`, cut with what the config's
    overrides say of its name.

    `progress` is called with the progress of models, `before` with what is about to be cut, by
    what, and with which tools. Raises whatever goes wrong.
    """
    from chunking.document.loading import read_from

    document = found.document or read_from(raw, found)
    config = config.for_document(document.name)
    document = document.read_by(config.loader)
    tools = Tools(counter(config.counter), progress=progress)
    if before:
        before(config, document, tools)
    with gc_paused():
        parts = tuple(cut(document, config.strategy, tools))
        made = list(records(parts, document))
    return CutFile(document, parts, made, (*document.warnings, *tools.warnings))
