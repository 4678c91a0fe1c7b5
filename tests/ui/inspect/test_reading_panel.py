"""The views of a document and the filter of its chunks, on the page."""

from __future__ import annotations

from app_pages import address, open_page

from chunking import Config, health, parse, run
from pages.ui.choices.samples import samples
from pages.ui.inspect.chunk_filters import chunks_of

SAMPLE = next(each for each in samples() if each.name == "02-a-huge-table.md")


def test_each_other_filter_says_how_many_chunks_it_has_and_the_chosen_one_stays_in_the_address() -> None:
    app = open_page(document=SAMPLE.key, strategy="heading-window")
    cut = run(parse(SAMPLE.text, name=SAMPLE.name), Config.of("heading-window", {}))
    counts = [len(chunks_of(cut, only, health(cut))) for only in ("all", "failing", "torn", "over")]

    box = app.selectbox(key="reading-only")
    assert box.options == [
        "All chunks",
        f"Failing a check ({counts[1]})",
        f"Cutting a block in two ({counts[2]})",
        f"Over the maximum ({counts[3]})",
    ]
    assert counts[2] > 0
    assert "only" not in address(app)

    box.set_value("torn").run()
    assert not app.exception
    assert address(app)["only"] == "torn"
    assert app.selectbox(key="reading-only").options[:3] == [
        f"All chunks ({counts[0]})",
        f"Failing a check ({counts[1]})",
        "Cutting a block in two",
    ]


def test_a_link_with_a_filter_opens_the_cards_of_these_chunks() -> None:
    app = open_page(document=SAMPLE.key, strategy="heading-window", view="cards", only="over")

    assert not app.exception
    assert app.selectbox(key="reading-only").value == "over"
    assert address(app)["only"] == "over"
