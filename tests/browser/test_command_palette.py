"""The command palette in real Chromium, with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from waiting import until_on

PATIENCE = 45_000
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.id || element?.getAttribute("aria-label") || element?.tagName;
}"""


def do(page: Page, typed: str) -> None:
    """Open the palette once it is there, type, and take the first line; a page that was just opened
    may offer it a moment later, to the open palette."""
    page.get_by_role("button", name=re.compile("^Commands, ")).wait_for(timeout=PATIENCE)
    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_role("combobox", name="Search commands")).to_be_focused()
    page.keyboard.type(typed)
    dialog = page.get_by_role("dialog", name="Commands")
    expect(dialog.get_by_role("option", selected=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()


@pytest.mark.long
def test_the_search_for_a_goal_is_found_from_another_page(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/strategies")
    do(page, "find for a goal")
    half = page.locator(".st-key-tune-view").get_by_role("radio", name="Find for a goal")
    expect(half).to_be_checked(timeout=PATIENCE)


def test_commands_are_found_and_done_by_keyboard_and_the_focus_returns(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    opener = page.get_by_role("button", name=re.compile("^Commands, "))
    opener.wait_for(timeout=PATIENCE)
    opener.focus()
    page.keyboard.press("Enter")
    combobox = page.get_by_role("combobox", name="Search commands")
    expect(combobox).to_be_focused()
    first = page.get_by_role("option", selected=True)
    before = first.inner_text()
    page.keyboard.press("ArrowDown")
    expect(first).not_to_have_text(before)
    assert combobox.get_attribute("aria-activedescendant") == first.get_attribute("id")
    page.keyboard.type("zzqq")
    expect(page.get_by_text("No command matches")).to_be_visible()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    address, close = page.url, page.get_by_role("dialog", name="Commands").get_by_role("button", name="Close")
    expect(combobox).to_be_focused()
    page.keyboard.press("Tab")
    expect(close).to_be_focused()
    page.keyboard.press("Enter")  # of the button: it does not do the command that is chosen
    expect(close).to_be_hidden()
    expect(opener).to_be_focused()
    assert page.url == address

    page.get_by_role("button", name="Main menu").click()
    menu = page.get_by_role("menu", name="Main menu")
    expect(menu).to_be_visible()
    page.keyboard.press("ControlOrMeta+k")
    expect(combobox).to_be_focused()
    expect(menu).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name=re.compile("^Source text of"))).to_be_focused()  # the menu's focus is gone

    do(page, "mintok")
    number = page.get_by_role("spinbutton", name="Minimum, tokens", exact=True)
    expect(number).to_be_focused()
    until_on(page, lambda: number.evaluate("field => field.ownerDocument.getSelection().toString()") == "250")
    page.keyboard.type("260")  # what stood there goes
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("minTokens=260"), timeout=PATIENCE)
    do(page, "log scale")
    expect(page.get_by_role("button", name="Log scale", pressed=True)).to_be_visible()
    do(page, "chunks to show")
    expect(page.get_by_role("combobox", name="Chunks to show")).to_be_focused()
    do(page, "tokens")
    page.wait_for_url(re.compile("view=tokens"), timeout=PATIENCE)
    do(page, "cutting a block")
    page.wait_for_url(re.compile("only=torn"), timeout=PATIENCE)
    expect(page.locator("section.cs[data-painted]")).to_be_visible(timeout=PATIENCE)  # Tokens shows no filter
    do(page, "cards")
    page.wait_for_url(re.compile("view=cards"), timeout=PATIENCE)
    do(page, "idempotency")
    page.wait_for_url(re.compile(r"at=\d+"), timeout=PATIENCE)
    do(page, "huge table")
    page.wait_for_url(re.compile("a-huge-table"), timeout=PATIENCE)
    source = page.get_by_role("region", name=re.compile("^(Chunks as cards|Source text of)"))
    expect(source).to_be_focused(timeout=PATIENCE)
    do(page, "compare")
    page.wait_for_url(re.compile("/compare"), timeout=PATIENCE)
    page.locator(".st-key-heading-commands").wait_for(state="attached", timeout=PATIENCE)
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    opener.wait_for(timeout=PATIENCE)
    do(page, "retrying")
    page.wait_for_url(re.compile(r"//[^/]+/\?.*at=\d+"), timeout=PATIENCE)


def test_a_torn_boundary_that_is_looked_for_from_a_field_has_the_keys_and_what_keeps_its_block_whole_is_found(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:02-a-huge-table.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("spinbutton", name="Maximum, tokens", exact=True).focus()
    do(page, "next torn")
    expect(page.get_by_role("region", name=re.compile("^Source text of"))).to_be_focused()
    whole = page.locator('[class*="st-key-take-whole-"] button').first
    expect(whole).to_have_text("Set Maximum maxTokens to 1,757", timeout=PATIENCE)
    expect(page.locator('[class*="st-key-searching-"] p')).to_have_count(0, timeout=PATIENCE)
    page.keyboard.press("x")
    expect(whole).to_be_focused()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("whole 1,757")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Keep this block whole: Set Maximum")


def test_a_strategy_is_chosen_by_its_name_as_in_its_list(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    do(page, "every heading")
    page.wait_for_url(re.compile("strategy=every-heading"), timeout=PATIENCE)
    expect(page.locator(".st-key-strategy input")).to_have_value(re.compile("^Every heading"), timeout=PATIENCE)


def test_a_typed_number_leads_to_a_chunk_or_sets_a_threshold(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    dialog = page.get_by_role("dialog", name="Commands")
    do(page, "chunk 5")
    expect(page.get_by_role("region", name=re.compile("^Source text of"))).to_be_focused()
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk 5", timeout=PATIENCE)
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("chunk 500")
    expect(dialog.get_by_role("option", name="Go to chunk")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    do(page, "min 300")
    page.wait_for_url(re.compile("minTokens=300"), timeout=PATIENCE)
    number = page.get_by_role("spinbutton", name="Minimum, tokens", exact=True)
    expect(number).to_have_value("300")
    expect(number).to_be_focused()


@pytest.mark.long
def test_enter_does_nothing_where_only_letters_of_what_was_typed_are_in_a_name(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Commands, ")).wait_for(timeout=PATIENCE)
    address = page.url
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("compre")
    dialog, chosen = page.get_by_role("dialog", name="Commands"), page.get_by_role("option", selected=True)
    expect(dialog.get_by_role("status")).to_contain_text("with these letters only")
    expect(dialog.get_by_role("option").first).to_be_visible()
    expect(chosen).to_have_count(0)
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    assert page.url == address

    page.keyboard.press("ArrowUp")
    assert chosen.inner_text() == dialog.get_by_role("option").last.inner_text()
    page.keyboard.press("ArrowDown")
    assert chosen.inner_text() == dialog.get_by_role("option").first.inner_text()


@pytest.mark.long
def test_undo_with_nothing_to_undo_says_so(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.get_by_role("button", name="Undo", exact=True).wait_for(timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Commands, ")).wait_for(timeout=PATIENCE)
    address = page.url
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("undo")
    dialog = page.get_by_role("dialog", name="Commands")
    first = dialog.get_by_role("option").first
    expect(first).to_contain_text("Undo: nothing to undo")
    expect(first).to_have_attribute("aria-disabled", "true")
    expect(dialog.get_by_role("option", selected=True)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(dialog).to_be_visible()
    assert page.url == address


@pytest.mark.long
def test_what_corpus_exports_and_what_tune_does_are_found_by_their_words(
    page: Page, serve: Callable[[str], str]
) -> None:
    app = serve("app.py")
    page.goto(f"{app}/corpus?strategy=heading-window")
    page.get_by_role("button", name="Export", exact=True).wait_for(timeout=PATIENCE)
    do(page, "export")
    expect(page.get_by_role("button", name="YAML", exact=True)).to_be_focused(timeout=PATIENCE)

    page.goto(f"{app}/tune?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".st-key-tune-view button").first.wait_for(timeout=PATIENCE)
    do(page, "goal")
    page.wait_for_url(re.compile("view=goal"), timeout=PATIENCE)


def test_what_people_call_a_command_finds_it_and_one_of_another_page_leads_there(
    page: Page, serve: Callable[[str], str]
) -> None:
    app = serve("app.py")
    page.goto(f"{app}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator(".st-key-download-yaml button").wait_for(state="attached", timeout=PATIENCE)
    with page.expect_download(timeout=PATIENCE) as came:
        do(page, "download yaml")
    assert came.value.suggested_filename == "chunks.yaml"
    expect(page.get_by_role("button", name="YAML", exact=True)).to_be_focused()
    do(page, "help")
    expect(page.get_by_role("group", name="Help", exact=True)).to_be_visible()
    do(page, "dark")
    expect(page.get_by_role("menuitemradio", name="Dark")).to_be_visible()
    page.keyboard.press("Escape")

    do(page, "draft question")
    page.wait_for_url(re.compile("/retrieve"), timeout=PATIENCE)
    expect(page.get_by_role("combobox", name="Written by")).to_be_visible(timeout=PATIENCE)

    page.keyboard.press("Escape")
    with page.expect_download(timeout=PATIENCE) as came:
        do(page, "export yaml")
    assert came.value.suggested_filename == "chunks.yaml"
    expect(page.get_by_role("tab", name="Export", selected=True)).to_be_visible()
