"""`chunkscope inspect --quality`: measures of a run that need no questions, with what each is
worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from chunking.analysis.cohesion import cohesion, sentence_texts
from chunking.analysis.dangling import dangling_starts
from chunking.analysis.metric_table import share_text
from chunking.analysis.quality import Measure, agreement_measures, cohesion_measures, dangling_measure
from chunking.analysis.segmentation import agreement
from chunking.cli.terminal import ProgressLine, chunk_numbers, print_error
from chunking.document.language import document_seems_other
from chunking.errors import ModelUnsetError
from chunking.gold.cut_points import load_cut_points
from chunking.models.embedders import embedder
from chunking.retrieval.ranking import embed_missing
from chunking.runs import Run
from chunking.text.display import shown_text
from chunking.text.languages import english_warning


def measured_quality(made: Run, cut_points: Path | None) -> tuple[Measure, ...]:
    """Every measure of a run; those by vectors are left out, and that is said, where the local
    model is not installed."""
    measures = [dangling_measure(dangling_starts(made), len(made.chunks)), *_by_vectors(made)]
    if cut_points:
        measures += agreement_measures(agreement(made, load_cut_points(cut_points, made.document)))
    return tuple(measures)


def _by_vectors(made: Run) -> Sequence[Measure]:
    embed = embedder("local", "")
    texts = [text for chunk in sentence_texts(made) for text in chunk]
    try:
        if texts:
            embed_missing(texts, embed, partial(ProgressLine(results_on_screen=False).of_model, "embedding sentences"))
    except ModelUnsetError as error:
        print_error(f"what needs vectors is not measured: {error}")
        return ()
    ProgressLine.clear()
    if texts and document_seems_other(made.document.text):
        print_error(shown_text(english_warning(embed.name, [made.document.name], 1), 1000))
    return cohesion_measures(cohesion(made, embed))


def quality_lines(measures: Sequence[Measure]) -> Iterator[str]:
    """Every measure with what is computed, where to look, and what is known of its worth."""
    yield ""
    yield "quality without questions; none of this says whether answers are found (evaluate does)"
    for each in measures:
        value = "–" if each.value is None else share_text(each.value, 1) if each.name == "dangling_starts" else None
        better = f", {each.better} is better" if each.better else ""
        variant = "; a variant of its source's measure" if each.variant else ""
        yield f"  {each.title}: {value or f'{each.value:.3f}'}{better}{variant}"
        yield f"    computed: {each.said}"
        if each.chunks:
            yield f"    look at: {chunk_numbers(each.chunks)}"
        yield f"    worth: {each.worth} ({each.source})"
