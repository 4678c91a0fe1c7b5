"""Markup of the Compare page: metrics, what is to be embedded again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from chunking.analysis import EditStability, MetricLine, share_text
from chunking.text import rounded
from pages.ui.compare.corpus_numbers import Changes
from pages.ui.layout.markup import each_in, joined, meanings
from pages.ui.side_by_side.numbers import Versus


def changes_words(of: Versus) -> str:
    """Boundaries kept, moved, added and removed, in words."""
    return ", ".join(f"{of.count(change):,} {change}" for change in ("kept", "moved", "added", "removed"))


def metrics_table(letters: Sequence[str], groups: Mapping[str, Sequence[MetricLine]]) -> Markup:
    """All metrics of all runs, each with its difference from the first, and what they mean."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Metrics"><table class="cs-table cs-metrics">'
        "<caption>Metrics of {}; differences are from {}</caption>"
        '<thead><tr><th scope="col">Metric</th>{}</tr></thead>{}</table></div>'
    )
    head = each_in('<th scope="col">{}</th>', letters)
    body = joined(_group(title, lines, len(letters)) for title, lines in groups.items() if lines)
    said = ((line.metric.title, line.metric.help) for lines in groups.values() for line in lines)
    return shown.format(", ".join(letters), letters[0], head, body) + meanings(said, name="metrics")


def _group(title: str, lines: Sequence[MetricLine], columns: int) -> Markup:
    shown = Markup('<tbody><tr><th scope="rowgroup" colspan="{}">{}</th></tr>{}</tbody>')
    return shown.format(columns + 1, title, joined(_line(line) for line in lines))


def _line(line: MetricLine) -> Markup:
    cells = each_in("<td>{}</td>", (_value(line, value) + _difference(line, value) for value in line.values[1:]))
    hint = Markup(' title="{}"').format(line.metric.help) if line.metric.help else ""
    shown = Markup('<tr><th scope="row"{}>{}</th><td>{}</td>{}</tr>')
    return shown.format(hint, line.metric.title, _value(line, line.values[0]), cells)


def _value(line: MetricLine, value: float | None) -> Markup:
    return Markup("<b>{}</b>").format(line.metric.value_text(value))


def difference(line: MetricLine, value: float | None) -> str:
    """How far a value is from the first, with its sign; "" where there is nothing to say."""
    first = line.values[0]
    if value is None or first is None or value == first:
        return ""
    by = value - first
    if line.metric.unit == "share":
        return f"{rounded(100 * by, 1):+,} pts".replace("-", "−")
    return f"{rounded(by, 0 if float(by).is_integer() else 1):+,}".replace("-", "−")


def _difference(line: MetricLine, value: float | None) -> Markup:
    text = difference(line, value)
    if not text:
        same = value is not None and value == line.values[0]
        return Markup('<span class="cs-same">=</span>' if same else "")
    verdict = line.verdict(value)
    label = Markup(' <span class="cs-{0}">{0}</span>').format(verdict) if verdict else ""
    return Markup('<span class="cs-by">{}{}</span>').format(text, label)


def again_table(letters: Sequence[str], against: Sequence[Versus], price: float) -> Markup:
    """What moving from the first run to each other one costs: chunks and tokens to embed again, ids
    to delete."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Re-embedding cost">'
        '<table class="cs-table cs-again" aria-label="Re-embedding cost">'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    )
    names = ["From", "Chunks to re-embed", "of all", "Tokens", "Old chunks to delete"]
    head = each_in('<th scope="col">{}</th>', [*names, *(["Cost"] if price else [])])
    rows = (_again(letters[0], letter, each, price) for letter, each in zip(letters[1:], against, strict=True))
    return shown.format(head, joined(rows))


def _again(first: str, letter: str, each: Versus, price: float) -> Markup:
    shown = Markup(
        '<tr><th scope="row">{} to {}</th><td><b>{:,}</b> of {:,}{}</td>'
        "<td>{}</td><td><b>{:,}</b></td><td>{:,}</td>{}</tr>"
    )
    chunks = len(each.after.run.chunks)
    share = share_text(len(each.again) / chunks if chunks else 0.0)
    cost = Markup("<td><b>{}</b></td>").format(money(each.again_tokens, price)) if price else ""
    alike = Markup('<br><span class="cs-by">{:,} only for white space</span>').format(each.alike) if each.alike else ""
    return shown.format(first, letter, len(each.again), chunks, alike, share, each.again_tokens, each.gone, cost)


def changes_table(letters: Sequence[str], against: Sequence[Changes], price: float) -> Markup:
    """What became of the first config's boundaries and chunks in all documents together."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Boundaries and re-embedding cost">'
        '<table class="cs-table cs-again" aria-label="Boundaries and re-embedding cost">'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    )
    names = ["From", "Shared", "Kept", "Moved", "Added", "Removed", "Chunks to re-embed", "Tokens", "Chunks to delete"]
    head = each_in('<th scope="col">{}</th>', [*names, *(["Cost"] if price else [])])
    rows = (_changes(letters[0], letter, each, price) for letter, each in zip(letters[1:], against, strict=True))
    return shown.format(head, joined(rows))


def _changes(first: str, letter: str, of: Changes, price: float) -> Markup:
    counts = each_in("<td>{}</td>", (f"{count:,}" for count in (of.kept, of.moved, of.added, of.removed, of.again)))
    cost = Markup("<td><b>{}</b></td>").format(money(of.again_tokens, price)) if price else ""
    shown = Markup('<tr><th scope="row">{} to {}</th><td><b>{}</b></td>{}<td><b>{:,}</b></td><td>{:,}</td>{}</tr>')
    return shown.format(first, letter, share_text(of.shared), counts, of.again_tokens, of.gone, cost)


@dataclass(frozen=True, slots=True)
class EditLine:
    """What an edit did to the chunks of one row."""

    letter: str
    found: EditStability | None
    problem: str = ""
    """Why that is not known."""


def stability_table(lines: Sequence[EditLine], price: float) -> Markup:
    """How many chunks of each row keep their id over an edit, and what is to be embedded again."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Edit stability">'
        '<table class="cs-table cs-again"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    )
    names = ["Config", "Keep their id", "of all", "Moved, same text", "To embed", "Tokens", "Chunks before"]
    names += ["Cost"] if price else []
    head = each_in('<th scope="col">{}</th>', names)
    return shown.format(head, joined(_edit(line, len(names), price) for line in lines))


def _edit(line: EditLine, columns: int, price: float) -> Markup:
    found = line.found
    if found is None:
        return Markup('<tr><th scope="row">{}</th><td colspan="{}">{}</td></tr>').format(
            line.letter, columns - 1, line.problem
        )
    shown = Markup(
        '<tr><th scope="row">{}</th><td><b>{:,}</b> of {:,}</td><td>{}</td><td>{:,}</td>'
        "<td>{:,}</td><td><b>{:,}</b></td><td>{:,}</td>{}</tr>"
    )
    cost = Markup("<td><b>{}</b></td>").format(money(found.tokens_to_embed, price)) if price else ""
    counts = found.kept, found.chunks_after, share_text(found.kept_share), found.moved, found.to_embed
    return shown.format(line.letter, *counts, found.tokens_to_embed, found.chunks_before, cost)


def money(tokens: int, price: float) -> str:
    """What tokens cost at a price for a million, in the price's currency; small amounts with the
    digits they need."""
    cost = tokens * price / 1_000_000
    return f"{cost:,.2f}" if cost >= 1 or not cost else f"{cost:.2g}" if cost >= 0.0001 else f"{cost:.6f}"
