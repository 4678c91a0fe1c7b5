"""Quality without questions: measures of a run alone, each with what the literature found about its
worth.

None of them replaces questions with known answers: they say how chunks are, and not whether the
answers are found.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from chunking.analysis.cohesion import AROUND, JOINED, Cohesion
from chunking.analysis.dangling import DanglingStart
from chunking.analysis.segmentation import Agreement
from chunking.text.display import counted

Better = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a run."""

    name: str
    title: str
    value: float | None
    """None where it cannot be computed."""
    better: Better
    said: str
    """What exactly is computed, in a line."""
    worth: str
    """What the literature found about its worth, in a line."""
    source: str
    chunks: tuple[int, ...] = ()
    """Numbers, from 0, of the chunks to look at first."""
    variant: bool = False
    """Whether it differs from the measure of its source."""

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {**asdict(self), "value": None if self.value is None else round(self.value, 6)}


_MOC = "Zhao et al. 2025, MoC, arXiv 2503.09600"
_HOPE = "Brådland et al. 2025, HOPE, arXiv 2505.02171"
_QU = "Qu, Tu and Bao 2025, arXiv 2410.13070"
_PEVZNER = "Pevzner and Hearst 2002, Computational Linguistics 28(1)"
_HICHUNK = "Lu et al. 2025, HiChunk, arXiv 2509.11552, tables 3 and 4"
_MOURA = "de Moura Junior et al. 2026, Adaptive Chunking, arXiv 2603.25333"
_BY_PERPLEXITY = (
    "by perplexity its authors saw it go with question answering, in their own setup; by vectors it was not tested"
)
_SHOWN = 5
"""Chunks that are named of those to look at."""


def dangling_measure(found: tuple[DanglingStart, ...] | None, chunks: int) -> Measure:
    """The share of chunks that begin by pointing back."""
    return Measure(
        "dangling_starts",
        "Chunks that begin by pointing back",
        None if found is None else len(found) / chunks if chunks else 0.0,
        "lower",
        'share of chunks that begin with "it", "this", "as mentioned above" or the like; English, by a list of words'
        if found is not None
        else "not measured: the document seems not to be in English",
        "broken references are one of five measures by which choosing a method for each document beat one for all; "
        "this list of words alone was not tested",
        _MOURA,
        tuple(each.chunk for each in found or ())[:_SHOWN],
        variant=True,
    )


def cohesion_measures(of: Cohesion) -> tuple[Measure, ...]:
    """What the vectors of the sentences say."""
    return (
        Measure(
            "cohesion",
            "Cohesion within chunks",
            of.cohesion,
            "higher",
            "mean cosine of two sentences of one chunk",
            "holding one concept together had minimal impact on answers; small chunks raise it by being small",
            _HOPE,
            of.least_cohesive[:_SHOWN],
            variant=True,
        ),
        Measure(
            "neighbours",
            "Likeness of neighbouring chunks",
            of.neighbours,
            "lower",
            "mean cosine of a sentence of one chunk and one of the next",
            "chunks cut where likeness falls were not shown to be better than windows of a fixed size",
            _QU,
            variant=True,
        ),
        Measure(
            "independence",
            "Independence",
            of.independence,
            "higher",
            "cohesion less likeness of neighbours",
            "independence as a language model judges it went with up to 56% more factual correctness; by vectors it "
            "was not tested",
            _HOPE,
            variant=True,
        ),
        Measure(
            "boundary_clarity",
            "Boundary clarity, by vectors",
            of.boundary_clarity,
            "higher",
            f"1 less the cosine of the {AROUND} sentences before and behind a boundary; the paper has perplexities",
            _BY_PERPLEXITY,
            _MOC,
            of.unclear[:_SHOWN],
            variant=True,
        ),
        Measure(
            "stickiness",
            "Chunk stickiness, by vectors",
            of.stickiness,
            "lower",
            f"structural entropy, in bits, of the graph of chunks that are joined above a cosine of {JOINED}: "
            f"{counted(of.edges, 'edge')}; in the paper joined by perplexity. It grows with the number of chunks",
            _BY_PERPLEXITY,
            _MOC,
            variant=True,
        ),
    )


def agreement_measures(of: Agreement) -> tuple[Measure, ...]:
    """How far the cuts agree with gold ones."""
    return (
        Measure(
            "boundary_f1",
            "F1 of boundaries",
            of.f1,
            "higher",
            f"cuts at exactly a gold place; precision {of.precision:.3f} of {of.cuts}, recall {of.recall:.3f} of "
            f"{of.gold_cuts}",
            "on HiCBench three chunkers rank by it as by evidence found; fixed windows beat the one with the lowest",
            _HICHUNK,
        ),
        Measure(
            "pk",
            "Pk",
            of.pk,
            "lower",
            f"share of windows of {of.window} visible characters in which one side has a cut and the other none",
            "punishes a missing cut more than one too many, and hardly sees a cut that is nearly right",
            _PEVZNER,
        ),
        Measure(
            "window_diff",
            "WindowDiff",
            of.window_diff,
            "lower",
            f"share of windows of {of.window} visible characters with different numbers of cuts",
            "mends what is wrong with Pk; its values do not compare between texts",
            _PEVZNER,
        ),
    )
