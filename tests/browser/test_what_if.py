"""One click takes a boundary away, the view stays where it is, and undo brings the boundary
back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from panels import open_panel
from playwright.sync_api import Page, expect
from waiting import until_on

from chunking import Config, parse, run
from pages.ui.choices.samples import samples

PATIENCE = 45_000
SAMPLE = next(sample for sample in samples() if sample.name == "10-an-api-reference.md")


def undo(page: Page) -> None:
    """Ctrl+Z, with the focus where nothing is typed."""
    page.locator(".cs .scroll").focus()
    page.keyboard.press("Control+z")


def test_a_boundary_is_taken_away_with_one_click_and_undo_brings_it_back(
    page: Page, serve: Callable[[str], str]
) -> None:
    document = parse(SAMPLE.text, name=SAMPLE.name)
    chunks = run(document, Config.of("heading-window", {})).chunks
    page.goto(f"{serve('app.py')}/?document={SAMPLE.key}&strategy=heading-window&at={chunks[1].body.start}")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    panel, strip = page.locator(".st-key-chunk"), page.locator(".cs-strip b").first
    steps = page.get_by_role("group", name="Steps back and forward")
    expect(strip).to_have_text(str(len(chunks)))
    button = panel.get_by_role("button", name=re.compile("^Set Minimum minTokens to"))
    button.wait_for(timeout=PATIENCE)
    value = int(button.inner_text().rpartition(" ")[2])
    scroller = page.locator(".cs .scroll")
    begun = scroller.evaluate("e => e.scrollTop")
    panel.get_by_role("button", name="See its end").click()
    until_on(page, lambda: scroller.evaluate("e => e.scrollTop") > begun)
    # To near the lower edge of the view, where what one goes to would be brought up.
    place = scroller.evaluate("e => { e.scrollTop -= Math.round(e.clientHeight * 0.6); return e.scrollTop }")
    expect(steps.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")

    scroller.focus()
    page.keyboard.press("x")
    first = panel.locator('[class*="st-key-take-gone-"] button').first
    expect(first).to_be_focused()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("remove this boundary")
    expect(page.get_by_role("option", selected=True)).to_contain_text(f"Remove this boundary: {first.inner_text()}")
    page.keyboard.press("Escape")
    scroller.evaluate("(e, top) => (e.scrollTop = top)", place)

    fold = panel.locator("details", has_text="Range in which this boundary stays")
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")
    fold.evaluate("fold => (fold.dataset.drawn = 'before')")

    button.click()
    after = run(document, Config.of("heading-window", {"minTokens": value})).chunks
    assert chunks[1].body.end not in [chunk.body.end for chunk in after]
    expect(strip).to_have_text(str(len(after)), timeout=PATIENCE)
    page.wait_for_url(re.compile(f"minTokens={value}"), timeout=PATIENCE)
    line = panel.get_by_role("status").filter(has_text=f": {len(after)} chunks, was {len(chunks)}.")
    expect(line).to_have_text(
        re.compile("^Boundary before 'Create a quote' moved, now before line [0-9]+:"), timeout=PATIENCE
    )
    expect(panel.get_by_role("button", name="Undo")).to_be_focused()
    assert scroller.evaluate("e => e.scrollTop") == place
    assert page.locator("section.rail input[type=number]").first.input_value() == str(value)
    expect(steps.get_by_role("button", name="Undo")).to_have_attribute(
        "title", re.compile(f"minTokens {value} → 250"), timeout=PATIENCE
    )

    field = page.locator("section.rail input[type=number]").first
    field.focus()
    page.keyboard.type("1")
    page.keyboard.press("Control+z")  # what is typed has an undo of its own
    expect(field).to_have_value(str(value))
    undo(page)
    expect(line).to_have_count(0, timeout=PATIENCE)
    expect(panel.get_by_role("status").filter(has_text="Undone: the boundary")).to_be_visible(timeout=PATIENCE)
    expect(strip).to_have_text(str(len(chunks)), timeout=PATIENCE)
    page.wait_for_url(lambda address: "minTokens=" not in address, timeout=PATIENCE)
    assert f"at={chunks[1].body.start}" in page.url
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    expect(fold).to_have_attribute("open", "", timeout=PATIENCE)  # as it was left, though it is another element
    assert fold.get_attribute("data-drawn") is None
    fold.locator("summary").click()
    expect(fold).not_to_have_attribute("open", "")
    expect(steps.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)

    steps.get_by_role("button", name="Redo").click()
    expect(strip).to_have_text(str(len(after)), timeout=PATIENCE)
    page.wait_for_url(re.compile(f"minTokens={value}"), timeout=PATIENCE)
    page.go_back()
    expect(strip).to_have_text(str(len(chunks)), timeout=PATIENCE)


@pytest.mark.long
def test_the_number_of_a_check_leads_to_its_chunk(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:02-a-huge-table.md&strategy=fixed")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    open_panel(page, "Health")
    row = page.get_by_role("listitem").filter(has_text="1 table is cut in two")
    expect(row).to_contain_text("Fail", timeout=PATIENCE)
    row.get_by_role("button", name="Chunk 3: 1 table is cut in two").click()

    expect(page.locator(".cs .lbl.sel")).to_contain_text("#3", timeout=PATIENCE)
    open_panel(page, "Chunk")
    panel = page.locator(".st-key-chunk")
    expect(panel.get_by_role("heading", name="Chunk 3 of 10")).to_be_visible(timeout=PATIENCE)
    expect(panel).to_contain_text("This boundary cuts the table", timeout=PATIENCE)


def test_ctrl_z_takes_back_what_the_arrows_did_in_the_field_of_a_threshold(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/?document={SAMPLE.key}&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    field = page.locator("section.rail input[type=number]").first
    for _ in range(4):  # a run of presses is one step, as a drag is
        field.press("ArrowUp")
        page.wait_for_timeout(100)
    page.wait_for_url(re.compile("minTokens=254"), timeout=PATIENCE)

    field.press("Control+z")
    expect(field).to_have_value("250", timeout=PATIENCE)
    expect(field).to_be_focused()
    page.wait_for_url(lambda address: "minTokens=" not in address, timeout=PATIENCE)
    field.press("Control+y")
    expect(field).to_have_value("254", timeout=PATIENCE)

    field.press("ArrowUp")  # and taken back before it has come to rest
    expect(field).not_to_have_value("254")
    page.keyboard.down("Control")
    page.wait_for_timeout(100)  # as long as a hand takes from one key to the other
    page.keyboard.press("z")
    page.keyboard.up("Control")
    expect(field).to_have_value("254", timeout=PATIENCE)
