"""What a screen reader is told of a chunk that somebody selects, in real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from waiting import until_on

PATIENCE = 45_000
SAMPLE = "?document=sample:10-an-api-reference.md&strategy=heading-window"
LISTEN = """() => {
  window.told = [];
  const region = document.querySelector("body > [role=status][data-live-announcer]");
  new MutationObserver(() => region.textContent && told.push(region.textContent)).observe(region, { childList: true });
}"""


def told(page: Page) -> list[str]:
    said = page.evaluate("told")
    return [str(words) for words in said]


def opened(page: Page, address: str) -> Page:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    done(page)
    page.evaluate(LISTEN)
    return page


def done(page: Page) -> None:
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)


def test_what_is_selected_is_said_once_and_a_moved_threshold_says_what_it_comes_to(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{SAMPLE}")
    page.get_by_role("button", name="Next chunk").click()
    until_on(page, lambda: len(told(page)) == 1)
    assert re.fullmatch(r"Chunk 2 of 7, \d+ tokens\. Conventions", told(page)[0])

    page.locator(".cs .ln").filter(has_text="Parcel API reference").first.click()
    until_on(page, lambda: len(told(page)) == 2)
    assert told(page)[1].startswith("Chunk 1 of 7, ")

    # A key goes to the chunk's label, which says the same.
    page.keyboard.press("j")
    expect(page.get_by_role("button", name=re.compile("Chunk 2 of 7, "))).to_be_focused()
    expect(page.get_by_role("heading", name=re.compile("^Chunk 2"))).to_be_visible(timeout=PATIENCE)
    done(page)

    minimum = page.locator(".rail input[type=range]").first
    minimum.press("Home")
    expect(page.get_by_role("heading", name=re.compile("^Chunk [1-9]"))).not_to_contain_text("of 7", timeout=PATIENCE)
    done(page)
    until_on(page, lambda: len(told(page)) == 3)
    assert re.match(r"\d+ chunks, was 7 · ", told(page)[2])

    # A change that alters nothing is said too, and the next one again.
    for count, least in ((4, "1"), (5, "2")):
        page.get_by_role("spinbutton", name="Minimum, tokens").fill(least)
        page.keyboard.press("Enter")
        until_on(page, lambda count=count: len(told(page)) == count)  # type: ignore[misc]
        assert re.match(r"Still \d+ chunks, the same boundaries · ", told(page)[-1])

    # So is another strategy, with which the thresholds go that had the keyboard; and what is
    # undone there.
    minimum.focus()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("Recursive")
    page.keyboard.press("Enter")
    until_on(page, lambda: any(re.match(r"Recursive: \d+ chunks, was \d+ · ", words) for words in told(page)))
    expect(page.get_by_role("combobox", name="Strategy")).to_be_focused()
    page.keyboard.press("ControlOrMeta+z")
    until_on(page, lambda: "Undone: Recursive → Heading window" in told(page))
    until_on(page, lambda: bool(re.match(r"Heading window: \d+ chunks, was \d+ · ", told(page)[-1])))


def test_of_a_drag_only_its_end_is_said(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{SAMPLE}")
    summary, box = page.locator(".rail .summary"), page.locator(".rail input[type=range]").first.bounding_box()
    assert box is not None
    seen = set[str]()
    page.mouse.move(box["x"] + 80, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + 20 + 18 * step, box["y"] + box["height"] / 2)
        page.wait_for_timeout(100)
        seen.add(summary.inner_text())
    assert len(seen) > 2
    assert told(page) == []
    page.mouse.up()
    done(page)

    until_on(page, lambda: len(told(page)) == 1)
    assert told(page) == [summary.text_content()]


def test_a_copy_button_says_that_it_copied_in_the_same_place(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{SAMPLE}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".st-key-chunk").get_by_role("button", name="Copy the text as it is embedded").click()
    until_on(page, lambda: told(page) == ["Copied"])
