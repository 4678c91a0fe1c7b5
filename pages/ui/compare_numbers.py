"""What a comparison comes to in numbers: sizes in one counter, what changed, what is to be embedded again.

No Streamlit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chunking import Chunk, Config, Run
from chunking.chunk import Part
from chunking.comparison import BoundaryChange, diff_boundaries
from chunking.metrics import Metrics, measure, text_parts
from chunking.tokens import counter as counter_named
from chunking.tokens import token_index


@dataclass(frozen=True, slots=True)
class Measured:
    """One run, counted with the comparison's counter (DECISIONS all-5)."""

    run: Run
    metrics: Metrics
    sizes: tuple[int, ...]
    """Tokens of each chunk's whole text."""
    drawn: Run
    """The same chunks with these counts written on them: what the source view draws."""


def measured(run: Run, counter: str) -> Measured:
    """The run in numbers; limits are judged by the run's own counter."""
    if counter == run.config.counter:
        return Measured(run, run.metrics, tuple(chunk.tokens for chunk in run.chunks), run)
    index = token_index(run.document.text, counter_named(counter))
    parts: list[Part] = []
    for part in run.parts:
        if isinstance(part, Chunk):
            tokens, own = index.count_parts(text_parts(part)), index.count_parts(part.kept)
            parts.append(replace(part, tokens=tokens, body_tokens=own))
        else:
            parts.append(part)
    drawn = Run(run.document, Config(run.config.strategy, counter), tuple(parts), run.warnings)
    return Measured(run, measure(run, counter_named(counter)), tuple(chunk.tokens for chunk in drawn.chunks), drawn)


@dataclass(frozen=True, slots=True)
class Versus:
    """Two runs of one document: what became of the boundaries, and which chunks are new to a store."""

    before: Measured
    after: Measured
    changes: tuple[BoundaryChange, ...]
    """In source order."""
    again: tuple[int, ...]
    """Numbers, from 0, of the chunks whose id the run before does not have."""
    gone: int
    """Ids a store must delete."""

    @property
    def again_tokens(self) -> int:
        """Tokens to embed again, by the comparison's counter."""
        return sum(self.after.sizes[number] for number in self.again)

    def count(self, change: str) -> int:
        return sum(each.change == change for each in self.changes)


def versus(before: Measured, after: Measured) -> Versus:
    """Compare two measured runs of one text."""
    old = {chunk.id for chunk in before.run.chunks}
    new = [chunk.id for chunk in after.run.chunks]
    again = tuple(number for number, each in enumerate(new) if each not in old)
    changes = diff_boundaries(before.run, after.run)
    return Versus(before, after, changes, again, len(old.difference(new)))


Better = Literal["more", "less", ""]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table of metrics, over all runs."""

    name: str
    values: tuple[float | None, ...]
    unit: Literal["count", "tokens", "share"] = "count"
    better: Better = ""
    hint: str = ""


def lines(metrics: Sequence[Metrics]) -> Mapping[str, tuple[Line, ...]]:
    """Every metric, by what it is about."""

    def line(
        name: str, field: str, unit: Literal["count", "tokens", "share"] = "count", better: Better = "", hint: str = ""
    ) -> Line:
        return Line(name, tuple(getattr(each, field) for each in metrics), unit, better, hint)

    return {
        "Sizes, context and overlap included": (
            line("Chunks", "chunk_count"),
            line("Tokens to embed", "tokens_to_embed", "tokens"),
            line("Mean tokens", "mean_tokens", "tokens"),
            line("Median tokens", "median_tokens", "tokens"),
            line("95th percentile", "p95_tokens", "tokens"),
            line("Smallest", "min_tokens", "tokens"),
            line("Largest", "max_tokens", "tokens"),
            line("Standard deviation", "std_tokens", "tokens"),
            line("Context and overlap", "context_share", "share", hint="share of the tokens to embed"),
        ),
        "Limits, each by its own counter": (
            line("Within limits", "within_limits", "share", "more", "– where a strategy has no limits"),
            line("Under the minimum", "under_minimum", better="less"),
            line("Over the maximum", "over_maximum", better="less"),
            line("Cannot be split", "oversize", better="less", hint="chunks flagged unsplittable"),
            line("Share that cannot be split", "oversize_share", "share", "less"),
        ),
        "What was cut, kept and left out": (
            line("Cuts inside a block", "cuts_inside_blocks", better="less"),
            line("Tables, lists, code kept whole", "atomic_kept", better="more"),
            line("Tables, lists, code split", "atomic_split", better="less"),
            line("Chunks of headings only", "heading_only", better="less"),
            line("Repeated chunks", "repeated", better="less"),
            line("Stretches left out", "skip_count"),
            line("Coverage", "coverage", "share", "more", "visible characters that some chunk says"),
        ),
        "Characters left out, by reason": _by_name([each.skipped_characters for each in metrics]),
        "Chunks by what ended them": _by_name([each.boundaries for each in metrics]),
        "Chunks by headings above them": _by_name([_by_depth(each) for each in metrics]),
    }


def _by_depth(of: Metrics) -> Mapping[str, int]:
    return {str(depth): count for depth, count in of.depths.items()}


def _by_name(counts: Sequence[Mapping[str, int]]) -> tuple[Line, ...]:
    names = dict.fromkeys(name for each in counts for name in each)
    return tuple(Line(name, tuple(each.get(name, 0) for each in counts)) for name in names)
