"""Markup of a row: its letter, its line of numbers. Every text is escaped on its way out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from chunking.analysis.metric_table import within_text
from pages.ui.side_by_side.numbers import Measured


def badge(letter: str, *, about: str = "") -> str:
    """A row's letter."""
    return f'<span class="cs-letter" title="{escape(about)}">{escape(letter)}</span>'


def numbers(of: Measured | None, settings: Sequence[str]) -> str:
    """A run in four numbers, to stand above its source, and the settings that make it what it is."""
    told = escape(", ".join(settings))
    label = f'<span class="cs-label" title="{told}">{told}</span>'
    if of is None:
        return f'<p class="cs-numbers">{label}</p>'
    metrics = of.metrics
    found = (
        ("chunks", f"{metrics.chunk_count:,}"),
        ("median", f"{metrics.median_tokens:,.0f}"),
        ("to embed", f"{metrics.tokens_to_embed:,}"),
        ("within limits", within_text(metrics)),
    )
    shown = "".join(f"<span><b>{text}</b> {name}</span>" for name, text in found)
    return f'<p class="cs-numbers">{shown}{label}</p>'
