"""What a threshold move changes on the Corpus page, as bytes: the documents that follow the drag
are cut in the processes that hold them.

An answer is framed as that of Inspect (dragging/drag_session.py): `rail`, `figures`, then the rows
of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from chunking import ChunkscopeError, Config
from chunking.analysis import DocumentFigures, together
from pages.ui.background.corpus_jobs import name_of
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import Resolution, resolve
from pages.ui.components.corpus_table import rows_bytes
from pages.ui.components.threshold_rail import RailDrawn, Threshold
from pages.ui.corpus import numbers
from pages.ui.dragging.drag_session import framed, moves


@dataclass(frozen=True)
class CorpusDrag:
    """What stands while a threshold of the corpus is dragged."""

    corpus: Corpus
    cuts: Cuts
    """Before the drag."""
    rows: tuple[int, ...]
    """The documents that follow the drag."""
    was: Mapping[int, DocumentFigures]
    """The baseline of those documents, as far as it is known."""
    plan: Plan
    counter: str
    """The chosen counter, "" for the strategy's own."""
    good: Config
    thresholds: tuple[Threshold, ...]
    rail: Callable[[Mapping[int, DocumentFigures], Plan, Resolution, str], RailDrawn]

    def answer(self, question: str) -> tuple[bytes, CorpusDrag]:
        """The answer, and the session with what is now the last legal config."""
        sequence, values = moves(question, self.thresholds)
        plan = self.plan.with_values(values)
        resolution = resolve(plan, self.counter, self.good, self.good.loader)
        cuts = replace(self.cuts, config=resolution.config)
        try:
            found = workers.cut_live(self.corpus, cuts, self.rows)
        except ChunkscopeError:
            return framed({"sequence": sequence, "refused": True}), self
        run = name_of(self.corpus, cuts)
        sampled = len(self.rows) < len(self.corpus.documents)
        was = together(self.was.values()) if self.was else None
        head = {
            "sequence": sequence,
            "rail": self.rail(found, plan, resolution, run),
            "figures": numbers.moved_strip(together(found.values()), was, sampled=sampled),
        }
        return framed(head, rows_bytes(found, run=run)), replace(self, good=resolution.config)
