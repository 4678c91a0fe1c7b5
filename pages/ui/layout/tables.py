"""DataFrames from declarations. No Streamlit."""

from __future__ import annotations

import pandas as pd

from chunking.core.chunk import SHARED_RULES
from chunking.core.strategy import Strategy
from pages.ui.choices.declared import declared_settings
from pages.ui.choices.plans import Plan, SettingValue


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
