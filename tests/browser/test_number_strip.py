"""The strip of numbers says all of them in a wide window, however long they are, and no drag moves
what is beside them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect
from usual_and_long import long
from waiting import until_on

PATIENCE = 45_000
LONG = "# Long\n\n" + "".join(f"## Part {number}\n\nwater and steam\n\n" for number in range(12_000))
LISTS = "# Lists\n\n" + "".join(f"## Part {part}\n\n" + "- water and steam\n" * 400 + "\n" for part in range(99))
CUT_OFF = """() => [...document.querySelectorAll(".cs-strip :is(dt, .cs-was)")]
    .filter((words) => words.scrollWidth > words.clientWidth).map((words) => words.textContent)"""
EDGES = """() => [...document.querySelectorAll(".cs-strip > div")]
    .map((cell) => Math.round(cell.getBoundingClientRect().left))"""

APART = """() => {
    const middle = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { top, bottom } = range.getBoundingClientRect();
        return (top + bottom) / 2;
    };
    const beside = document.querySelector(".cs-strip b small:not([hidden])");
    return beside && middle(beside) - middle(beside.parentElement.firstChild);
}"""


def test_what_is_said_of_a_number_stands_on_its_line(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=block-packing&maxTokens=160")
    expect(page.locator(".cs-strip b small:not([hidden])")).to_contain_text("(97% with context)", timeout=PATIENCE)

    until_on(page, lambda: abs(page.evaluate(APART)) < 2, otherwise=lambda: f"{page.evaluate(APART)} px apart")


def test_what_the_numbers_mean_is_said_where_it_is_asked_by_keyboard_or_by_touch(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=block-packing")
    asks = page.get_by_role("button", name="What these numbers mean")
    meanings = page.get_by_role("group", name="What these numbers mean")
    asks.click(timeout=PATIENCE)
    expect(meanings).to_be_in_viewport(ratio=1)
    expect(meanings.get_by_text("Half of the chunks have fewer tokens, half have more;")).to_be_visible()
    page.keyboard.press("Escape")
    expect(meanings).to_be_hidden()
    expect(asks).to_be_focused()
    page.keyboard.press("Enter")
    expect(meanings.get_by_text("Another way to cut the same text, to compare with;")).to_be_visible()


def test_long_numbers_have_room_beside_their_baselines_and_stay_there_during_a_drag(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/?strategy=heading-window&was.strategy=every-heading")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    height = page.locator(".cs-strip").evaluate("strip => strip.offsetHeight")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        FilePayload(name="long.md", mimeType="text/markdown", buffer=LONG.encode())
    )
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(page.locator(".cs-strip .cs-was").first).to_have_text(re.compile(r"baseline 12,00\d"), timeout=PATIENCE)

    until_on(page, lambda: page.evaluate(CUT_OFF) == [], otherwise=lambda: str(page.evaluate(CUT_OFF)))
    assert page.locator(".cs-strip").evaluate("strip => strip.offsetHeight") == height
    edges, chunks = page.evaluate(EDGES), page.locator(".cs-strip b").first
    before = chunks.inner_text()
    page.get_by_role("slider").first.press("PageDown")
    expect(chunks).not_to_have_text(before, timeout=PATIENCE)
    assert page.evaluate(EDGES) == edges


def test_a_baseline_is_whole_also_while_a_drag_makes_its_number_longer(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    strip, beside = page.locator(".st-key-numbers .cs-strip"), page.locator(".cs-strip b small:not([hidden])")
    expect(beside).to_have_count(0)
    height = strip.evaluate("strip => strip.offsetHeight")
    page.get_by_role("slider").first.evaluate(
        "range => { range.value = 750; range.dispatchEvent(new Event('input', { bubbles: true })); }"
    )

    expect(beside).to_have_text(" (0% with context)", timeout=PATIENCE)
    assert page.evaluate(CUT_OFF) == []
    assert strip.evaluate("strip => strip.offsetHeight") == height


def test_numbers_that_a_button_makes_longer_have_room_beside_their_baselines(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    config = "strategy=heading-window&maxTokens=750&was.strategy=every-heading"
    page.goto(f"{serve('app.py')}/?document=sample:02-a-huge-table.md&{config}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Set Maximum maxTokens to 1,757").first.click(timeout=PATIENCE)
    expect(page.locator(".cs-strip b").nth(1)).to_have_text("1,028.5", timeout=PATIENCE)

    until_on(page, lambda: page.evaluate(CUT_OFF) == [], otherwise=lambda: str(page.evaluate(CUT_OFF)))


@pytest.mark.long
def test_a_baseline_beside_a_verdict_is_whole_on_a_laptop(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(f"{serve('app.py')}/?strategy=heading-window&was.strategy=every-heading")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        FilePayload(name="lists.md", mimeType="text/markdown", buffer=LISTS.encode())
    )
    expect(page.locator(".cs-strip .cs-worse").first).to_have_text("worse", timeout=PATIENCE)

    until_on(page, lambda: page.evaluate(CUT_OFF) == [], otherwise=lambda: str(page.evaluate(CUT_OFF)))


@pytest.mark.parametrize("width", [801, *long(900, 1001, 1150)])
def test_no_title_of_a_strip_is_cut_in_a_narrow_window(page: Page, serve: Callable[[str], str], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    for name in ("", "corpus"):
        page.goto(f"{serve('app.py')}/{name}?strategy=heading-window&was.strategy=every-heading")
        expect(page.locator(".cs-strip .cs-was").first).to_have_text(re.compile("baseline"), timeout=PATIENCE)

        until_on(page, lambda: page.evaluate(CUT_OFF) == [], otherwise=lambda: str(page.evaluate(CUT_OFF)))


def test_at_200_percent_the_page_begins_with_its_numbers_and_eight_lines_of_source(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto(f"{serve('app.py')}/?strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    strip, source = (page.locator(each).bounding_box() for each in (".st-key-numbers .cs-strip", ".cs .body"))
    sheet = page.locator(".st-key-rail").bounding_box()
    assert strip
    assert source
    assert sheet

    assert strip["y"] + strip["height"] <= source["y"]
    assert sheet["y"] - source["y"] >= 8 * 20
    assert page.evaluate(CUT_OFF) == []


OVERPRINTED = """() => [...document.querySelectorAll(".cs-strip > div")].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const lines = [];
    while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        for (const line of range.getClientRects()) lines.push([walker.currentNode.data, line]);
    }
    const over = (one, other) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
    return lines.flatMap(([words, line], index) =>
        lines.slice(index + 1).filter(([, other]) => over(line, other)).map(([other]) => `${words} over ${other}`));
})"""


@pytest.mark.parametrize(("name", "key"), [("", "strip"), ("corpus", "corpus-strip")])
def test_on_a_phone_what_is_over_with_context_has_a_line_of_its_own(
    name: str, key: str, page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    query = "document=sample:10-an-api-reference.md&strategy=block-packing&maxTokens=160&was.strategy=every-heading"
    page.goto(f"{serve('app.py')}/{name}?{query}")
    strip, place = page.locator(".cs-strip"), page.locator(f".st-key-{key}")
    said = strip.locator("b small:not([hidden])").filter(has_text="with context")
    expect(said).to_be_visible(timeout=PATIENCE)
    expect(strip).to_contain_text("baseline no limits")

    assert page.evaluate(OVERPRINTED) == []
    kept = place.evaluate("place => parseFloat(getComputedStyle(place).minHeight)")
    assert strip.evaluate("strip => strip.offsetHeight") <= kept + 1
