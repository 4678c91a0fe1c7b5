"""A strategy's declarations and a run's metrics as rows of text, and rows as a Markdown table.

The same rows are in docs/ and in the app.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from chunking.analysis.metric_table import PICTURE, Metric
from chunking.config.setting_spec import SettingSpec, setting_specs
from chunking.config.validation import plain
from chunking.config.values import Value
from chunking.core.chunk import SHARED_RULES
from chunking.core.metrics import Metrics
from chunking.core.strategy import Strategy

MOST_SHOWN = 60
"""Maximum characters of a default in a table; a prompt is cut to it."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting in words."""

    name: str
    """In camelCase, as in the YAML."""
    title: str
    default: str
    """As the YAML may write it."""
    takes: str
    """What is legal, such as "a whole number from 0 to 100"."""
    unit: str
    help: str
    """The effect of raising it."""


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One rule that a boundary, a skip or a flag may name."""

    rule: str
    meaning: str
    shared: bool
    """Whether any strategy may give it."""


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One number of two runs."""

    name: str
    before: str
    after: str


def setting_rows(strategy: type[Strategy]) -> tuple[SettingRow, ...]:
    """Every setting, in the order of declaration."""
    return tuple(
        SettingRow(spec.label, spec.title, _default(spec), spec.takes, spec.unit, spec.help)
        for spec in setting_specs(strategy)
    )


def reason_rows(strategy: type[Strategy]) -> tuple[ReasonRow, ...]:
    """The strategy's own reasons, then those that any strategy may give."""
    own = [ReasonRow(rule, meaning, shared=False) for rule, meaning in strategy.rules.items()]
    shared = [ReasonRow(rule, meaning, True) for rule, meaning in SHARED_RULES.items() if rule not in strategy.rules]
    return (*own, *shared)


def figure_rows(before: Metrics, after: Metrics) -> tuple[FigureRow, ...]:
    """The metrics of the picture for two runs of one document, counted by one counter."""
    return tuple(FigureRow(_named(metric), metric.text(before), metric.text(after)) for metric in PICTURE)


def _named(metric: Metric) -> str:
    """The title, with "in tokens" where that is the unit and the title does not say so."""
    unsaid = metric.unit == "tokens" and "tokens" not in metric.title.lower()
    return f"{metric.title}, in tokens" if unsaid else metric.title


def _default(spec: SettingSpec) -> str:
    if isinstance(spec.default, Strategy):
        return f"{{strategy: {spec.default.name}}}"
    return _yaml(plain(spec.default))


def _yaml(value: Value) -> str:
    """On one line, as YAML may write it: a plain word as it is, anything else as JSON, which is
    YAML too."""
    if isinstance(value, str) and value.replace("-", "").isalnum():
        return value
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= MOST_SHOWN else f"{written[: MOST_SHOWN - 1]}…"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; `|` and line breaks in cells are escaped."""
    lines = [_row(head), "|" + "---|" * len(head), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    """Text as inline code in Markdown; "" for empty text."""
    if not text:
        return ""
    flat = " ".join(text.splitlines())
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
