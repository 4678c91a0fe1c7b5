"""The measures that a cell of a sweep can be shown by, from the table of metrics, and the
conditions that must hold. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunking.analysis import OF_CONFIGS, Metric
from chunking.core import Limits
from chunking.tuning import INVARIANTS, ConfigSummary, Invariant
from pages.ui.layout.markup import Figure, figure

MEASURES = OF_CONFIGS
OMEGA = "precision if exactly the chunks with answers were found, the most this chunking allows (precision-omega)"
"""What that name means, before it is named."""
SHORTLY: dict[Invariant, str] = {
    "within-limits": "none over the maximum",
    "code-whole": "code whole",
    "tables-whole": "tables whole",
    "lists-whole": "lists whole",
    "text-under-headings": "no bare headings",
    "nothing-left-out": "nothing left out",
    "answers-whole": "answers whole",
    "spans-whole": "marked spans whole",
}
"""Each invariant in a few words."""


def measures(*, questions: bool, whole: bool, limits: Limits | None = None) -> tuple[Metric, ...]:
    """The measures that can be taken: some need questions with known answers, spans to keep whole,
    or a minimum or maximum of the strategy, where all that is shown has its `limits`."""
    there = {"answers_cut": questions, "precision_omega": questions, "spans_cut": whole}
    if limits:
        there |= {name: getattr(limits, limit) is not None for name, limit in _LIMITED.items()}
    return tuple(each for each in MEASURES if there.get(each.name, True))


_LIMITED = {"under_share": "minimum", "over_share": "maximum"}
"""The measures that a limit decides, by its name."""


def measure(name: str) -> Metric:
    """The measure of that name; the first one for an unknown name."""
    return next((each for each in MEASURES if each.name == name), MEASURES[0])


def holds(numbers: ConfigSummary, must: Sequence[Invariant]) -> bool:
    """Whether all requirements are met."""
    return not set(numbers.broken) & set(must)


def met_without(cells: Sequence[ConfigSummary], must: Sequence[Invariant]) -> list[tuple[Invariant, int]]:
    """How many of the cells meet all requirements but one, for each that excludes some; the one
    that excludes most first."""
    all_met = sum(holds(cell, must) for cell in cells)
    counts = [(name, sum(holds(cell, [other for other in must if other != name]) for cell in cells)) for name in must]
    return sorted(((name, count) for name, count in counts if count > all_met), key=lambda each: -each[1])


def broken_words(numbers: ConfigSummary, must: Sequence[Invariant]) -> list[str]:
    """What must hold and does not, with how often: `3 code blocks cut`."""
    found = [numbers.violation_words(name) for name in INVARIANTS if name in must]
    return [words for words in found if words]


def figures(
    now: ConfigSummary, was: ConfigSummary | None, shown: Sequence[Metric], limits: tuple[Limits, Limits] | None = None
) -> tuple[Figure, ...]:
    """The chosen cell's numbers beside those of the current config; `limits` are those of both."""
    found = (figure(_fair(each, now, was) if was else each, now, was) for each in shown)
    return tuple(_by_its_limit(each, of, limits) if limits else of for each, of in zip(shown, found, strict=True))


def _by_its_limit(metric: Metric, of: Figure, limits: tuple[Limits, Limits]) -> Figure:
    """A share under or over a limit beside one of another limit, which is named: neither is
    better."""
    name = _LIMITED.get(metric.name)
    now, was = (getattr(each, name) if name else None for each in limits)
    if now == was or was is None or not of.was:
        return of
    return replace(of, verdict="", was=f"{of.was} by a {name} of {was:,}")


def _fair(metric: Metric, now: ConfigSummary, was: ConfigSummary) -> Metric:
    """Of two configs the one with fewer tokens to embed is not the better for them where it leaves
    out more text."""
    against = (now.tokens_to_embed - was.tokens_to_embed) * (now.left_out - was.left_out) < 0
    if metric.name != "tokens_to_embed" or not against:
        return metric
    return replace(metric, better="", help=f"{metric.help}; the config with fewer tokens leaves out more text")
