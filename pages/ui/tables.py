"""DataFrames and rows from Runs, documents and declarations. No Streamlit."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from chunking import Document
from chunking.chunk import SHARED_RULES
from chunking.metrics import Metrics
from chunking.strategy import Strategy
from pages.ui.declared import declared_settings
from pages.ui.markup import Figure
from pages.ui.plans import Plan, SettingValue


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers of the strip. Fewer cuts inside a block and more chunks within limits are better."""
    return (
        Figure("Chunks", f"{now.chunk_count:,}", f"{was.chunk_count:,}" if was else "", hint="chunks of this document"),
        Figure("Median tokens", _round(now.median_tokens), _round(was.median_tokens) if was else ""),
        Figure("95th percentile", _round(now.p95_tokens), _round(was.p95_tokens) if was else "", hint="tokens"),
        Figure(
            "Within limits",
            share_text(now.within_limits),
            share_text(was.within_limits) if was else "",
            _verdict(now.within_limits, was.within_limits if was else None),
            "chunks between the strategy's own minimum and maximum; – where it has neither",
        ),
        Figure(
            "Cuts inside a block",
            f"{now.cuts_inside_blocks:,}",
            f"{was.cuts_inside_blocks:,}" if was else "",
            _verdict(-now.cuts_inside_blocks, -was.cuts_inside_blocks if was else None),
            "boundaries inside a paragraph, table, list or fence",
        ),
        Figure(
            "Tokens to embed",
            f"{now.tokens_to_embed:,}",
            f"{was.tokens_to_embed:,}" if was else "",
            hint="context and overlap included",
        ),
    )


def _round(value: float) -> str:
    return f"{value:,.0f}"


def share_text(share: float | None) -> str:
    """A share in percent; 100% and 0% only when it is all or none."""
    return "–" if share is None else f"{share:.0%}" if share in (0, 1) else f"{min(max(share, 0.01), 0.99):.0%}"


def _verdict(now: float | None, was: float | None) -> Literal["", "better", "worse"]:
    if now is None or was is None or now == was:
        return ""
    return "better" if now > was else "worse"


def outline(document: Document) -> pd.DataFrame:
    """The headings in source order, indented by their level, with their line and where they start."""
    sections = [section for section in document.outline.walk() if section.heading is not None]
    return pd.DataFrame(
        {
            "Heading": ["\u2003" * (section.level - 1) + (section.title or "(no title)") for section in sections],
            "Line": [document.line_of(section.span.start) for section in sections],
            "start": [section.span.start for section in sections],
        }
    )


def settings_table(strategy: type[Strategy]) -> pd.DataFrame:
    """A strategy's settings with what is legal and what raising each does."""
    rows = declared_settings(strategy)
    return pd.DataFrame(
        {
            "Setting": [row.label for row in rows],
            "Default": [value_text(row.default) for row in rows],
            "Unit": [row.unit for row in rows],
            "Legal": [row.range_text for row in rows],
            "What it does": [row.help for row in rows],
        }
    )


def rules_table(strategy: type[Strategy]) -> pd.DataFrame:
    """The reasons this strategy gives, its own first, then those every strategy may give."""
    own = [(rule, meaning, "its own") for rule, meaning in strategy.rules.items()]
    shared = [(rule, meaning, "shared") for rule, meaning in SHARED_RULES.items() if rule not in strategy.rules]
    return pd.DataFrame([*own, *shared], columns=["Rule", "Meaning", "Whose"])


def value_text(value: SettingValue) -> str:
    """A setting's value as the YAML writes it, control characters made visible."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Plan):
        return value.strategy
    if isinstance(value, tuple | list):
        return ", ".join(repr(str(entry)) for entry in value)
    return repr(value) if isinstance(value, str) and not value.isprintable() else str(value)


def first_paragraph(docstring: str) -> str:
    """A docstring's first paragraph as one line of text."""
    return " ".join(docstring.strip().split("\n\n")[0].split())
