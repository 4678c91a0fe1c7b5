"""What is past its limits, in real Chromium: a download and a page are each one line, with the
limit and the way out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from panels import open_panel
from playwright.sync_api import FilePayload, Page, expect

PATIENCE = 120_000
SECONDS = 3
"""Of CPU time, several times what a page with a sample takes."""
ENDLESS_REPORT = """
from pages.ui.inspect import export_panel
from streamlit.web.cli import main

def html_report(*_, **__):
    while True:
        pass

export_panel.html_report = html_report
main()
"""
STOPPED = (
    f"stopped after {SECONDS} s of work (CHUNKSCOPE_RUN_SECONDS {SECONDS}); split the document, or give it more time"
)


@pytest.fixture(scope="module")
def address(own_server: Callable[..., str]) -> str:
    """A server whose reports never end."""
    return own_server("app.py", program=("-c", ENDLESS_REPORT), variables={"CHUNKSCOPE_RUN_SECONDS": str(SECONDS)})


@pytest.mark.long
def test_a_download_past_its_limit_says_what_was_stopped_by_which_limit_and_the_way_out(
    page: Page, address: str
) -> None:
    page.goto(address)
    open_panel(page, "Export")
    page.get_by_role("button", name="Report (HTML)").click(timeout=PATIENCE)

    expect(page.locator(".st-key-downloads")).to_contain_text(STOPPED, timeout=PATIENCE)
    with page.expect_download(timeout=PATIENCE) as chunks:
        page.get_by_role("tabpanel", name="Export").get_by_role("button", name="Chunks", exact=True).click()
    assert chunks.value.suggested_filename.endswith(".jsonl")


@pytest.mark.long
def test_a_page_past_its_limit_is_one_line_and_another_document_can_be_chosen(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Add", exact=True).click(timeout=PATIENCE)
    large = "# A heading\n\nSome text below it.\n\n" * 300_000
    page.locator("input[type=file]").set_input_files(
        FilePayload(name="large.md", mimeType="text/markdown", buffer=large.encode())
    )

    expect(page.locator(".st-key-page-stopped")).to_have_text(re.compile(re.escape(STOPPED)), timeout=PATIENCE)
    page.goto(f"{address}/?document=sample:10-an-api-reference.md")
    expect(page.locator(".cs-strip")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-page-stopped")).to_have_count(0)
