"""Why a boundary is where it is, and the nearest value of each setting at which it would disappear.

A boundary is identified by its offset: it stays as long as any chunk ends there, even by another
rule, which is then reported. No model is called. DECISIONS, "Explaining".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pydantic.alias_generators import to_camel

from chunking.config.config import Config
from chunking.core.chunk import Boundary, Chunk
from chunking.core.model_access import ModelUse
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.errors import DocumentError
from chunking.explanation.ranges import NumberRange, OptionRange, range_dict, range_sentence, ranges_of
from chunking.explanation.recutting import BoundaryAt, Recutter, cutting_strategy
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import counter

__all__ = ["Candidate", "Explanation", "NumberRange", "OptionRange", "explain", "range_sentence"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A heading inside the chunk, where it could have ended and did not."""

    offset: int
    line: int
    level: int
    title: str
    tokens: int
    """Tokens of the body up to this heading: what a chunk that ended here would hold."""
    because: str
    """Why the strategy went on, with the numbers."""


@dataclass(frozen=True)
class Explanation:
    """One boundary: its reason with the numbers, what would remove it, and where else the chunk
    could have ended."""

    document: Document
    chunk: Chunk
    """The chunk that ends at the boundary."""
    ranges: tuple[NumberRange | OptionRange, ...]
    """One for each setting that is a number, a switch or a choice, in the strategy's order."""
    candidates: tuple[Candidate, ...]
    recuts: int
    """How many times the document was cut for this answer."""
    of_base: str = ""
    """Prefix of the settings' names, `base.`, if a wrapped strategy cut the chunk; else empty."""

    @property
    def offset(self) -> int:
        return self.chunk.body.end

    @property
    def line(self) -> int:
        """The line that begins after the boundary; the last line for the document's end."""
        return _line_after(self.document, self.offset)

    @property
    def reason(self) -> Boundary:
        return self.chunk.ended_by

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        reason = self.reason
        return {
            "document": self.document.name,
            "offset": self.offset,
            "line": self.line,
            "rule": reason.rule,
            "detail": reason.detail,
            "held": reason.held,
            "next": reason.next,
            "limit": reason.limit,
            "settings": [f"{self.of_base}{to_camel(setting)}" for setting in reason.settings],
            "breadcrumb": list(self.chunk.breadcrumb),
            "tokens": self.chunk.tokens,
            "ranges": [range_dict(each) for each in self.ranges],
            "candidates": [
                {
                    "offset": each.offset,
                    "line": each.line,
                    "level": each.level,
                    "title": each.title,
                    "held": each.tokens,
                    "because": each.because,
                }
                for each in self.candidates
            ],
            "recuts": self.recuts,
        }

    def lines(self) -> list[str]:
        """For a person: one line each for the place, the reason, every setting and every other
        place."""
        lines = [f"{self.document.name}, before line {self.line}", f"  {self.reason.detail} ({self.reason.rule})"]
        lines += [f"  {range_sentence(each)}" for each in self.ranges]
        if self.candidates:
            lines.append("  headings it passed over:")
        lines += [
            f"    line {each.line}, {each.tokens} tokens so far: {each.title} ({each.because})"
            for each in self.candidates
        ]
        return lines


def explain(
    document: Document,
    config: Config,
    *,
    line: int | None = None,
    offset: int | None = None,
    tools: Tools | None = None,
    most_work: int | None = None,
) -> Explanation:
    """Explain the boundary nearest to a line (from 1) or to an offset; the earlier of two that are
    equally near.

    A boundary counts as being on the line that begins after it. `tools` gives its counter and its
    models. `most_work`, in about comparisons, limits the search for ranges: for a person who waits.
    Raises DocumentError when the document has no such line, or no chunk at all.
    """
    config = config.for_document(document.name)
    document = document.read_by(config.loader)
    cutter_tools = (tools or Tools(counter(config.counter))).for_another_cut(use=ModelUse.ASK)
    strategy, of_base = cutting_strategy(config.strategy)  # describing moves no boundary and might ask a model
    chunk = _nearest(run(document, config.with_strategy(strategy), cutter_tools), line, offset)
    recutter = Recutter(document, strategy, cutter_tools, BoundaryAt(chunk.body.end))
    ranges = () if chunk.body.end == len(document.text) else ranges_of(recutter, chunk.ended_by.rule, most_work)
    return Explanation(
        document=document,
        chunk=chunk,
        ranges=tuple(replace(each, setting=f"{of_base}{each.setting}") for each in ranges),
        candidates=_candidates(document, chunk, strategy, cutter_tools),
        recuts=recutter.recuts,
        of_base=of_base,
    )


def _nearest(of: Run, line: int | None, offset: int | None) -> Chunk:
    document = of.document
    ends: list[int] = of.columns.end.tolist()
    if not ends:
        raise DocumentError(f"{document.name}: has no chunks, so no boundary to explain; all of it was left out")
    if offset is not None:
        return of.chunks[ends.index(min(ends, key=lambda end: abs(end - offset)))]
    wanted, last = line if line is not None else 1, _line_after(document, len(document.text))
    if not 1 <= wanted <= last:
        raise DocumentError(f"{document.name}: has no line {wanted}; its lines are 1 to {last}")
    return of.chunks[ends.index(min(ends, key=lambda end: abs(_line_after(document, end) - wanted)))]


def _line_after(document: Document, offset: int) -> int:
    return document.line_of(min(offset, len(document.text) - 1))


def _candidates(document: Document, chunk: Chunk, strategy: Strategy, tools: Tools) -> tuple[Candidate, ...]:
    index = tools.index(document)
    inside = [each for each in document.headings if chunk.body.start < each.span.start < chunk.body.end]
    sizes = [index.count(chunk.body.start, heading.span.start) for heading in inside]
    return tuple(
        Candidate(
            offset=heading.span.start,
            line=document.line_of(heading.span.start),
            level=heading.level,
            title=heading.title,
            tokens=tokens,
            because=strategy.why_not_here(chunk, heading, tokens),
        )
        for heading, tokens in zip(inside, sizes, strict=True)
    )
