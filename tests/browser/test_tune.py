"""Tune as a person uses it, in real Chromium: cells fill in, are cancelled, one is chosen and
Inspect shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, expect

SAMPLES = Path(__file__).parents[2] / "sample_docs"
SMALL = (
    "document=sample:10-an-api-reference.md&strategy=heading-window"
    "&across=minTokens:0:300:100&up=maxTokens:500:1000:250"
)
PATIENCE = 45_000


def text_of(characters: int) -> str:
    """A text so large that a sweep of it takes a while: the samples over and over, each time with
    another title."""
    samples = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.md"))]
    text, number = "", 0
    while len(text) < characters:
        number += 1
        text += f"# Part {number}\n\n{samples[number % len(samples)]}\n\n"
    return text


def measured(page: Page) -> None:
    """Have everything measured, unless that was done at once."""
    button = page.locator(".st-key-tune-begin button")
    button.wait_for(timeout=PATIENCE)
    if button.is_enabled():
        button.click()
    expect(button).to_contain_text("measured", timeout=PATIENCE)
    page.locator(".st-key-tune-map .nsewdrag").first.wait_for(timeout=PATIENCE)


def click_until(page: Page, across: float, down: float, heading: str) -> None:
    """Click this place of the chart until it is heard: the chart may just be drawn anew."""
    chosen = page.get_by_role("heading", name=heading)
    for _ in range(6):
        box = page.locator(".st-key-tune-map .nsewdrag").first.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        try:
            chosen.wait_for(timeout=PATIENCE / 6)
        except TimeoutError:
            continue
        return
    expect(chosen).to_be_visible()


def test_the_arrow_keys_go_over_the_heat_map_and_enter_chooses_a_cell(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/tune?{SMALL}")
    measured(page)
    heat_map = page.get_by_role("application", name=re.compile(r"^Heat map of Chunks by .* Arrow keys go"))
    heat_map.focus()
    page.keyboard.press("ArrowLeft")  # the keys begin at the current config
    said = page.locator("[data-live-announcer]")
    expect(said).to_contain_text("Minimum 250, Maximum 750; Chunks: 7")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("Minimum 200, Maximum 750; Chunks: 9")
    page.keyboard.press("Enter")

    chosen = page.get_by_role("heading", name="Minimum 200, Maximum 750")
    expect(chosen).to_be_visible(timeout=PATIENCE)
    expect(heat_map).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("Minimum 200, Maximum 1,000")


@pytest.mark.long
def test_cells_fill_in_are_cancelled_and_go_on_where_they_were(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/tune?strategy=block-packing&across=maxTokens:200:1000:50&up=minFill:0:100:10")
    page.get_by_role("button", name="Add", exact=True).click(timeout=PATIENCE)
    page.locator("input[type=file]").set_input_files(
        {"name": "large.md", "mimeType": "text/markdown", "buffer": text_of(400_000).encode()}
    )
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.locator(".st-key-tune-begin button").press("Enter")
    results = page.locator(".st-key-tune-results")
    expect(results).to_be_focused(timeout=PATIENCE)  # the button is disabled: the keyboard goes on in the results
    # The first cells are there while others are still being measured.
    page.locator(".st-key-tune-map").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").press("Enter", timeout=PATIENCE)

    expect(page.get_by_text(re.compile(r"^Cancelled: \d+ of 19[0-9] combinations"))).to_be_visible(timeout=PATIENCE)
    expect(results).to_be_focused(timeout=PATIENCE)
    expect(page.locator(".st-key-tune-begin button")).to_contain_text("Measure the other", timeout=PATIENCE)
    page.get_by_role("link", name="Strategies").click()
    page.locator(".st-key-strategy-links").wait_for(timeout=PATIENCE)
    page.get_by_role("link", name="Tune").click()
    expect(page.get_by_text(re.compile("^Cancelled: "))).to_be_visible(timeout=PATIENCE)


def test_a_cell_that_is_clicked_is_taken_to_inspect_and_undo_brings_the_settings_and_the_baseline_back(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/tune?{SMALL}")
    measured(page)
    # Columns 0, 100, 200, 250, 300; rows 500, 750, 1000 from below: the second column, the
    # uppermost row.
    click_until(page, 0.3, 0.17, "Minimum 100, Maximum 1,000")
    page.get_by_role("button", name="Apply to Inspect").click()
    page.wait_for_url(re.compile(r"/\?.*minTokens=100.*maxTokens=1000"), timeout=PATIENCE)

    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    assert parse_qs(urlsplit(page.url).query)["was.strategy"] == ["heading-window"]
    undo = page.locator(".st-key-steps").get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("title", re.compile("baseline Heading window → Every heading"), timeout=PATIENCE)
    undo.click()
    page.wait_for_url(
        lambda address: "minTokens" not in address and "was.strategy=every-heading" in address, timeout=PATIENCE
    )
    expect(page.get_by_role("combobox", name="Baseline")).to_have_value("Every heading")


@pytest.mark.long
def test_a_row_is_chosen_by_keyboard(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/tune?{SMALL}")
    measured(page)
    page.get_by_test_id("data-grid-canvas").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")

    chosen = page.get_by_role("heading", name="Minimum 0, Maximum 750")
    expect(chosen).to_be_visible(timeout=PATIENCE)


@pytest.mark.long
def test_a_phone_shows_the_map_below_its_controls_and_nothing_sticks_out(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{serve('app.py')}/tune?{SMALL}&shown=tokens_to_embed")
    measured(page)

    box = page.locator(".st-key-tune-map .nsewdrag").first.bounding_box()
    above = page.locator(".st-key-tune-begin button").bounding_box()
    assert box is not None
    assert above is not None
    assert box["y"] > above["y"] + above["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_no_requirement_is_cut_off_in_its_box(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(f"{serve('app.py')}/tune?{SMALL}")
    box = page.get_by_test_id("stMultiSelectTagsContainer")
    box.get_by_text("marked spans whole").wait_for(timeout=PATIENCE)

    assert box.evaluate("each => each.scrollHeight - each.clientHeight") <= 1


def test_a_config_found_for_a_goal_is_chosen_by_keyboard_and_taken_to_inspect(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/tune?view=goal&document=sample:10-an-api-reference.md&strategy=recursive")
    tries = page.get_by_role("spinbutton", name="Configs to try")
    tries.fill("30", timeout=PATIENCE)
    tries.press("Enter")
    begin = page.locator(".st-key-tune-try button")
    # A test that is run again finds what the server has tried already.
    expect(begin).to_contain_text(re.compile("Try 30 configs|Done: 30 tried"), timeout=PATIENCE)
    if begin.is_enabled():
        begin.press("Enter")
        expect(page.locator(".st-key-tune-results")).to_be_focused(timeout=PATIENCE)
    expect(begin).to_contain_text("Done: 30 tried", timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    chosen = page.locator(".st-key-tune-head h2")

    def chose() -> bool:
        """The table is drawn again when the last config has come, and a key may be too early."""
        page.get_by_test_id("data-grid-canvas").first.focus()
        page.keyboard.press("Shift+Space")
        try:
            chosen.wait_for(timeout=5_000)
        except TimeoutError:
            return False
        return True

    assert any(chose() for _ in range(5))
    title = chosen.inner_text().splitlines()[0]
    page.get_by_role("button", name="Apply to Inspect").click()
    page.wait_for_url(re.compile(r"/\?.*counter=cl100k_base|/\?.*was\.strategy=recursive"), timeout=PATIENCE)

    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("combobox", name=re.compile("^Strategy"))).to_have_value(
        re.compile(f"^{title}"), timeout=PATIENCE
    )


def test_each_field_of_a_goal_is_named_in_full(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/tune?document=sample:10-an-api-reference.md&strategy=fixed&view=goal")
    for name in ("Max chunks", "Max tokens to embed"):
        words = page.locator('[data-testid="stWidgetLabel"] p', has_text=name)
        words.wait_for(timeout=PATIENCE)
        shown, needed = words.evaluate("p => [[p.clientWidth, p.clientHeight], [p.scrollWidth, p.scrollHeight]]")
        assert shown == needed


@pytest.mark.long
def test_streamlits_menu_lies_over_no_word_however_little_the_page_is_scrolled(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"{serve('app.py')}/tune?{SMALL}")
    measured(page)
    menu, words = page.get_by_test_id("stMainMenu"), page.locator(".cs-counted")
    for down in (0, 4, 8, 16, 24, 32):
        page.get_by_test_id("stMain").evaluate("(main, top) => main.scrollTo(0, top)", down)
        page.wait_for_timeout(100)
        over, under = menu.get_by_role("button").bounding_box(), words.first.bounding_box()
        assert over
        assert under
        meet = over["y"] < under["y"] + under["height"] and under["y"] < over["y"] + over["height"]
        assert not meet or menu.evaluate("each => getComputedStyle(each).opacity") == "0", down
