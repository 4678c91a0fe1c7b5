"""A sweep: one or two settings over ranges, a cell for each combination, measured on some
documents.

    axes = (axis_of(config, "minTokens=100:500:50"), axis_of(config, "maxTokens=500:1000:100"))
    for cell in sweep(documents, config, axes): ...

Each text is parsed and tokenized once, whatever the number of cells. Closing the iterator cancels
the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from itertools import product
from math import prod
from types import MappingProxyType

from chunking.config.config import Config
from chunking.config.setting_spec import spec_of
from chunking.config.url import value_of
from chunking.config.values import Value
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.errors import ConfigError, SettingError
from chunking.gold.questions import Question, WholeMark
from chunking.models.access import Tools
from chunking.runtime.run_limits import NO_LIMITS, RunLimits
from chunking.text.display import shown, shown_ascii, shown_text
from chunking.tuning.batch import measure_all
from chunking.tuning.summary import ConfigSummary

MAX_AXES = 2
MAX_CELLS = 10_000

_NUMBER = r"-?\d{1,15}(?:\.\d{1,9})?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER}):({_NUMBER})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting and its values in a sweep."""

    setting: str
    """In camelCase, as in the YAML; of a wrapped strategy after a dot, as `base.minTokens`."""
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell(ConfigSummary):
    """One combination of values, with the summary of its config over the documents measured so far.

    With several documents a cell is yielded again after each.
    """

    at: tuple[int, ...]
    """Its index on each axis, from 0."""
    values: tuple[Value, ...]
    """One for each axis."""
    config: Config | None
    """None where the values are illegal together."""
    error: str = ""
    """Why it cannot be measured: which value is illegal, and the way out; else ""."""


def sweep(
    documents: Sequence[Document],
    config: Config,
    axes: Sequence[Axis],
    *,
    gold: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    tools: Tools | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    stopped: Callable[[], bool] | None = None,
    known: Mapping[tuple[int, ...], ConfigSummary] = MappingProxyType({}),
    goes_on: bool = False,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[Cell]:
    """Cut every document with every combination of values; the last axis moves fastest.

    Each cell is yielded once for each document, with the summary of all documents so far: it takes
    the place of the one before. A cell whose values are illegal together is yielded once, with its
    error. `gold` has questions with known answers, `whole` spans to keep whole. `tools` gives its
    counter and models. With several `workers` each cell is yielded once, in any order; closing the
    iterator ends the processes. `progress` is called with the cuts done and their total; measuring
    ends when `stopped` returns True. Cells that are `known`, by `at`, are yielded first and not
    measured. With `goes_on`, a document that cannot be cut is among the cell's `faults`. Raises
    SettingError for illegal axes. `limits` are those of each document in each combination.
    """
    waiting = []
    for cell in grid(config, axes):
        if cell.config is None:
            yield cell
        elif cell.at in known:
            yield with_summary(cell, known[cell.at])
        else:
            waiting.append((cell, cell.config))
    measured = measure_all(
        documents,
        [changed for _, changed in waiting],
        gold=gold,
        whole=whole,
        tools=tools,
        workers=workers,
        progress=progress,
        stopped=stopped,
        goes_on=goes_on,
        limits=limits,
    )
    for number, summary in measured:
        yield with_summary(waiting[number][0], summary)


def grid(config: Config, axes: Sequence[Axis]) -> list[Cell]:
    """Every combination of values, the last axis moving fastest, before anything is measured.

    Raises SettingError for illegal axes.
    """
    checked_axes(config, axes)
    cells = []
    for at in product(*(range(len(axis.values)) for axis in axes)):
        values = tuple(axis.values[place] for axis, place in zip(axes, at, strict=True))
        try:
            changed = config.with_settings({axis.setting: value for axis, value in zip(axes, values, strict=True)})
        except ConfigError as error:
            cells.append(Cell(at=at, values=values, config=None, error=str(error)))
        else:
            cells.append(Cell(at=at, values=values, config=changed))
    return cells


def with_summary(cell: Cell, summary: ConfigSummary) -> Cell:
    """The cell with the numbers of a summary."""
    return replace(cell, **{field.name: getattr(summary, field.name) for field in fields(ConfigSummary)})


def axis_of(config: Config, text: str) -> Axis:
    """The axis in `minTokens=100:500:50` (both ends included), `shortTail=skip,keep`,
    `h1Rule=true,false` or `exclude=[["a"], ["b"]]`, a JSON list of values. Raises ConfigError, one
    line."""
    setting, equals, values = text.partition("=")
    if not equals:
        raise ConfigError(f"--set: {shown_text(text)!r} has no =; write it as minTokens=100:500:50")
    alias = _alias(config, setting.strip())
    found = _values(config, alias, values.strip())
    if not found:
        raise SettingError(alias, "has no values; write them as 100:500:50 or as 100,200,300")
    return Axis(alias, found)


def checked_axes(config: Config, axes: Sequence[Axis]) -> None:
    """Raises SettingError for illegal axes: an unknown setting, one twice, too many cells."""
    for axis in axes:
        _alias(config, axis.setting)
    settings = [axis.setting for axis in axes]
    if not 1 <= len(axes) <= MAX_AXES:
        raise SettingError(", ".join(settings) or "--set", f"{len(axes)} settings; sweep one or {MAX_AXES} of them")
    if len(set(settings)) < len(settings):
        raise SettingError(settings[0], "is swept twice; give all its values at once")
    cells = prod(len(axis.values) for axis in axes)
    if cells > MAX_CELLS:
        raise SettingError(", ".join(settings), f"{cells} cells; at most {MAX_CELLS} are swept, so take larger steps")


def _values(config: Config, setting: str, text: str) -> tuple[Value, ...]:
    if ranged := _RANGE.fullmatch(text):
        return tuple(json.loads(each) for each in _steps(setting, *ranged.groups()))
    if text.startswith("["):
        return tuple(_json_list(setting, text))
    parts = [part.strip() for part in text.split(",")] if text else []
    return tuple(value_of(type(config.strategy), setting, part, config.strategy) for part in parts)


def _steps(setting: str, first: str, last: str, step: str) -> list[str]:
    """The numbers of a range as they would be written; reckoned in decimals, so that .7 is .7."""
    start, end, by = Decimal(first), Decimal(last), Decimal(step)
    if by <= 0 or end < start:
        raise SettingError(setting, f"{first}:{last}:{step} goes nowhere; write lower:upper:step with a step above 0")
    count = int((end - start) / by) + 1
    if count > MAX_CELLS:
        raise SettingError(setting, f"{count} values; at most {MAX_CELLS} are swept, so take a larger step")
    return [f"{start + number * by:f}" for number in range(count)]


def _json_list(setting: str, text: str) -> list[Value]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, list):
        raise SettingError(setting, f"{shown(text)} is not a JSON list; write it as [value, value]")
    return read


def _alias(config: Config, setting: str) -> str:
    """The setting's name in camelCase. Raises SettingError, with the likely name, where the
    strategy has none such."""
    strategy: object = config.strategy
    found: list[str] = []
    for part in setting.split("."):
        if not isinstance(strategy, Strategy):
            raise SettingError(shown_ascii(setting), f"{shown_ascii('.'.join(found))} wraps no strategy")
        spec = spec_of(type(strategy), part)
        if spec is None:
            config.with_settings({setting: None})  # refuses it by name
            raise SettingError(shown_ascii(setting), f"{config.strategy.name} has no such setting")
        found.append(spec.label)
        strategy = getattr(strategy, spec.name)
    return ".".join(found)
