"""The numbers of a report: before beside after, every boundary with its reason, every metric, every
setting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking.analysis.comparison import BoundaryChange, Comparison
from chunking.analysis.corpus_checks import FailedCheck
from chunking.analysis.metric_table import STRIP, Metric, MetricLine, Verdict, lines, share_text
from chunking.config.setting_spec import setting_specs
from chunking.config.validation import plain
from chunking.config.values import Value
from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.core.metrics import Metrics
from chunking.core.strategy import Strategy
from chunking.report.source import Changes
from chunking.runs import Run
from chunking.strategy_docs.tables import setting_rows
from chunking.text.display import be, counted

_ADDS_UP = ("chunk_count", "blocks_cut", "cuts_inside_blocks", "tokens_to_embed")
"""Of the strip, what may be summed over documents."""

Head = Sequence[tuple[str, str]]
"""The columns of a table, each with its name and its class."""
SETTINGS_HEAD: Head = [("setting", ""), ("value", ""), ("default", ""), ("what raising or choosing it does", "")]


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    """Where a part ends, by which rule, with the numbers that decided."""

    lines: str
    because: Boundary
    chunk: Chunk | None = None
    """None where the part is left out."""
    number: int = 0
    change: BoundaryChange | None = None

    @property
    def numbers(self) -> str:
        """The numbers of its boundary."""
        return numbers_words(self.because)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting of a config, as the YAML has it."""

    name: str
    value: str
    unit: str
    default: str
    is_default: bool
    help: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The documents of a report."""

    head: Head
    rows: Sequence[tuple[str, str, Sequence[str]]]
    """Name, link and figures."""
    total: Sequence[str]
    checks: Sequence[tuple[str, int, int]] = ()
    """Health checks that some document does not pass: title, and how many fail it and have a
    warning."""
    unfit: str = ""
    """How many documents fail a check, in words; "" where none was made."""


def strip_figures(now: Metrics, was: Metrics | None) -> Iterator[tuple[Metric, str, str, Verdict]]:
    """The six numbers that say most: each with its value, the value before, and which is better."""
    for metric in STRIP:
        before = metric.text(was) if was else ""
        yield metric, metric.text(now), before, metric.verdict(metric.of(was), metric.of(now)) if was else ""


def left_out_words(metrics: Metrics) -> str:
    """That text is in no chunk, beside what looks well otherwise; "" where none is."""
    lost = metrics.left_out
    if not lost:
        return ""
    return f"{counted(lost, 'visible character')} {be(lost)} in no chunk; the Source below shows them as left out."


def comparison_words(of: Comparison) -> str:
    """What became of the baseline's boundaries, and what a store must do, in two sentences."""
    counts = ", ".join(f"{of.count(change):,} {change}" for change in ("kept", "moved", "added", "removed"))
    again = f"{len(of.to_embed_again):,} of {len(of.after.chunks):,} chunks ({share_text(of.changed_share)})"
    return (
        f"Boundaries: {counts}. To re-embed: {again}, {of.tokens_to_embed_again:,} tokens; "
        f"{counted(len(of.ids_gone), 'old chunk')} to delete."
    )


def metrics_head(*, compared: bool) -> Head:
    """Every metric has one value; with a baseline, before beside after."""
    return [("metric", ""), *([("before", "number"), ("now", "number")] if compared else [("value", "number")])]


def metric_groups(now: Metrics, was: Metrics | None) -> list[tuple[str, tuple[MetricLine, ...]]]:
    """Every metric, in groups with their titles."""
    return [(title, group) for title, group in lines([was, now] if was else [now]).items() if group]


# ---- boundaries ----


def boundary_head(*, compared: bool) -> Head:
    """The columns of the table of boundaries."""
    head = [("chunk", ""), ("lines", ""), ("tokens", "number"), ("why", ""), ("rule", ""), ("numbers", "")]
    return [*head, *([("baseline", "")] if compared else [])]


def boundary_rows(run: Run, changes: Changes | None) -> Iterator[BoundaryRow]:
    """A row for each part."""
    number = 0
    for part in run.parts:
        if isinstance(part, Skip):
            first, last = (run.document.line_of(at) for at in (part.body.start, part.body.end - 1))
            yield BoundaryRow(f"{first:,}–{last:,}", part.because)
        else:
            number += 1
            change = changes.at.get(part.body.end) if changes else None
            lines = f"{part.start_line:,}–{part.end_line:,}"
            yield BoundaryRow(lines, part.ended_by, part, number, change)


def numbers_words(boundary: Boundary) -> str:
    """The numbers behind a boundary: what was held, what came next, and the settings that
    decided."""
    numbers = [("held", boundary.held), ("next", boundary.next), ("limit", boundary.limit)]
    names = f" ({', '.join(_on_screen(name) for name in boundary.settings)})" if boundary.settings else ""
    found = " · ".join(f"{name} {_number(value)}" for name, value in numbers if value is not None)
    return f"{found}{names}".strip()


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _on_screen(setting: str) -> str:
    """`base.max_tokens` as the YAML has it, `base.maxTokens`."""
    return ".".join(first + "".join(word.title() for word in rest) for first, *rest in map(_words, setting.split(".")))


def _words(name: str) -> list[str]:
    return name.split("_")


# ---- settings ----


def shown_settings(strategy: Strategy, inside: str = "") -> Iterator[SettingRow]:
    """Every setting with its value, those of a strategy within it after it."""
    kind = type(strategy)
    for spec, row in zip(setting_specs(kind), setting_rows(kind), strict=True):
        value = getattr(strategy, spec.name)
        base = value if isinstance(value, Strategy) else None
        yield SettingRow(
            name=inside + row.name,
            value=f"{{strategy: {base.name}}}" if base else _yaml(plain(value)),
            unit=row.unit if isinstance(value, int | float) else "",
            default=row.default,
            is_default=spec.is_default(value),
            help=row.help,
        )
        if base:
            yield from shown_settings(base, f"{inside}{row.name}.")


def _yaml(value: Value) -> str:
    if isinstance(value, str) and value.replace("-", "").isalnum():
        return value
    return json.dumps(value, ensure_ascii=False)


# ---- several documents ----


def overview_of(documents: Sequence[tuple[str, str, Metrics, int]]) -> Overview:
    """The documents of a report, each with name, link, numbers and how many warnings it has."""
    names = [*(metric.short for metric in STRIP), "warnings"]
    rows = [
        (name, link, [*(metric.text(metrics) for metric in STRIP), f"{warnings:,}" if warnings else ""])
        for name, link, metrics, warnings in documents
    ]
    total = [*_sums([metrics for _, _, metrics, _ in documents]), ""]
    return Overview([("document", ""), *((name, "number") for name in names)], rows, total)


def with_checks(overview: Overview, found: Sequence[Sequence[FailedCheck]]) -> Overview:
    """The overview with the health checks that its documents do not pass, in their order."""
    counts = [tuple(sum(each.verdict == verdict for each in of) for verdict in ("fail", "warn")) for of in found]
    rows = [
        (name, link, [*(f"{count:,}" if count else "" for count in of), *figures])
        for (name, link, figures), of in zip(overview.rows, counts, strict=True)
    ]
    titles = {each.name: each.title for of in found for each in of}
    verdicts = Counter((each.name, each.verdict) for of in found for each in of)
    failed, warned = (sum(bool(of[at]) for of in counts) for at in (0, 1))
    by_check = sorted((-verdicts[name, "fail"], -verdicts[name, "warn"], title) for name, title in titles.items())
    document, *others = overview.head
    return Overview(
        [document, ("fails", "number"), ("warns", "number"), *others],
        rows,
        [f"{failed:,}", f"{warned:,}", *overview.total],
        [(title, -fails, -warns) for fails, warns, title in by_check],
        f"{failed:,} of {counted(len(found), 'document')} {'fails' if failed == 1 else 'fail'} a health check.",
    )


def _sums(of: Sequence[Metrics]) -> Iterator[str]:
    """What adds up; a median of medians would say nothing."""
    for metric in STRIP:
        yield f"{sum(metric.of(each) or 0 for each in of):,}" if metric.name in _ADDS_UP else ""
