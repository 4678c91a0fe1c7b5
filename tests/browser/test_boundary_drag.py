"""A boundary that is dragged in the source, in real Chromium: by the mouse, by a finger and by
keys."""

from __future__ import annotations

import re
from collections.abc import Callable

from one_run import PATIENCE, SAMPLE, agree
from playwright.sync_api import Page, expect

from chunking import Config, parse, run

Inspect = Callable[..., Page]
DOCUMENT = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
NOW = run(DOCUMENT, Config.of("heading-window", {}))


def line_in(chunk: int) -> int:
    """The line of the third heading of a chunk."""
    body = NOW.chunks[chunk].body
    return DOCUMENT.line_of([each.span.start for each in DOCUMENT.headings if body.contains(each.span.start)][2])


def test_a_boundary_is_dragged_and_a_setting_puts_it_there(inspect: Inspect) -> None:
    page = inspect("&strategy=heading-window")
    label = page.locator(".lbl button[data-chunk='1']")
    box = label.bounding_box()
    assert box is not None
    aim = page.locator(".aim .to")

    page.mouse.move(box["x"] + 20, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 60)
    expect(aim).to_be_visible()
    page.keyboard.press("Escape")
    expect(aim).to_be_hidden()
    page.mouse.up()
    expect(page.locator(".st-key-move-offers .cs-heading")).to_have_count(0)

    page.locator(".scroll").focus()
    for number in ("#2", "#3"):
        page.keyboard.press("j")
        expect(page.locator(".lbl.sel .num")).to_have_text(number)
    third = page.locator(".lbl button[data-chunk='2']")
    for _ in range(20):  # to the chunk's last paragraph, further than the view is high
        page.keyboard.press("Alt+ArrowDown")
        expect(third).to_be_in_viewport(ratio=1)
        expect(third).to_be_focused()
    page.keyboard.press("Escape")
    expect(aim).to_be_hidden()
    expect(third).to_be_in_viewport(ratio=1)
    expect(third).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator(".lbl.sel .num")).to_have_text("#2")
    expect(page.get_by_role("heading", name=re.compile("^Chunk 2 "))).to_be_visible(timeout=PATIENCE)
    for _ in range(40):
        page.keyboard.press("Alt+ArrowDown")
        if aim.inner_text() == f"line {line_in(1)}":
            break
    page.keyboard.press("Enter")
    offers = page.locator(".st-key-move-offers")
    told = page.locator("body > [role=status][data-live-announcer]")  # there before its words
    before = re.compile(rf"a boundary before line {line_in(1)}\. .*Tab, then Enter, applies it\.")
    expect(told).to_contain_text(before, timeout=PATIENCE)
    expect(offers).to_contain_text("a boundary there")
    change = offers.get_by_role("button", name=re.compile("^(Set|Turn) ")).first
    expect(change).to_be_visible()
    page.keyboard.press("Tab")
    expect(change).to_be_focused()
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("minTokens|h1Rule|lookahead"), timeout=PATIENCE)
    agree(page)
    expect(offers.locator(".cs-heading")).to_have_count(0)
    expect(aim).to_be_hidden()
    page.get_by_role("tabpanel", name="Chunk").get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("^(?!.*(minTokens|h1Rule|lookahead))"), timeout=PATIENCE)
    expect(page.locator(".cs-strip b").first).to_have_text(str(len(NOW.chunks)), timeout=PATIENCE)
