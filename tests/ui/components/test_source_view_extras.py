"""What a payload of the source view carries besides the run."""

from __future__ import annotations

from chunking import Config, parse, run, strategies
from pages.ui.components.source_view.extras import copied_with, headings, join, tables
from pages.ui.components.source_view.payload import Further

TEXT = "# 🫖 One\n\nwater\n\n# Two\n\nsteam\n"


def test_headings_are_sent_in_the_browsers_units() -> None:
    found = headings(parse(TEXT, "kettle.md"))

    assert found.columns["sections"].tolist() == [0, 17]
    assert found.columns["sectionLevel"].tolist() == [1, 1]
    assert found.strings["sectionTitles"].decode() == "🫖 One\0Two"


def test_tables_are_sent_in_the_browsers_units() -> None:
    found = tables(parse("# 🫖\n\n| a |\n|---|\n| 1 |\n\nwater\n", "kettle.md")).columns

    assert (found["tableStart"].tolist(), found["tableEnd"].tolist()) == ([6], [23])


def test_the_chosen_chunk_comes_with_what_stands_around_its_text() -> None:
    cut = run(parse(TEXT, "kettle.md"), Config(strategies.get("block-packing")()))

    assert copied_with(cut, 17).strings == {"context": b"# Two\n\n"}
    assert copied_with(cut, None).strings == {}
    assert copied_with(cut, 99).strings == {}


def test_several_are_sent_as_one() -> None:
    joined = join(Further(header={"marking": True}), Further(strings={"closing": b"```"}))

    assert (joined.header, joined.strings, joined.columns) == ({"marking": True}, {"closing": b"```"}, {})
