"""The boundaries of two runs, and the documents of a corpus, as a DataFrame.

No Streamlit; pandas takes long to import, so this is imported late.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from chunking import Document, Run, Span
from chunking.analysis import BoundaryChange, DocumentFigures, percent_to_show
from pages.ui.compare.corpus_numbers import ComparedDocument
from pages.ui.side_by_side.numbers import Versus

SIGNS = {"kept": "= kept", "moved": "→ moved", "added": "+ added", "removed": "× removed"}
"""A sign and a word for each, as on the ribbon."""
_SHOWN = 80
"""Characters of the line that follows a boundary."""


def boundaries(of: Versus, kinds: Collection[str]) -> pd.DataFrame:
    """One row for each boundary of the kinds asked for, in source order; `offset` is where it
    leads. The page is that of what follows, of a document that has pages."""
    changes = [each for each in of.changes if each.change in kinds]
    document = of.after.run.document
    old, new = _ends(of.before.run), _ends(of.after.run)
    pages = [found[0] for each in changes if (found := document.pages(Span(each.offset, each.offset + 1)))]
    return pd.DataFrame(
        {
            "Line": [document.line_of(each.offset) for each in changes],
            **({"Page": pages} if pages else {}),
            "Boundary": [SIGNS[each.change] for each in changes],
            "Moved by": [f"{each.moved_by:+,}".replace("-", "−") if each.moved_by else "" for each in changes],
            "Reason before": [each.before_reason.rule if each.before_reason else "" for each in changes],
            "Reason after": [each.after_reason.rule if each.after_reason else "" for each in changes],
            "Chunk": [f"{_number(old, each.before)} → {_number(new, each.after)}" for each in changes],
            "What follows": [_following(document, each) for each in changes],
            "offset": [each.offset for each in changes],
        }
    )


def documents(
    names: Sequence[str], found: Mapping[int, ComparedDocument], rows: Sequence[int], which: int, letters: Sequence[str]
) -> pd.DataFrame:
    """One row for each of these documents: the first config beside another one, numbered from 0
    after it."""
    one, other = letters[0], letters[which + 1]
    figures = [(found[row].figures[0], found[row].figures[which + 1]) for row in rows]
    changed = [found[row].against[which] for row in rows]

    def numbers(name: str) -> dict[str, list[float | None]]:
        return {
            f"{_TITLES[name]} {letter}": [_number_of(pair[at], name) for pair in figures]
            for at, letter in ((0, one), (1, other))
        }

    return pd.DataFrame(
        {
            "Document": [names[row] for row in rows],
            "Shared": [
                None if changes is None else round(percent_to_show(changes.shared) / 100, 2) for changes in changed
            ],
            **numbers("chunk_count"),
            **numbers("median_tokens"),
            **numbers("blocks_cut"),
            **numbers("over_maximum"),
            **(
                numbers("over_with_context") if any(each.over_with_context for pair in figures for each in pair) else {}
            ),
            "Tokens to re-embed": [None if changes is None else changes.again_tokens for changes in changed],
            "Not cut": [first.problem or second.problem for first, second in figures],
        }
    )


_TITLES = {
    "chunk_count": "Chunks",
    "median_tokens": "Median",
    "blocks_cut": "Blocks cut",
    "over_maximum": "Over maximum",
    "over_with_context": "More over with context",
}


def _number_of(figures: DocumentFigures, name: str) -> float | None:
    """None where it was not cut, and where nothing can be over a maximum because there is none."""
    if figures.problem or (name in ("over_maximum", "over_with_context") and not figures.maximum):
        return None
    value: float = getattr(figures, name)
    return value


def _ends(run: Run) -> Sequence[int]:
    return [chunk.body.end for chunk in run.chunks]


def _number(ends: Sequence[int], cut: int | None) -> str:
    """Which chunk the cut ends, from 1."""
    return "–" if cut is None else f"{bisect_left(ends, cut) + 1:,}"


def _following(document: Document, change: BoundaryChange) -> str:
    text = document.text[change.offset : change.offset + 4 * _SHOWN].strip()
    line = text.splitlines()[0] if text else ""
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
