"""Rows say what declarations say."""

from __future__ import annotations

from chunking import strategies
from pages.ui.choices.declared import declared_settings
from pages.ui.layout import tables


def test_every_setting_of_every_strategy_is_in_its_table() -> None:
    for name in strategies.names():
        strategy = strategies.get(name)
        assert tables.settings_table(strategy)["Setting"].tolist() == [
            field.alias for field in strategy.model_fields.values()
        ]


def test_every_setting_has_a_kind_of_control() -> None:
    kinds = {
        f"{name}.{setting.label}": setting.kind
        for name in strategies.names()
        for setting in declared_settings(strategies.get(name))
    }

    assert [setting for setting, kind in kinds.items() if kind == "other" and not setting.endswith(".base")] == []


def test_the_strategys_own_rules_come_before_the_shared_ones() -> None:
    table = tables.rules_table(strategies.get("every-heading"))

    assert table["Rule"].tolist()[:2] == ["heading", "end"]
    assert table["Whose"].tolist()[:2] == ["its own", "shared"]


def test_control_characters_in_a_default_are_made_visible() -> None:
    assert tables.value_text("\n\n") == r"'\n\n'"
    assert tables.value_text(True) == "true"
    assert tables.value_text(("a", "b")) == "'a', 'b'"
