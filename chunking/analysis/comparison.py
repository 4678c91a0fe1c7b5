"""Two runs of one document: what changed in numbers, which boundaries were kept, moved, added or
removed, and what must be embedded again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from chunking.core.chunk import Boundary, Chunk
from chunking.core.metrics import Metrics, measure, text_parts
from chunking.errors import DocumentError
from chunking.runs import Run
from chunking.runtime.argument_types import require_type
from chunking.tokens import counter as counter_named
from chunking.tokens import token_index

Change = Literal["kept", "moved", "added", "removed"]


@dataclass(frozen=True, slots=True)
class BoundaryChange:
    """One cut in two runs. Offsets are code points; None on the side where the cut does not
    exist."""

    change: Change
    before: int | None
    after: int | None
    before_reason: Boundary | None
    after_reason: Boundary | None

    @property
    def moved_by(self) -> int:
        """Characters, negative when the cut moved towards the start."""
        return self.after - self.before if self.before is not None and self.after is not None else 0

    @property
    def offset(self) -> int:
        """The cut's offset after, or before where it is gone."""
        return self.after if self.after is not None else self.before or 0


@dataclass(frozen=True)
class Comparison:
    """What `compare` found. Both sides are counted with one counter, the after side's (DECISIONS
    all-5)."""

    before: Run = field(repr=False)
    after: Run = field(repr=False)
    before_metrics: Metrics
    after_metrics: Metrics
    boundaries: tuple[BoundaryChange, ...]
    """In source order. The document's end is not a cut and is left out."""

    def count(self, change: Change) -> int:
        return sum(boundary.change == change for boundary in self.boundaries)

    @cached_property
    def to_embed_again(self) -> tuple[Chunk, ...]:
        """Chunks of the after side whose id the before side does not have."""
        known = {chunk.id for chunk in self.before.chunks}
        return tuple(chunk for chunk in self.after.chunks if chunk.id not in known)

    @cached_property
    def tokens_to_embed_again(self) -> int:
        return sum(chunk.tokens for chunk in self.to_embed_again)

    @cached_property
    def ids_gone(self) -> tuple[str, ...]:
        """Ids of the before side that are no longer there: what a store must delete."""
        ids_after = {chunk.id for chunk in self.after.chunks}
        return tuple(chunk.id for chunk in self.before.chunks if chunk.id not in ids_after)

    @property
    def changed_share(self) -> float:
        """Share of the after side's chunks, 0 to 1, that must be embedded again; 0 when there are
        none."""
        return len(self.to_embed_again) / len(self.after.chunks) if self.after.chunks else 0.0

    def to_dict(self) -> dict[str, object]:
        before, after = self.before_metrics.to_dict(), self.after_metrics.to_dict()
        return {
            "document": self.after.document.name,
            "metrics": {name: {"before": before[name], "after": after[name]} for name in after},
            "boundaries": {change: self.count(change) for change in ("kept", "moved", "added", "removed")},
            "to_embed_again": {"chunks": len(self.to_embed_again), "tokens": self.tokens_to_embed_again},
            "ids_gone": len(self.ids_gone),
            "changed_share": round(self.changed_share, 4),
        }


def compare(before: Run, after: Run) -> Comparison:
    """Compare two runs of one document. Raises DocumentError when their texts differ."""
    for each in (before, after):
        require_type(each, Run, "compare takes two runs, which run(document, config) gives")
    if before.document.text != after.document.text:
        raise DocumentError(
            f"{before.document.name} and {after.document.name} have different texts; compare runs of one document"
        )
    counter = counter_named(after.config.counter)
    recount = counter if before.config.counter != after.config.counter else None
    return Comparison(
        before=before,
        after=after,
        before_metrics=measure(before, recount),
        after_metrics=measure(after),
        boundaries=diff_boundaries(before, after),
    )


def diff_boundaries(before: Run, after: Run) -> tuple[BoundaryChange, ...]:
    """The cuts of two runs of one text, in source order.

    Equal offsets are kept. Of the rest, two are one cut that moved when each is the other's nearest
    and no kept or moved cut lies between them; then the same among what is left, and so on. What
    finds none was added or removed.
    """
    old, new = _cuts(before), _cuts(after)
    in_both = sorted(old.keys() & new.keys())
    moved = _moved(sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys()), in_both)
    arrived = set(moved.values())
    changes = [BoundaryChange("kept", at, at, old[at], new[at]) for at in in_both]
    changes += [BoundaryChange("moved", start, end, old[start], new[end]) for start, end in moved.items()]
    changes += [BoundaryChange("removed", at, None, old[at], None) for at in old.keys() - new.keys() - moved.keys()]
    changes += [BoundaryChange("added", None, at, None, new[at]) for at in new.keys() - old.keys() - arrived]
    return tuple(sorted(changes, key=lambda change: (change.offset, change.change)))


def _moved(gone: list[int], come: list[int], in_both: list[int]) -> dict[int, int]:
    """The cuts that moved, as offset before to offset after. Each round but the last pairs at least
    one."""
    moved: dict[int, int] = {}
    while True:
        barriers = sorted([*in_both, *moved.keys(), *moved.values()])
        paired: dict[int, int] = {}
        for start in gone:
            end = _nearest(come, start)
            if end is not None and _nearest(gone, end) == start and not _between(barriers, start, end):
                paired[start] = end
        if not paired:
            return moved
        moved.update(paired)
        arrived = set(paired.values())
        gone = [at for at in gone if at not in paired]
        come = [at for at in come if at not in arrived]


def counted_alike(run: Run, like: Run) -> Sequence[int]:
    """The sizes of the run's chunks with context and overlap, by the other run's counter, for a
    shared histogram."""
    if run.config.counter == like.config.counter:
        return [chunk.tokens for chunk in run.chunks]
    index = token_index(run.document.text, counter_named(like.config.counter))
    return [index.count_parts(text_parts(chunk)) for chunk in run.chunks]


def _cuts(run: Run) -> dict[int, Boundary]:
    end = len(run.document.text)
    return {chunk.body.end: chunk.ended_by for chunk in run.chunks if chunk.body.end < end}


def _nearest(offsets: Sequence[int], to: int) -> int | None:
    """The offset nearest to `to`; the earlier one of two that are equally near."""
    at = bisect_left(offsets, to)
    around = offsets[max(0, at - 1) : at + 1]
    return min(around, key=lambda offset: abs(offset - to)) if around else None


def _between(offsets: Sequence[int], start: int, end: int) -> bool:
    low, high = min(start, end), max(start, end)
    at = bisect_left(offsets, low)
    return at < len(offsets) and offsets[at] < high
