"""The numbers of a corpus beside its baseline's, and the sizes under the thresholds. No
Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from chunking.analysis import OF_CORPORA, CorpusFigures, DocumentFigures, Metric, joined
from chunking.text import counted
from pages.ui.components.number_strip import MovedFigure
from pages.ui.components.threshold_rail import Histogram
from pages.ui.layout.markup import Figure, figure

_Sizes = npt.NDArray[np.integer]


def strip(now: CorpusFigures, was: CorpusFigures | None) -> list[Figure]:
    """The numbers that say most of a corpus; none while no document is cut."""
    if not (now.documents or now.problems):
        return [Figure(metric.title, "…", hint=metric.help) for metric in OF_CORPORA]
    return [_unless_meant(figure(metric, now, was), metric, now) for metric in OF_CORPORA]


def _unless_meant(of: Figure, metric: Metric, now: CorpusFigures) -> Figure:
    """What settings leave out is not called worse: only what is lost is."""
    return replace(of, verdict="") if metric.name == "left_out" and not now.lost else of


def moved_strip(now: CorpusFigures, was: CorpusFigures | None, *, sampled: bool) -> list[MovedFigure]:
    """What a move of a threshold makes of them; of a sample, without a verdict."""
    figures = strip(now, was)
    return [(f"{each.now}, sample", "") if sampled else (each.now, each.verdict) for each in figures]


def histogram(now: Mapping[int, DocumentFigures], was: Iterable[DocumentFigures]) -> Histogram:
    """The sizes of all chunks; outside are those that are outside of the limits of the config that
    cut them, as they are in their document."""
    of_limits: dict[tuple[int, int], list[_Sizes]] = {}
    for each in now.values():
        if each.sizes is not None:
            of_limits.setdefault((each.minimum, each.maximum), []).append(each.sizes)
    sizes = [(*limits, joined(columns)) for limits, columns in of_limits.items()]
    return Histogram(
        joined(columns for *_, columns in sizes).astype(np.int64),
        joined(each.sizes for each in was).astype(np.int64),
        outside=joined(_outside(columns, minimum, maximum) for minimum, maximum, columns in sizes).astype(np.int64),
    )


def _outside(sizes: _Sizes, minimum: int, maximum: int) -> _Sizes:
    """`maximum` is 0 where there is none."""
    under = sizes < minimum
    return sizes[under | (sizes > maximum)] if maximum else sizes[under]


def summary(total: CorpusFigures, all_documents: int) -> str:
    """The line of live counts."""
    more = f" ({total.over_with_context:,} more with context)" if total.over_with_context else ""
    found, all_of_them = total.documents + total.problems, counted(all_documents, "document")
    words = [
        all_of_them if found == all_documents else f"{found:,} of {all_of_them}",
        counted(total.chunk_count, "chunk"),
        f"{total.over_maximum:,} over the maximum{more}",
        f"{total.tokens_to_embed:,} tokens to embed",
    ]
    return " · ".join(words)
