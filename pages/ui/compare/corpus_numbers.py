"""Configs against each other over all documents of a corpus, in numbers.

No Streamlit: the documents are compared in the processes that hold them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chunking import Config, Run
from chunking.analysis import (
    OF_CORPORA,
    CorpusFigures,
    DocumentFigures,
    MetricLine,
    diff_boundaries,
    document_figures,
    median,
    metric,
    together,
)
from chunking.core import whole_sizes
from chunking.tokens import counter as counter_named
from pages.ui.background.held_corpus import cut_there, remember_nothing


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the first config's chunks under another one."""

    kept: int = 0
    """Boundaries; the end of a document is none."""
    moved: int = 0
    added: int = 0
    removed: int = 0
    again: int = 0
    """Chunks whose id the first config does not give."""
    again_tokens: int = 0
    gone: int = 0
    """Ids that only the first config gives."""

    @property
    def shared(self) -> float:
        """Share, 0 to 1, of all boundaries of either config that both have; 1 without any."""
        every = self.kept + self.moved + self.added + self.removed
        return self.kept / every if every else 1.0


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """One document under each config."""

    figures: tuple[DocumentFigures, ...]
    against: tuple[Changes | None, ...]
    """Of each config after the first; None where it or the first cannot cut the document."""


def compare_there(key: str, rows: Sequence[int], configs: Sequence[Config], counter: str) -> list[ComparedDocument]:
    """Compare documents of a corpus in a process that holds it; all is counted with one counter."""
    return [_compared([cut_there(key, row, config) for config in configs], counter) for row in rows]


def _compared(runs: Sequence[Run | str], counter: str) -> ComparedDocument:
    remember_nothing()  # of what a counter that no config has counts
    sizes = [None if isinstance(run, str) else whole_sizes(run, counter_named(counter)) for run in runs]
    figures = []
    for run, tokens in zip(runs, sizes, strict=True):
        if isinstance(run, str) or tokens is None:
            figures.append(DocumentFigures(problem=str(run)))
            continue
        whole = tokens.astype(np.int32)
        found = replace(document_figures(run), sizes=None, ends=None, torn_at=None)
        total = int(whole.sum())
        figures.append(replace(found, whole=whole, median_tokens=median(whole), tokens_to_embed=total))
    first = runs[0]
    return ComparedDocument(
        tuple(figures),
        tuple(
            None if isinstance(run, str) or isinstance(first, str) or tokens is None else _changes(first, run, tokens)
            for run, tokens in zip(runs[1:], sizes[1:], strict=True)
        ),
    )


def _changes(before: Run, after: Run, sizes: Sequence[int] | np.ndarray) -> Changes:
    old, new = {chunk.id for chunk in before.chunks}, [chunk.id for chunk in after.chunks]
    again = [number for number, each in enumerate(new) if each not in old]
    of = Counter(each.change for each in diff_boundaries(before, after))
    tokens = sum(int(sizes[number]) for number in again)
    gone = len(old.difference(new))
    return Changes(of["kept"], of["moved"], of["added"], of["removed"], len(again), tokens, gone)


def total_lines(documents: Iterable[ComparedDocument], configs: int) -> list[MetricLine]:
    """The numbers of all documents together, one value for each config. A document that one of them
    cannot cut counts for none, so that they are about the same documents."""
    every = [each for each in documents if all(not figures.problem for figures in each.figures)]
    totals = [together(each.figures[at] for each in every) for at in range(configs)]
    lines = [MetricLine(each, tuple(each.of(total) for total in totals)) for each in OF_CORPORA]
    _insert(lines, "max_tokens", "median_tokens", totals)
    if any(each.within_limits != each.within_with_context for each in totals):
        _insert(lines, "within_with_context", "within_limits", totals)
    return lines


def _insert(lines: list[MetricLine], name: str, after: str, totals: Sequence[CorpusFigures]) -> None:
    """Put a metric that the strip of a corpus has no room for behind another one."""
    at = [each.metric.name for each in lines].index(after) + 1
    lines.insert(at, MetricLine(metric(name), tuple(metric(name).of(total) for total in totals)))


def total_changes(documents: Iterable[ComparedDocument], which: int) -> Changes:
    """What a config, numbered from 0 after the first, changes in all documents together."""
    every = [changes for each in documents if (changes := each.against[which]) is not None]
    names = ("kept", "moved", "added", "removed", "again", "again_tokens", "gone")
    return Changes(*(sum(getattr(each, name) for each in every) for name in names))


def most_different(documents: Mapping[int, ComparedDocument], which: int) -> list[int]:
    """The numbers of the documents, the one whose boundaries changed most first, of equal ones that
    with more tokens to embed again; those that cannot be compared last."""

    def order(row: int) -> tuple[bool, float, int, int]:
        changes = documents[row].against[which]
        return changes is None, changes.shared if changes else 0, -changes.again_tokens if changes else 0, row

    return sorted(documents, key=order)
