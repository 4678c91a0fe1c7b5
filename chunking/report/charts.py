"""The drawings of a report, as SVG: how many chunks have how many tokens, and the sizes along the
document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking.analysis.comparison import counted_alike
from chunking.analysis.histogram import Bar, Bins, Side, bars, round_bins
from chunking.core.chunk import Chunk
from chunking.core.metrics import limited_sizes
from chunking.core.strategy import Limits
from chunking.runs import Run
from chunking.text.display import counted

WIDTH = 720
"""Units across both drawings; they take what room there is."""
_TALL = 150
_FOOT = 24
_HEAD = 30
_CLASSES: dict[Side, str] = {"inside": "in", "under": "under", "over": "over"}
MOST_BARS = 900
"""Above as many chunks a bar of the ribbon stands for several, and shows the largest: more would
not be seen."""


def limit_lines(limits: Limits) -> list[tuple[int, str]]:
    """The strategy's limits with their names, those it has."""
    named = ((limits.minimum, "min"), (limits.target, "target"), (limits.maximum, "max"))
    return [(value, name) for value, name in named if value is not None]


def sizes_sentence(run: Run) -> str:
    """What the drawings show, in words."""
    sizes, limits, metrics = limited_sizes(run).tolist(), run.config.strategy.limits(), run.metrics
    if not sizes:
        return "No chunks."
    of_body = limits.counts == "body" and any(chunk.tokens != chunk.body_tokens for chunk in run.chunks)
    counted = "tokens of body" if of_body else "tokens"
    said = f"{min(sizes):,} to {max(sizes):,} {counted} a chunk."
    if limits.minimum is not None:
        said += f" {metrics.under_minimum:,} under the minimum of {limits.minimum:,}."
    if limits.maximum is not None:
        said += f" {metrics.over_maximum:,} over the maximum of {limits.maximum:,}"
        said += f", {metrics.over_with_context:,} more with context." if metrics.over_with_context else "."
    return said


# ---- how many chunks have how many tokens ----


def histogram(run: Run, baseline: Run | None) -> str:
    """Bars for this run, a dotted outline for the baseline, and the limits as lines with their
    names."""
    sizes = limited_sizes(run).tolist()
    before = list(counted_alike(baseline, run)) if baseline else []
    limits = run.config.strategy.limits()
    lines = limit_lines(limits)
    top = max([*sizes, *before, *(value for value, _ in lines), 1])
    bins = round_bins(top)
    outline = bins.counts(before)
    axes = _Axes(int(bins.top), max([*bins.counts(sizes), *outline, 1]))
    return _svg(
        [
            *(_bar(axes, bar) for bar in bars(sizes, bins, limits.minimum, limits.maximum) if bar.count),
            _outline(axes, bins, outline) if before else "",
            *_upright_limits(axes, lines),
            *axes.feet(),
            f'<text x="0" y="{_HEAD - 6}" class="axis">{counted(axes.most, "chunk")}</text>',
        ]
    )


@dataclass(frozen=True, slots=True)
class _Axes:
    """From tokens and chunks to units of the drawing."""

    widest: int
    most: int

    def x(self, tokens: float) -> float:
        return round(WIDTH * tokens / self.widest, 2)

    def y(self, count: float) -> float:
        return round(_HEAD + _TALL - _TALL * count / self.most, 2)

    def feet(self) -> Iterator[str]:
        for share, anchor in ((0, "start"), (0.25, "middle"), (0.5, "middle"), (0.75, "middle"), (1, "end")):
            words = f"{self.widest * share:,.0f}" + (" tokens" if share == 1 else "")
            at = f'x="{WIDTH * share:g}" y="{_HEAD + _TALL + 17}"'
            yield f'<text {at} text-anchor="{anchor}" class="axis">{words}</text>'
        yield f'<path class="floor" d="M0 {_HEAD + _TALL}H{WIDTH}"/>'


def _bar(axes: _Axes, bar: Bar) -> str:
    tall = max(1.5, _HEAD + _TALL - axes.y(bar.count))
    wide = max(1.0, axes.x(bar.end - bar.start) - 1)
    words = f"{bar.start:,} to {bar.end - 1:,} tokens: {counted(bar.count, 'chunk')}"
    at = f'x="{axes.x(bar.start)}" y="{_HEAD + _TALL - tall:g}" width="{wide:g}" height="{tall:g}"'
    return f'<rect class="{_CLASSES[bar.side]}" {at}><title>{words}</title></rect>'


def _outline(axes: _Axes, bins: Bins, counts: Sequence[int]) -> str:
    line = "".join(f"V{axes.y(count):g}H{axes.x(end):g}" for count, end in zip(counts, bins.edges[1:], strict=True))
    return f'<path class="was" d="M0 {_HEAD + _TALL}{line}V{_HEAD + _TALL}"/>'


def _upright_limits(axes: _Axes, lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    last = -1000.0
    for value, name in lines:
        x = axes.x(value)
        low = x - last < 90
        last = x
        yield f'<path class="limit" d="M{x:g} {_HEAD - 2 if low else _HEAD - 14}V{_HEAD + _TALL}"/>'
        anchor, shift = ("end", -4) if x > WIDTH - 90 else ("start", 4)
        at = f'x="{x + shift:g}" y="{_HEAD + 9 if low else _HEAD - 6}" text-anchor="{anchor}"'
        yield f'<text {at} class="name">{name} {value:,}</text>'


# ---- the sizes along the document ----


def ribbon(run: Run, prefix: str) -> str:
    """A bar for each chunk where it stands in the document, as high as it has tokens; what is left
    out is a gap."""
    sizes = limited_sizes(run).tolist()
    if not sizes:
        return ""
    lines = limit_lines(run.config.strategy.limits())
    top = max(*sizes, *(value for value, _ in lines), 1)
    each = -(-len(sizes) // MOST_BARS)
    length = max(1, len(run.document.text))
    bars = [
        _ribbon_bar(run.chunks[at : at + each], sizes[at : at + each], at + 1, top, length, prefix)
        for at in range(0, len(sizes), each)
    ]
    shown = _ribbon_limits(lines, top)
    ends = (
        f'<text x="0" y="{_HEAD + _TALL + 17}" class="axis">line 1</text>'
        f'<text x="{WIDTH}" y="{_HEAD + _TALL + 17}" text-anchor="end" class="axis">'
        f"line {len(run.document.line_starts):,}</text>"
        f'<path class="floor" d="M0 {_HEAD + _TALL}H{WIDTH}"/>'
    )
    return _svg([*bars, *shown, ends])


def bars_stand_for(run: Run) -> int:
    """How many chunks one bar of the ribbon stands for."""
    return max(1, -(-len(run.chunks) // MOST_BARS))


def _ribbon_bar(chunks: Sequence[Chunk], sizes: Sequence[int], number: int, top: int, length: int, prefix: str) -> str:
    largest = sizes.index(max(sizes))
    chosen = number + largest
    left, right = (WIDTH * at / length for at in (chunks[0].body.start, chunks[-1].body.end))
    tall = max(1.5, _TALL * sizes[largest] / top)
    at = f'x="{left:.2f}" y="{_HEAD + _TALL - tall:.2f}" width="{max(0.5, right - left - 0.6):.2f}" height="{tall:.2f}"'
    title = f"{chosen:,}: {sizes[largest]:,} tokens"
    # Out of the keyboard's way, which has the table of boundaries: a tab stop a bar would be a
    # trap.
    return (
        f'<a href="#{prefix}c{chosen}" tabindex="-1"><title>{title}</title><rect class="h{(chosen - 1) % 6}" {at}/></a>'
    )


def _ribbon_limits(lines: Sequence[tuple[int, str]], top: int) -> Iterator[str]:
    for value, name in lines:
        y = _HEAD + _TALL - _TALL * value / top
        yield f'<path class="limit" d="M0 {y:.2f}H{WIDTH}"/>'
        yield f'<text x="{WIDTH}" y="{y - 4:.2f}" text-anchor="end" class="name">{name} {value:,}</text>'


def _svg(pieces: Sequence[str]) -> str:
    """Hidden from screen readers, which have the sentence and the tables."""
    box = f"0 0 {WIDTH} {_HEAD + _TALL + _FOOT}"
    return f'<svg viewBox="{box}" aria-hidden="true" focusable="false">{"".join(pieces)}</svg>'
