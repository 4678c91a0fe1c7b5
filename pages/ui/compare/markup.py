"""Markup of the Compare page: metrics, what is to be embedded again. Every text is escaped on its
way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from chunking.analysis import MetricLine, share_text
from pages.ui.side_by_side.numbers import Versus


def changes_words(of: Versus) -> str:
    """Boundaries kept, moved, added and removed, in words."""
    return ", ".join(f"{of.count(change):,} {change}" for change in ("kept", "moved", "added", "removed"))


def metrics_table(letters: Sequence[str], groups: Mapping[str, Sequence[MetricLine]]) -> str:
    """All metrics of all runs, each with its difference from the first."""
    head = "".join(f'<th scope="col">{escape(letter)}</th>' for letter in letters)
    body = "".join(_group(title, lines, len(letters)) for title, lines in groups.items() if lines)
    caption = f"<caption>Metrics of {escape(', '.join(letters))}; differences are from {escape(letters[0])}</caption>"
    return (
        f'<div class="cs-scroll" tabindex="0" role="region" aria-label="Metrics"><table class="cs-table cs-metrics">'
        f'{caption}<thead><tr><th scope="col">Metric</th>{head}</tr></thead>{body}</table></div>'
    )


def _group(title: str, lines: Sequence[MetricLine], columns: int) -> str:
    rows = "".join(_line(line) for line in lines)
    return f'<tbody><tr><th scope="rowgroup" colspan="{columns + 1}">{escape(title)}</th></tr>{rows}</tbody>'


def _line(line: MetricLine) -> str:
    cells = "".join(f"<td>{_value(line, value)}{_difference(line, value)}</td>" for value in line.values[1:])
    hint = f' title="{escape(line.metric.help)}"' if line.metric.help else ""
    return (
        f'<tr><th scope="row"{hint}>{escape(line.metric.title)}</th><td>{_value(line, line.values[0])}</td>{cells}</tr>'
    )


def _value(line: MetricLine, value: float | None) -> str:
    return f"<b>{line.metric.value_text(value)}</b>"


def difference(line: MetricLine, value: float | None) -> str:
    """How far a value is from the first, with its sign; "" where there is nothing to say."""
    first = line.values[0]
    if value is None or first is None or value == first:
        return ""
    by = value - first
    if line.metric.unit == "share":
        return f"{by * 100:+,.1f} pts".replace("-", "−")
    return (f"{by:+,.0f}" if float(by).is_integer() else f"{by:+,.1f}").replace("-", "−")


def _difference(line: MetricLine, value: float | None) -> str:
    text = difference(line, value)
    if not text:
        return '<span class="cs-same">=</span>' if value is not None and value == line.values[0] else ""
    verdict = line.verdict(value)
    said = f' <span class="cs-{verdict}">{verdict}</span>' if verdict else ""
    return f'<span class="cs-by">{escape(text)}{said}</span>'


def again_table(letters: Sequence[str], against: Sequence[Versus], price: float) -> str:
    """What moving from the first run to each other one costs: chunks and tokens to embed again, ids
    to delete."""
    cost = '<th scope="col">Cost</th>' if price else ""
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("From", "Chunks to embed again", "of all", "Tokens", "Ids to delete from the store")
    )
    rows = "".join(_again(letters[0], letter, each, price) for letter, each in zip(letters[1:], against, strict=True))
    return (
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="To embed again">'
        '<table class="cs-table cs-again">'
        f"<thead><tr>{head}{cost}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _again(first: str, letter: str, each: Versus, price: float) -> str:
    chunks = len(each.after.run.chunks)
    share = share_text(len(each.again) / chunks if chunks else 0.0)
    cost = f"<td><b>{money(each.again_tokens, price)}</b></td>" if price else ""
    return (
        f'<tr><th scope="row">{escape(first)} to {escape(letter)}</th><td><b>{len(each.again):,}</b> of {chunks:,}</td>'
        f"<td>{share}</td><td><b>{each.again_tokens:,}</b></td><td>{each.gone:,}</td>{cost}</tr>"
    )


def money(tokens: int, price: float) -> str:
    """What tokens cost at a price for a million, in the price's currency; small amounts with the
    digits they need."""
    cost = tokens * price / 1_000_000
    return f"{cost:,.2f}" if cost >= 1 or not cost else f"{cost:.2g}" if cost >= 0.0001 else f"{cost:.6f}"
