"""A boundary that tears a table, code or a list looks torn in every view, says what it cuts, and
keys lead from one to the next."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

PATIENCE = 45_000
TABLE = "?document=sample:02-a-huge-table.md&strategy=fixed&at=0"
CODE = "?document=sample:10-an-api-reference.md&strategy=recursive&chunkSize=140&chunkOverlap=0&at=0"
TEETH = "edge => getComputedStyle(edge).backgroundImage"


@pytest.fixture
def at(page: Page, serve: Callable[[str], str]) -> Callable[[str], Page]:
    """`at("?view=cards")` opens Inspect there, once the view is drawn."""

    def opened(address: str) -> Page:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(f"{serve('app.py')}/{address}")
        page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
        page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
        return page

    return opened


def toothed(edges: Locator) -> None:
    assert "linear-gradient" in edges.first.evaluate(TEETH)


def test_a_row_that_is_cut_has_a_torn_edge_through_it_where_markdown_is_rendered(at: Callable[[str], Page]) -> None:
    page = at(TABLE + "&view=rendered")
    walk = page.get_by_role("group", name="Torn boundaries")
    expect(walk).to_contain_text("1 block cut in 8 places")
    page.locator(".rendered .scroll").press("t")
    label = page.get_by_role("button", name=re.compile(r"^✂ cuts the table, lines 11 to 74, #2\b.*\. Chunk 2 of 10"))
    expect(label).to_be_focused()
    expect(label).to_be_in_viewport()

    page.keyboard.press("t")
    page.keyboard.press("t")
    inside = page.get_by_role("button", name=re.compile(r"^✂ cuts the table.*, #4\b"))
    expect(inside).to_be_focused()
    edges = page.locator("tr", has=inside).locator(".tear")
    expect(edges).to_have_count(4)  # one for each cell
    toothed(edges)
    page.keyboard.press("Shift+T")
    expect(page.get_by_role("button", name=re.compile(r"^✂ cuts the table.*, #3\b"))).to_be_focused()


@pytest.mark.long
def test_code_and_a_whole_row_have_an_edge_across_the_text_and_the_words_are_seen(at: Callable[[str], Page]) -> None:
    page = at(CODE + "&view=rendered")
    walk = page.get_by_role("group", name="Torn boundaries")
    walk.get_by_role("button", name="Next").click()
    words = re.compile("cuts the (table|code block|list), lines")
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()
    toothed(page.locator(".rails .tear"))
    page.locator(".rendered .scroll").press("t")
    for _ in range(40):
        if page.locator("pre .pill.ripped button:focus").count():
            break
        page.keyboard.press("t")
    shown = page.locator("pre .pill.ripped button:focus")
    expect(shown).to_contain_text("cuts the code block, lines")
    edge, label = page.locator(".rails .tear").first, shown.bounding_box()
    assert label is not None
    tops = page.locator(".rails .tear").evaluate_all("edges => edges.map((edge) => edge.getBoundingClientRect().top)")
    assert any(label["y"] - 12 <= top < label["y"] for top in tops), (tops, label, edge)


def test_the_end_of_a_card_is_torn_and_says_what_it_cuts(at: Callable[[str], Page]) -> None:
    page = at(TABLE + "&view=cards")
    cards = page.get_by_role("list", name="Chunks").get_by_role("listitem")
    expect(cards.nth(1)).to_contain_text("✂ Ends: cuts the table, lines 11 to 74")
    toothed(cards.nth(1).locator(".tear"))
    expect(cards.nth(8).locator(".tear")).to_have_count(0)  # the last chunk but one ends behind the table

    page.locator(".cards .scroll").press("t")  # the end of the chunk that is chosen is the first
    first = page.get_by_role("button", name=re.compile(r"^#1, \d+ tokens\. Its end cuts the table, lines 11 to 74\."))
    expect(first).to_be_focused()
    page.keyboard.press("Shift+T")
    page.keyboard.press("Shift+T")
    expect(page.get_by_role("status").filter(has_text="This is the first torn boundary")).to_be_visible()
    page.get_by_role("button", name="Next torn boundary").click()
    expect(page.get_by_role("status").filter(has_text="Chunk 2: its end cuts the table")).to_be_visible()


@pytest.mark.long
def test_a_filter_leaves_only_its_cards_ends_to_go_through(at: Callable[[str], Page]) -> None:
    page = at(TABLE + "&view=cards&only=torn")
    expect(page.get_by_role("list", name="Chunks").get_by_role("listitem")).to_have_count(8)
    page.locator(".cards .scroll").press("End")
    expect(page.get_by_role("button", name=re.compile(r"^#8, .* Its end cuts the table"))).to_be_focused()
    page.keyboard.press("t")

    expect(page.get_by_role("status").filter(has_text="This is the last torn boundary")).to_be_visible()


@pytest.mark.long
def test_tokens_are_torn_too_and_the_next_is_found_beyond_what_was_sent(at: Callable[[str], Page]) -> None:
    page = at(CODE + "&view=tokens")
    walk = page.get_by_role("group", name="Torn boundaries").text_content() or ""
    count = int(re.findall(r"(\d+)(?: places|(?= blocks? cut$))", walk)[-1])
    page.locator(".tokens .scroll").press("t")
    first = page.locator(".divide.ripped button:focus")
    expect(first).to_contain_text("cuts the")
    toothed(page.locator(".rails .tear"))
    seen = [first.get_attribute("data-select")]
    for _ in range(count - 1):
        page.keyboard.press("t")
        focused = page.locator(f'.divide.ripped button:focus:not([data-select="{seen[-1]}"])')
        focused.wait_for(timeout=PATIENCE)
        seen.append(focused.get_attribute("data-select"))

    assert len(set(seen)) == count > 8
    page.keyboard.press("t")
    expect(page.get_by_role("status").filter(has_text="This is the last torn boundary")).to_be_visible()


COVERED = """root => {
    const boxes = (query) => [...root.querySelectorAll(query)]
        .map((each) => [each.textContent, each.getBoundingClientRect()]);
    const cover = ([, one], [, other]) => one.left < other.right && other.left < one.right
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const words = boxes(".tears button:not([hidden])");
    return words.flatMap((label) => boxes(".box .name, .box .of").filter((name) => cover(label, name))
        .map(([name]) => `${label[0]} is over ${name}`));
}"""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
def test_in_the_structure_the_words_of_torn_boundaries_cover_no_sections_name(
    at: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = at(CODE.replace("140", "200") + "&view=structure")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    words = page.locator(".tears button:visible")
    expect(words.first).to_contain_text("✂ cuts the table, lines 57 to 63")
    page.evaluate("document.fonts.ready")

    assert words.count() > 3
    assert page.locator(".structure").evaluate(COVERED) == []
