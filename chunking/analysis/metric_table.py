"""The table of metrics: name, unit, direction, decimals and explanation of each, said once.

The strip of numbers, Compare, Tune, the HTML report and the docs draw from this table. A new metric
that follows from the fields of `Metrics` (`core/metrics.py`) is one line here and a function; one
that has to look at the run again needs a field there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

from chunking.core.metrics import Metrics
from chunking.text.rounding import rounded

Better = Literal["more", "less", ""]
"""Which way is better; "" where neither is."""
Unit = Literal["count", "tokens", "share", "score"]
"""A share and a score are from 0 to 1; a share is written in percent."""
Verdict = Literal["", "better", "worse"]


NO_LIMITS = "no limits"
"""What is said in place of a share where a strategy sets neither a minimum nor a maximum."""


@runtime_checkable
class Limited(Protocol):
    """Chunks of a run, or of many, that were held against limits."""

    @property
    def chunk_count(self) -> int: ...
    @property
    def within_limits(self) -> float | None: ...
    @property
    def within_with_context(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a run, or of a config on several documents."""

    name: str
    """As in JSON; where there is no `function`, the field of `Metrics` to read."""
    title: str
    unit: Unit = "count"
    better: Better = ""
    help: str = ""
    """Its meaning in one line; "" where the title is enough."""
    decimals: int = 0
    """Maximum in a table; of the percentage where it is a share."""
    short: str = ""
    """Title for a narrow column, and for use behind a number."""
    function: Callable[[Metrics], float | None] | None = None
    """Computes it, where it is not a field."""
    words: Callable[[Limited], str] | None = None
    """Its text where it stands alone, if that is more than the number."""
    none: str = "–"
    """What is said where there is no number."""

    def of(self, measured: object) -> float | None:
        """The number of a run (`Metrics`) or of a config (`tuning.summary.ConfigSummary`); None
        where it has none."""
        if self.function and isinstance(measured, Metrics):
            return self.function(measured)
        value: float | None = getattr(measured, self.name)
        return value

    def text(self, measured: object) -> str:
        """The number where it stands alone."""
        if self.words and isinstance(measured, Limited):
            return self.words(measured)
        return self.value_text(self.of(measured))

    def value_text(self, value: float | None) -> str:
        """A value wherever it is shown: a share in percent, a number with separated thousands, and
        with one decimal where it is not whole."""
        if value is None:
            return self.none
        if self.unit == "share":
            return share_text(value, self.decimals)
        if self.unit == "score":
            return f"{value:.{self.decimals}f}"
        return f"{rounded(value, 0 if float(value).is_integer() else 1):,}"

    def verdict(self, before: float | None, after: float | None) -> Verdict:
        """Whether a number is better or worse than before; "" where it is the same, or neither way
        is better."""
        if not self.better or before is None or after is None or before == after:
            return ""
        return "better" if (after > before) == (self.better == "more") else "worse"


WITH_CONTEXT = " with context)"
"""How `within_text` ends where chunks are over the maximum with their context alone: the first
share counts them without it."""


def share_text(share: float | None, decimals: int = 0) -> str:
    """A share in percent, rounded; 100% and 0% only when it is all or none. Every share that a
    person reads is written by it: `12.5%`, `3%`."""
    return "–" if share is None else f"{float(rounded(percent_to_show(share, decimals), decimals)):g}%"


def percent_to_show(share: float, decimals: int = 0) -> float:
    """A share in percent, not so near to all or to none that with so many decimals it would read as
    that."""
    least = 10.0**-decimals
    return 100 * share if share in (0, 1) else min(max(100 * share, least), 100 - least)


def within_text(of: Limited) -> str:
    """The share within limits, with the counter where it estimates; where chunks are over the
    maximum with their context alone, also the share as they are embedded."""
    if of.within_limits is None:
        return NO_LIMITS if of.chunk_count else share_text(None)
    share, whole = share_text(of.within_limits), of.within_with_context
    counter = of.limits_counter if isinstance(of, Metrics) and of.limits_approximate else ""
    by = f" by {counter}" if counter else ""
    return (
        f"{share}{by}"
        if whole is None or abs(whole - of.within_limits) < 1e-9
        else f"{share}{by} ({share_text(whole)}{WITH_CONTEXT}"
    )


def number_and_words(text: str) -> tuple[str, str]:
    """The number that a text begins with, and what is said of it: `100%`, ` (25% with
    context)`."""
    ends = [at for at in (text.find(", "), text.find(" ("), text.find(" by ")) if at > 0]
    at = min(ends, default=len(text))
    return text[:at], text[at:]


def _p95(metrics: Metrics) -> float:
    """To the nearest token: it is reckoned between the sizes of two chunks."""
    return float(rounded(metrics.p95_tokens))


_WITHIN = (
    "chunks between the strategy's own minimum and maximum, by its own counter; none where it has neither. Most limits "
    "do not count what is put before a chunk (its headings, an overlap). With context: the maximum counts it, as the "
    "chunk is embedded with it; the minimum is judged without it here too"
)
_WITHIN_WITH = "the minimum judged without the context, the maximum with it, as the chunk is embedded"
_CHUNKS = "pieces that the text is cut into; each is embedded and found by itself"
_TO_EMBED = "tokens of all chunks together, context and overlap included"
_MEDIAN = "half of the chunks have fewer tokens, half have more; context and overlap included"
_DEVIATION = "how far the sizes are from their mean, in tokens: the smaller, the more alike they are"
_CONTEXT = "the share of the tokens to embed that is put before or behind a chunk's own text: headings, an overlap"
_COUNTED = "by what the limit counts: most limits do not count what is put before a chunk"
_OMEGA = (
    "the precision if exactly the chunks that contain the answers were retrieved; the mean over the questions, and "
    "higher for small chunks"
)
_ATOMIC = "tables, code, lists, quotes, HTML and formulas"

LEFT_OUT = Metric(
    "left_out",
    "Characters left out",
    better="less",
    help="visible characters in no chunk, such as those of a last chunk below the minimum; front matter is not counted",
)
"""One number under one name, of a run, of a config and of a corpus: what health checks, offers and
requirements call left out, too."""
GROUPS: Mapping[str, tuple[Metric, ...]] = {
    "Sizes, context and overlap included": (
        Metric("chunk_count", "Chunks", help=_CHUNKS, short="chunks"),
        Metric("tokens_to_embed", "Tokens to embed", "tokens", help=_TO_EMBED, short="to embed"),
        Metric(
            "mean_tokens",
            "Mean tokens",
            "tokens",
            help="tokens to embed, shared out evenly over the chunks",
            decimals=1,
        ),
        Metric("median_tokens", "Median tokens", "tokens", help=_MEDIAN, decimals=1, short="median"),
        Metric(
            "p95_tokens",
            "95th percentile",
            "tokens",
            help="95 of 100 chunks have at most so many tokens; between the sizes of two chunks, in proportion",
            short="95%",
            function=_p95,
        ),
        Metric("min_tokens", "Smallest", "tokens", help="tokens of the smallest chunk"),
        Metric("max_tokens", "Largest", "tokens", help="tokens of the largest chunk", short="largest"),
        Metric("std_tokens", "Standard deviation", "tokens", help=_DEVIATION, decimals=1),
        Metric("context_share", "Context and overlap", "share", help=_CONTEXT),
    ),
    "Limits, each by its own counter": (
        Metric(
            "within_limits",
            "Within limits",
            "share",
            "more",
            _WITHIN,
            short="within limits",
            words=within_text,
            none=NO_LIMITS,
        ),
        Metric("within_with_context", "Within limits with context", "share", "more", _WITHIN_WITH, none=NO_LIMITS),
        Metric("under_minimum", "Under the minimum", better="less", help=f"chunks {_COUNTED}"),
        Metric("over_maximum", "Over the maximum", better="less", help=f"chunks {_COUNTED}"),
        Metric(
            "over_with_context",
            "More over it with context",
            better="less",
            help="chunks over the maximum only with what is put before them",
        ),
        Metric(
            "oversize",
            "Over it, cannot be cut",
            better="less",
            help="chunks over the maximum that are one piece, such as a long line of code",
        ),
        Metric("oversize_share", "Share over it, cannot be cut", "share", "less", "the same, of all chunks"),
    ),
    "What was cut, kept and left out": (
        Metric(
            "blocks_cut",
            "Blocks cut in two",
            better="less",
            help="tables, code and lists with a boundary inside, each once however often it is cut",
            short="blocks cut in two",
        ),
        Metric(
            "cuts_inside_blocks",
            "Boundaries inside any block",
            better="less",
            help="boundaries inside a table, code or a list, and inside a paragraph, a quote or another block",
        ),
        Metric("atomic_kept", "Kept whole, quotes, HTML and formulas too", better="more", help=_ATOMIC),
        Metric("atomic_split", "Cut in two, quotes, HTML and formulas too", better="less", help=_ATOMIC),
        Metric("heading_only", "Chunks of headings only", better="less", help="no text that a question could find"),
        Metric(
            "repeated", "Repeated chunks", better="less", help="the same text below the same headings as an earlier one"
        ),
        Metric(
            "skip_count",
            "Passages left out",
            help="places of the source that are in no chunk, those of white space alone included",
        ),
        Metric("coverage", "Coverage", "share", "more", "visible characters that are in some chunk", decimals=1),
    ),
}
"""All of one run, by what they are about."""

_BY_NAME = {metric.name: metric for group in GROUPS.values() for metric in group}
STRIP = tuple(
    _BY_NAME[name]
    for name in (
        "chunk_count",
        "median_tokens",
        "p95_tokens",
        "within_limits",
        "blocks_cut",
        "tokens_to_embed",
    )
)
"""The metrics of the number strip, in its order."""
PICTURE = (
    *(_BY_NAME[name] for name in ("chunk_count", "median_tokens", "max_tokens", "tokens_to_embed", "context_share")),
    *(_BY_NAME[name] for name in ("heading_only", "blocks_cut")),
    LEFT_OUT,
)
"""The metrics of the picture on a strategy's page."""
OF_CONFIGS = (
    replace(_BY_NAME["chunk_count"], name="chunks"),
    _BY_NAME["median_tokens"],
    _BY_NAME["max_tokens"],
    # Configs are compared by what they cost; of one run it is not said that fewer are better.
    replace(_BY_NAME["tokens_to_embed"], better="less"),
    Metric("under_share", "Share under the minimum", "share", "less", f"chunks {_COUNTED}", decimals=1),
    Metric("over_share", "Share over the maximum", "share", "less", f"chunks {_COUNTED}", decimals=1),
    _BY_NAME["blocks_cut"],
    _BY_NAME["cuts_inside_blocks"],
    LEFT_OUT,
    Metric(
        "duplicate_share",
        "Duplicated text",
        "share",
        "less",
        "the share of the tokens to embed that repeat text: context, overlap, equal chunks",
        decimals=1,
    ),
    Metric("answers_cut", "Answers cut or left out", better="less", help="whole in no chunk, of the questions given"),
    Metric("spans_cut", "Spans to keep whole that are cut", better="less", help="of what is marked so on Inspect"),
    Metric("precision_omega", "Precision-omega", "score", "more", _OMEGA, decimals=3),
)
"""The metrics that configs are compared by on several documents (`tuning/summary.py`), named as the
columns of `sweep`."""


def metric(name: str) -> Metric:
    """A run's metric by its name. Raises KeyError where there is none."""
    return _BY_NAME[name]


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric over all runs."""

    metric: Metric
    values: tuple[float | None, ...]

    def verdict(self, value: float | None) -> Verdict:
        """Whether a value is better or worse than the first run's."""
        return self.metric.verdict(self.values[0], value)


def lines(metrics: Sequence[Metrics]) -> Mapping[str, tuple[MetricLine, ...]]:
    """Every metric of some runs in their groups, then the counts by reason."""
    return {
        **{
            title: tuple(MetricLine(each, tuple(each.of(run) for run in metrics)) for each in group)
            for title, group in GROUPS.items()
        },
        "Characters outside the chunks' own text, by reason": _by_name([each.skipped_characters for each in metrics]),
        "Chunks by what ended them": _by_name([each.boundaries for each in metrics]),
        "Chunks by heading depth": _by_name([_by_depth(each) for each in metrics]),
    }


def _by_depth(of: Metrics) -> Mapping[str, int]:
    return {str(depth): count for depth, count in of.depths.items()}


def _by_name(counts: Sequence[Mapping[str, int]]) -> tuple[MetricLine, ...]:
    names = dict.fromkeys(name for each in counts for name in each)
    return tuple(MetricLine(Metric(name, name), tuple(each.get(name, 0) for each in counts)) for name in names)
