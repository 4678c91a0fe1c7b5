"""What a cell of a sweep is looked at by: each number with its words, how it is written, and which way is better.

No Streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from chunking.tuning.summary import INVARIANTS, Invariant, Numbers
from pages.ui.layout.markup import Figure

Better = Literal["more", "less", ""]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a config."""

    name: str
    """As a column of `chunkscope sweep`."""
    title: str
    of: Callable[[Numbers], float | None]
    unit: Literal["count", "share", "score"] = "count"
    better: Better = ""

    def text(self, numbers: Numbers) -> str:
        """The number as people write it; – where there is none."""
        value = self.of(numbers)
        if value is None:
            return "–"
        if self.unit == "share":
            return f"{value:.1%}"
        return f"{value:.3f}" if self.unit == "score" else f"{value:,.0f}"


MEASURES = (
    Measure("chunks", "Chunks", lambda each: each.chunks),
    Measure("median_tokens", "Median tokens", lambda each: each.median_tokens),
    Measure("tokens_to_embed", "Tokens to embed", lambda each: each.tokens_to_embed, better="less"),
    Measure("under_share", "Share under the minimum", lambda each: each.under_share, "share", "less"),
    Measure("over_share", "Share over the maximum", lambda each: each.over_share, "share", "less"),
    Measure("cuts_inside_blocks", "Cuts inside blocks", lambda each: each.cuts_inside_blocks, better="less"),
    Measure("duplicate_share", "Duplicated text", lambda each: each.duplicate_share, "share", "less"),
    Measure("answers_cut", "Answers cut", lambda each: each.answers_cut, better="less"),
    Measure("spans_cut", "Spans to keep whole that are cut", lambda each: each.spans_cut, better="less"),
    Measure("precision_omega", "Precision-omega", lambda each: each.precision_omega, "score", "more"),
)
SHORTLY: dict[Invariant, str] = {
    "within-limits": "within limits",
    "code-whole": "code whole",
    "tables-whole": "tables whole",
    "text-under-headings": "no bare headings",
    "nothing-left-out": "nothing left out",
    "answers-whole": "answers whole",
    "spans-whole": "marked spans whole",
}
"""Each invariant in two or three words."""


def measures(*, questions: bool, whole: bool) -> tuple[Measure, ...]:
    """Those that can be measured: some need questions with known answers, or spans to keep whole."""
    there = {"answers_cut": questions, "precision_omega": questions, "spans_cut": whole}
    return tuple(each for each in MEASURES if there.get(each.name, True))


def measure(name: str) -> Measure:
    """The measure of that name; the first where there is none."""
    return next((each for each in MEASURES if each.name == name), MEASURES[0])


def holds(numbers: Numbers, must: Sequence[Invariant]) -> bool:
    """Whether all that must hold does."""
    return not set(numbers.broken) & set(must)


def broken_words(numbers: Numbers, must: Sequence[Invariant]) -> list[str]:
    """What must hold and does not, with how often: `3 code blocks cut`."""
    found = [numbers.against_words(name) for name in INVARIANTS if name in must]
    return [words for words in found if words]


def figures(now: Numbers, was: Numbers | None, shown: Sequence[Measure]) -> tuple[Figure, ...]:
    """The chosen cell's numbers beside those of the current config."""
    return tuple(
        Figure(each.title, each.text(now), each.text(was) if was else "", _verdict(each, now, was)) for each in shown
    )


def _verdict(by: Measure, now: Numbers, was: Numbers | None) -> Literal["", "better", "worse"]:
    before, after = by.of(was) if was else None, by.of(now)
    if before is None or after is None or before == after or not by.better:
        return ""
    return "better" if (after > before) == (by.better == "more") else "worse"
