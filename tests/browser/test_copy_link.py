"""Copying the link to a view: what is on the clipboard opens the same view, and what it lacks is
said."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Browser, FilePayload, Page, expect

PATIENCE = 45_000
TEXT = "# Kettle\n\nintro\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 30}\n\n" for n in range(1, 7))
KETTLE = FilePayload(name="kettle.md", mimeType="text/markdown", buffer=TEXT.encode())


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    return page


def test_the_copied_link_opens_the_same_view_elsewhere_and_says_what_it_lacks(
    page: Page, serve: Callable[[str], str], browser: Browser
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, f"{serve('app.py')}/?strategy=heading-window&minTokens=90")
    of_the_sample = page.locator(".cs-strip b").first.inner_text()
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(KETTLE)
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(page.locator(".cs-strip b").first).not_to_have_text(of_the_sample, timeout=PATIENCE)
    chunks = page.locator(".cs-strip b").first.inner_text()
    page.get_by_role("button", name="Copy link").click()

    panel = page.get_by_role("group", name="Link to this view")
    expect(panel.get_by_text("Link copied")).to_be_visible(timeout=PATIENCE)
    expect(panel.get_by_text("asked for kettle.md")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert "minTokens=90" in link
    assert "water" not in link

    other = browser.new_context()
    try:
        there = other.new_page()
        there.goto(link)
        expect(there.get_by_text("Open the document to see this view")).to_be_visible(timeout=PATIENCE)
        expect(there.locator(".cs-empty")).to_contain_text("Add kettle.md")
        expect(there.get_by_text("Add kettle.md (same text)")).to_be_visible(timeout=PATIENCE)
        expect(there.locator(".cs[data-painted]")).to_have_count(0)
        expect(there.get_by_text(TEXT.splitlines()[0], exact=True)).to_have_count(0)
        there.locator(".st-key-missing input[type=file]").set_input_files(KETTLE)
        expect(there.locator(".cs-strip b").first).to_have_text(chunks, timeout=PATIENCE)
        there.close()

        panel.get_by_label("Include the text in the link").check()
        expect(panel.get_by_text("The link contains the text of kettle.md")).to_be_visible(timeout=PATIENCE)
        expect(panel.get_by_label("The link", exact=True)).to_have_value(re.compile("#text=1"), timeout=PATIENCE)
        with_text = opened(other.new_page(), panel.get_by_label("The link", exact=True).input_value())
        expect(with_text.locator(".cs-strip b").first).to_have_text(chunks, timeout=PATIENCE)
        assert "#" not in with_text.url
        with_text.reload()
        expect(with_text.locator(".cs-strip b").first).to_have_text(chunks, timeout=PATIENCE)
    finally:
        other.close()
