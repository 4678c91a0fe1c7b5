"""Values and docstrings in the words of a screen. No Streamlit."""

from __future__ import annotations

from pages.ui.choices.plans import Plan, SettingValue


def value_text(value: SettingValue) -> str:
    """A setting's value as its control says it, control characters made visible."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Plan):
        return value.strategy
    if isinstance(value, tuple | list):
        return ", ".join(repr(str(entry)) for entry in value)
    return repr(value) if isinstance(value, str) and not value.isprintable() else str(value)


def first_paragraph(docstring: str) -> str:
    """A docstring's first paragraph as one line of text."""
    return " ".join(docstring.strip().split("\n\n")[0].split())
