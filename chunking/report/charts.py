"""The drawings of a report, for SVG: how many chunks have how many tokens, and the sizes along the
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


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A bar with what it says when it is pointed at."""

    kind: str
    title: str
    x: str
    y: str
    width: str
    height: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line by its SVG path."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class DrawnLabel:
    """A few words at a place."""

    words: str
    x: str
    y: str
    anchor: str = ""
    kind: str = "axis"


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a drawing is made of, in the order in which it is drawn."""

    bars: Sequence[DrawnBar]
    lines: Sequence[DrawnLine]
    labels: Sequence[DrawnLabel]
    width: int = WIDTH
    height: int = _HEAD + _TALL + _FOOT


def limit_lines(limits: Limits) -> list[tuple[int, str]]:
    """The strategy's limits with their names, those it has."""
    named = ((limits.minimum, "min"), (limits.target, "target"), (limits.maximum, "max"))
    return [(value, name) for value, name in named if value is not None]


_FLOOR = DrawnLine("floor", f"M0 {_HEAD + _TALL}H{WIDTH}")
_FOOT_AT = f"{_HEAD + _TALL + 17}"


def sizes_sentence(run: Run) -> str:
    """What the drawings show, in words."""
    sizes, limits, metrics = limited_sizes(run).tolist(), run.config.strategy.limits_in(run.document), run.metrics
    if not sizes:
        return "No chunks."
    of_body = limits.counts == "body" and any(chunk.tokens != chunk.body_tokens for chunk in run.chunks)
    counted = "tokens of body" if of_body else "tokens"
    sentence = f"{min(sizes):,} to {max(sizes):,} {counted} a chunk."
    if limits.minimum is not None:
        sentence += f" {metrics.under_minimum:,} under the minimum of {limits.minimum:,}."
    if limits.maximum is not None:
        sentence += f" {metrics.over_maximum:,} over the maximum of {limits.maximum:,}"
        sentence += f", {metrics.over_with_context:,} more once context is added." if metrics.over_with_context else "."
    return sentence


# ---- how many chunks have how many tokens ----


def histogram(run: Run, baseline: Run | None) -> Drawing:
    """Bars for this run, a dotted outline for the baseline, and the limits as lines with their
    names."""
    sizes = limited_sizes(run).tolist()
    before = list(counted_alike(baseline, run)) if baseline else []
    limits = run.config.strategy.limits_in(run.document)
    limited = limit_lines(limits)
    top = max([*sizes, *before, *(value for value, _ in limited), 1])
    bins = round_bins(top)
    outline = bins.counts(before)
    axes = _Axes(int(bins.top), max([*bins.counts(sizes), *outline, 1]))
    upright = [*_upright_limits(axes, limited)]
    return Drawing(
        [_bar(axes, bar) for bar in bars(sizes, bins, limits.minimum, limits.maximum) if bar.count],
        [*([_outline(axes, bins, outline)] if before else []), *(line for line, _ in upright), _FLOOR],
        [*(label for _, label in upright), *axes.feet(), DrawnLabel(counted(axes.most, "chunk"), "0", f"{_HEAD - 6}")],
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

    def feet(self) -> Iterator[DrawnLabel]:
        for share, anchor in ((0, "start"), (0.25, "middle"), (0.5, "middle"), (0.75, "middle"), (1, "end")):
            words = f"{self.widest * share:,.0f}" + (" tokens" if share == 1 else "")
            yield DrawnLabel(words, f"{WIDTH * share:g}", _FOOT_AT, anchor)


def _bar(axes: _Axes, bar: Bar) -> DrawnBar:
    tall = max(1.5, _HEAD + _TALL - axes.y(bar.count))
    wide = max(1.0, axes.x(bar.end - bar.start) - 1)
    words = f"{bar.start:,} to {bar.end - 1:,} tokens: {counted(bar.count, 'chunk')}"
    x, y = f"{axes.x(bar.start)}", f"{_HEAD + _TALL - tall:g}"
    return DrawnBar(_CLASSES[bar.side], words, x, y, f"{wide:g}", f"{tall:g}")


def _outline(axes: _Axes, bins: Bins, counts: Sequence[int]) -> DrawnLine:
    line = "".join(f"V{axes.y(count):g}H{axes.x(end):g}" for count, end in zip(counts, bins.edges[1:], strict=True))
    return DrawnLine("was", f"M0 {_HEAD + _TALL}{line}V{_HEAD + _TALL}")


def _upright_limits(axes: _Axes, limited: Sequence[tuple[int, str]]) -> Iterator[tuple[DrawnLine, DrawnLabel]]:
    last = -1000.0
    for value, name in limited:
        x = axes.x(value)
        low = x - last < 90
        last = x
        line = DrawnLine("limit", f"M{x:g} {_HEAD - 2 if low else _HEAD - 14}V{_HEAD + _TALL}")
        anchor, shift = ("end", -4) if x > WIDTH - 90 else ("start", 4)
        y = f"{_HEAD + 9 if low else _HEAD - 6}"
        yield line, DrawnLabel(f"{name} {value:,}", f"{x + shift:g}", y, anchor, "name")


# ---- the sizes along the document ----


def ribbon(run: Run, prefix: str) -> Drawing | None:
    """A bar for each chunk where it stands in the document, as high as it has tokens; what is left
    out is a gap. None without chunks."""
    sizes = limited_sizes(run).tolist()
    if not sizes:
        return None
    limited = limit_lines(run.config.strategy.limits_in(run.document))
    top = max(*sizes, *(value for value, _ in limited), 1)
    each = bars_stand_for(run)
    length = max(1, len(run.document.text))
    shown = [
        _ribbon_bar(run.chunks[at : at + each], sizes[at : at + each], at + 1, top, length, prefix)
        for at in range(0, len(sizes), each)
    ]
    across = [*_ribbon_limits(limited, top)]
    first, last = "line 1", f"line {len(run.document.line_starts):,}"
    return Drawing(
        shown,
        [*(line for line, _ in across), _FLOOR],
        [
            *(label for _, label in across),
            DrawnLabel(first, "0", _FOOT_AT),
            DrawnLabel(last, f"{WIDTH}", _FOOT_AT, "end"),
        ],
    )


def bars_stand_for(run: Run) -> int:
    """How many chunks one bar of the ribbon stands for."""
    return max(1, -(-len(run.chunks) // MOST_BARS))


def _ribbon_bar(
    chunks: Sequence[Chunk], sizes: Sequence[int], number: int, top: int, length: int, prefix: str
) -> DrawnBar:
    largest = sizes.index(max(sizes))
    chosen = number + largest
    left, right = (WIDTH * at / length for at in (chunks[0].body.start, chunks[-1].body.end))
    tall = max(1.5, _TALL * sizes[largest] / top)
    return DrawnBar(
        kind=f"h{(chosen - 1) % 6}",
        title=f"{chosen:,}: {sizes[largest]:,} tokens",
        x=f"{left:.2f}",
        y=f"{_HEAD + _TALL - tall:.2f}",
        width=f"{max(0.5, right - left - 0.6):.2f}",
        height=f"{tall:.2f}",
        href=f"#{prefix}c{chosen}",
    )


def _ribbon_limits(limited: Sequence[tuple[int, str]], top: int) -> Iterator[tuple[DrawnLine, DrawnLabel]]:
    for value, name in limited:
        y = _HEAD + _TALL - _TALL * value / top
        label = DrawnLabel(f"{name} {value:,}", f"{WIDTH}", f"{y - 4:.2f}", "end", "name")
        yield DrawnLine("limit", f"M0 {y:.2f}H{WIDTH}"), label
