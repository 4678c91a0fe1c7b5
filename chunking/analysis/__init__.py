"""A run in numbers, against another run, and fit to be embedded or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.analysis.chunk_tokens import ChunkTokens as ChunkTokens
    from chunking.analysis.chunk_tokens import tokens_of_chunk as tokens_of_chunk
    from chunking.analysis.comparison import BoundaryChange as BoundaryChange
    from chunking.analysis.comparison import counted_alike as counted_alike
    from chunking.analysis.comparison import diff_boundaries as diff_boundaries
    from chunking.analysis.corpus_checks import FailedCheck as FailedCheck
    from chunking.analysis.corpus_checks import failed_checks as failed_checks
    from chunking.analysis.corpus_figures import OF_CORPORA as OF_CORPORA
    from chunking.analysis.corpus_figures import PLACES as PLACES
    from chunking.analysis.corpus_figures import CorpusFigures as CorpusFigures
    from chunking.analysis.corpus_figures import DocumentFigures as DocumentFigures
    from chunking.analysis.corpus_figures import PackedFigures as PackedFigures
    from chunking.analysis.corpus_figures import Repeats as Repeats
    from chunking.analysis.corpus_figures import document_figures as document_figures
    from chunking.analysis.corpus_figures import joined as joined
    from chunking.analysis.corpus_figures import median as median
    from chunking.analysis.corpus_figures import packed as packed
    from chunking.analysis.corpus_figures import repeats as repeats
    from chunking.analysis.corpus_figures import together as together
    from chunking.analysis.counter_ratio import Ratio as Ratio
    from chunking.analysis.counter_ratio import measured_ratio as measured_ratio
    from chunking.analysis.edits import EditStability as EditStability
    from chunking.analysis.edits import edit_stability as edit_stability
    from chunking.analysis.health import Check as Check
    from chunking.analysis.health import Finding as Finding
    from chunking.analysis.histogram import Bar as Bar
    from chunking.analysis.histogram import Bins as Bins
    from chunking.analysis.histogram import OpenBins as OpenBins
    from chunking.analysis.histogram import Side as Side
    from chunking.analysis.histogram import bars as bars
    from chunking.analysis.histogram import round_bins as round_bins
    from chunking.analysis.hues import chunk_hues as chunk_hues
    from chunking.analysis.metric_table import NO_LIMITS as NO_LIMITS
    from chunking.analysis.metric_table import OF_CONFIGS as OF_CONFIGS
    from chunking.analysis.metric_table import STRIP as STRIP
    from chunking.analysis.metric_table import WITH_CONTEXT as WITH_CONTEXT
    from chunking.analysis.metric_table import Metric as Metric
    from chunking.analysis.metric_table import MetricLine as MetricLine
    from chunking.analysis.metric_table import Verdict as Verdict
    from chunking.analysis.metric_table import lines as lines
    from chunking.analysis.metric_table import metric as metric
    from chunking.analysis.metric_table import number_and_words as number_and_words
    from chunking.analysis.metric_table import percent_to_show as percent_to_show
    from chunking.analysis.metric_table import share_text as share_text
    from chunking.analysis.source_rows import near_lines as near_lines
    from chunking.analysis.source_rows import row_edges as row_edges
    from chunking.analysis.vector_map import DUPLICATE as DUPLICATE
    from chunking.analysis.vector_map import Layout as Layout
    from chunking.analysis.vector_map import VectorMap as VectorMap
    from chunking.analysis.vector_map import map_vectors as map_vectors
    from chunking.analysis.vector_map import nearest_to as nearest_to
else:
    __getattr__, __all__ = front(
        __name__,
        chunk_tokens=("ChunkTokens", "tokens_of_chunk"),
        comparison=("BoundaryChange", "counted_alike", "diff_boundaries"),
        counter_ratio=("Ratio", "measured_ratio"),
        corpus_checks=("FailedCheck", "failed_checks"),
        corpus_figures=(
            "OF_CORPORA",
            "PLACES",
            "CorpusFigures",
            "DocumentFigures",
            "PackedFigures",
            "Repeats",
            "document_figures",
            "joined",
            "median",
            "packed",
            "repeats",
            "together",
        ),
        edits=("EditStability", "edit_stability"),
        health=("Check", "Finding"),
        histogram=("Bar", "Bins", "OpenBins", "Side", "bars", "round_bins"),
        hues=("chunk_hues",),
        metric_table=(
            "NO_LIMITS",
            "MetricLine",
            "Metric",
            "OF_CONFIGS",
            "STRIP",
            "Verdict",
            "WITH_CONTEXT",
            "lines",
            "metric",
            "number_and_words",
            "percent_to_show",
            "share_text",
        ),
        source_rows=("near_lines", "row_edges"),
        vector_map=("DUPLICATE", "Layout", "VectorMap", "map_vectors", "nearest_to"),
    )
