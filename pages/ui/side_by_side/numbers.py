"""What a comparison comes to in numbers: sizes in one counter, what changed, what is to be embedded
again.

No Streamlit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from chunking import Chunk, Run
from chunking.analysis import BoundaryChange, diff_boundaries
from chunking.core import Metrics, Part, measure, text_parts
from chunking.tokens import counter as counter_named
from chunking.tokens import token_index


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One run, counted with the comparison's counter (DECISIONS all-5)."""

    run: Run
    metrics: Metrics
    sizes: tuple[int, ...]
    """Tokens of each chunk's whole text."""
    drawn: Run
    """The same chunks with these counts written on them: what the source view draws."""


def measured(run: Run, counter: str) -> MeasuredRow:
    """The run in numbers; limits are judged by the run's own counter."""
    if counter == run.config.counter:
        return MeasuredRow(run, run.metrics, tuple(chunk.tokens for chunk in run.chunks), run)
    index = token_index(run.document.text, counter_named(counter))
    parts: list[Part] = []
    for part in run.parts:
        if isinstance(part, Chunk):
            tokens, own = index.count_parts(text_parts(part)), index.count_parts(part.kept)
            parts.append(replace(part, tokens=tokens, body_tokens=own))
        else:
            parts.append(part)
    drawn = Run(run.document, replace(run.config, counter=counter), tuple(parts), run.warnings)
    return MeasuredRow(run, measure(run, counter_named(counter)), tuple(chunk.tokens for chunk in drawn.chunks), drawn)


@dataclass(frozen=True, slots=True)
class Versus:
    """Two runs of one document: what became of the boundaries, and which chunks are new to a
    store."""

    before: MeasuredRow
    after: MeasuredRow
    changes: tuple[BoundaryChange, ...]
    """In source order."""
    again: tuple[int, ...]
    """Numbers, from 0, of the chunks whose id the run before does not have."""
    gone: int
    """Ids a store must delete."""
    alike: int = 0
    """How many of those to embed again differ from a chunk before only in the white space at their
    ends."""

    @property
    def again_tokens(self) -> int:
        """Tokens to embed again, by the comparison's counter."""
        return sum(self.after.sizes[number] for number in self.again)

    def count(self, change: str) -> int:
        return sum(each.change == change for each in self.changes)


def versus(before: MeasuredRow, after: MeasuredRow) -> Versus:
    """Compare two measured runs of one text."""
    old = {chunk.id for chunk in before.run.chunks}
    new = [chunk.id for chunk in after.run.chunks]
    again = tuple(number for number, each in enumerate(new) if each not in old)
    words = {chunk.text.strip() for chunk in before.run.chunks if again}
    alike = sum(after.run.chunks[number].text.strip() in words for number in again)
    changes = diff_boundaries(before.run, after.run)
    return Versus(before, after, changes, again, len(old.difference(new)), alike)
