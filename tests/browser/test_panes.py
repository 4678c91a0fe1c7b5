"""Inspect's panes in real Chromium: tabs that stay, edges that are hidden and remembered, and the
way from one block cut in two to the next."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from panels import open_panel
from playwright.sync_api import Page, expect
from seen_lines import COLUMNS

TABLE = "?document=sample:02-a-huge-table.md&strategy=fixed&at=0"
PATIENCE = 45_000


def opened(page: Page, address: str) -> Page:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)
    return complete(page)


def complete(page: Page) -> Page:
    """The page once it is painted, and its script has run."""
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    return page


@pytest.mark.long
def test_the_open_panel_stays_whatever_is_chosen_or_cut(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}")
    open_panel(page, "Health")
    expect(page.get_by_role("tab", name="Health 1 failed")).to_be_visible()
    page.get_by_role("button", name="Next place").click()
    page.wait_for_url("**at=*", timeout=PATIENCE)
    page.get_by_role("button", name="Next place").click()
    expect(page.locator(".walk")).to_contain_text("Chunk 2: 2 of 8 places that fail a check")
    said = page.locator(".health").get_by_role("status")
    expect(said).to_have_text("Chunk 2: 2 of 8 places that fail a check")
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 2", timeout=PATIENCE)

    expect(page.locator(".health")).to_be_visible()
    page.get_by_role("textbox", name="Chunk size").or_(page.get_by_role("spinbutton", name="Chunk size")).first.fill(
        "9000"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="1 failed")).to_have_count(0, timeout=PATIENCE)
    expect(said).to_have_text("")  # what came of the change is said once, by the thresholds
    expect(page.locator(".health")).to_be_visible()
    page.get_by_role("button", name="Export", exact=True).first.click()
    expect(page.get_by_role("button", name="YAML")).to_be_visible()
    expect(page.get_by_role("tab", name="Export")).to_be_focused()
    expect(page.locator(".health")).to_be_hidden()


@pytest.mark.long
def test_eighty_columns_fit_and_a_hidden_pane_stays_hidden_over_a_reload(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}")
    source = page.locator(".cs .scroll")
    assert source.evaluate(COLUMNS) >= 80

    source.press("s")
    source.press("p")
    expect(page.get_by_text("The panels are hidden; p shows them")).to_be_visible()
    expect(page.get_by_role("combobox", name="Strategy")).to_be_hidden()
    expect(page.get_by_role("tab", name="Health")).to_be_hidden()
    page.reload()
    show = complete(page).get_by_role("button", name="Show the settings")
    expect(show).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("combobox", name="Strategy")).to_be_hidden()
    show.click()
    expect(page.get_by_role("combobox", name="Strategy")).to_be_visible()
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("tab", name="Export")).to_be_focused()
    edge = page.get_by_role("separator", name="Width of the panels")
    edge.press("ArrowLeft")
    expect(edge).to_have_attribute("aria-valuenow", "356")
    place = edge.bounding_box()
    assert place
    page.mouse.move(place["x"] + 23, place["y"] + 300)
    page.mouse.down()
    page.mouse.move(place["x"] + 23 - 44, place["y"] + 300)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "400")
    edge.press("Enter")
    expect(page.get_by_role("button", name="Show the panels")).to_be_focused()


def test_the_keys_that_hide_a_pane_do_nothing_where_the_page_is_one_column(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}")
    source, strategy = page.locator(".cs .scroll"), page.get_by_role("combobox", name="Strategy")
    page.set_viewport_size({"width": 720, "height": 450})
    for key in ("s", "p"):
        source.press(key)
    source.press("?")  # done after those
    expect(page.get_by_text("next, previous chunk")).to_be_visible()
    expect(page.get_by_text("are hidden;")).to_have_count(0)

    page.set_viewport_size({"width": 1440, "height": 900})
    expect(strategy).to_be_visible()
    expect(page.get_by_role("tab", name="Health")).to_be_visible()


def test_torn_boundaries_are_counted_and_gone_through(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}")
    walk = page.get_by_role("group", name="Torn boundaries")
    expect(walk).to_contain_text("1 block cut in 8 places")
    page.locator(".cs .scroll").press("t")
    said = page.get_by_role("status").filter(has_text="Torn boundary 1 of 8: cuts the table, lines 11 to 74")
    expect(said).to_be_visible()
    label = page.locator(".lbl.torn").filter(has_text="#2")
    expect(label).to_be_in_viewport()
    walk.get_by_role("button", name="Next").click()

    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 2", timeout=PATIENCE)
    label = page.locator(".lbl.torn").filter(has_text="#3")
    expect(label).to_contain_text("cuts the table, lines 11 to 74")
    expect(label).to_be_in_viewport()
    assert page.locator(".tear").count() >= 2

    page.get_by_role("button", name="Chunks", exact=True).press("Enter")
    page.locator("[role=tree] .box").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Blocks cut in two").press("Enter")
    expect(page.locator(".lbl.torn").filter(has_text="#4")).to_be_in_viewport(timeout=PATIENCE)


@pytest.mark.long
def test_a_torn_boundary_looks_torn_in_the_structure_and_leads_to_its_place_in_the_source(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}&view=structure")
    page.locator("[role=tree] .box").first.wait_for(timeout=PATIENCE)
    walk = page.get_by_role("group", name="Torn boundaries")
    expect(walk).to_contain_text("1 block cut in 8 places")
    words = page.get_by_role("list", name="Boundaries that cut a block in two").get_by_role("button")
    expect(words.first).to_have_text("✂ cuts the table, lines 11 to 74")
    edge = page.locator(".tears .tear").first
    assert "linear-gradient" in edge.evaluate("edge => getComputedStyle(edge).backgroundImage")  # teeth
    expect(page.get_by_role("treeitem", name="HTTP status codes, annotated")).to_have_accessible_name(
        re.compile("8 boundaries cut a block in two")
    )

    walk.get_by_role("button", name="Next").click()
    expect(
        page.get_by_role("status").filter(has_text="Chunk 1: its end cuts the table, lines 11 to 74")
    ).to_be_visible()
    page.locator(".structure .scroll").press("t")
    expect(page.locator(".tears .sel button")).to_be_focused()
    expect(page.locator(".tears .sel button")).to_have_accessible_name(re.compile("Between chunk 2 and what follows"))
    page.keyboard.press("Enter")
    label = page.locator(".lbl.torn").filter(has_text="#3")
    expect(label).to_contain_text("cuts the table, lines 11 to 74", timeout=PATIENCE)
    expect(label).to_be_in_viewport()
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 2", timeout=PATIENCE)


@pytest.mark.long
def test_the_list_of_sections_says_how_many_blocks_are_cut_in_each(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{TABLE}&view=structure")
    page.get_by_role("button", name="List").click()
    rows = page.get_by_role("treeitem")
    expect(rows.filter(has_text="The whole table").locator(".rip")).to_have_text("✂ 8")
    page.locator(".structure .scroll").press("t")

    expect(rows.filter(has_text="The whole table")).to_be_focused()
