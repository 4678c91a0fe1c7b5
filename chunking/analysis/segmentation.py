"""How far a run's cuts agree with gold ones: Pk, WindowDiff and the F1 of boundaries.

All in visible characters, so that it makes no difference on which side of white space a cut is, and
texts of every language count alike. A text of n visible characters has cuts between two of them, at
1 to n - 1. With k, half the mean length of a gold segment, a window has the characters i and i + k,
for each i from 0 to n - k - 1:

- Pk [1]: the share of windows in which one side has a cut between the two and the other none.
- WindowDiff [2]: the share of windows in which they have different numbers of cuts.
- F1: of cuts that are at exactly the same place; precision is their share of the run's cuts, recall
  of the gold ones. The start and the end of the text are no cuts.

1. Beeferman, Berger and Lafferty (1999), Statistical Models for Text Segmentation.
2. Pevzner and Hearst (2002), A Critique and Improvement of an Evaluation Metric for Text
   Segmentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from chunking.runs import Run
from chunking.text.whitespace import white_flags

Cuts = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A run's cuts against gold ones."""

    pk: float
    window_diff: float
    precision: float
    recall: float
    f1: float
    cuts: int
    gold_cuts: int
    window: int
    """k: half the mean length of a gold segment, in visible characters."""

    def to_dict(self) -> dict[str, float | int]:
        """Plain values for JSON."""
        return asdict(self)


def agreement(run: Run, gold: Iterable[int]) -> Agreement:
    """A run against gold cuts, given as offsets into the document's text."""
    before = _visible_before(run.document.text)
    return agreement_of(_places(run.columns.kept_start.tolist(), before), _places(gold, before), int(before[-1]))


def agreement_of(found: Sequence[int], gold: Sequence[int], length: int) -> Agreement:
    """Cuts against gold ones in a text of so many characters, each from 1 to `length` - 1."""
    ours, theirs = (np.unique(np.asarray(each, dtype=np.int32)) for each in (found, gold))
    hits = len(np.intersect1d(ours, theirs))
    window = max(1, round(length / (2 * (len(theirs) + 1))))
    counts = [_in_windows(each, length, window) for each in (ours, theirs)]
    differ, miss = (
        (float(np.mean(differing)) if len(differing) else 0.0)
        for differing in (counts[0] != counts[1], (counts[0] > 0) != (counts[1] > 0))
    )
    return Agreement(
        pk=miss,
        window_diff=differ,
        precision=hits / len(ours) if len(ours) else 0.0,
        recall=hits / len(theirs) if len(theirs) else 0.0,
        f1=2 * hits / (len(ours) + len(theirs)) if len(ours) + len(theirs) else 1.0,
        cuts=len(ours),
        gold_cuts=len(theirs),
        window=window,
    )


def _in_windows(cuts: Cuts, length: int, window: int) -> Cuts:
    """For each window, how many cuts lie between its two characters."""
    until = np.zeros(length + 1, dtype=np.int32)
    until[cuts] = 1
    until = np.cumsum(until)
    windows: Cuts = until[window:length] - until[: max(0, length - window)]
    return windows


def _visible_before(text: str) -> Cuts:
    """For each offset, the visible characters before it; the last is all of them."""
    before: Cuts = np.concatenate([[0], np.cumsum(~white_flags(text))]).astype(np.int32)
    return before


def _places(offsets: Iterable[int], before: Cuts) -> list[int]:
    """Offsets as cuts in visible characters; those at the text's edges are none."""
    return sorted({int(before[offset]) for offset in offsets} - {0, int(before[-1])})
