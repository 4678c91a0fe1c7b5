"""On a phone Compare, Tune and Retrieve begin with what they show: their further controls are one
line, until it is opened; the parts of Corpus stand close together. Real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from usual_and_long import long
from waiting import until_on

PATIENCE = 45_000
WIDTH, HEIGHT = 390, 844
LYING = (844, 390)
TUNE = "tune?document=sample:10-an-api-reference.md&strategy=heading-window&across=minTokens:0:300:100"
COMPARE = "compare?document=sample:10-an-api-reference.md&a.strategy=fixed&b.strategy=recursive"


def opened(page: Page, address: str, shows: str, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Page:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    page.locator(shows).first.wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    return page


def top(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"]


def swipe_up(page: Page, x: float, y: float) -> None:
    """A finger goes up by more than 200 pixels from there."""
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 20):
        points = [{"x": x + 1, "y": y - 12 * step}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_tune_shows_its_map_in_the_first_view_and_its_ranges_when_they_are_asked_for(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{TUNE}", ".st-key-tune-map .nsewdrag")
    across = page.get_by_role("combobox", name="Horizontal axis")
    line = page.locator("summary", has_text=re.compile("^Sweep: .*Minimum 0 to 300"))
    expect(across).to_be_hidden()
    expect(page.locator(".st-key-tune-begin button")).to_be_visible()
    assert top(page.locator(".st-key-tune-map .nsewdrag").first) < 0.7 * HEIGHT

    line.press("Enter")
    expect(across).to_be_visible()
    page.get_by_role("spinbutton", name=re.compile("^To ")).first.fill("400")
    page.get_by_role("spinbutton", name=re.compile("^To ")).first.press("Enter")
    expect(page.locator("summary", has_text="Minimum 0 to 400")).to_be_visible(timeout=PATIENCE)
    expect(across).to_be_visible()  # it stays open where it is drawn anew


def test_compare_shows_a_source_in_the_first_view_and_the_palette_opens_the_rest(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{COMPARE}", ".cs[data-painted]")
    counter = page.get_by_role("combobox", name="Tokenizer for all numbers")
    expect(counter).to_be_hidden()
    first, second = (page.locator(f".st-key-compare-source-{letter} .scroll") for letter in "AB")
    place = top(first)
    assert place < 0.75 * HEIGHT

    page.get_by_role("radiogroup", name="Source shown").get_by_role("radio", name="A").press("ArrowRight")
    expect(first).to_be_hidden()
    expect(second).to_be_visible()
    assert top(second) == place

    page.keyboard.press("ControlOrMeta+k")
    close = page.get_by_role("button", name="Close", exact=True).bounding_box()
    assert close
    assert (close["width"], close["height"]) >= (44, 44)
    page.keyboard.type("Tokenizer for all")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Tokenizer for all numbers")
    page.keyboard.press("Enter")
    expect(counter).to_be_focused()
    expect(page.get_by_role("button", name="Add a config")).to_be_visible()

    # On all documents there is no source to choose: each config has its own place.
    page.get_by_role("radio", name="All documents").click()
    expect(second).to_have_count(0, timeout=PATIENCE)
    for letter in "AB":
        strategy = page.get_by_role("combobox", name=f"Strategy of {letter}")
        expect(strategy).to_have_count(1, timeout=PATIENCE)
        strategy.click(trial=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("address", "shows", "whole"),
    [
        (TUNE, ".st-key-tune-map .nsewdrag", ""),
        *long(
            (COMPARE, ".cs[data-painted]", ".st-key-compare-ribbon-place"),
            ("corpus?strategy=heading-window", ".st-key-corpus-table .line", ".st-key-corpus-rail .row"),
        ),
    ],
)
def test_on_its_side_a_phone_shows_the_results_of_a_page_in_the_first_view(
    address: str, shows: str, whole: str, page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{address}", shows, LYING)
    if whole:
        expect(page.locator(whole).first).to_be_in_viewport(ratio=1)
    else:
        assert top(page.locator(shows).first) < 0.7 * LYING[1]
    assert page.get_by_test_id("stMain").evaluate("each => each.scrollWidth") <= LYING[0]


def test_retrieve_shows_its_first_passage_in_the_first_view_and_how_it_searches_when_that_is_asked_for(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/retrieve?q=requests+a+minute&search=bm25", ".cs-passage")
    search = page.get_by_role("radiogroup").filter(has=page.get_by_role("radio", name="Vectors + keywords"))
    another = page.get_by_role("button", name="Add a config")
    expect(search).to_be_hidden()
    expect(another).to_be_hidden()
    assert top(page.locator(".cs-passage").first) < 0.8 * HEIGHT

    more = page.locator(".cs-all:visible").first
    text = page.locator(".cs-passage:has(+ .cs-all:visible)").first
    assert text.evaluate("each => each.clientHeight < each.scrollHeight")
    text.hover()
    page.mouse.wheel(0, 300)  # moves the page, not the text in its box
    page.wait_for_function("() => document.querySelector('.st-key-retrieve').getBoundingClientRect().top < 0")
    assert text.evaluate("each => each.scrollTop") == 0
    more.get_by_text("Show all").click()
    expect(more.get_by_text("Show less")).to_be_visible()
    assert text.evaluate("each => each.clientHeight === each.scrollHeight")

    page.locator("summary", has_text="Keywords, 5 chunks").press("Enter")
    expect(another).to_be_visible()
    search.get_by_role("radio", name="Vectors", exact=True).click()
    expect(page.locator("summary", has_text="Vectors, 5 chunks")).to_be_visible(timeout=PATIENCE)
    expect(search).to_be_visible()  # it stays open where it is drawn anew


def test_on_a_phone_the_help_begins_with_the_marks_and_folds_the_keys_away(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/?strategy=every-heading", ".cs[data-painted]")
    page.locator("summary[title='Help (?)']").click()
    help_sheet = page.get_by_role("group", name="Help", exact=True)
    expect(help_sheet.get_by_role("heading")).to_have_text(["Marks"])
    expect(help_sheet.locator("kbd").first).to_be_hidden()

    help_sheet.get_by_text("Keys, with a keyboard").click()
    expect(help_sheet.locator("kbd").first).to_be_in_viewport()


@pytest.mark.long
def test_between_the_parts_of_corpus_there_is_no_empty_line(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/corpus?strategy=heading-window", ".st-key-corpus-table .corpus")
    parts = [page.locator(f".st-key-{key}") for key in ("corpus-strip", "corpus-rail", "corpus-said", "corpus-table")]
    boxes = [box for box in (part.bounding_box() for part in parts) if box]

    assert len(boxes) == len(parts)
    assert all(below["y"] - each["y"] - each["height"] <= 16 for each, below in pairwise(boxes))


@pytest.mark.long
def test_neither_tune_nor_a_strategys_table_scrolls_beside_the_page(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/{TUNE}", ".st-key-tune-map .nsewdrag")
    scrolled = "each => { each.scrollTo(500, 500); return [each.scrollLeft, each.scrollTop]; }"
    assert page.locator(".st-key-tune").evaluate(scrolled) == [0, 0]

    opened(page, f"{serve('app.py')}/strategies?strategy=heading-window", ".st-key-strategy-page")
    expect(page.get_by_role("heading", name="On the sample documents")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_role("cell", name="10-an-api-reference.md")).to_be_attached()
    assert page.get_by_test_id("stMain").evaluate("each => each.scrollWidth") <= WIDTH


def test_a_tap_on_tunes_map_chooses_the_cell_that_is_tapped(browser: Browser, serve: Callable[[str], str]) -> None:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/tune?strategy=heading-window&across=minTokens:0:300:100&up=maxTokens:500:1000:250")
    plot = page.locator(".st-key-tune-map .nsewdrag").first
    plot.wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    plot.scroll_into_view_if_needed()
    # Columns 0, 100, 200, 250, 300; rows 500, 750, 1000 from below.
    for across, down, chosen in (
        (0.3, 0.17, "Minimum 100, Maximum 1,000"),
        (0.1, 0.83, "Minimum 0, Maximum 500"),
    ):
        box = plot.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + across * box["width"], box["y"] + down * box["height"])
        expect(page.get_by_role("heading", name=chosen)).to_be_in_viewport(timeout=PATIENCE)
        expect(page.get_by_role("button", name="Apply to Inspect")).to_be_in_viewport(ratio=1)
        expect(page.locator('.st-key-tune-told[role="status"]')).to_have_text(re.compile(f"^{chosen}: \\d+ chunks"))
        plot.evaluate("each => each.scrollIntoView({ block: 'start' })")  # not below what lies over the end
    context.close()


def test_a_swipe_over_tunes_map_scrolls_the_page_and_chooses_nothing(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    page = opened(context.new_page(), f"{serve('app.py')}/{TUNE}", ".st-key-tune-map .nsewdrag")
    box, main = page.locator(".st-key-tune-map .nsewdrag").first.bounding_box(), page.get_by_test_id("stMain")
    assert box is not None
    swipe_up(page, box["x"] + 60, min(box["y"] + 240, HEIGHT - 20))

    until_on(page, lambda: main.evaluate("main => main.scrollTop") > 100)
    expect(page.get_by_role("button", name="Apply to Inspect")).to_be_hidden()
    context.close()


def test_a_swipe_that_begins_on_a_slider_scrolls_the_page_and_moves_no_threshold(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    page = opened(context.new_page(), f"{serve('app.py')}/corpus", ".st-key-corpus-table .line")
    slider = page.locator(".rail .range").first
    slider.scroll_into_view_if_needed()
    before, box, main = slider.input_value(), slider.bounding_box(), page.locator('[data-testid="stMain"]')
    scrolled = main.evaluate("main => main.scrollTop")
    assert box is not None
    swipe_up(page, box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)

    until_on(page, lambda: main.evaluate("main => main.scrollTop") > scrolled + 100)
    assert slider.input_value() == before
    slider.press("ArrowRight")  # from where it stood: what came of the swipe would be said before
    page.wait_for_url(re.compile(f"minTokens={int(before) + int(slider.evaluate('slider => slider.step'))}\\b"))
    context.close()


CUT = """(options) => options.filter((option) => {
  const words = option.querySelector("[data-item-hl]");
  const { left, right } = option.getBoundingClientRect();
  const whole = words.scrollWidth <= words.clientWidth && words.scrollHeight <= option.clientHeight;
  return !whole || left < 0 || right > innerWidth;
}).map((option) => option.textContent)"""
"""The choices of a list whose names are cut."""


def test_the_names_of_documents_are_whole_in_their_list(
    browser: Browser, serve: Callable[[str], str], tmp_path: Path
) -> None:
    names = [f"handbook-of-the-northern-region-onboarding-and-security-{end}.md" for end in ("draft", "final")]
    for name in names:
        (tmp_path / name).write_text(f"# {name}\n\nSome words.\n", encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve('app.py')}/?strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Add", exact=True).tap()
    page.locator(".st-key-uploads input[type=file]").set_input_files([tmp_path / name for name in names])
    expect(page.get_by_role("combobox", name="Document", exact=True)).to_have_value(names[0], timeout=PATIENCE)
    page.locator(".st-key-document button").last.tap()
    expect(page.get_by_role("option", name=names[1])).to_be_visible(timeout=PATIENCE)
    assert page.get_by_role("option").evaluate_all(CUT) == []
    context.close()


def test_on_a_phone_retrieve_shows_the_hits_of_one_config_and_the_other_one_is_a_tap_away(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(f"{serve('app.py')}/retrieve?search=bm25&q=how+do+I+send+my+key")
    hits = [page.locator(f".st-key-compare-panel-{letter} .cs-passage") for letter in "AB"]
    expect(hits[0].first).to_be_visible(timeout=PATIENCE)
    shown = page.get_by_role("radiogroup", name="Config whose hits are shown")
    expect(hits[1].first).to_be_hidden()

    shown.get_by_role("radio", name="B").check()

    expect(hits[1].first).to_be_in_viewport(timeout=PATIENCE)
    expect(hits[0].first).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    for column in hits:
        expect(column.first).to_be_visible()
    expect(shown).to_be_hidden()


FOCUSED = """() => {
  let field = document.activeElement;
  while (field.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (field === document.body) return null;
  const { top } = field.getBoundingClientRect();
  const scrolled = document.querySelector('[data-testid="stMain"]').scrollTop;
  const fixed = document.activeElement.closest(".st-key-rail, .st-key-nav");
  return [field.ariaLabel || field.textContent, fixed ? null : top + scrolled];
}"""
"""The name of what has the focus, and how far down the page it is where it is scrolled with it."""
LINE = 40
"""Pixels by which fields differ that stand beside each other."""


def test_tab_goes_down_the_page_in_a_low_window_and_out_at_its_end(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&at=0")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Health").wait_for(timeout=PATIENCE)
    document = page.get_by_role("combobox", name="Document", exact=True)
    document.focus()
    names, lowest = ["Document"], 0.0
    while stop := press(page, "Tab"):
        name, place = stop
        names.append(name)
        assert len(names) < 100, names  # it comes round, and never out
        if place is not None:
            assert place >= lowest - LINE, names
            lowest = max(lowest, place)
    order = ["Chunks to show", "Search (/)", "Tokenizer", "Baseline"]
    assert [name for name in names if name in order] == order

    page.get_by_role("combobox", name="Tokenizer").focus()
    back: list[str] = []
    while stop := press(page, "Shift+Tab"):
        back.append(stop[0])
        if stop[0] == "Document":
            break
    assert back[-1] == "Document"
    assert [name for name in reversed(back) if name in order] == order[:2]


def press(page: Page, key: str) -> tuple[str, float | None] | None:
    """What a key leads to; nothing where that is out of the page."""
    page.keyboard.press(key)
    stop: tuple[str, float | None] | None = page.evaluate(FOCUSED)
    return stop
