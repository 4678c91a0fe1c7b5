"""Markup of a row: its letter, its line of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from chunking.analysis import NO_LIMITS, Metric, metric, number_and_words
from pages.ui.layout.markup import joined
from pages.ui.side_by_side.numbers import MeasuredRow

_NUMBERS = tuple(metric(name) for name in ("chunk_count", "median_tokens", "tokens_to_embed", "within_limits"))


def badge(letter: str, *, about: str = "") -> Markup:
    """A row's letter."""
    return Markup('<span class="cs-letter" title="{}">{}</span>').format(about, letter)


def heading(letter: str, strategy: str) -> Markup:
    """A row's letter and, for those who hear the page, its strategy, which a choice beside it
    shows."""
    return Markup('<h2 class="cs-config">{}<span class="cs-unseen"> {}</span></h2>').format(badge(letter), strategy)


def _texts(of: MeasuredRow) -> Iterator[tuple[Metric, str]]:
    """The largest chunk is one of them where it may be far over a maximum."""
    shown = (*_NUMBERS, metric("max_tokens")) if of.metrics.over_maximum else _NUMBERS
    return ((each, each.text(of.metrics)) for each in shown)


def _short(metric: Metric, text: str) -> str:
    """The number's name: `1 chunk`, `9 chunks`."""
    return metric.short.removesuffix("s") if metric.name == "chunk_count" and text == "1" else metric.short


def _number(metric: Metric, text: str) -> Markup:
    """`100% within limits (25% with context)`."""
    if text == NO_LIMITS:
        return Markup("<span>{}</span>").format(text)
    number, more = number_and_words(text)
    return Markup("<span><b>{}</b> {}{}</span>").format(number, _short(metric, text), more)


def numbers(of: MeasuredRow | None, settings: Sequence[str]) -> Markup:
    """A run in four or five numbers, to stand above its source, and the settings that make it
    so."""
    shown = joined(_number(each, text) for each, text in _texts(of)) if of else ""
    label = Markup('<span class="cs-label" title="{0}">{0}</span>').format(", ".join(settings))
    return Markup('<p class="cs-numbers">{}{}</p>').format(shown, label)


def one_shown(letters: Sequence[str], what: str, *, name: str) -> Markup:
    """Which column is shown on a phone, where there is room for one: radio buttons that CSS alone
    reads (side_by_side/style.css). `what` is seen before them, `name` heard."""
    each = Markup('<label><input type="radio" name="compare-shown" value="{0}"{1}>{0}</label>')
    choices = joined(each.format(letter, Markup("" if number else " checked")) for number, letter in enumerate(letters))
    group = Markup('<div class="cs-one-source" role="radiogroup" aria-label="{}"><span>{}</span>{}</div>')
    return group.format(name, what, choices)
