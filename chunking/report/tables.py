"""The numbers of a report: before beside after, every boundary with its reason, every metric, every setting."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape

from chunking.analysis.comparison import Comparison
from chunking.analysis.metric_table import Line, lines, share_text, value_text, within_text
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

_WITHIN = "Within limits"
_STRIP = ("Chunks", "Median tokens", "95th percentile", _WITHIN, "Cuts inside a block", "Tokens to embed")


def strip(now: Metrics, was: Metrics | None) -> str:
    """The six numbers that say most, before beside after."""
    found = {line.name: line for group in lines([was or now, now]).values() for line in group}
    figures = "".join(_figure(found[name], now, was) for name in _STRIP)
    return f'<dl class="strip">{figures}</dl>'


def _figure(line: Line, now: Metrics, was: Metrics | None) -> str:
    before, after = line.values
    said = f" <span>was {_in_strip(line, before, was)}</span>{_verdict(line)}" if was else ""
    hint = f' title="{attribute(line.hint)}"' if line.hint else ""
    return f"<div{hint}><dt>{line.name}</dt><dd><b>{_in_strip(line, after, now)}</b>{said}</dd></div>"


def _in_strip(line: Line, value: float | None, of: Metrics) -> str:
    """A number without decimals; what is within the limits as the app says it, with what is over as a whole text."""
    if line.name == _WITHIN:
        return escape(within_text(of))
    return f"{value:,.0f}" if line.unit != "share" and value is not None else value_text(line, value)


def _verdict(line: Line) -> str:
    before, after = line.values
    if not line.better or before is None or after is None or before == after:
        return ""
    word = "better" if (after > before) == (line.better == "more") else "worse"
    return f' <span class="{word}">{word}</span>'


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


def _metric_name(line: Line) -> tuple[str, str]:
    hint = f" <small>{line_html(line.hint)}</small>" if line.hint else ""
    return f"{line_html(line.name)}{hint}", ""


def _metric_cells(line: Line) -> Iterator[tuple[str, str]]:
    *before, now = line.values
    for value in before:
        yield value_text(line, value), "number"
    yield value_text(line, now) + (_verdict(line) if before else ""), "number"


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
    """The numbers behind a boundary: what was held, what came next, and the settings that decided."""
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
    names = ("chunks", "median", "95%", "within limits", "cuts inside", "to embed", "warnings")
    head = [("document", ""), *((name, "number") for name in names)]
    total = _total_row([metrics for _, _, metrics, _ in rows])
    return table_html("Documents", head, [*(_overview_row(*row) for row in rows), total])


def _total_row(of: Sequence[Metrics]) -> str:
    """What adds up; a median of medians would say nothing."""
    chunks, cuts, tokens = (
        f"{sum(counts):,}"
        for counts in (
            [each.chunk_count for each in of],
            [each.cuts_inside_blocks for each in of],
            [each.tokens_to_embed for each in of],
        )
    )
    cells = [(f"{len(of):,} in all", ""), *((each, "number") for each in (chunks, "", "", "", cuts, tokens, ""))]
    return row_html(cells, kind="total")


def _overview_row(name: str, anchor: str, metrics: Metrics, warnings: int) -> str:
    figures = (
        f"{metrics.chunk_count:,}",
        f"{metrics.median_tokens:,.0f}",
        f"{metrics.p95_tokens:,.0f}",
        within_text(metrics),
        f"{metrics.cuts_inside_blocks:,}",
        f"{metrics.tokens_to_embed:,}",
        f"{warnings:,}" if warnings else "",
    )
    return row_html([(f'<a href="#{anchor}">{line_html(name)}</a>', ""), *((each, "number") for each in figures)])
