"""The sizes of a run's chunks, drawn as markup. No Streamlit.

They are behind a tab that few open: as a plotly figure they would cost every visit its library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from chunking import Run
from chunking.analysis import Bar, Bins, bars, counted_alike, round_bins
from chunking.core import limited_sizes
from pages.ui.layout.markup import joined

_CLOSE = 25
"""Percent of the width within which the names of two limits would meet."""


def token_histogram(run: Run, baseline: Run | None = None) -> Markup:
    """How many chunks have how many tokens, with the strategy's limits drawn in and the baseline as
    an outline."""
    limits = run.config.strategy.limits_in(run.document)
    sizes = limited_sizes(run).tolist()
    before = list(counted_alike(baseline, run)) if baseline else []
    named = ((limits.minimum, "min"), (limits.target, "target"), (limits.maximum, "max"))
    marks = [(value, name) for value, name in named if value is not None]
    bins = round_bins(max([*sizes, *before, *(value for value, _ in marks), 1]))
    now, was = bars(sizes, bins, limits.minimum, limits.maximum), bins.counts(before)
    most = max([1, *was, *(bar.count for bar in now)])
    drawn = Markup(
        '<div class="cs-sizes" role="img" aria-label="{}"><div>{}</div>'
        "<p><span>0</span><span>{:,.0f} tokens</span></p></div>"
    )
    return drawn.format(
        _said(sizes), joined([*_bars(now, bins, most), *_outline(was, bins, most), *_limits(marks, bins)]), bins.top
    )


def _said(sizes: Sequence[int]) -> str:
    return f"Tokens a chunk: {min(sizes):,} to {max(sizes):,}" if sizes else "No chunks"


def _bars(now: Iterable[Bar], bins: Bins, most: int) -> Iterator[Markup]:
    bar = Markup(
        '<i class="cs-{}" style="left:{:.2f}%;width:{:.2f}%;height:{:.2f}%" title="{:,} to {:,} tokens: {:,} now"></i>'
    )
    for each in now:
        if each.count:
            left, width = 100 * each.start / bins.top, 90 * (each.end - each.start) / bins.top
            height = 100 * each.count / most
            yield bar.format(each.side, left, width, height, each.start, each.end - 1, each.count)


def _outline(was: Sequence[int], bins: Bins, most: int) -> Iterator[Markup]:
    step = Markup(
        '<i class="cs-before" style="left:{:.2f}%;width:{:.2f}%;height:{:.2f}%" title="{:,} of the baseline"></i>'
    )
    for start, count in zip(bins.edges, was, strict=False):
        if count:
            yield step.format(100 * start / bins.top, 100 / bins.count, 100 * count / most, count)


def _limits(marks: Iterable[tuple[int, str]], bins: Bins) -> Iterator[Markup]:
    """Lines with their names, which stand by turns in two rows where they are close."""
    before, high = -100.0, False
    for value, name in marks:
        at = 100 * value / bins.top
        high = at - before < _CLOSE and not high
        before = at
        where = f"cs-limit{' cs-high' if high else ''}{' cs-left' if at > 100 - _CLOSE else ''}"
        yield Markup('<b class="{}" style="left:{:.2f}%"><span>{} {:,}</span></b>').format(where, at, name, value)
