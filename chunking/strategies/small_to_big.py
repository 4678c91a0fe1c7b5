"""Small chunks to search in, each with a larger stretch of the document that a hit gives back: the
chunk of a second strategy around it, or the sentences around it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from chunking.core.chunk import Chunk, Part
from chunking.core.context import SplitContext
from chunking.core.cut_parts import CutParts
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, Strategy, setting
from chunking.document import Document, Span
from chunking.document.sentences import sentences_in
from chunking.errors import SettingError


def _default_small() -> Strategy:
    # Found by name: strategies do not import each other.
    from chunking import strategies

    return strategies.get("recursive").model_validate({"chunk_size": 400})


def _default_big() -> Strategy:
    from chunking import strategies

    return strategies.get("hierarchical")()


class _CounterOfSmall:
    """The default counter of the small chunks' strategy; asked of the class, that of the default
    one."""

    def __get__(self, strategy: SmallToBig | None, _owner: type[SmallToBig]) -> str:
        return (strategy.small if strategy is not None else _default_small()).default_counter


class SmallToBig(Strategy):
    """Cuts exactly where `small` cuts, and says for each chunk what is returned."""

    name: ClassVar[str] = "small-to-big"
    title: ClassVar[str] = "Small to big"
    summary: ClassVar[str] = (
        "Cuts small chunks to search in, and says for each what a hit gives back: the larger chunk around it, or the "
        "sentences around it."
    )
    family: ClassVar[Family] = "size"
    default_counter: ClassVar[str] = _CounterOfSmall()  # type: ignore[assignment]
    describes: ClassVar[str] = "small"

    small: Strategy = Field(
        default_factory=_default_small,
        title="Small chunks",
        description="The strategy that cuts what is embedded and searched, with its own settings and limits.",
        json_schema_extra={"unit": "", "slider": None, "step": None},
    )
    returns: Literal["parent", "window"] = setting(
        "parent",
        title="Returned",
        help="What a hit gives back. parent: the large chunk around it. window: the sentences around it.",
    )
    big: Strategy = Field(
        default_factory=_default_big,
        title="Large chunks",
        description="The strategy whose chunk is returned, with its own settings. A small chunk that lies in several "
        "of its chunks returns them all.",
        json_schema_extra={"unit": "", "slider": None, "step": None},
    )
    window_sentences: int = setting(
        3,
        title="Sentences around",
        help="Higher returns more sentences before and behind the small chunk, where sentences are returned.",
        unit="sentences",
        ge=0,
        le=1_000,
        slider=(0, 20),
    )

    @model_validator(mode="after")
    def _of_strategies_that_cut(self) -> Self:
        for name, wrapped in (("small", self.small), ("big", self.big)):
            if wrapped.describes:
                raise SettingError(name, f"{wrapped.name} wraps another strategy; choose one that cuts")
        return self

    def limits(self) -> Limits:
        """Those of the small chunks."""
        return self.small.limits().of_wrapped("small")

    def limits_in(self, document: Document) -> Limits:
        """As `limits`."""
        return self.small.limits_in(document).of_wrapped("small")

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Cut the large chunks, or find the sentences, first; then cut and yield the small
        chunks."""
        around = self._around(document, tools)
        for part in self.small.split(document, tools):
            yield part.returning(around(*_kept(part))) if isinstance(part, Chunk) else part

    def cut_at_once(self, document: Document, tools: SplitContext) -> Sequence[Part] | None:
        """As Strategy.cut_at_once, where the small chunks are made when they are read."""
        if not isinstance(self.small, PlanningStrategy):
            return None
        around = self._around(document, tools)
        return replace(self.small.plan(document, tools), returned=around).at_once(self.name)

    def _around(self, document: Document, tools: SplitContext) -> _Around:
        if self.returns == "parent":
            return _Around(self._large(document, tools.for_base()), 0, document)
        content = Span(document.content_start, len(document.text))
        sentences = [(each.start, each.end) for each in sentences_in(document, content)]
        return _Around(sentences, self.window_sentences, document)

    def _large(self, document: Document, tools: SplitContext) -> list[tuple[int, int]]:
        """Where what is kept of each large chunk begins and ends."""
        parts = None if tools.tracing else self.big.cut_at_once(document, tools)
        if isinstance(parts, CutParts):
            return [*zip(parts.columns.kept_start.tolist(), parts.columns.kept_end.tolist(), strict=True)]
        return [_kept(part) for part in self.big.split(document, tools) if isinstance(part, Chunk)]


class _Around:
    """The stretches around a small chunk, and some before and behind, without the white space at
    the edges."""

    def __init__(self, stretches: list[tuple[int, int]], more: int, document: Document) -> None:
        self._starts = [start for start, _ in stretches]
        self._ends = [end for _, end in stretches]
        self._more = more
        self._text = document.text

    def __call__(self, kept_start: int, kept_end: int) -> Span:
        """What is returned for a chunk of which this is kept, white space in it included."""
        first = bisect_right(self._ends, kept_start)
        last = bisect_left(self._starts, kept_end) - 1
        start, end = kept_start, kept_end
        if first <= last:
            start = min(start, self._starts[max(0, first - self._more)])
            end = max(end, self._ends[min(len(self._ends) - 1, last + self._more)])
        text = self._text
        if text[start].isspace():
            start = min(end - len(text[start:end].lstrip()), kept_start)
        if text[end - 1].isspace():
            end = max(start + len(text[start:end].rstrip()), kept_end)
        return Span(start, end)


def _kept(chunk: Chunk) -> tuple[int, int]:
    """Where the first character stands that is kept of a chunk's body, and where the last one
    ends."""
    return chunk.kept[0].start, chunk.kept[-1].end
