"""What streamlit_dom.css knows of Streamlit's own elements is so: each of its selectors finds
something in the app.

With another Streamlit, this says what changed under us.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from marking import FIRST, LINK, PATIENCE, mark, opened
from playwright.sync_api import Page, expect

FILE = Path(__file__).parents[2] / "pages" / "ui" / "layout" / "streamlit_dom.css"
DOCUMENT = "document=sample:05-deep-nesting.md"
SELECTORS = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const inner = (rule) => rule.selectorText ? [rule.selectorText] : [...rule.cssRules].flatMap(inner);
    return [...sheet.cssRules].flatMap(inner);
}"""
FOUND = "selectors => selectors.filter((each) => document.querySelector(each))"
UNSEEN = re.compile(r":not\(:focus-within\)|:focus-(?:within|visible)|::[\w-]+")
WAITING = re.compile(
    r"(?<=\.st-key-)(compare|retrieve|inspect|corpus)(?::has\(\.st-key-[\w-]+\))?:not\(:has\([^()]*\)\)"
)
"""A page to which something of ours has not come yet."""


def single(selectors: str) -> list[str]:
    """A rule's selectors, each by itself: split at commas that are in no parentheses, without what
    passes by and what is no element."""
    parts = re.split(r",\s*(?![^()]*\))", WAITING.sub(r"\1", UNSEEN.sub("", selectors)))
    return [part.strip() for part in parts]


def settled(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".st-key-nav, .st-key-chunk").first.wait_for(timeout=PATIENCE)
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)


@pytest.mark.long
def test_each_selector_for_an_element_of_streamlit_finds_one(page: Page, serve: Callable[[str], str]) -> None:
    app = serve("app.py")
    opened(page, f"{app}/?{DOCUMENT}&strategy=hierarchical&at=900")
    left = [part for rule in page.evaluate(SELECTORS, FILE.read_text(encoding="utf-8")) for part in single(rule)]
    assert len(left) > 40
    # While a page runs (test_running.py) or loads, what stands for which is removed then.
    passing = ("stStatusWidget", ".cs-loading", ".st-key-tune-finding")
    left = [each for each in left if not any(part in each for part in passing)]

    def look() -> None:
        found = page.evaluate(FOUND, left)
        left[:] = [each for each in left if each not in found]

    page.locator(".st-key-exported pre").first.wait_for(timeout=PATIENCE, state="attached")
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("menuitem").first.wait_for(timeout=PATIENCE)
    look()
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Strategy").click()
    page.get_by_role("option", name="start here").wait_for(timeout=PATIENCE)
    look()
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Document", exact=True).click()
    page.get_by_role("option").first.wait_for(timeout=PATIENCE)
    look()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".st-key-uploads").wait_for(timeout=PATIENCE)
    look()
    page.get_by_role("textbox", name="Or paste text").fill("# Kettle\n\nIt glows.\n")
    page.get_by_text("Press Ctrl+Enter").wait_for(timeout=PATIENCE)
    look()
    page.get_by_role("button", name="Add text").click()
    page.get_by_test_id("stToastContainer").get_by_text("1 document added").wait_for(timeout=PATIENCE)
    look()
    opened(page, f"{app}/{LINK}")
    mark(page, FIRST, "How are rocks sorted?")
    page.locator(".marks tbody tr:has(td)").first.get_by_role("button").first.click()
    expect(page.locator(".st-key-marked pre")).to_be_visible(timeout=PATIENCE)
    look()
    page.locator(".cs .scroll").first.press("s")
    page.locator(".cs .scroll").first.press("p")
    expect(page.locator(".st-key-marked pre")).to_be_hidden()
    look()
    settled(page, f"{app}/compare?{DOCUMENT}&a.strategy=fixed&b.strategy=recursive")
    page.locator(".cs[data-painted]").first.wait_for(timeout=PATIENCE)
    look()
    settled(page, f"{app}/retrieve?{DOCUMENT}&a.strategy=fixed&b.strategy=recursive&search=bm25&q=granite")
    page.locator(".cs-passage").first.wait_for(timeout=PATIENCE)
    page.get_by_label("Question", exact=True).focus()
    look()
    settled(page, f"{app}/tune?{DOCUMENT}&strategy=heading-window&view=goal")
    page.locator('button[kind="primary"]:not(:disabled)').first.wait_for(timeout=PATIENCE)
    look()
    settled(page, f"{app}/tune?{DOCUMENT}&strategy=heading-window&across=minTokens:0:300:100")
    page.locator(".st-key-tune-map .nsewdrag").first.wait_for(timeout=PATIENCE)
    look()
    settled(page, f"{app}/corpus?strategy=heading-window")
    page.locator(".corpus .line").first.wait_for(timeout=PATIENCE)
    export = page.get_by_role("button", name="Export", exact=True)
    export.hover()
    page.get_by_role("tooltip").wait_for(timeout=PATIENCE)
    export.click()
    page.get_by_role("button", name="YAML", exact=True).wait_for(timeout=PATIENCE)
    look()
    settled(page, f"{app}/?document={'0' * 64}")
    page.locator(".st-key-missing-uploads section").wait_for(timeout=PATIENCE)
    look()
    settled(page, f"{app}/strategies?strategy=semantic")
    page.locator(".st-key-strategy-links a").first.wait_for(timeout=PATIENCE)
    look()
    settled(page, serve("tests/browser/show_passing.py"))
    page.evaluate("""() => {
        document.documentElement.classList.add("cs-away", "cs-scrolled");
        document.documentElement.dataset.anotherDocument = "";
        document.querySelector('[data-testid="stElementContainer"]').dataset.stale = "true";
    }""")
    look()

    assert left == []
