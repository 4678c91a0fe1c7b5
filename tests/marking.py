"""Marking an answer in Chromium, for several files of browser tests."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

SAMPLE = Path(__file__).parents[1] / "sample_docs" / "05-deep-nesting.md"
TEXT = SAMPLE.read_text(encoding="utf-8")
LINK = f"?document=sample:{SAMPLE.name}&strategy=heading-window"
PATIENCE = 45_000
SELECT = """(scroller, [first, last]) => {
    const lines = [...scroller.querySelectorAll(".ln")].map((line) => line.firstChild).filter(Boolean);
    const from = lines.find((text) => text.data.includes(first));
    const to = lines.find((text) => text.data.includes(last));
    getSelection().setBaseAndExtent(from, from.data.indexOf(first), to, to.data.indexOf(last) + last.length);
}"""
FIRST = ("Everything solid", "a pocket guide can.")
SECOND = ("Cooled in the depth", "naked eye.")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".cs[data-painted]").first.wait_for(timeout=PATIENCE)
    return page


def select(page: Page, ends: tuple[str, str], do: str) -> None:
    page.locator(".cs .scroll").first.evaluate(SELECT, list(ends))
    page.get_by_role("group", name="Selected text").get_by_role("button", name=do).click()


def mark(page: Page, ends: tuple[str, str], question: str) -> None:
    select(page, ends, "Mark as answer")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("A question").fill(question, timeout=PATIENCE)
    dialog.get_by_role("button", name="Mark as answer").click()
    expect(dialog).to_be_hidden(timeout=PATIENCE)
    expect(page.locator(".marks .question", has_text=question)).to_be_visible(timeout=PATIENCE)
