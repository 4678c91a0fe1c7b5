"""A first visit in real Chromium: the first steps go for good, and an added document takes over."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect
from usual_and_long import long
from waiting import until_on

PATIENCE = 45_000
TEXT = "# Kettle\n\nintro\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 120}\n\n" for n in range(1, 9))


def first_steps(page: Page, serve: Callable[[str], str]) -> Locator:
    """The steps that a first visit shows, on a painted page."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(serve("app.py"))
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    steps = page.get_by_role("region", name="First steps")
    expect(steps).to_contain_text("Drag Minimum", timeout=PATIENCE)
    return steps


@pytest.mark.long
def test_the_steps_stay_dismissed_and_an_added_document_is_said_and_begins_with_its_own_chunk(
    page: Page, serve: Callable[[str], str]
) -> None:
    steps = first_steps(page, serve)
    expect(page.get_by_role("button", name="Set Minimum").first).to_be_in_viewport(timeout=PATIENCE)
    expect(steps).not_to_contain_text("(done)")
    flag = page.locator(".rail .flag").first.bounding_box()
    assert flag is not None
    page.mouse.move(flag["x"] + flag["width"] / 2, flag["y"] + flag["height"] / 2)
    page.mouse.down()
    page.mouse.move(flag["x"] + 30, flag["y"] + flag["height"] / 2, steps=4)
    page.mouse.up()
    page.get_by_role("radio", name="Cards").click()  # selects no chunk
    expect(page.locator(".card").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("radio", name="Source").click()
    expect(steps.get_by_role("listitem").filter(has_text="(done)")).to_have_text(re.compile("^Drag"))
    page.locator(".lbl button").nth(1).click()
    expect(steps.get_by_role("listitem").filter(has_text="(done)")).to_have_text(
        [re.compile("^Drag"), re.compile("^Select")]
    )
    steps.get_by_role("button", name="Dismiss the first steps").click()
    expect(steps).to_have_count(0, timeout=PATIENCE)

    page.reload()
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("tab", name="Export")).to_be_visible(timeout=PATIENCE)
    expect(steps).to_have_count(0)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        FilePayload(name="kettle.md", mimeType="text/markdown", buffer=TEXT.encode())
    )
    expect(page.get_by_text("1 document added · showing kettle.md")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("input[type=file]")).to_have_count(0)
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 1", timeout=PATIENCE)
    expect(page.locator(".lbl.sel")).to_contain_text("#1", timeout=PATIENCE)


def test_a_refused_number_ticks_no_step_and_all_three_lead_on_to_retrieve(
    page: Page, serve: Callable[[str], str]
) -> None:
    steps = first_steps(page, serve)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".rail .row").nth(2).locator("input.number")).to_be_in_viewport(ratio=1)
    number = page.locator(".rail .row").first.locator("input.number")
    number.fill("900")
    number.press("Enter")
    expect(page.get_by_text("Minimum must be at most").first).to_be_visible(timeout=PATIENCE)
    expect(steps).not_to_contain_text("(done)")

    number.fill("300")
    number.press("Enter")
    page.locator(".lbl button").nth(1).click()
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        FilePayload(name="kettle.md", mimeType="text/markdown", buffer=TEXT.encode())
    )
    onwards = steps.get_by_role("button", name="Next: let Retrieve measure")
    expect(onwards).to_be_visible(timeout=PATIENCE)
    expect(steps.get_by_role("listitem")).to_have_count(0)  # all are done: one line
    onwards.click()

    page.wait_for_url(re.compile("/retrieve"), timeout=PATIENCE)


def test_a_small_drag_moves_a_cut_on_the_first_screen_and_where_none_is_in_view_the_foot_leads_to_it(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(serve("app.py"))
    second = page.locator(".lbl", has_text="#2")
    expect(second).to_be_in_viewport(ratio=1, timeout=PATIENCE)
    before, elsewhere = second.bounding_box(), page.locator(".marks-key .elsewhere")
    assert before
    drag_a_little(page)
    expect(second).to_be_in_viewport(ratio=1)
    until_on(page, lambda: (second.bounding_box() or before)["y"] > before["y"])
    expect(elsewhere).to_be_hidden()
    page.mouse.up()

    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("tab", name="Export")).to_be_visible(timeout=PATIENCE)
    drag_a_little(page)
    expect(elsewhere).to_have_text("↓ 1 boundary changed, before line 50", timeout=PATIENCE)
    page.mouse.up()
    elsewhere.click()
    expect(elsewhere).to_be_hidden()
    expect(page.locator(".cs .ln", has_text="### Create a quote")).to_be_in_viewport(ratio=1)


def drag_a_little(page: Page) -> None:
    """The first threshold by some ten pixels; the pointer stays down."""
    x, y = page.locator(".rail input[type=range]").first.evaluate("""range => {
        const box = range.getBoundingClientRect();
        const share = (range.value - range.min) / (range.max - range.min);
        return [box.left + 10 + share * (box.width - 20), box.top + box.height / 2];
    }""")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y, steps=4)


@pytest.mark.long
def test_the_first_step_opens_the_place_to_add_a_document(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(serve("app.py"))
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    step = page.get_by_role("region", name="First steps").get_by_role("button", name="Add Markdown: drop or paste it")
    step.click(timeout=PATIENCE)

    expect(page.get_by_role("textbox", name="Or paste text")).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("height", [900, *long(1100)])
def test_the_beginning_is_in_sight_with_the_end_that_is_explained(
    height: int, page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": height})
    page.goto(serve("app.py"))
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)

    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 1", timeout=PATIENCE)
    expect(page.locator(".lbl", has_text="#2")).to_be_in_viewport(timeout=PATIENCE)
    assert page.locator(".cs .scroll").evaluate("view => view.scrollTop") == 0


def test_a_phone_shows_all_of_the_line_that_says_what_this_is(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{serve('app.py')}/?strategy=semantic")  # its first setting has a long name
    steps = page.get_by_role("region", name="First steps")
    expect(steps).to_contain_text("Drag Similarity threshold", timeout=PATIENCE)

    expect(steps.get_by_text("See where a chunking strategy cuts your document, and why.")).to_be_in_viewport(ratio=1)
    expect(steps.get_by_text("Select a chunk")).to_be_in_viewport(ratio=1)
    cut = steps.evaluate("""steps => [steps, ...steps.querySelectorAll("p, ol")]
        .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)""")
    assert cut == []


IN_ITS_CELL = """cells => cells.map((cell) =>
  cell.getBoundingClientRect().bottom - cell.querySelector(".cs-was").getBoundingClientRect().bottom)"""
"""Pixels below the last line of each number."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), *long((360, 640), (844, 390))])
def test_on_a_phone_the_first_boundary_is_in_sight_over_the_sheet_and_numbers_have_no_room_to_spare(
    width: int, height: int, page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(serve("app.py"))
    second, sheet = page.locator(".lbl button", has_text="#2"), page.locator(".st-key-rail")
    expect(second).to_be_in_viewport(ratio=1, timeout=PATIENCE)
    expect(page.get_by_role("tab", name="Chunk 1")).to_be_visible(timeout=PATIENCE)

    label, lid = second.bounding_box(), sheet.bounding_box()
    assert label
    assert lid
    assert label["y"] + label["height"] < lid["y"]
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    below = page.locator(".st-key-numbers .cs-strip > div").evaluate_all(IN_ITS_CELL)
    assert len(below) == 6
    assert max(below[:3]) < 8
    assert max(below[3:]) < (18 if width < 640 else 8)  # a line for "(75% with context)", which a drag may bring
