"""Reading, in real Chromium: selecting and marking, searching, keys, and the views beside the
source."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from usual_and_long import long

from chunking import Config, parse, run, strategies

Show = Callable[..., Page]
SELECT = """(scroller, [fromLine, from, toLine, to]) => {
    const lines = scroller.querySelectorAll(".ln");
    getSelection().setBaseAndExtent(lines[fromLine].firstChild, from, lines[toLine].firstChild, to);
}"""
COVERED = """() => {
    const view = document.body;
    const find = (root, name) => root.querySelector(name)
        ?? [...root.querySelectorAll("*")].map((each) => each.shadowRoot && find(each.shadowRoot, name)).find(Boolean);
    const range = document.createRange();
    range.selectNodeContents(find(view, ".ln"));
    return find(view, ".sign").getBoundingClientRect().right - range.getBoundingClientRect().left;
}"""
"""Pixels of the text that a mark's sign lies over."""
OUTSIDE = """(picture) => {
    const { left, right } = picture.getBoundingClientRect();
    return [...picture.querySelectorAll("text")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < left || box.right > right;
    }).map((each) => each.textContent);
}"""
"""Numbers on a map that are not whole in it."""


def write(folder: Path, text: str) -> Path:
    path = folder / "shown.md"
    path.write_bytes(text.encode())
    return path


def test_selected_text_is_marked_to_the_character_and_stays_marked(show: Show, tmp_path: Path) -> None:
    text = "# The 🫖 kettle\r\n\r\nIt glows 🔥 while it boils.\r\nThen <b>pour</b> it out.\r\n"
    page = show(write(tmp_path, text), every=30, overlap=10, marking=1)
    scroller = page.locator(".scroll")
    toolbar = page.get_by_role("group", name="Selected text")
    expect(toolbar).to_be_hidden()

    scroller.evaluate(SELECT, [2, 9, 3, 4])  # from the fire, over the line's end
    expect(toolbar).to_be_visible()
    selected, bar = page.locator(".ln").nth(3).bounding_box(), toolbar.bounding_box()
    assert selected is not None
    assert bar is not None
    assert bar["y"] + bar["height"] <= selected["y"] - 20 or bar["y"] >= selected["y"] + 20
    toolbar.get_by_role("button", name="Mark as answer").click()

    expect(page.get_by_text(r"answer 27 50 '🔥 while it boils.\r\nThen'")).to_be_visible()
    expect(toolbar).to_be_hidden()
    sign = page.get_by_role("img", name="Answer: about <b>0</b> (a chunk boundary cuts it)")
    expect(sign).to_have_text("A")
    expect(page.locator(".mk.answer.split")).to_have_count(2)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        expect(sign).to_be_visible()
        assert page.evaluate(COVERED) <= 0
    sign.hover()
    expect(page.get_by_role("tooltip")).to_have_text("Answer: about <b>0</b> (a chunk boundary cuts it)")


def test_keys_select_mark_and_let_go(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "🫖 is a kettle\nand this is not\n"), every=100, marking=1)
    page.locator(".scroll").focus()
    toolbar = page.get_by_role("group", name="Selected text")

    page.keyboard.press("Shift+ArrowDown")
    expect(toolbar).to_be_visible()
    page.keyboard.press("Escape")
    expect(toolbar).to_be_hidden()
    page.keyboard.press("Shift+End")
    page.keyboard.press("Tab")  # at once: the toolbar is there for it
    expect(toolbar.get_by_role("button", name="Mark as answer")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_text("whole 0 13 '🫖 is a kettle'")).to_be_visible()
    expect(page.get_by_role("img", name="Keep whole: about <b>0</b> (in one chunk)")).to_be_attached()
    expect(page.locator(".scroll")).to_be_focused()


def test_search_finds_all_of_the_text_and_keys_lead_through_it(show: Show, tmp_path: Path) -> None:
    sections = (f"# Part {number}\n\nA Kettle (1.{number}) is here.\n\nMore words.\n\n" for number in range(400))
    page = show(write(tmp_path, "".join(sections)))
    page.locator(".scroll").focus()

    page.keyboard.press("/")
    field = page.get_by_role("textbox", name="Search for")
    expect(field).to_be_focused()
    page.keyboard.type("kettle (1.39")  # no key of the source is heard here, and nothing is a pattern
    found = page.get_by_role("search").get_by_role("status")
    expect(found).to_have_text("1 of 11")
    expect(page.get_by_text("A Kettle (1.39) is here.", exact=True)).to_be_in_viewport()
    page.keyboard.press("Shift+Enter")
    expect(found).to_have_text("11 of 11")
    expect(page.get_by_text("A Kettle (1.399) is here.", exact=True)).to_be_in_viewport()
    expect(page.locator(".hits .now")).to_have_count(1)
    page.get_by_role("button", name="Match upper and lower case").click()
    expect(found).to_have_text("not found")
    expect(page.locator(".hits i")).to_have_count(0)
    field.press("Escape")
    expect(page.locator(".scroll")).to_be_focused()


def test_keys_go_to_headings_copy_fill_the_screen_and_help(show: Show, tmp_path: Path) -> None:
    text = "# 🫖 One\n\nwater\n\n# Two\n\nsteam\n\n# Three\n\nice\n"
    page = show(write(tmp_path, text), strategy="block-packing")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".scroll").focus()

    page.keyboard.press("Home")
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.get_by_text("selected 30", exact=False)).to_be_visible()
    page.keyboard.press("[")
    expect(page.get_by_text("selected 16", exact=False)).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_text("Copied chunk 2")).to_be_visible()
    chunks = run(parse(text, "shown.md"), Config(strategies.get("block-packing")())).chunks
    assert page.evaluate("navigator.clipboard.readText()") == chunks[1].text == "# Two\n\nsteam"
    page.keyboard.press("f")
    box = page.locator(".cs").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 1280, "height": 720}
    page.keyboard.press("?")
    expect(page.get_by_role("group", name="Help")).to_contain_text("next, previous heading")
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Help")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".cs.full")).to_have_count(0)


HOSTILE = """# <img src=x onerror=window.hit=1> :red[x] $x$

[click](javascript:window.hit=1) ![lid](http://192.0.2.1/lid.png) <script>window.hit=1</script>

| <b>a</b> | b |
|---|---|
| [c](data:text/html,x) | <iframe src=http://192.0.2.1></iframe> |

<div onmouseover="window.hit=1">raw</div>
"""


def test_no_view_shows_a_text_as_anything_but_text(page: Page, serve: Callable[[str], str], tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    path = write(tmp_path, HOSTILE)

    for view, words in [
        ("rendered", "<img src=x onerror=window.hit=1> :red[x] $x$"),
        ("cards", '<div onmouseover="window.hit=1">raw</div>'),
        ("structure", "<img src=x onerror=window.hit=1> :red[x] $x$"),
        ("tokens", '<div onmouseover="window.hit=1">raw</div>'),
    ]:
        query = urlencode({"path": str(path), "view": view, "strategy": "every-heading"})
        page.goto(f"{serve('tests/browser/show_reading.py')}/?{query}")
        shown = page.locator(f".rd.{view}[data-painted]")
        shown.wait_for(timeout=60_000)
        expect(shown).to_contain_text(words)
        assert shown.locator(":is(script, img, iframe, b, div[onmouseover])").count() == 0
        if view == "rendered":
            shown.get_by_text("click", exact=True).click()
            expect(shown.locator("a")).to_have_count(0)
            expect(shown.locator(".picture")).to_have_text("lid")
    assert page.evaluate("window.hit") is None
    assert [url for url in asked if not url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "blob:", "data:"))] == []


@pytest.mark.long
def test_tokens_of_two_tokenizers_stand_beside_each_other(
    page: Page, serve: Callable[[str], str], tmp_path: Path
) -> None:
    line = "The 🫖 kettle boils, 日本 tokenization [SEP].\n"
    words = ["The", " 🫖", " kettle", " boils", ",", " 日", "本", " token", "ization", " [", "SEP", "].\n"]
    path = write(tmp_path, "# Kettle\n\n" + line * 400)
    query = urlencode({"path": str(path), "view": "tokens", "strategy": "every-heading"})
    page.goto(f"{serve('tests/browser/show_reading.py')}/?{query}")
    rows = page.locator(".tokens .line")
    rows.nth(3).wait_for(timeout=60_000)

    expect(rows.nth(2).locator(".t")).to_have_text(words)
    expect(rows.nth(2).locator(".multi").first).to_have_attribute("data-n", "3")
    stops = page.get_by_role("note").filter(has_text="MiniLM stops reading here: ")
    expect(stops).to_have_count(1)
    page.get_by_label("Second tokenizer").select_option("minilm")
    expect(rows.nth(2).locator(".toks")).to_have_count(2)
    expect(rows.first.locator(".mark")).to_have_text("[CLS]")
    expect(rows.nth(2).locator(".toks").nth(1).locator(".unk").first).to_have_text("🫖")
    assert rows.nth(2).locator(".dif").count() > 0

    scroller = page.locator(".tokens .scroll")
    scroller.focus()
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="White space")).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(2).locator(".toks").first).to_have_text(line.rstrip())
    assert rows.nth(2).locator(".ws").count() > 0

    scroller.evaluate("scroller => scroller.scrollTop = scroller.scrollHeight")
    expect(page.locator(f'.line[data-end="{len(path.read_text(encoding="utf-8"))}"]')).to_be_in_viewport(timeout=20_000)
    assert rows.count() < 400


def test_rails_begin_at_their_cuts_when_the_chosen_one_is_drawn_anew(
    page: Page, serve: Callable[[str], str], tmp_path: Path
) -> None:
    path = write(tmp_path, "".join(f"# Kettle {number}\n\nwater\n\n" for number in range(12)))
    query = urlencode({"path": str(path), "view": "tokens", "strategy": "every-heading"})
    page.goto(f"{serve('tests/browser/show_reading.py')}/?{query}")
    chosen = page.locator(".divide").nth(1)
    chosen.get_by_role("button").click(timeout=60_000)
    expect(chosen).to_have_class(re.compile(r"\bsel\b"))

    page.get_by_role("button", name="White space").click()
    expect(page.locator(".ws").first).to_be_attached()
    expect(chosen).to_have_class(re.compile(r"\bsel\b"))
    tops = "marks => marks.map((mark) => Math.round(mark.getBoundingClientRect().top))"
    assert page.locator(".rail").evaluate_all(tops) == page.locator(".divide").evaluate_all(tops)


@pytest.mark.long
def test_a_card_and_a_section_lead_to_the_source(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?view=cards")
    cards = page.get_by_role("list", name="Chunks").get_by_role("listitem")
    cards.first.wait_for(timeout=60_000)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.get_by_role("button", name="Copy chunk 2 as it is embedded").click()
    expect(page.get_by_text("Copied chunk 2")).to_be_visible(timeout=20_000)
    copied = page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="#2, ").click()

    expect(page.locator(".lbl.sel .num")).to_have_text("#2", timeout=20_000)
    expect(page.locator(".st-key-chunk")).to_contain_text("Chunk 2", timeout=20_000)
    text = page.locator(".st-key-chunk .cs-exact")
    expect(text).to_have_text(copied, timeout=20_000)
    assert text.inner_text().strip() == copied.strip()
    page.evaluate("navigator.clipboard.writeText('nothing')")
    page.locator(".st-key-chunk").get_by_role("button", name="Copy the text as it is embedded").click()
    expect(page.locator(".st-key-chunk").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == copied
    page.get_by_role("radio", name="Structure").click()
    section = page.get_by_role("treeitem").nth(2)
    section.wait_for(timeout=20_000)
    title = section.locator(".name").inner_text()
    section.click()
    expect(page.locator(".ln").filter(has_text=title).first).to_be_in_viewport(timeout=20_000)
    assert "view=" not in page.url


@pytest.mark.parametrize("form", ["boxes", *long("list")])
def test_who_chooses_a_section_of_structure_by_key_goes_on_in_the_source(
    form: str, page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{serve('app.py')}/?view=structure")
    section = page.get_by_role("treeitem").nth(2)
    section.wait_for(timeout=45_000)
    if form == "list":
        page.get_by_role("button", name="As a list").click()
    section.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name="Source text of ")).to_be_focused(timeout=45_000)


def test_the_map_of_the_chunks_is_made_beside_the_page_and_leads_to_them(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&view=map")
    points = page.get_by_role("region", name="Points: ").get_by_role("button")
    points.nth(2).wait_for(timeout=120_000)
    expect(page.locator(".plane > svg .point")).to_have_count(points.count())
    expect(page.get_by_role("region", name="Near-duplicates: ")).to_contain_text("cosine")

    expect(page.locator(".plane text").last).to_be_visible()
    assert page.locator(".plane > svg").evaluate(OUTSIDE) == []

    points.nth(2).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(points.nth(3)).to_have_attribute("aria-current", "true", timeout=20_000)
    expect(page.locator(".st-key-chunk")).to_contain_text("Chunk 4", timeout=20_000)
    expect(points.nth(3)).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".st-key-chunk")).to_contain_text("Chunk 5", timeout=20_000)

    page.get_by_label("Question to place on the map").fill("How do I cancel a parcel?")
    page.keyboard.press("Enter")
    nearest = page.get_by_role("region", name="Nearest to the question").get_by_role("button")
    expect(nearest).to_have_count(5, timeout=60_000)
    expect(page.locator(".plane .star")).to_have_count(1)
    expect(page.locator(".plane .near")).to_have_count(5)
    page.get_by_label("Colour and shape by").select_option("size")
    expect(page.get_by_role("list", name="Colours and shapes")).to_contain_text("tokens and more", timeout=20_000)
