"""Markup of the Tune page as plain functions of plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from chunking import Config
from chunking.config import Value, query_of
from chunking.text import counted
from chunking.tuning import INVARIANTS, Axis, Cell, Invariant, near_misses_words, nearly_words
from pages.ui.layout import markup, setting_names
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


def value_words(value: Value) -> str:
    """A setting's value on an axis."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def changed_words(config: Config, now: Config | None = None) -> str:
    """What differs from the current config where that has the same strategy, else from the
    strategy's defaults: `Minimum: 300, Maximum: default`."""
    said = []
    for name, text in _changed(config, now):
        title = setting_names.title(name, config.strategy)
        said.append(f"{title}: {'default' if text is None else _readable(text)}")
    return ", ".join(said) or _unchanged(config, now)


def named(config: Config, now: Config) -> str:
    """A config in a sentence: its strategy, and what differs as of `changed_words`: `Fixed size
    (Chunk size: 300, Overlap: default)`."""
    return f"{config.strategy.title} ({changed_words(config, now)})"


def _readable(text: str) -> str:
    """A value as it is written in an address, for people."""
    return f"{int(text):,}" if text.isdecimal() else _ON_OFF.get(text, text)


_ON_OFF = {"true": "on", "false": "off"}


def _changed(config: Config, now: Config | None) -> list[tuple[str, str | None]]:
    """The settings that differ, by name, with their values; None for the default."""
    query, before = query_of(config.strategy), _before(config, now)
    changed = ((name, _in_one_line(text)) for name, text in query.items() if text != before.get(name))
    return [*changed, *((name, None) for name in before if name not in query)]


def _before(config: Config, now: Config | None) -> dict[str, str]:
    """What a config is compared with: the current one, or the defaults of another strategy."""
    if now and now.strategy.name == config.strategy.name:
        return query_of(now.strategy)
    return {"strategy": config.strategy.name}


def _unchanged(config: Config, now: Config | None) -> str:
    return "the current settings" if len(_before(config, now)) > 1 or config == now else "default settings"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:40]


def nearly(found: Tuning, point: Point, now: Config) -> Markup:
    """The config that is nearly as good as the best, with what it saves."""
    words = f"Nearly as good: {named(point.config, now)}, {nearly_words(found)}."
    return markup.paragraph(f"{words}{worse_words(found, point, now)}")


def worse_words(found: Tuning, point: Point, now: Config) -> str:
    """What a config has more of than the current one that a reader would not want, as a sentence:
    ` Worse than now: 1 chunk under the minimum, 2 lists cut.`; "" where that is nothing, or the
    current one was not tried."""
    current = next((each.summary for each in found.points if each.config == now), None)
    if current is None:
        return ""
    summary, under = point.summary, point.summary.under_minimum
    worse = [f"{counted(under, 'chunk')} under the minimum"] if under > current.under_minimum else []
    worse += [summary.violation_words(name) for name in INVARIANTS if summary.violation(name) > current.violation(name)]
    return f" Worse than now: {', '.join(worse)}." if worse else ""


def verdict_sentence(found: Tuning, now: Config) -> str:
    """The verdict's first sentence, once no more configs are tried."""
    if found.best:
        return f"Best: {named(found.best.config, now)}."
    return "No config that was tried meets all requirements."


def verdict(found: Tuning, now: Config, *, running: bool, certain: str = "") -> Markup:
    """What came of it, in one sentence, the best with what differs from the current config; then
    whether that is certain, where questions are asked, and what the cheaper ones of its value do
    not meet."""
    best, nearest = found.best, found.nearest
    if best:
        saved = found.frontier[0]
        unit = found.goal.unit[:1].upper() + found.goal.unit[1:]
        cost = "" if found.goal.is_cost else f"; tokens to embed: {best.tokens:,}"
        words = f"{verdict_sentence(found, now)} {unit}: {found.goal.shown(best.quality)}{cost}."
        if saved not in (best, found.nearly_as_good):
            words += f" The cheapest option ({saved.tokens:,} tokens) reaches only {found.goal.shown(saved.quality)}."
        words += worse_words(found, best, now)
        near = "" if running else near_misses_words(found, SHORTLY)
        return markup.joined(markup.paragraph(each) for each in (words, certain, near) if each)
    if running or not nearest:
        return markup.paragraph("No config meets all requirements yet.")
    sentence = f"{verdict_sentence(found, now)} The nearest one fails:"
    return markup.paragraph(sentence) + markup.lines(nearest.broken)
