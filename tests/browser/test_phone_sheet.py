"""The sheet at the bottom of a phone, in real Chromium: its sizes, its tabs, and the room it
leaves."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect
from seen_lines import LINES
from usual_and_long import long
from waiting import until_on, until_still

PATIENCE = 45_000
SEEN = """(panel) => {
  const sheet = document.querySelector(".st-key-rail");
  const { top: lid } = sheet.getBoundingClientRect();
  const over = getComputedStyle(sheet.parentElement).position === "fixed" ? lid : innerHeight;
  const { top, bottom } = panel.getBoundingClientRect();
  return Math.min(bottom, over, innerHeight) - Math.max(top, 0);
}"""
"""Pixels of a panel that can be seen over the sheet."""


def test_the_sheet_leaves_room_for_the_source_and_shows_the_chunk_that_is_tapped(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 360}, has_touch=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    grip = page.get_by_role("button", name=re.compile("^Sheet closed to its handle"))
    grip.wait_for(timeout=PATIENCE)

    # 1280 by 720 at a zoom of 200 %: all links to pages before the buttons, only the handle.
    link, buttons = page.get_by_role("link", name="Strategies").bounding_box(), page.locator(".st-key-nav-buttons")
    place = buttons.bounding_box()
    assert link
    assert place
    assert link["x"] + link["width"] <= place["x"]
    assert page.locator(".cs .scroll").evaluate(LINES) >= 8
    minimum, maximum = (page.get_by_role("slider", name=name, exact=True) for name in ("Minimum", "Maximum"))
    expect(minimum).to_be_hidden()

    # Half open, the sheet says first why the chunk ends there, even where it has least room.
    tabs = page.get_by_role("tablist", name="What the sheet shows")
    tabs.get_by_role("tab", name="Chunk 1").click()
    expect(page.locator(".st-key-chunk .cs-reason")).to_be_in_viewport(ratio=1)
    # The way to its end is an icon beside the arrows, with room for a finger.
    arrow, end = (page.get_by_role("button", name=name, exact=True) for name in ("Next chunk", "See its end"))
    expect(end).to_be_in_viewport(ratio=1)
    beside, size = arrow.bounding_box(), end.bounding_box()
    assert beside
    assert size
    assert min(size["width"], size["height"]) >= 24
    assert size["x"] >= beside["x"] + beside["width"]
    assert abs(size["y"] - beside["y"]) <= 2
    end.click(trial=True)  # nothing lies over it
    tabs.get_by_role("tab", name="Settings").click()
    page.get_by_role("button", name=re.compile("^Sheet half open")).press("Home")

    page.set_viewport_size({"width": 390, "height": 844})
    grip.click()
    expect(minimum).to_be_visible()
    expect(maximum).to_be_hidden()
    page.get_by_role("combobox", name="Threshold shown").select_option("Maximum")
    expect(maximum).to_be_visible()
    expect(minimum).to_be_hidden()
    expect(maximum).to_be_in_viewport()
    assert page.locator(".cs .scroll").evaluate(LINES) >= 12
    expect(page.locator(".st-key-reading-only")).to_be_in_viewport(ratio=1)

    grip = page.get_by_role("button", name=re.compile("^Sheet half open"))
    box = grip.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 90, steps=5)
    page.mouse.up()
    expect(minimum).to_be_visible()
    expect(maximum).to_be_visible()
    page.get_by_role("button", name="All settings").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_be_focused()
    # What a change comes to stays in view, below the settings; the way back stands over them.
    page.get_by_role("button", name=re.compile("^Sheet half open")).wait_for()
    page.get_by_role("combobox", name="Tokenizer").click(trial=True)  # nothing lies over it
    expect(page.locator(".rail .summary")).to_be_in_viewport(ratio=1)
    page.get_by_test_id("stMain").evaluate("each => each.scrollTo(0, each.scrollHeight)")
    back = page.get_by_role("button", name="Back to the source")
    expect(back).to_be_in_viewport(ratio=1)
    place = back.bounding_box()
    assert place
    assert place["height"] >= 44
    back.click()
    expect(page.locator(".cs .scroll")).to_be_focused()
    assert page.locator(".cs .scroll").evaluate(LINES) >= 12
    page.get_by_role("button", name=re.compile("^Sheet half open")).press("Home")
    expect(minimum).to_be_hidden()
    page.get_by_test_id("stMain").evaluate("each => each.scrollTo(0, 0)")

    page.locator(".cs .lbl button").filter(has_text="#2").click()
    expect(page.get_by_role("tab", name="Chunk 2", selected=True)).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Why it ends here")).to_be_in_viewport()
    page.get_by_role("tab", name="Settings").press("ArrowLeft")
    expect(maximum).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.set_viewport_size({"width": 320, "height": 640})
    tab, undo = tabs.get_by_role("tab", name="Chunk 2"), page.get_by_role("button", name="Undo")
    tab_place, undo_place = tab.bounding_box(), undo.bounding_box()
    assert tab_place
    assert undo_place
    assert tab_place["x"] + tab_place["width"] <= undo_place["x"]
    context.close()


@pytest.mark.long
def test_without_a_selected_chunk_the_sheet_says_what_to_do_and_no_menu_lies_over_the_source(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&at=999999")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    menu = page.locator('[data-testid="stHeader"]')
    expect(menu).to_have_css("opacity", "1")
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.get_by_test_id("stMain").evaluate("each => each.scrollTo(0, 300)")
    expect(menu).to_have_css("opacity", "0")

    sheet = page.get_by_role("tablist", name="What the sheet shows")  # it may come after the panels' own tab "Chunk"
    sheet.get_by_role("tab", name="Chunk").click()
    expect(page.get_by_text("No chunk selected")).to_be_in_viewport()
    page.get_by_role("button", name="Select the first chunk").click()
    expect(page.get_by_role("tab", name="Chunk 1", selected=True)).to_be_visible(timeout=PATIENCE)
    context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), *long((720, 900), (900, 480))])
def test_export_from_the_header_or_the_palette_is_in_view_over_the_sheet(
    browser: Browser, serve: Callable[[str], str], width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    main, panel = page.get_by_test_id("stMain"), page.locator(".st-key-exported")
    tab = page.get_by_role("tab", name="Export")
    tab.wait_for(state="attached", timeout=PATIENCE)
    for press in ("button", "palette"):
        main.evaluate("each => each.scrollTo(0, 0)")
        if press == "button":
            page.get_by_role("button", name="Export", exact=True).click()
        else:
            page.keyboard.press("ControlOrMeta+k")
            expect(page.get_by_role("combobox", name="Search commands")).to_be_focused()
            page.keyboard.type("Export panel")
            dialog = page.get_by_role("dialog", name="Commands")
            expect(dialog.get_by_role("option", selected=True)).to_contain_text("Export panel")
            page.keyboard.press("Enter")
        expect(tab).to_be_focused()
        expect(tab).to_be_in_viewport(ratio=1)
        expect(panel).to_be_visible()
        assert panel.evaluate(SEEN) >= 150
    context.close()


CHUNK_TABS = """() => {
  window.chunkTabs = [];
  const tabs = (root) => [...root.querySelectorAll("*")].flatMap((each) => [
    ...(each.getAttribute("role") === "tab" && /^Chunk/.test(each.textContent) && each.checkVisibility() ? [each] : []),
    ...(each.shadowRoot ? tabs(each.shadowRoot) : []),
  ]);
  const look = () => {
    if (document.body) window.chunkTabs.push(tabs(document).length);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Counts in each frame the tabs whose name begins with "Chunk"."""


@pytest.mark.long
def test_a_phone_has_one_tab_for_the_chunk_from_the_first_paint_on(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.add_init_script(f"({CHUNK_TABS})()")
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&at=0")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    sheet = page.get_by_role("tablist", name="What the sheet shows")
    panels = page.get_by_role("tablist", name="About this document")
    expect(panels.get_by_role("tab", name=re.compile("^Health"), selected=True)).to_be_visible(timeout=PATIENCE)
    expect(sheet.get_by_role("tab", name="Chunk 1")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-checked")).to_be_visible()
    expect(page.get_by_text("Why it ends here")).to_be_hidden()

    sheet.get_by_role("tab", name="Chunk 1").click()
    expect(panels.get_by_role("tab", name=re.compile("^Health"), selected=True)).to_be_visible()
    expect(page.locator(".st-key-checked")).to_be_visible()
    expect(page.get_by_text("Why it ends here")).to_be_in_viewport()
    panels.get_by_role("tab", selected=True).press("ArrowLeft")
    expect(panels.get_by_role("tab", name="Export", selected=True)).to_be_focused()
    assert page.evaluate("Math.max(...chunkTabs)") == 1

    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_role("combobox", name="Search commands")).to_be_focused()
    page.keyboard.type("Chunk panel")
    dialog = page.get_by_role("dialog", name="Commands")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Chunk panel")
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("tab", name="Chunk 1", selected=True)).to_be_focused()

    page.set_viewport_size({"width": 1440, "height": 900})
    expect(panels.get_by_role("tab", name="Chunk", selected=True)).to_be_attached()
    context.close()


@pytest.mark.long
def test_a_small_phone_has_lines_of_source_over_the_sheet_and_no_sheet_over_a_panel(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&at=0")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    sheet, scroller = page.get_by_role("tablist", name="What the sheet shows"), page.locator(".cs .scroll")
    expect(sheet.get_by_role("tab", name="Settings", selected=True)).to_be_visible(timeout=PATIENCE)
    assert scroller.evaluate(LINES) >= 8
    expect(page.locator(".st-key-reading-only")).to_be_in_viewport(ratio=1)
    label = page.locator(".cs .lbl button").first.bounding_box()
    assert label is not None
    assert label["height"] >= 24

    # What the keyboard comes to is not below the sheet.
    page.keyboard.press("Tab")
    setting = page.get_by_role("radio", name="syntax", exact=True)
    setting.focus()
    assert setting.evaluate(SEEN) == pytest.approx(setting.evaluate("field => field.offsetHeight"))
    assert setting.evaluate("field => getComputedStyle(field).outline").endswith("solid 2px")
    page.evaluate("document.activeElement.blur()")
    page.locator('[data-testid="stMain"]').evaluate("main => main.scrollTo(0, 0)")

    sheet.get_by_role("tab", name="Chunk 1").click()
    expect(page.get_by_role("button", name=re.compile("^Sheet half open"))).to_be_visible()
    assert scroller.evaluate(LINES) >= 3
    expect(page.locator(".st-key-chunk .cs-reason")).to_be_in_viewport(ratio=1)

    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Sheet closed to its handle"))).to_be_visible()
    expect(page.get_by_role("tab", name="Export", selected=True)).to_be_in_viewport(ratio=1)
    assert page.locator(".st-key-exported").evaluate(SEEN) >= 400
    context.close()


ROOM_OVER = """(label) => {
  const { top } = document.querySelector(".st-key-sheet").getBoundingClientRect();
  return [label.getBoundingClientRect().top, top - label.getBoundingClientRect().top];
}"""
"""How far a label stands below the window's top, and how far above the sheet."""
TWO_LINES = 40


def test_the_boundary_of_the_selected_chunk_stands_above_the_open_sheet(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    scroller, main = page.locator(".cs .scroll"), page.get_by_test_id("stMain")

    def seen_over_the_sheet(number: int) -> bool:
        label = page.locator(f'.cs .lbl button[data-chunk="{number - 1}"]')
        below_top, above_sheet = label.evaluate(ROOM_OVER) if label.count() else (-1, -1)
        return bool(below_top >= 0 and above_sheet >= TWO_LINES)

    # A label that is tapped where the sheet then is.
    scroller.evaluate("each => { each.scrollTop += 470 }")
    label = page.locator('.cs .lbl button[data-chunk="1"]')
    expect(label).to_be_visible()
    label.tap()
    expect(page.get_by_role("tab", name="Chunk 2", selected=True)).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Why it ends here")).to_be_in_viewport()
    until_on(page, lambda: seen_over_the_sheet(2))

    # The chunks that its buttons lead to; a sheet that grows takes the boundary along.
    for name, number in (("Next chunk", 3), ("Next chunk", 4), ("Previous chunk", 3)):
        page.get_by_role("button", name=name).tap()
        expect(page.get_by_role("tab", name=f"Chunk {number}", selected=True)).to_be_visible(timeout=PATIENCE)
        until_on(page, partial(seen_over_the_sheet, number))
    # The end of a chunk that is longer than what is seen over the sheet.
    page.get_by_role("button", name="See its end").tap()
    until_on(page, lambda: seen_over_the_sheet(4))
    page.get_by_role("button", name="Next chunk").tap()
    page.get_by_role("button", name="Previous chunk").tap()
    expect(page.get_by_role("tab", name="Chunk 3", selected=True)).to_be_visible(timeout=PATIENCE)
    until_on(page, lambda: seen_over_the_sheet(3))
    page.get_by_role("button", name=re.compile("^Sheet half open")).tap()
    until_on(page, lambda: seen_over_the_sheet(3))

    # A heading that the outline leads to, far down the page, and what is searched for.
    page.get_by_role("tab", name="Settings").tap()
    expect(page.get_by_role("slider", name="Maximum", exact=True)).to_be_in_viewport()
    until_on(page, lambda: scroller.evaluate(LINES) >= 10)  # the source has all of the room over it
    page.get_by_role("button", name=re.compile("^Sheet fully open")).press("Home")
    outline = page.get_by_role("listbox", name="Headings of the document")
    outline.locator(".line").nth(4).tap()
    until_on(page, lambda: scroller.evaluate(LINES) >= 8)
    main.evaluate("each => each.scrollTo(0, 0)")
    page.get_by_role("button", name="Search (/)").tap()
    page.get_by_role("textbox", name="Search for").fill("parcel")
    for _ in range(3):
        page.keyboard.press("Enter")
        until_on(page, lambda: page.locator(".cs .hits .now").evaluate(ROOM_OVER)[1] >= TWO_LINES)
    page.get_by_role("button", name="Close the search (Escape)").tap()

    # A threshold that is moved leaves the page where it is.
    page.get_by_role("button", name=re.compile("^Sheet closed")).tap()
    main.evaluate("each => each.scrollTo(0, 0)")
    minimum = page.get_by_role("slider", name="Minimum", exact=True)
    for _ in range(12):
        minimum.press("ArrowRight")
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    until_still(page, lambda: scroller.evaluate("each => each.scrollTop"))
    assert main.evaluate("each => each.scrollTop") == 0
    context.close()


COUNTS = """(line) => {
  const { right, bottom } = line.getBoundingClientRect();
  return [...line.children].map((count) => {
    const box = count.getBoundingClientRect();
    return [count.textContent, box.right <= right + 1 && box.bottom <= bottom + 1];
  });
}"""
"""Each count of the line over the threshold, and whether all of it is in sight."""


def test_all_counts_of_a_moved_threshold_are_in_sight_over_it_and_do_not_move_it(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    minimum, line = page.get_by_role("slider", name="Minimum", exact=True), page.locator(".rail .summary")
    place = minimum.bounding_box()
    assert place
    for key in ("Home", "End", "Home"):
        minimum.press(key)
        expect(line).to_contain_text(", was ")
        assert minimum.bounding_box() == place
    counts = line.evaluate(COUNTS)
    assert [words.strip(" ·0123456789,").split(",")[0] for words, _ in counts] == [
        *("chunks", "under min", "over max", "characters left out", "tokens to embed")
    ]
    assert all(whole for _, whole in counts), counts
    context.close()


def on_phone(browser: Browser, serve: Callable[[str], str], width: int, height: int) -> Page:
    """Inspect with a sample, painted, on a phone of so many pixels."""
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    return page


@pytest.mark.parametrize("width", [844, *long(932)])
def test_a_phone_on_its_side_has_the_sheet_and_its_head_says_why_the_tapped_chunk_ends(
    browser: Browser, serve: Callable[[str], str], width: int
) -> None:
    page = on_phone(browser, serve, width, 390)
    tabs = page.get_by_role("tablist", name="What the sheet shows")
    ends = page.get_by_text("it ends before its second H2")
    expect(tabs.get_by_role("tab", name="Chunk 1")).to_be_visible(timeout=PATIENCE)
    assert page.locator(".cs .scroll").evaluate(LINES) >= 8
    expect(ends.filter(visible=True)).to_have_count(0)

    page.locator(".cs .ln").nth(4).tap()

    expect(ends.filter(visible=True)).to_have_count(1)
    head, steps = ends.filter(visible=True).bounding_box(), page.get_by_role("button", name="Undo").bounding_box()
    assert head
    assert steps
    assert head["x"] + head["width"] <= steps["x"]
    assert head["y"] + head["height"] <= 390
    tabs.get_by_role("tab", name="Chunk 1").click()
    expect(page.locator(".st-key-chunk .cs-reason")).to_be_in_viewport(ratio=1)
    expect(ends.filter(visible=True)).to_have_count(1)
    page.context.close()


@pytest.mark.parametrize(("width", "height"), [(844, 390), *long((667, 375))])
def test_on_its_side_three_lines_of_source_stay_over_the_sheet_that_is_fully_open(
    browser: Browser, serve: Callable[[str], str], width: int, height: int
) -> None:
    page = on_phone(browser, serve, width, height)
    page.get_by_role("button", name=re.compile("^Sheet closed to its handle")).press("End", timeout=PATIENCE)
    fully = page.get_by_role("button", name=re.compile("^Sheet fully open"))
    expect(fully).to_be_visible()
    source, head = page.locator(".cs .scroll"), page.locator(".st-key-sheet")
    for tab in ("Settings", "Chunk 1"):
        page.get_by_role("tablist", name="What the sheet shows").get_by_role("tab", name=tab).click()
        expect(fully).to_be_visible()
        until_on(page, lambda: source.evaluate(LINES) >= 3)
        place = head.bounding_box()
        assert place
        assert place["y"] <= height - 150  # it is larger than half open
    page.context.close()


def test_who_turns_to_another_view_sees_it_and_not_the_sheet(browser: Browser, serve: Callable[[str], str]) -> None:
    page = on_phone(browser, serve, 390, 844)
    page.locator(".cs .ln").nth(4).tap()
    expect(page.locator(".st-key-chunk .cs-reason")).to_be_in_viewport(ratio=1)

    page.get_by_role("radio", name="Cards").tap()

    cards = page.locator(".cs.rd .scroll")
    expect(page.locator(".cs.rd[data-painted]")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name=re.compile("^Sheet closed to its handle"))).to_be_visible()
    assert cards.evaluate(SEEN) >= 300
    page.context.close()


def test_in_full_screen_a_tapped_chunk_says_its_size_and_why_it_ends(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = on_phone(browser, serve, 390, 844)
    page.get_by_role("button", name=re.compile("^Full screen")).tap()

    page.locator(".cs .ln").filter(has_text="Conventions").tap()

    said = page.locator(".cs .note")
    expect(said).to_contain_text(re.compile(r"^Chunk 2 of 7, 264 tokens\. Chunk 2 ends here: .+ Rule: "))
    expect(said).to_be_in_viewport(ratio=1)
    page.context.close()
