"""Rows say what declarations say."""

from __future__ import annotations

from chunking import strategies
from chunking.config.setting_spec import setting_specs
from chunking.strategy_docs.tables import reason_rows, setting_rows
from pages.ui.layout import tables


def test_every_setting_of_every_strategy_is_in_its_table() -> None:
    for name in strategies.names():
        strategy = strategies.get(name)
        assert [row.name for row in setting_rows(strategy)] == [field.alias for field in strategy.model_fields.values()]


def test_every_setting_has_a_kind_of_control() -> None:
    kinds = {
        f"{name}.{setting.label}": setting.kind
        for name in strategies.names()
        for setting in setting_specs(strategies.get(name))
    }

    assert [setting for setting, kind in kinds.items() if kind in ("other", "list")] == []


def test_the_strategys_own_rules_come_before_the_shared_ones() -> None:
    rows = reason_rows(strategies.get("every-heading"))

    assert [row.rule for row in rows[:2]] == ["heading", "end"]
    assert [row.shared for row in rows[:2]] == [False, True]


def test_control_characters_in_a_default_are_made_visible() -> None:
    assert tables.value_text("\n\n") == r"'\n\n'"
    assert tables.value_text(True) == "on"
    assert tables.value_text(("a", "b")) == "'a', 'b'"
