"""Compare as a person uses it, in real Chromium: scrolling as one, ribbon, phone, dark, hostile
text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from seen_first import WHAT_IS_SEEN_FIRST
from seen_lines import COLUMNS
from usual_and_long import long
from waiting import until_on

from chunking import Config, parse, run

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"
LINK = f"compare?document=sample:{SAMPLE.name}&a.strategy=fixed&b.strategy=recursive"
HOSTILE = (
    "# :red[warning] <script>document.title='owned'</script>\n\n"
    "## <img src=x onerror=\"document.title='owned'\">\n\nmore\n"
)
PLACES = """row => {
    const words = document.createRange();
    words.selectNodeContents(row.querySelector(".counts"));
    return [row, words, row.querySelector(".name")].map((each) => each.getBoundingClientRect().toJSON());
}"""
"""Of a row of the ribbon: all of it, the words of its counts, its config."""
PATIENCE = 45_000


def opened(page: Page, address: str) -> Page:
    """The page, when both sources are painted and what is below them is there."""
    page.goto(address)
    page.locator(".cs[data-painted]").nth(1).wait_for(state="attached", timeout=PATIENCE)  # a phone shows one
    page.locator(".cs-again").wait_for(timeout=PATIENCE)
    return page


def at(page: Page) -> int:
    return int(parse_qs(urlsplit(page.url).query)["at"][0])


def scrolled(page: Page) -> list[float]:
    """How far each source is scrolled, in pixels."""
    return [page.locator(".cs .scroll").nth(number).evaluate("e => e.scrollTop") for number in range(2)]


def test_both_sources_come_with_the_ribbon_and_show_the_same_lines_wherever_one_is_scrolled(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.add_init_script(WHAT_IS_SEEN_FIRST)
    opened(page, f"{serve('app.py')}/{LINK}")
    first = until_on(page, lambda: page.evaluate("window.seenFirst"))
    parts = ("compare-ribbon", "compare-source-A", "compare-source-B")
    missing = [name for name in parts if not any(f"st-key-{name} " in each for each in first["drawn"])]
    assert first["skeletons"] == 0
    assert not missing or first["spinners"]  # on a slow machine a spinner says what takes long

    page.locator(".cs .scroll").first.hover()
    page.mouse.wheel(0, 1500)
    page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('*')].flatMap(e => e.shadowRoot"
        " ? [...e.shadowRoot.querySelectorAll('.scroll')] : []);"
        " return all.length === 2 && all.every(e => e.scrollTop > 1000); }",
        timeout=PATIENCE,
    )

    first, second = scrolled(page)
    assert abs(first - second) < 40


def test_two_sources_have_lines_of_80_columns_at_1440_px_beside_a_scrollbar(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, f"{serve('app.py')}/{LINK}")

    assert page.locator(".cs .scroll").first.evaluate(COLUMNS) >= 82  # two more than the scrollbar, hidden here, takes


def test_a_click_on_the_ribbon_goes_to_that_boundary_in_every_source(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{LINK}")
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    cuts = [chunk.body.end for chunk in run(document, Config.of("fixed", {})).chunks]
    track = page.locator(".ribbon .track").first
    box = track.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * cuts[5] / len(document.text), box["y"] - 0.5)  # the row's upper edge
    page.wait_for_url(re.compile(f"at={cuts[5]}$|at={cuts[5]}&"), timeout=PATIENCE)

    expect(page.locator(".cs").first.locator(".lbl.sel .num")).to_have_text("#7", timeout=PATIENCE)
    first, second = scrolled(page)
    assert first > 500
    assert abs(first - second) < 40


def test_a_tap_on_the_ribbon_says_which_boundary_it_was_and_shows_the_rows_source(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = opened(context.new_page(), f"{serve('app.py')}/{LINK}")
    track = page.locator(".ribbon .track").nth(1)
    track.scroll_into_view_if_needed()
    box, tick = track.bounding_box(), track.locator(".tick.removed").bounding_box()
    assert box
    assert tick
    page.touchscreen.tap(tick["x"] + 4, box["y"] + 5)  # on its sign
    page.wait_for_url(re.compile("at=[1-9]"), timeout=PATIENCE)

    expect(page.locator(".ribbon .says")).to_have_text(re.compile(r"^B, line \d+: removed, was "))
    expect(page.get_by_role("radio", name="B", exact=True)).to_be_checked()
    expect(page.locator(".st-key-compare-source-B .cs")).to_be_visible()
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("width", [360, *long(1440)])
def test_the_ribbon_says_all_of_its_counts_beside_the_config(
    width: int, page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    sizes = "a.chunkSize=11&a.chunkOverlap=0&b.chunkSize=13&b.chunkOverlap=0"
    opened(page, f"{serve('app.py')}/{LINK}&{sizes}")
    counts = page.locator(".ribbon .counts").nth(1)
    expect(counts).to_have_text("67 kept, 671 moved, 94 added, 28 removed", timeout=PATIENCE)

    line, words, name = page.locator(".ribbon .row").nth(1).evaluate(PLACES)
    assert line["left"] <= name["left"] < name["left"] + 60 <= words["left"]
    assert words["right"] <= line["right"]
    assert line["top"] - 1 <= words["top"] < words["bottom"] <= line["bottom"] + 1


def test_the_ribbon_works_by_keyboard(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{LINK}")
    track = page.get_by_role("slider", name=re.compile("^B, Recursive: "))
    track.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    expect(track).to_have_attribute("aria-valuetext", re.compile(r"^line \d+: (kept|moved)"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("at="), timeout=PATIENCE)
    assert at(page) > 0


def test_a_row_opens_in_inspect_as_it_was_compared(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{LINK}&b.chunkSize=700")
    page.get_by_role("button", name="Open B in Inspect").click()
    page.wait_for_url(re.compile(r"/\?.*strategy=recursive.*chunkSize=700"), timeout=PATIENCE)

    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["was.strategy"] == ["fixed"]


@pytest.mark.long
def test_every_click_on_a_row_of_boundaries_brings_its_place_onto_the_screen(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{LINK}")
    on_screen = """() => [...document.querySelectorAll("*")].some((e) => {
        const cs = e.shadowRoot?.querySelector(".cs");
        const box = cs?.getBoundingClientRect();
        return box && box.top >= 0 && box.top < innerHeight / 3 && cs.querySelector(".lbl.sel");
    })"""
    kept = page.locator(".st-key-compare-kinds button").last
    expect(kept).to_be_visible()

    def click(row: int, *, kinds: str = "moved-added-removed") -> None:
        table = page.locator(f".st-key-compare-table-B-{kinds}")
        table.wait_for(timeout=PATIENCE)
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 60, box["y"] + 38 + 28 * row + 14)

    click(3, kinds="moved-added-removed-kept")
    page.wait_for_function(on_screen, timeout=PATIENCE)
    there = at(page)
    page.get_by_role("button", name="Show it in the source").click()  # which scrolls down to it first
    page.wait_for_function(on_screen, timeout=PATIENCE)
    assert at(page) == there
    kept.scroll_into_view_if_needed()
    kept.click()  # other rows now
    click(3)
    page.wait_for_function(on_screen, timeout=PATIENCE)
    click(4)
    until_on(page, lambda: at(page) != there, otherwise=lambda: f"the place is still {there}")
    page.wait_for_function(on_screen, timeout=PATIENCE)


def test_document_text_is_shown_and_never_run(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{LINK}")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Or paste text").fill(HOSTILE)
    page.get_by_role("button", name="Add text").click()
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")

    expect(page.locator(".cs .crumb").first).to_contain_text(":red[warning]", timeout=PATIENCE)
    assert page.title() == "Compare · Chunkscope"


@pytest.mark.long
def test_a_phone_has_both_sources_at_one_place_and_nothing_sticks_out(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    opened(page, f"{serve('app.py')}/{LINK}")
    boxes = [page.locator(".cs").nth(number).bounding_box() for number in range(2)]

    assert boxes[0] == boxes[1]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)


@pytest.mark.long
def test_settings_open_at_what_they_stand_at_and_change_one_row(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/compare?a.strategy=fixed&b.strategy=block-packing&b.maxTokens=300")
    page.locator(".ribbon .track").first.click()  # the page has run again before the popover is first opened
    page.wait_for_url(re.compile("at="), timeout=PATIENCE)
    page.get_by_role("button", name="Settings of B").click()
    field = page.get_by_role("spinbutton", name=re.compile("Maximum .?maxTokens"))

    expect(field).to_have_value("300")
    field.fill("200")
    field.press("Enter")
    page.wait_for_url(re.compile("b.maxTokens=200$"), timeout=PATIENCE)
