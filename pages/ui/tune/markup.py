"""Markup of the Tune page as plain functions of plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from chunking import Config
from chunking.config import Value
from chunking.text import counted
from chunking.tuning import Axis, Cell, Invariant, near_misses_words, nearly_words
from pages.ui.layout import markup, setting_names
from pages.ui.layout.setting_names import value_words
from pages.ui.tune.measures import SHORTLY, holds, met_without

if TYPE_CHECKING:
    from chunking.tuning import Point, Tuning

_MOST_NAMED = 3
"""Requirements that are named at most: those that exclude most."""


def legend(
    cells: Sequence[Cell],
    must: Sequence[Invariant],
    now: Sequence[Value],
    chosen: Sequence[Value] | None,
    *,
    lines: bool,
) -> Markup:
    """What the marks on the chart mean: only those that are there."""
    measured = [cell for cell in cells if cell.documents]
    meeting = sum(holds(cell, must) for cell in measured)
    entries = []
    if must and meeting:
        words = f"{meeting:,} of {len(measured):,} meet all requirements"
        entries.append(("cs-band" if lines else "cs-held", words))
    at = {cell.values for cell in measured}
    if tuple(now) in at:
        entries.append(("cs-now", "the current config"))
    if tuple(chosen or ()) in at:
        entries.append(("cs-chosen", "selected"))
    wrong = sum(bool(cell.error) for cell in cells)
    if wrong:
        entries.append(("cs-wrong", f"{wrong:,} impossible (minimum above maximum)"))
    shown = markup.joined(Markup('<span><i class="{}"></i>{}</span>').format(*each) for each in entries)
    return Markup('<div class="cs-legend">{}</div>').format(shown)


def excluding(cells: Sequence[Cell], must: Sequence[Invariant]) -> Markup | None:
    """Which requirements exclude the cells that meet all others: "Without “nothing left out”, 96 of
    129 would meet all requirements"; None where all are met."""
    measured = [cell for cell in cells if cell.documents]
    meeting = sum(holds(cell, must) for cell in measured)
    if meeting == len(measured):
        return None
    found = met_without(measured, must)
    if not found:
        return markup.note("Each combination that fails misses two requirements or more.")
    (name, count), *others = found[:_MOST_NAMED]
    first = f"Without “{SHORTLY[name]}”, {count:,} of {len(measured):,} would meet all other requirements"
    shown = [first, *(f"without “{SHORTLY[other]}”, {number:,}" for other, number in others)]
    return markup.note(f"{'; '.join(shown)}.")


def value_texts(axes: Sequence[Axis], values: Sequence[Value]) -> list[str]:
    """Each axis's setting with its value: `Minimum 250`."""
    return [f"{axis.setting} {value_words(value)}" for axis, value in zip(axes, values, strict=True)]


def changed_words(config: Config) -> str:
    """What differs from the strategy's defaults, whatever is current, so that a config has one
    name: `Minimum: 300, Maximum: 750`."""
    changed = setting_names.changed(config, None)
    return ", ".join(f"{title}: {value}" for title, value in changed) or "default settings"


def named(config: Config) -> str:
    """A config in a sentence: its strategy, and what differs from its defaults: `Fixed size (Chunk
    size: 300, Overlap: 0)`."""
    return f"{config.strategy.title} ({changed_words(config)})"


def nearly(found: Tuning, point: Point) -> Markup:
    """The config that is nearly as good as the best, with what it saves."""
    return markup.paragraph(f"Nearly as good: {named(point.config)}, {nearly_words(found)}.")


def now_words(found: Tuning, now: Config) -> str:
    """What the current config has of the goal beside the best, and plainly where the best is no
    better: `Now: 1.000; tokens to embed: 58,477; misses 1 requirement: 8 tables cut.`; "" where it
    was not tried."""
    best, current = found.best, found.point_of(now)
    if best is None or current is None:
        return ""
    if best is current:
        return "The current config is the best of those that were tried."
    goal, missed = found.goal, current.broken
    cost = "" if goal.is_cost else f"; tokens to embed: {current.tokens:,}"
    misses = f"; misses {counted(len(missed), 'requirement')}: {', '.join(missed)}" if missed else ""
    said = f"Now: {goal.shown(current.quality)}{cost}{misses}."
    same = goal.shown(best.quality) == goal.shown(current.quality)
    if best.quality > current.quality and not same:
        return said
    beside = f"The best is {'no better' if same else 'worse'} than now by the goal alone"
    if missed:
        return f"{said} {beside}; it meets the requirements that the current config misses."
    if best.answers_cut < current.answers_cut:
        fewer = counted(current.answers_cut - best.answers_cut, "fewer answer")
        return f"{said} {beside}; it cuts or leaves out {fewer}."
    less = current.tokens - best.tokens
    return f"{said} {beside}; it embeds {counted(less, 'fewer token')}." if less > 0 else f"{said} {beside}."


def verdict_sentence(found: Tuning) -> str:
    """The verdict's first sentence, once no more configs are tried."""
    if found.best:
        return f"Best: {named(found.best.config)}."
    return "No config that was tried meets all requirements."


def verdict(found: Tuning, now: Config, *, running: bool, certain: str = "") -> Markup:
    """What came of it, in one sentence, the best with what differs from its defaults; then
    what the current one has beside it, whether that is certain, where questions are asked, and what
    the cheaper ones of its value do not meet."""
    best, nearest = found.best, found.nearest
    if best:
        saved = found.frontier[0]
        unit = found.goal.unit[:1].upper() + found.goal.unit[1:]
        cost = "" if found.goal.is_cost else f"; tokens to embed: {best.tokens:,}"
        words = f"{verdict_sentence(found)} {unit}: {found.goal.shown(best.quality)}{cost}."
        if saved not in (best, found.nearly_as_good):
            words += f" The cheapest option ({saved.tokens:,} tokens) reaches only {found.goal.shown(saved.quality)}."
        near = "" if running else near_misses_words(found, SHORTLY)
        return markup.joined(markup.paragraph(each) for each in (words, now_words(found, now), certain, near) if each)
    if running or not nearest:
        return markup.paragraph("No config meets all requirements yet.")
    sentence = f"{verdict_sentence(found)} The nearest one fails:"
    return markup.paragraph(sentence) + markup.lines(nearest.broken)
