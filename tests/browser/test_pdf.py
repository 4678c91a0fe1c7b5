"""A PDF and somebody else's chunks of it, in real Chromium: on its pages, and beside a strategy of
ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from one_run import PATIENCE
from playwright.sync_api import Page, expect

from chunking import load
from chunking.runtime.extras import missing

PDF = Path(__file__).parents[1] / "document" / "files" / "typst.pdf"
pytestmark = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))


def test_a_pdf_and_somebody_elses_chunks_are_added_and_seen_on_pages_and_beside_hierarchical(
    page: Page, serve: Callable[[str], str], tmp_path: Path
) -> None:
    paragraphs = [each for each in load(PDF).text.split("\n\n") if each.strip()]
    theirs = tmp_path / "theirs.jsonl"
    theirs.write_text("\n".join(json.dumps({"page_content": each}) for each in paragraphs), encoding="utf-8")
    page.goto(f"{serve('app.py')}/?was.strategy=hierarchical")
    page.locator(".cs[data-painted]").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".st-key-uploads input[type=file]").set_input_files([theirs, PDF])
    expect(page.get_by_text(f"Opened theirs.jsonl: {len(paragraphs)} chunks").first).to_be_visible(timeout=PATIENCE)

    page.get_by_role("tab", name="Page").click(timeout=PATIENCE)
    picture = page.get_by_role("img", name="Page 1 of 2, the chunk outlined")
    expect(picture).to_be_visible(timeout=PATIENCE)
    assert picture.evaluate("e => e.naturalWidth") > 500

    page.get_by_role("link", name="Compare").first.click()
    page.locator(".cs[data-painted]").nth(1).wait_for(timeout=PATIENCE)
    for track in ("A, Hierarchical", "B, Chunks made elsewhere"):
        expect(page.get_by_role("slider", name=track)).to_be_visible(timeout=PATIENCE)
