"""What people come to do, done in real Chromium by keyboard alone, and what a screen reader says on
the way: each element is known by its role and its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect
from usual_and_long import long

from chunking import Config

PATIENCE = 45_000
STOPS = 70
"""Most presses of Tab from one thing to the next that a task needs."""
SAMPLE = "sample:10-an-api-reference.md"
TORN = "?document=sample:02-a-huge-table.md&strategy=fixed&at=0"
TEXT = "# Kettle\n\nIt glows while it boils.\n\n" + "".join(
    f"## Step {number}\n\n{'water and steam ' * 60}\n\n" for number in range(1, 7)
)
FOCUSED = "each => each.isConnected ? each.getRootNode().activeElement === each : null"
Open = Callable[[str], Page]


@pytest.fixture
def at(page: Page, serve: Callable[[str], str]) -> Open:
    """`at("?view=cards")` opens the app there, once nothing is drawn any more."""

    def opened(address: str) -> Page:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"{serve('app.py')}/{address}")
        page.locator(".st-key-nav").wait_for(timeout=PATIENCE)
        return done(page)

    return opened


def done(page: Page) -> Page:
    """The page, when its script has run to the end."""
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    expect(page.locator('[data-testid="stSpinner"], [data-testid^="stSkeleton"]')).to_have_count(0, timeout=PATIENCE)
    return page


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> Locator:
    """Press Tab until this has the focus."""
    wanted.wait_for(timeout=PATIENCE)
    # By its element: to look for it by its role and name takes as long as a press.
    element = wanted.element_handle()
    for _ in range(STOPS):
        page.keyboard.press(key)
        focused = element.evaluate(FOCUSED)
        if focused is None:  # it was drawn anew
            element = wanted.element_handle()
            focused = element.evaluate(FOCUSED)
        if focused:
            return wanted
    raise AssertionError(f"{STOPS} times {key} do not lead to {wanted}")


def skip_to_source(page: Page) -> None:
    """The link past the controls, and then the source has the keys."""
    tab_to(page, page.get_by_role("link", name="Skip to the source"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=re.compile("^Source text of "))).to_be_focused()


def test_a_text_is_added_its_health_read_and_a_config_exported(at: Open) -> None:
    page = at("")
    tab_to(page, page.get_by_role("button", name="Add", exact=True))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("textbox", name="Or paste text"))
    page.keyboard.insert_text(TEXT)
    tab_to(page, page.get_by_role("button", name="Add text"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    done(page)
    expect(page.get_by_role("region", name=re.compile("^Source text of "))).to_be_focused()

    tab_to(page, page.get_by_role("tab", name=re.compile("^Chunk")))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name=re.compile("^Health"), selected=True)).to_be_focused()
    checks = page.locator(".st-key-checked").get_by_role("listitem")
    expect(checks.filter(has_text="characters are left out")).to_contain_text(
        re.compile(r"Warning.*characters left out \(last chunk below the minimum\)")
    )
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Export", selected=True)).to_be_focused()
    yaml = tab_to(page, page.get_by_role("button", name="YAML", exact=True))
    with page.expect_download(timeout=PATIENCE) as download:
        yaml.press("Enter")
    assert "strategy: heading-window" in Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.parametrize("how", ["Control+Enter", *long("click")])
def test_who_has_added_a_text_goes_on_in_the_source_and_who_reloads_does_not(at: Open, how: str) -> None:
    page = at("")
    page.get_by_role("button", name="Add", exact=True).click()
    text, source = page.get_by_role("textbox", name="Or paste text"), page.get_by_role("region", name="Source text of")
    text.fill(TEXT)
    if how == "click":
        page.get_by_role("button", name="Add text").click()
    else:
        text.press(how)
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    expect(source).to_be_focused(timeout=PATIENCE)
    done(page)
    expect(source).to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name=re.compile("^Chunk 2"))).to_be_visible(timeout=PATIENCE)

    page.reload()
    page.locator(".st-key-nav").wait_for(timeout=PATIENCE)
    done(page)
    assert page.evaluate("document.activeElement === document.body")


def test_why_a_chunk_ends_is_read_and_changed_and_undone(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")
    panel = page.get_by_role("heading", name=re.compile("^Chunk 1"))
    expect(panel).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Why it ends here")).to_be_visible()
    skip_to_source(page)
    for number in (2, 3):
        page.keyboard.press("j")
        expect(page.get_by_role("heading", name=re.compile(f"^Chunk {number}"))).to_be_visible(timeout=PATIENCE)
    chosen = page.get_by_role("list", name="Boundaries near the view").get_by_role("button", name=re.compile("#3 "))
    expect(chosen).to_have_accessible_name(
        re.compile(
            r"Chunk 3 of 7, \d+ tokens\. Chunk 2 ends here: the chunk already has \d+ tokens, at least .+\. "
            r"Rule: minimum reached\."
        )
    )
    expect(chosen).to_have_attribute("aria-current", "true")

    change = tab_to(page, page.get_by_role("button", name=re.compile("^Set Minimum minTokens to ")).first)
    value = change.inner_text().rpartition(" ")[2]
    page.keyboard.press("Enter")
    expect(page.get_by_role("spinbutton", name="Minimum, tokens")).to_have_value(value, timeout=PATIENCE)
    # What was pressed is gone: the keyboard goes on at what became of the boundary.
    undo = page.get_by_role("tabpanel", name="Chunk").get_by_role("button", name="Undo")
    expect(undo).to_be_focused(timeout=PATIENCE)
    done(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("spinbutton", name="Minimum, tokens")).to_have_value("250", timeout=PATIENCE)


def test_reading_keys_work_outside_of_the_source_where_nothing_else_uses_them(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")

    def chunk(number: int) -> Locator:
        return page.get_by_role("heading", name=re.compile(f"^Chunk {number}"))

    expect(chunk(1)).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("j")
    expect(chunk(2)).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name=re.compile("Chunk 2 of 7, "))).to_be_focused()
    page.get_by_role("button", name="Copy the text as it is embedded").focus()
    page.keyboard.press("j")
    expect(chunk(3)).to_be_visible(timeout=PATIENCE)

    # What is typed, and what has a use for keys, keeps them; so does a dialog over the source.
    for name in ("Minimum, tokens", "Maximum, tokens"):
        page.get_by_role("spinbutton", name=name).press("j")
    page.get_by_role("tab", name=re.compile("^Chunk")).press("j")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search commands")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(page.get_by_role("textbox", name="Or paste text")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Or paste text")).to_be_hidden()
    page.get_by_role("link", name="Inspect").focus()
    page.keyboard.press("Control+j")
    done(page)
    expect(chunk(3)).to_be_visible()

    # They can be off, for who speaks to the page.
    page.keyboard.press("?")
    off = page.get_by_role("checkbox", name=re.compile("also work outside the source"))
    off.uncheck()
    page.get_by_role("link", name="Inspect").press("j")
    off.check()
    page.get_by_role("link", name="Inspect").press("k")
    expect(chunk(2)).to_be_visible(timeout=PATIENCE)

    # What goes to a place without a button of its own there goes on with the source's keys.
    page.get_by_role("link", name="Inspect").press("]")
    expect(page.get_by_role("region", name="Source text")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".cs button[data-chunk]:focus")).to_be_visible()


def test_blocks_that_are_cut_in_two_are_gone_through_in_the_source_and_in_the_structure(at: Open) -> None:
    page = at(TORN)
    skip_to_source(page)
    page.keyboard.press("t")
    label = page.get_by_role("button", name=re.compile("^✂ cuts the table, lines 11 to 74 #2 "))
    expect(label).to_be_in_viewport(timeout=PATIENCE)
    tab_to(page, page.get_by_role("radio", name="Source"), "Shift+Tab")  # the chosen one of the views
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Structure")).to_be_focused()

    sections = page.get_by_role("tree", name="Sections")
    expect(sections.get_by_role("treeitem", name="The whole table")).to_have_accessible_name(
        re.compile(r"8 boundaries cut a block in two, line \d+$"), timeout=PATIENCE
    )
    tab_to(page, page.get_by_role("region", name="Structure of the document"))
    for key, number in (("j", 2), ("k", 1)):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=re.compile(f"^Chunk {number} "))).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("t")
    words = page.get_by_role("button", name=re.compile("^✂ cuts the table, lines 11 to 74.* Between chunk 1 and"))
    expect(words).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^✂ cuts the table.* #2 "))).to_be_in_viewport(timeout=PATIENCE)


def test_tab_goes_to_the_chosen_view_from_above_and_from_below_and_on(at: Open) -> None:
    page = at(f"{TORN}&view=cards")
    chosen, only = page.get_by_role("radio", name="Cards"), page.get_by_role("combobox", name="Chunks to show")
    skip_to = page.get_by_role("region", name="Chunks as cards")
    skip_to.focus()
    tab_to(page, only, "Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(chosen).to_be_focused()
    page.keyboard.press("Shift+Tab")
    assert page.get_by_role("radiogroup", name="How to read the document").locator(":focus").count() == 0
    page.keyboard.press("Tab")
    expect(chosen).to_be_focused()
    page.keyboard.press("ArrowRight")
    structure = page.get_by_role("radio", name="Structure")
    expect(structure).to_be_checked(timeout=PATIENCE)
    expect(done(page).get_by_role("tree", name="Sections")).to_be_visible(timeout=PATIENCE)
    expect(structure).to_be_focused()
    page.keyboard.press("Tab")
    expect(only).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(structure).to_be_focused()


def test_two_configs_are_compared_from_boundary_to_boundary(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")
    tab_to(page, page.get_by_role("link", name="Compare"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Compare")).to_have_count(1, timeout=PATIENCE)
    page.get_by_role("region", name=re.compile("^Source text of ")).nth(1).wait_for(timeout=PATIENCE)
    done(page)

    tab_to(page, page.get_by_role("link", name="Skip to the sources"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=re.compile("^Source text of A"))).to_be_focused()
    ribbon = page.get_by_role("slider", name=re.compile(r"^B, Heading window: \d+ kept"))
    tab_to(page, ribbon, "Shift+Tab")
    page.keyboard.press("ArrowRight")
    expect(ribbon).to_have_attribute("aria-valuetext", re.compile(r"^line \d+: (kept|moved|added|removed)"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("[?&]at="), timeout=PATIENCE)


def test_an_answer_is_marked_and_found_among_the_marks(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")
    skip_to_source(page)
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowDown")
    tab_to(page, page.get_by_role("group", name="Selected text").get_by_role("button", name="Mark as answer"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    question = dialog.get_by_role("textbox", name="A question")
    question.wait_for(timeout=PATIENCE)
    if not question.evaluate("each => each.getRootNode().activeElement === each"):
        tab_to(page, question)
    page.keyboard.insert_text("What is this page about?")
    tab_to(page, dialog.get_by_role("button", name="Mark as answer"))
    page.keyboard.press("Enter")

    expect(dialog).to_be_hidden(timeout=PATIENCE)
    expect(page.get_by_role("img", name=re.compile("^Answer: What is this page about"))).to_be_attached(
        timeout=PATIENCE
    )
    expect(page.get_by_role("tab", name=re.compile("^Marks"))).to_contain_text("1", timeout=PATIENCE)


def test_a_question_is_asked_and_the_first_hit_opened(at: Open) -> None:
    page = at(f"retrieve?document={SAMPLE}&a.strategy=fixed&b.strategy=recursive&search=bm25")
    field = page.get_by_role("textbox", name="Question")
    tab_to(page, field)
    page.keyboard.insert_text("How is a shipment cancelled?")
    page.keyboard.press("Enter")
    hit = page.get_by_role("button", name=re.compile(r"^Open chunk \d+ of A in Inspect$")).first
    hit.wait_for(timeout=PATIENCE)

    tab_to(done(page), hit)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Inspect")).to_have_count(1, timeout=PATIENCE)
    page.wait_for_url(re.compile("strategy=fixed.*[?&]at="), timeout=PATIENCE)


@pytest.mark.long
def test_questions_are_drafted_and_the_first_is_accepted(at: Open) -> None:
    page = at(f"retrieve?document={SAMPLE}&a.strategy=fixed&b.strategy=recursive&search=bm25")
    tab_to(page, page.get_by_role("button", name="Draft questions"))
    page.keyboard.press("Enter")
    popover = page.get_by_role("dialog", name="Draft questions")
    expect(popover.get_by_role("combobox", name="Written by")).to_be_focused(timeout=PATIENCE)
    tab_to(page, popover.get_by_role("button", name=re.compile("^Draft 30 questions")))
    page.keyboard.press("Enter")
    expect(popover).to_have_count(0, timeout=PATIENCE)  # it would lie over the first question
    accept = page.get_by_role("button", name=re.compile("^Accept"))
    expect(accept).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(" drafted from 30 of "))).to_be_visible(timeout=PATIENCE)
    tab_to(done(page), accept)
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 30 reviewed")).to_be_visible(timeout=PATIENCE)


@pytest.mark.long
def test_a_link_is_copied_and_a_page_found_by_name(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=fixed")
    tab_to(page, page.get_by_role("button", name="Copy link"))
    page.keyboard.press("Enter")
    link = page.get_by_role("group", name="Link to this view").get_by_role("textbox", name="The link")
    expect(link).to_have_value(re.compile("document=sample%3A10-an-api-reference.md&strategy=fixed"))
    page.keyboard.press("Escape")

    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name=re.compile("^(Search|Find|Go)"))
    expect(field).to_be_focused()
    page.keyboard.insert_text("Strategies")
    expect(page.get_by_role("option", name=re.compile("Strategies"), selected=True)).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/strategies"), timeout=PATIENCE)


@pytest.mark.parametrize(
    ("address", "button", "first"),
    [
        (f"?document={SAMPLE}", "Open config", ("button", re.compile("^Upload$"))),
        *long(
            (f"compare?document={SAMPLE}", "Settings of B", ("spinbutton", re.compile("^Minimum minTokens"))),
            (f"corpus?document={SAMPLE}", "Add an override", ("textbox", re.compile("^Pattern of names"))),
        ),
    ],
)
def test_a_popover_opened_by_keyboard_has_the_keys_until_escape(
    at: Open, address: str, button: str, first: tuple[Literal["button", "spinbutton", "textbox"], re.Pattern[str]]
) -> None:
    page = at(address)
    opener = tab_to(page, page.get_by_role("button", name=button, exact=True))
    page.keyboard.press("Enter")
    popover = page.get_by_test_id("stPopoverBody")
    field = popover.get_by_role(first[0], name=first[1])
    expect(field).to_be_focused(timeout=PATIENCE)
    for key in ("Tab", "Shift+Tab"):
        page.keyboard.press(key)
        tab_to(page, field, key)
        assert popover.locator(":focus").count() == 1  # it went round, and not out
    page.keyboard.press("Escape")
    expect(popover).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.long
def test_a_text_is_added_and_a_link_copied_through_the_palette(at: Open) -> None:
    page = at(f"?document={SAMPLE}")

    def do(words: str) -> None:
        page.keyboard.press("ControlOrMeta+k")
        page.keyboard.insert_text(words)
        expect(page.get_by_role("option", name=re.compile(words), selected=True)).to_be_visible()
        page.keyboard.press("Enter")

    do("Copy link")
    expect(page.get_by_role("textbox", name="The link")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Copy link")).to_be_focused()

    do("Add a document")
    popover = page.get_by_role("dialog", name="Add")
    expect(popover.get_by_role("button", name="Upload", exact=True)).to_be_focused(timeout=PATIENCE)
    expect(popover.get_by_role("textbox", name="Or paste text")).to_be_visible()
    page.keyboard.press("Tab")
    expect(popover.get_by_role("textbox", name="Or paste text")).to_be_focused()
    page.keyboard.insert_text(TEXT)
    tab_to(page, popover.get_by_role("button", name="Add text"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    expect(popover).to_have_count(0, timeout=PATIENCE)


@pytest.mark.long
def test_a_snapshot_is_kept_by_enter_in_its_name(at: Open) -> None:
    page = at(f"?document={SAMPLE}")
    tab_to(page, page.get_by_role("button", name="Snapshots", exact=True))
    expect(page.get_by_role("tooltip")).to_have_text("Configs saved under a name")
    page.keyboard.press("Enter")
    popover = page.get_by_test_id("stPopoverBody")
    expect(popover.get_by_role("textbox", name="Keep the current config as")).to_be_focused(timeout=PATIENCE)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    page.keyboard.insert_text("mine")
    page.keyboard.press("Enter")
    expect(popover.get_by_role("textbox", name="Name of mine")).to_have_value("mine", timeout=PATIENCE)


def test_the_worst_document_of_a_corpus_is_opened_and_come_back_to(at: Open) -> None:
    page = at("corpus?strategy=heading-window")
    worst = page.get_by_role(
        "row", name=re.compile(r"^02-a-huge-table\.md 3 boundaries.* 4 .*Failed: Tables kept whole")
    )
    worst.wait_for(timeout=PATIENCE)
    tab_to(done(page), page.get_by_role("link", name="Skip to the documents"))
    page.keyboard.press("Enter")
    table = page.get_by_role("grid", name="Documents and their boundaries")
    expect(table).to_be_focused()
    page.keyboard.press("Home")
    expect(table).to_have_attribute("aria-activedescendant", str(worst.get_attribute("id")))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("document=sample%3A02-a-huge-table.*[?&]at="), timeout=PATIENCE)
    expect(page.get_by_role("heading", name=re.compile("^Chunk "))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("region", name="Source text of 02-a-huge-table.md")).to_be_focused(timeout=PATIENCE)

    page.keyboard.press("Alt+ArrowLeft")  # which a browser without a window does not follow
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Corpus")).to_have_count(1, timeout=PATIENCE)
    expect(worst).to_be_visible(timeout=PATIENCE)
    expect(table).to_be_focused(timeout=PATIENCE)
    expect(table).to_have_attribute("aria-activedescendant", str(worst.get_attribute("id")))


@pytest.mark.long
def test_a_page_that_a_key_has_led_to_begins_at_its_top(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("link", name="Compare", exact=True).press("Enter")
    expect(page.get_by_role("region", name=re.compile("^Source text of A, "))).to_be_focused(timeout=PATIENCE)
    assert page.locator("main").evaluate("main => main.scrollTop") == 0


def test_an_override_is_added_to_a_corpus_and_exported(at: Open) -> None:
    page = at("corpus?strategy=heading-window")
    page.get_by_role("row", name=re.compile(r"^02-a-huge-table\.md ")).wait_for(timeout=PATIENCE)
    add = page.get_by_role("button", name="Add an override")
    tab_to(done(page), add)
    page.keyboard.press("Enter")
    pattern = page.get_by_role("textbox", name="Pattern of names")
    expect(pattern).to_be_focused(timeout=PATIENCE)
    page.keyboard.insert_text("02-*")
    tab_to(page, page.get_by_role("textbox", name="Settings", exact=True))
    page.keyboard.insert_text("maxTokens: 400")
    tab_to(page, page.get_by_role("button", name="Add the override"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("02-* maxTokens 400").first).to_be_visible(timeout=PATIENCE)
    expect(add).to_be_focused(timeout=PATIENCE)

    export = page.get_by_role("button", name="Export", exact=True)
    tab_to(done(page), export, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="YAML", exact=True).first).to_be_focused(timeout=PATIENCE)
    with page.expect_download(timeout=PATIENCE) as download:
        page.keyboard.press("Enter")
    exported = Config.from_yaml(Path(download.value.path()).read_text(encoding="utf-8"))
    assert exported == Config.from_yaml(
        "chunkscope: 1\nstrategy: heading-window\noverrides:\n  02-*: {maxTokens: 400}\n"
    )


@pytest.mark.parametrize("width", [1440, *long(390)])
def test_export_in_the_header_of_corpus_opens_over_the_page_at_its_first_download(at: Open, width: int) -> None:
    page = at("corpus?strategy=heading-window")
    page.set_viewport_size({"width": width, "height": 844})
    export = done(page).get_by_role("button", name="Export", exact=True)
    export.wait_for(timeout=PATIENCE)
    export.focus()
    page.keyboard.press("Enter")
    first = page.get_by_role("button", name="YAML", exact=True)
    expect(first).to_be_focused(timeout=PATIENCE)
    expect(first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(export).to_be_focused(timeout=PATIENCE)
    expect(page.locator(".st-key-corpus-strip")).to_contain_text("Characters left out", timeout=PATIENCE)


@pytest.mark.long
def test_ranges_are_measured_a_row_is_chosen_and_taken_to_inspect(at: Open) -> None:
    page = at(f"tune?document={SAMPLE}&strategy=heading-window")
    least = tab_to(page, page.get_by_role("spinbutton", name="From").first)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("100")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("across=minTokens%3A100"), timeout=PATIENCE)
    expect(least).to_be_focused()
    expect(page.get_by_role("button", name=re.compile(r"^Done: \d+ measured"))).to_be_visible(timeout=PATIENCE)
    done(page)

    tab_to(page, page.get_by_test_id("data-grid-canvas").first)
    page.keyboard.press("ArrowDown")  # to the second row
    page.keyboard.press("Shift+Space")
    chosen = page.get_by_role("heading", name=re.compile(r"^Minimum \d+, Maximum \d+"))
    expect(chosen).to_be_visible(timeout=PATIENCE)
    values = re.findall(r"imum ([\d,]+)", chosen.inner_text())
    tab_to(done(page), page.get_by_role("button", name=re.compile("^Apply (the nearest )?to Inspect")), "Shift+Tab")
    page.keyboard.press("Enter")

    for name, value in zip(("Minimum, tokens", "Maximum, tokens"), values, strict=True):
        field = page.get_by_role("spinbutton", name=name, exact=True)
        expect(field).to_have_value(value.replace(",", ""), timeout=PATIENCE)
    skip_to_source(done(page))


@pytest.mark.long
def test_after_a_reload_settings_and_the_chunk_are_as_they_were_and_tab_begins_at_the_top(at: Open) -> None:
    page = at(f"?document={SAMPLE}&strategy=heading-window")
    field = tab_to(page, page.get_by_role("spinbutton", name="Minimum, tokens"))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("300")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("minTokens=300"), timeout=PATIENCE)
    done(page)
    skip_to_source(page)
    page.keyboard.press("j")
    page.wait_for_url(re.compile("[?&]at="), timeout=PATIENCE)
    chunk = page.locator(".st-key-chunk").get_by_role("heading", level=2).first
    expect(chunk).to_contain_text("Chunk 2", timeout=PATIENCE)
    done(page)

    page.reload()
    done(page)

    expect(field).to_have_value("300", timeout=PATIENCE)
    expect(chunk).to_contain_text("Chunk 2", timeout=PATIENCE)
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_have_attribute("aria-disabled", "false")
    assert page.evaluate("document.activeElement === document.body")  # nothing took the keys while it was drawn
    skip_to_source(page)
    page.keyboard.press("j")  # on from the chunk that was chosen
    expect(chunk).to_contain_text("Chunk 3", timeout=PATIENCE)
