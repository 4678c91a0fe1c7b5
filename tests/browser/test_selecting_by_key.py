"""Text is selected and marked by keyboard alone: where a selection begins, and who has the keys
after each step. Real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from marking import opened
from playwright.sync_api import Locator, Page, expect
from waiting import until_on

PATIENCE = 45_000
TABLE = "?document=sample:02-a-huge-table.md&strategy=heading-window"
SELECTED = "scroller => scroller.getRootNode().getSelection().toString()"


@pytest.fixture
def source(page: Page, serve: Callable[[str], str]) -> Locator:
    """The source of the sample "A huge table", with the keys, once nothing is drawn any more."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    opened(page, f"{serve('app.py')}/{TABLE}")
    done(page)
    source = page.locator(".cs .scroll")
    source.focus()
    return source


def done(page: Page) -> None:
    """Wait until the script has run to its end."""
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)


def do(page: Page, words: str) -> None:
    """Take what the palette finds for these words."""
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type(words)
    expect(page.get_by_role("option", selected=True)).to_contain_text(words, ignore_case=True)
    page.keyboard.press("Enter")


def selected(source: Locator) -> str:
    """What Shift and an arrow select."""
    source.press("Shift+ArrowDown")
    source.press("Shift+ArrowDown")
    return str(source.evaluate(SELECTED))


def test_a_selection_by_keyboard_begins_at_the_place_gone_to(source: Locator) -> None:
    page = source.page
    do(page, "Retrying")
    page.wait_for_url(lambda url: "at=" in url, timeout=PATIENCE)
    line = source.locator(".ln", has_text="## Retrying")
    expect(line).to_be_in_viewport(timeout=PATIENCE)
    until_on(page, lambda: selected(source).startswith("## Retrying"), otherwise=lambda: selected(source))

    done(page)
    source.press("[")  # which leaves what is selected
    assert selected(source).startswith("## Choosing between neighbours")
    page.keyboard.press("Escape")
    source.press("]")
    assert selected(source).startswith("## Retrying")
    page.keyboard.press("Escape")

    source.press("/")
    page.keyboard.type("Doubling alone")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(source).to_be_focused()
    assert selected(source).startswith("Doubling alone")
    # Once the keys rest the text is said, with the first selection also what can be done with it.
    said = page.locator(".cs ~ * [role=status], .cs [role=status]").filter(has_text="characters selected")
    expect(said).to_have_text(re.compile(r"^“Doubling alone .+”, \d+ characters selected\. Tab goes to "))
    source.press("Shift+ArrowUp")
    expect(said).to_have_text(re.compile(r"^“Doubling alone .*”, \d+ characters selected\.$"))

    # A digit chooses a view, and the next one goes on from there.
    for key, view in (("3", "Cards"), ("1", "Source")):
        page.keyboard.press(key)
        expect(page.get_by_role("radio", name=view, checked=True)).to_be_focused(timeout=PATIENCE)


SCROLLED = """scroller => new Promise((done) => {
    scroller.addEventListener("scrollend", done, { once: true });
    setTimeout(done, 1_000);
})"""
"""Waits until scrolling has ended, which may be before one asks."""


def test_a_selection_by_keyboard_begins_where_the_view_was_scrolled_to(source: Locator) -> None:
    for _ in range(5):
        source.press("ArrowDown")
    source.evaluate(SCROLLED)  # to the blank line over the heading
    assert selected(source).startswith("## The whole table")
    source.page.keyboard.press("Escape")
    for _ in range(5):
        source.press("ArrowDown")
    source.evaluate(SCROLLED)
    assert selected(source).startswith("|")


SEEN = """scroller => {
    const { focusNode } = scroller.getRootNode().getSelection();
    const line = (focusNode.closest ? focusNode : focusNode.parentElement).closest(".ln");
    const view = scroller.getBoundingClientRect();
    const { top, bottom } = line.getBoundingClientRect();
    return [line.textContent.slice(0, 8), top >= view.top && bottom <= view.bottom];
}"""
"""The line in which the end of a selection is that keys move, and whether it is in view."""


@pytest.mark.long
def test_the_end_of_a_selection_that_keys_move_stays_in_view(show: Callable[..., Page], tmp_path: Path) -> None:
    path = tmp_path / "lines.md"
    path.write_text("".join(f"Line {number:03} of the source.\n" for number in range(1, 601)), encoding="utf-8")
    source = show(path, every=900, marking=1).locator(".cs .scroll")
    source.focus()
    for number in range(2, 202):
        source.press("Shift+ArrowDown")
        if number % 40 == 0:
            assert source.evaluate(SEEN) == [f"Line {number:03}", True]
    assert str(source.evaluate(SELECTED)).startswith("Line 001 of")  # the page it began on is still there

    for number in range(200, 150, -1):
        source.press("Shift+ArrowUp")
        if number % 10 == 0:
            assert source.evaluate(SEEN) == [f"Line {number:03}", True]

    page = source.page
    page.keyboard.press("Escape")
    source.press("Home")
    source.press("Shift+ArrowDown")
    for _ in range(3):
        source.press("Shift+ArrowUp")  # no further than the first line
    assert source.evaluate("scroller => scroller.scrollTop") == 0


def to_dialog(source: Locator) -> Locator:
    """Select two lines and go to the dialog that asks for their question."""
    selected(source)
    source.press("Tab")
    expect(source.page.get_by_role("button", name="Mark as answer")).to_be_focused()
    source.page.keyboard.press("Enter")
    return source.page.get_by_role("dialog", name="Which question does this answer?")


def test_the_dialog_of_a_mark_has_the_keys_and_gives_them_back_to_the_source(source: Locator) -> None:
    page, keyboard = source.page, source.page.keyboard
    dialog = to_dialog(source)
    field = dialog.get_by_role("textbox", name="A question")
    expect(field).to_be_focused(timeout=PATIENCE)
    close = dialog.get_by_role("button", name="Close").bounding_box()
    assert close
    assert min(close["width"], close["height"]) >= 24
    keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(source).to_be_focused()

    to_dialog(source)
    expect(field).to_be_focused(timeout=PATIENCE)
    keyboard.type("Which codes are there?")
    keyboard.press("Enter")
    expect(dialog).to_have_count(0, timeout=PATIENCE)
    expect(source).to_be_focused()
    expect(page.get_by_role("img", name="Answer: Which codes are there?")).to_be_attached(timeout=PATIENCE)
    done(page)
    expect(source).to_be_focused()

    to_dialog(source)  # which now also offers the question of before
    expect(dialog.get_by_role("combobox")).to_be_visible(timeout=PATIENCE)
    expect(field).to_be_focused()
    keyboard.press("Escape")
    expect(source).to_be_focused()


@pytest.mark.long
def test_no_command_is_taken_over_a_dialog_which_does_not_come_again_with_its_page(source: Locator) -> None:
    page = source.page
    dialog = to_dialog(source)
    expect(dialog.get_by_role("textbox", name="A question")).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_role("dialog", name="Commands")).to_have_count(0)
    expect(dialog.get_by_role("textbox", name="A question")).to_be_focused()

    page.locator(".st-key-nav").get_by_role("link", name="Strategies", include_hidden=True).evaluate("a => a.click()")
    page.wait_for_url("**/strategies**", timeout=PATIENCE)
    expect(dialog).to_have_count(0, timeout=PATIENCE)
    page.get_by_role("link", name="Inspect", exact=True).click()
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    done(page)
    page.get_by_role("heading", name="Questions and marks", include_hidden=True).wait_for(
        state="attached", timeout=PATIENCE
    )
    expect(dialog).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("title", "place"),
    [("Tune", ".st-key-tune-results"), ("Retrieve", ".st-key-retrieve-question input")],
)
def test_a_page_without_a_source_gives_the_keys_to_the_place_that_its_link_leads_to(
    source: Locator, title: str, place: str
) -> None:
    page = source.page
    do(page, title)
    page.wait_for_url(f"**/{title.lower()}**", timeout=PATIENCE)
    expect(page.locator(place).first).to_be_focused(timeout=PATIENCE)

    page.get_by_role("link", name="Skip to the ").focus()
    page.keyboard.press("Enter")
    expect(page.locator(place).first).to_be_focused()


@pytest.mark.long
def test_a_heading_that_is_gone_to_by_the_palette_gives_the_keys_to_the_source(source: Locator) -> None:
    page = source.page
    page.get_by_role("tab", name="Health").focus()
    do(page, "Retrying")
    expect(source).to_be_focused(timeout=PATIENCE)


def test_enter_shows_why_the_chunk_ends_where_another_panel_is_open_or_the_sheet_is_closed(source: Locator) -> None:
    page = source.page
    page.get_by_role("tab", name="Marks").click()
    why = page.get_by_role("heading", name="Why it ends here")
    expect(why).to_be_hidden()

    source.press("j")
    expect(page.locator(".lbl.sel")).not_to_have_count(0)
    expect(why).to_be_hidden()  # a panel that was opened stays
    source.press("Enter")
    expect(why).to_be_visible()

    page.set_viewport_size({"width": 640, "height": 400})
    grip = page.locator(".sheet .grip")
    until_on(page, lambda: shut(grip), otherwise=lambda: str(grip.get_attribute("aria-expanded")))
    source.press("Enter")
    expect(grip).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("tab", name="Chunk", selected=True)).to_be_visible()
    expect(page.locator(".cs-reason")).to_be_in_viewport()


def shut(grip: Locator) -> bool:
    """Whether the sheet is closed to its handle, which a press of it brings about."""
    if grip.get_attribute("aria-expanded") != "false":
        grip.press("Home")
        grip.press("ArrowDown")
    return grip.get_attribute("aria-expanded") == "false"


def test_tab_goes_on_behind_the_source_from_a_boundary_that_a_key_led_to(source: Locator) -> None:
    page = source.page
    for key, there in (
        ("Tab", page.get_by_role("separator", name="Width of the panels")),
        ("Shift+Tab", source),
    ):
        source.press("j")
        expect(page.locator(".cs .lbl button:focus")).to_be_visible()
        page.keyboard.press(key)
        expect(there).to_be_focused()
