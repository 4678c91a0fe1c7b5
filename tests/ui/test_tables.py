"""Rows say what runs, documents and declarations say."""

from __future__ import annotations

from chunking import parse, strategies
from pages.ui import tables
from pages.ui.declared import declared_settings

TEXT = "# Kettle\n\nintro\n\n## Fill\n\nwater\n\n## Boil\n\nsteam\n"


def test_the_outline_is_indented_and_knows_its_lines() -> None:
    outline = tables.outline(parse(TEXT, name="a.md"))

    assert outline["Heading"].tolist() == ["Kettle", "\u2003Fill", "\u2003Boil"]
    assert outline["Line"].tolist() == [1, 5, 9]
    assert outline["start"].tolist() == [0, TEXT.index("## Fill"), TEXT.index("## Boil")]


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
