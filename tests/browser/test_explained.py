"""What stands on the page says what it is, and leads to what it speaks of: real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PATIENCE = 45_000
HEADINGS = "?document=sample:01-headings-without-content.md&strategy=heading-window"


def opened(page: Page, address: str) -> Page:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    return page


def test_the_words_see_health_open_the_tab_health(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    expect(page.locator(".health")).to_be_hidden()
    page.get_by_role("link", name="see Health").click()

    expect(page.locator(".health")).to_be_visible()
    expect(page.get_by_role("tab", name="Health")).to_be_focused()


def test_a_sample_without_a_torn_block_leads_to_one_that_shows_it_and_what_helps(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    page.get_by_role("button", name="See a torn table").click()

    page.wait_for_url(re.compile("a-huge-table"), timeout=PATIENCE)
    tear = page.locator(".cs").get_by_text("cuts the table, lines 11 to 74").first
    expect(tear).to_be_in_viewport(timeout=PATIENCE)
    expect(page.locator(".marks-key")).to_contain_text("torn: cuts a block in two", timeout=PATIENCE)
    expect(page.locator(".st-key-chunk")).to_contain_text("How to keep this table whole", timeout=PATIENCE)


@pytest.mark.long
def test_the_dashes_of_the_baseline_are_explained_under_the_pointer_and_at_the_foot(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    key = page.locator(".marks-key")
    expect(key).to_contain_text("cut by the baseline only")
    expect(key).to_contain_text("left out")
    expect(key).to_contain_text("chunk: colours repeat")
    dash = page.locator(".was").first
    dash.scroll_into_view_if_needed()
    box = dash.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 1)
    expect(page.get_by_role("tooltip")).to_have_text("The baseline cuts here; the current settings do not")
    page.mouse.move(box["x"] - 200, box["y"] + 1)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(page.locator("canvas.map")).to_have_attribute(
        "title",
        "Overview of the document: click or drag to jump. "
        "As wide as a chunk has tokens. Dashed: left out. Ticks at the left: the boundaries of the baseline",
    )

    page.goto(f"{serve('app.py')}/{HEADINGS}&was.strategy=none")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(key).to_contain_text("left out")
    expect(key).not_to_contain_text("baseline")


@pytest.mark.long
def test_a_recommendation_that_costs_something_says_so_as_the_panel_does_and_both_buttons_are_dashed(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/?document=sample:02-a-huge-table.md&strategy=heading-window&at=700")
    costs = "Costs: a 512-token embedder misses 786 more tokens"
    expect(page.locator(".st-key-offer-line b")).to_have_text(f"{costs}.", timeout=4 * PATIENCE)
    expect(page.get_by_role("button", name="Try it")).to_have_css("border-style", "dashed")

    offer = page.locator('.st-key-chunk [class*="st-key-whole-"]').first
    expect(offer.locator("b")).to_have_text(costs)
    expect(offer.get_by_role("button")).to_have_css("border-style", "dashed")

    line = page.locator(".st-key-offer-line")
    page.get_by_role("button", name="Try it").click()
    expect(line.locator("p")).to_contain_text("2 chunks, was 4; 0 blocks cut in two, was 1.", timeout=PATIENCE)
    expect(line.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Try it")).to_be_visible(timeout=4 * PATIENCE)


@pytest.mark.long
def test_on_a_phone_an_offer_lies_in_sight_and_the_numbers_beside_it_overlap_nowhere(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(
        f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window"
        "&minTokens=20&minTokensDeeper=40&maxTokens=60"
    )
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    number = page.locator(".cs-strip > :nth-child(4)")
    expect(number).to_contain_text("% with context")
    assert number.locator("b").evaluate(
        "b => b.getBoundingClientRect().right <= b.closest('div').getBoundingClientRect().right"
    )

    take = page.get_by_role("button", name="Try it")
    take.wait_for(timeout=4 * PATIENCE)  # a process that gives way to all others works it out
    expect(take).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("tab", name="Settings")).to_be_in_viewport()
    page.get_by_role("button", name="More", exact=True).click()
    said = page.locator(".st-key-offer-line p")
    assert said.evaluate("p => p.scrollHeight - p.clientHeight") <= 1
    expect(take).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(take).to_be_hidden()


@pytest.mark.long
def test_the_source_has_the_keyboard_after_the_first_tab_and_enter_or_by_a_command(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{HEADINGS}")
    source, link = page.locator(".cs .scroll"), page.get_by_role("link", name="Skip to the source")
    expect(link).to_have_text("Skip to the source")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    expect(page.get_by_text("Skip to main content")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(source).to_be_focused()

    page.get_by_role("link", name="see Health").focus()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("go to the source")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Go to the source")
    page.keyboard.press("Enter")
    expect(source).to_be_focused()
