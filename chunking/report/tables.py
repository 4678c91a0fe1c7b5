"""The numbers of a report: before beside after, every boundary with its reason, every metric, every
setting."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape

from chunking.analysis.comparison import Comparison
from chunking.analysis.metric_table import STRIP, Metric, MetricLine, Verdict, lines, share_text
from chunking.config.config import Config
from chunking.config.setting_spec import setting_specs
from chunking.config.validation import plain
from chunking.config.values import Value
from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.core.metrics import Metrics
from chunking.core.strategy import Strategy
from chunking.report.html import attribute, line_html, row_html, table_html
from chunking.report.source import Changes, change_words, reason_html
from chunking.runs import Run
from chunking.strategy_docs.tables import setting_rows

_ADDS_UP = ("chunk_count", "cuts_inside_blocks", "tokens_to_embed")
"""Of the strip, what may be summed over documents."""


def strip(now: Metrics, was: Metrics | None) -> str:
    """The six numbers that say most, before beside after."""
    return f'<dl class="strip">{"".join(_figure(metric, now, was) for metric in STRIP)}</dl>'


def _figure(metric: Metric, now: Metrics, was: Metrics | None) -> str:
    verdict = _verdict(metric.verdict(metric.of(was), metric.of(now))) if was else ""
    said = f" <span>was {escape(metric.text(was))}</span>{verdict}" if was else ""
    hint = f' title="{attribute(metric.help)}"' if metric.help else ""
    return f"<div{hint}><dt>{escape(metric.title)}</dt><dd><b>{escape(metric.text(now))}</b>{said}</dd></div>"


def _verdict(word: Verdict) -> str:
    return f' <span class="{word}">{word}</span>' if word else ""


def comparison_words(of: Comparison) -> str:
    """What became of the baseline's boundaries, and what a store must do, in two sentences."""
    counts = ", ".join(f"{of.count(change):,} {change}" for change in ("kept", "moved", "added", "removed"))
    again = f"{len(of.to_embed_again):,} of {len(of.after.chunks):,} chunks ({share_text(of.changed_share)})"
    return (
        f"Boundaries: {counts}. To embed again: {again}, {of.tokens_to_embed_again:,} tokens; "
        f"{len(of.ids_gone):,} ids to delete."
    )


def metrics_table(now: Metrics, was: Metrics | None) -> str:
    """Every metric; with a baseline, before beside after."""
    both = [was, now] if was else [now]
    rows = []
    for title, group in lines(both).items():
        if not group:
            continue
        rows.append(f'<tr class="group"><th scope="colgroup" colspan="{len(both) + 1}">{line_html(title)}</th></tr>')
        rows += [row_html([_metric_name(line), *_metric_cells(line)]) for line in group]
    heads = [("before", "number"), ("now", "number")] if was else [("value", "number")]
    return table_html("Metrics", [("metric", ""), *heads], rows)


def _metric_name(line: MetricLine) -> tuple[str, str]:
    hint = f" <small>{line_html(line.metric.help)}</small>" if line.metric.help else ""
    return f"{line_html(line.metric.title)}{hint}", ""


def _metric_cells(line: MetricLine) -> Iterator[tuple[str, str]]:
    *before, now = line.values
    for value in before:
        yield line.metric.value_text(value), "number"
    yield line.metric.value_text(now) + (_verdict(line.verdict(now)) if before else ""), "number"


# ---- boundaries ----


def boundary_table(run: Run, changes: Changes | None, prefix: str) -> str:
    """A row for each part: where it ends, by which rule, with the numbers that decided."""
    head = [("chunk", ""), ("lines", ""), ("tokens", "number"), ("ends by", ""), ("why", ""), ("numbers", "")]
    compared = [("before", "")] if changes else []
    return table_html("Boundaries", [*head, *compared], [*_boundary_rows(run, changes, prefix)])


def _boundary_rows(run: Run, changes: Changes | None, prefix: str) -> Iterator[str]:
    number = 0
    for part in run.parts:
        if isinstance(part, Skip):
            yield _skip_row(run, part, compared=changes is not None)
        else:
            number += 1
            yield _chunk_row(run, part, number, changes, prefix)


def _chunk_row(run: Run, chunk: Chunk, number: int, changes: Changes | None, prefix: str) -> str:
    change = changes.at.get(chunk.body.end) if changes else None
    flags = "".join(f'<p class="flag">{reason_html(flag)}</p>' for flag in chunk.flags)
    cells = [
        (f'<a href="#{prefix}c{number}">{number:,}</a>', ""),
        (f"{chunk.start_line:,}–{chunk.end_line:,}", "line"),
        (f"{chunk.tokens:,}", "number"),
        (line_html(chunk.ended_by.rule), "rule"),
        (line_html(chunk.ended_by.detail) + flags, "says"),
        (numbers_words(chunk.ended_by), "line"),
    ]
    compared = [(change_words(change, run.document) if change else "", "")] if changes else []
    return row_html([*cells, *compared])


def _skip_row(run: Run, skip: Skip, *, compared: bool) -> str:
    first, last = (run.document.line_of(at) for at in (skip.body.start, skip.body.end - 1))
    why = f"left out: {line_html(skip.because.detail)}"
    cells = [
        ("–", ""),
        (f"{first:,}–{last:,}", "line"),
        ("", ""),
        (line_html(skip.because.rule), "rule"),
        (why, "says"),
    ]
    return row_html([*cells, (numbers_words(skip.because), "line"), *([("", "")] if compared else [])], kind="gone")


def numbers_words(boundary: Boundary) -> str:
    """The numbers behind a boundary: what was held, what came next, and the settings that
    decided."""
    said = [("held", boundary.held), ("next", boundary.next), ("limit", boundary.limit)]
    names = f" ({', '.join(_on_screen(name) for name in boundary.settings)})" if boundary.settings else ""
    found = " · ".join(f"{name} {_number(value)}" for name, value in said if value is not None)
    return line_html(f"{found}{names}".strip())


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _on_screen(setting: str) -> str:
    """`base.max_tokens` as the YAML has it, `base.maxTokens`."""
    return ".".join(first + "".join(word.title() for word in rest) for first, *rest in map(_words, setting.split(".")))


def _words(name: str) -> list[str]:
    return name.split("_")


# ---- settings ----


def settings_table(config: Config) -> str:
    """Every setting with its value; what differs from the default stands out."""
    rows = [*_setting_rows(config.strategy, "")]
    if not rows:
        return "<p>This strategy has no settings.</p>"
    head = [("setting", ""), ("value", ""), ("default", ""), ("what raising or choosing it does", "")]
    return table_html("Settings", head, rows)


def _setting_rows(strategy: Strategy, inside: str) -> Iterator[str]:
    kind = type(strategy)
    for spec, row in zip(setting_specs(kind), setting_rows(kind), strict=True):
        value = getattr(strategy, spec.name)
        held = value if isinstance(value, Strategy) else None
        shown = f"{{strategy: {held.name}}}" if held else _yaml(plain(value))
        unit = f" {line_html(row.unit)}" if row.unit and isinstance(value, int | float) else ""
        default = spec.is_default(value)
        yield row_html(
            [
                (f"<code>{line_html(inside + row.name)}</code>", ""),
                (f"<code>{line_html(shown)}</code>{unit}", ""),
                ("the same" if default else f"<code>{line_html(row.default)}</code>", "same"),
                (line_html(row.help), "quiet says"),
            ],
            kind="" if default else "set",
        )
        if held:
            yield from _setting_rows(held, f"{inside}{row.name}.")


def _yaml(value: Value) -> str:
    if isinstance(value, str) and value.replace("-", "").isalnum():
        return value
    return json.dumps(value, ensure_ascii=False)


def overview_table(rows: Sequence[tuple[str, str, Metrics, int]]) -> str:
    """The documents of a report: name, anchor, numbers and how many warnings each has."""
    names = [*(metric.short for metric in STRIP), "warnings"]
    head = [("document", ""), *((name, "number") for name in names)]
    total = _total_row([metrics for _, _, metrics, _ in rows])
    return table_html("Documents", head, [*(_overview_row(*row) for row in rows), total])


def _total_row(of: Sequence[Metrics]) -> str:
    """What adds up; a median of medians would say nothing."""
    sums = [f"{sum(metric.of(each) or 0 for each in of):,}" if metric.name in _ADDS_UP else "" for metric in STRIP]
    cells = [(f"{len(of):,} in all", ""), *((each, "number") for each in (*sums, ""))]
    return row_html(cells, kind="total")


def _overview_row(name: str, anchor: str, metrics: Metrics, warnings: int) -> str:
    figures = (*(metric.text(metrics) for metric in STRIP), f"{warnings:,}" if warnings else "")
    return row_html([(f'<a href="#{anchor}">{line_html(name)}</a>', ""), *((each, "number") for each in figures)])
