"""Chunks by the vectors of their sentences: how alike what is in one chunk is, and how unlike its
neighbours.

For a chunk with the unit vectors v1 to vn of its sentences, m is their mean.

- Cohesion: the mean cosine of all pairs of sentences in one chunk, over chunks with two or more.
- Likeness of neighbours: the mean cosine of a sentence of one chunk and one of the next, m · m'.
- Independence: cohesion less likeness of neighbours.
- Boundary clarity, by vectors: 1 less the cosine between the last 3 sentences before a boundary and
  the first 3 behind it. MoC [1] has the perplexity of what follows given what precedes, over its
  perplexity alone; this is the variant without a language model that its code has beside it, with
  sentences around the boundary in the place of whole chunks.
- Chunk stickiness, by vectors: the structural entropy, in bits, of the graph of chunks in which two
  are joined when the cosine of their m is above 0.8: - sum of d/2e log2(d/2e) over the degrees d, e
  edges. MoC [1] joins two where knowing one lowers the perplexity of the other by so much.

1. Zhao et al. (2025), MoC: Mixtures of Text Chunking Learners, arXiv 2503.09600.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from chunking.document import Span
from chunking.document.sentences import sentences_in
from chunking.runs import Run

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], npt.ArrayLike]

JOINED = 0.8
"""Cosine above which two chunks are joined in the graph."""
AROUND = 3
"""Sentences on each side of a boundary."""
_MOST_CHUNKS = 4_000
"""Chunks of the graph: more would need more than 128 MB at once."""


@dataclass(frozen=True, slots=True)
class Cohesion:
    """What the vectors say; None for what cannot be computed of so few chunks or sentences."""

    cohesion: float | None
    neighbours: float | None
    independence: float | None
    boundary_clarity: float | None
    stickiness: float | None
    edges: int
    """Of the graph of chunks."""
    least_cohesive: tuple[int, ...]
    """Numbers, from 0, of the chunks with the lowest cohesion, lowest first."""
    unclear: tuple[int, ...]
    """Numbers of the chunks whose end is the least clear boundary, least clear first."""


def sentence_texts(run: Run) -> list[list[str]]:
    """The sentences of each chunk's own text, without white space at their edges."""
    return [[text for span in chunk.kept for text in _sentences(run, span)] for chunk in run.chunks]


def _sentences(run: Run, span: Span) -> list[str]:
    return [text for each in sentences_in(run.document, span) if (text := run.document[each].strip())]


def cohesion(run: Run, embed: Embed) -> Cohesion:
    """Measure a run with an embedder, which is asked for each different sentence once."""
    texts = sentence_texts(run)
    different = list(dict.fromkeys(text for chunk in texts for text in chunk))
    rows = {text: row for row, text in enumerate(different)}
    vectors = _units(np.asarray(embed(different), dtype=np.float64)) if different else np.zeros((0, 1))
    return cohesion_of([vectors[[rows[text] for text in chunk]] for chunk in texts])


def cohesion_of(chunks: Sequence[npt.NDArray[np.float64]]) -> Cohesion:
    """The measures of chunks that are given as the unit vectors of their sentences, in order."""
    filled = [(number, each) for number, each in enumerate(chunks) if len(each)]
    within = {number: _pairs(each) for number, each in filled if len(each) > 1}
    means = [each.mean(axis=0) for _, each in filled]
    across = [float(left @ right) for left, right in pairwise(means)]
    clarity = {
        number: 1 - _cosine(left[-AROUND:].sum(axis=0), right[:AROUND].sum(axis=0))
        for (number, left), (_, right) in pairwise(filled)
    }
    inside, outside = _mean(list(within.values())), _mean(across)
    entropy, edges = _stickiness(means)
    return Cohesion(
        cohesion=inside,
        neighbours=outside,
        independence=None if inside is None or outside is None else inside - outside,
        boundary_clarity=_mean(list(clarity.values())),
        stickiness=entropy,
        edges=edges,
        least_cohesive=tuple(sorted(within, key=lambda number: (within[number], number))),
        unclear=tuple(sorted(clarity, key=lambda number: (clarity[number], number))),
    )


def _pairs(vectors: npt.NDArray[np.float64]) -> float:
    """The mean cosine of all pairs of unit vectors: of the sum's square, less each with itself."""
    count = len(vectors)
    total = vectors.sum(axis=0)
    return float((total @ total - count) / (count * (count - 1)))


def _stickiness(means: Sequence[npt.NDArray[np.float64]]) -> tuple[float | None, int]:
    """The structural entropy of the graph of chunks, and its edges; None for fewer than two chunks,
    or too many."""
    if not 2 <= len(means) <= _MOST_CHUNKS:
        return None, 0
    units = _units(np.asarray(means))
    joined = units @ units.T > JOINED
    np.fill_diagonal(joined, val=False)
    degrees = joined.sum(axis=1)
    ends = int(degrees.sum())
    shares = degrees[degrees > 0] / ends if ends else np.zeros(0)
    return float(-(shares * np.log2(shares)).sum()) + 0.0, ends // 2


def _units(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: npt.NDArray[np.float64] = vectors / np.where(lengths > 0, lengths, 1)
    return units


def _cosine(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> float:
    lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / lengths if lengths else 0.0


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
