"""Markup of a row: its letter, its line of numbers. Every text is escaped on its way out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from chunking.analysis import metric
from pages.ui.side_by_side.numbers import MeasuredRow

_NUMBERS = tuple(metric(name) for name in ("chunk_count", "median_tokens", "tokens_to_embed", "within_limits"))


def badge(letter: str, *, about: str = "") -> str:
    """A row's letter."""
    return f'<span class="cs-letter" title="{escape(about)}">{escape(letter)}</span>'


def numbers(of: MeasuredRow | None, settings: Sequence[str]) -> str:
    """A run in four numbers, to stand above its source, and the settings that make it what it
    is."""
    names = escape(", ".join(settings))
    label = f'<span class="cs-label" title="{names}">{names}</span>'
    if of is None:
        return f'<p class="cs-numbers">{label}</p>'
    shown = "".join(f"<span><b>{escape(each.text(of.metrics))}</b> {escape(each.short)}</span>" for each in _NUMBERS)
    return f'<p class="cs-numbers">{shown}{label}</p>'
