"""Every metric as a line to read: its name, its unit, whether more of it is better, and its value in each run.

The app's table and the HTML report show the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunking.core.metrics import Metrics

Better = Literal["more", "less", ""]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table of metrics, over all runs."""

    name: str
    values: tuple[float | None, ...]
    unit: Literal["count", "tokens", "share"] = "count"
    better: Better = ""
    hint: str = ""


def lines(metrics: Sequence[Metrics]) -> Mapping[str, tuple[Line, ...]]:
    """Every metric, by what it is about."""

    def line(
        name: str, field: str, unit: Literal["count", "tokens", "share"] = "count", better: Better = "", hint: str = ""
    ) -> Line:
        return Line(name, tuple(getattr(each, field) for each in metrics), unit, better, hint)

    return {
        "Sizes, context and overlap included": (
            line("Chunks", "chunk_count"),
            line("Tokens to embed", "tokens_to_embed", "tokens"),
            line("Mean tokens", "mean_tokens", "tokens"),
            line("Median tokens", "median_tokens", "tokens"),
            line("95th percentile", "p95_tokens", "tokens"),
            line("Smallest", "min_tokens", "tokens"),
            line("Largest", "max_tokens", "tokens"),
            line("Standard deviation", "std_tokens", "tokens"),
            line("Context and overlap", "context_share", "share", hint="share of the tokens to embed"),
        ),
        "Limits, each by its own counter": (
            line("Within limits", "within_limits", "share", "more", "– where a strategy has no limits"),
            line("Under the minimum", "under_minimum", better="less"),
            line("Over the maximum", "over_maximum", better="less", hint="by what the limit counts"),
            line("Over it with context alone", "over_with_context", better="less", hint="as a whole text"),
            line("Cannot be split", "oversize", better="less", hint="chunks flagged unsplittable"),
            line("Share that cannot be split", "oversize_share", "share", "less"),
        ),
        "What was cut, kept and left out": (
            line("Cuts inside a block", "cuts_inside_blocks", better="less"),
            line("Tables, lists, code kept whole", "atomic_kept", better="more"),
            line("Tables, lists, code split", "atomic_split", better="less"),
            line("Chunks of headings only", "heading_only", better="less"),
            line("Repeated chunks", "repeated", better="less"),
            line("Stretches left out", "skip_count"),
            line("Coverage", "coverage", "share", "more", "visible characters that some chunk says"),
        ),
        "Characters left out, by reason": _by_name([each.skipped_characters for each in metrics]),
        "Chunks by what ended them": _by_name([each.boundaries for each in metrics]),
        "Chunks by headings above them": _by_name([_by_depth(each) for each in metrics]),
    }


def _by_depth(of: Metrics) -> Mapping[str, int]:
    return {str(depth): count for depth, count in of.depths.items()}


def _by_name(counts: Sequence[Mapping[str, int]]) -> tuple[Line, ...]:
    names = dict.fromkeys(name for each in counts for name in each)
    return tuple(Line(name, tuple(each.get(name, 0) for each in counts)) for name in names)


def share_text(share: float | None) -> str:
    """A share in percent; 100% and 0% only when it is all or none."""
    return "–" if share is None else f"{share:.0%}" if share in (0, 1) else f"{min(max(share, 0.01), 0.99):.0%}"


def within_text(metrics: Metrics) -> str:
    """The share within limits; by which counter where that only estimates; and what is over as a whole text alone."""
    said = share_text(metrics.within_limits)
    if metrics.within_limits is None:
        return said
    if metrics.limits_approximate:
        said += f" by {metrics.limits_counter}"
    return said + (f", {metrics.over_with_context:,} over with context" if metrics.over_with_context else "")


def value_text(line: Line, value: float | None) -> str:
    """One value as people write it: a share in percent, a number with its thousands apart, – where there is none."""
    if line.unit == "share":
        return share_text(value)
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
