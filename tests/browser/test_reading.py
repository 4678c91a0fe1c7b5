"""Reading, in real Chromium: selecting and marking, searching, keys, and the views beside the source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

Show = Callable[..., Page]
SELECT = """(scroller, [fromLine, from, toLine, to]) => {
    const lines = scroller.querySelectorAll(".ln");
    getSelection().setBaseAndExtent(lines[fromLine].firstChild, from, lines[toLine].firstChild, to);
}"""


@pytest.fixture
def show(page: Page, serve: Callable[[str], str]) -> Show:
    """`show(text, every=97)` opens the source view's test page for a text and waits until it is painted."""

    def opened(path: Path, **query: object) -> Page:
        address = serve("tests/browser/show_source.py")
        page.goto(f"{address}/?{urlencode({'path': str(path), **query})}")
        page.locator(".cs[data-painted]").first.wait_for(timeout=30_000)
        return page

    return opened


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
    expect(toolbar).to_be_visible()
    page.keyboard.press("Tab")
    expect(toolbar.get_by_role("button", name="Mark as answer")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_text("whole 0 13 '🫖 is a kettle'")).to_be_visible()
    expect(page.get_by_role("img", name="Keep whole: about <b>0</b> (in one chunk)")).to_be_attached()
    expect(page.locator(".scroll")).to_be_focused()
