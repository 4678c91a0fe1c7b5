"""The numbers of a corpus beside its baseline's, and the sizes under the thresholds. No
Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from chunking.analysis import CorpusFigures, DocumentFigures, Metric, joined, together
from chunking.core import Limits
from chunking.text import counted
from pages.ui.components.number_strip import MovedFigure
from pages.ui.components.threshold_rail import Histogram
from pages.ui.layout.markup import Figure, figure

STRIP = (
    Metric("chunk_count", "Chunks"),
    Metric("median_tokens", "Median tokens", "tokens"),
    Metric("within_limits", "Within limits", "share", "more", "chunks between the minimum and maximum of their config"),
    Metric("torn", "Blocks cut in two", better="less", help="boundaries inside a table, code or a list"),
    Metric("left_out", "Left out", better="less", help="visible characters that are in no chunk"),
    Metric("tokens_to_embed", "Tokens to embed", "tokens", help="context and overlap included"),
)


def strip(now: CorpusFigures, was: CorpusFigures | None) -> list[Figure]:
    """The numbers that say most of a corpus."""
    return [figure(metric, now, was) for metric in STRIP]


def moved_strip(now: CorpusFigures, was: CorpusFigures | None, *, sampled: bool) -> list[MovedFigure]:
    """What a move of a threshold makes of them; of a sample, without a verdict."""
    figures = strip(now, was)
    return [(f"{each.now}, sample", "") if sampled else (each.now, each.verdict) for each in figures]


def histogram(now: Iterable[DocumentFigures], was: Iterable[DocumentFigures], limits: Limits) -> Histogram:
    """The sizes of all chunks, with the limits of the config without overrides."""
    return Histogram(
        joined(each.sizes for each in now).astype(np.int64),
        joined(each.sizes for each in was).astype(np.int64),
        limits.minimum,
        limits.maximum,
    )


def summary(figures: Sequence[DocumentFigures], all_documents: int) -> str:
    """The line of live counts."""
    total, all_of_them = together(figures), counted(all_documents, "document")
    words = [
        all_of_them if len(figures) == all_documents else f"{len(figures):,} of {all_of_them}",
        counted(total.chunk_count, "chunk"),
        f"{total.over_maximum:,} over max",
        f"{total.tokens_to_embed:,} tokens to embed",
    ]
    return " · ".join(words)
