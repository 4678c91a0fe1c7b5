"""Models in real Chromium: the similarity curve of the real local model, and descriptions that are
asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from sample_server import Asked, Reply, serving
from waiting import until_on

from pages.ui.choices.samples import samples

PATIENCE = 60_000
PROSE = samples()[5]


def opened(page: Page, address: str) -> Page:
    page.goto(f"{address}/?strategy=semantic&document={PROSE.key}&was.strategy=none&similarityThreshold=0.2")
    page.locator(".st-key-curve-chart .js-plotly-plot").wait_for(timeout=PATIENCE)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    return page


@pytest.mark.long
def test_a_click_on_the_curve_goes_to_that_sentence_in_the_source(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, serve("app.py"))
    expect(page.locator(".st-key-curve-chart")).to_contain_text("threshold 0.2")
    source = page.locator(".cs .scroll")
    expect(source.get_by_text("The lighthouse keepers of the nineteenth century")).to_be_visible()
    before = source.evaluate("element => element.scrollTop")

    points = page.locator(".st-key-curve-chart .trace.scatter").first.locator(".points path")
    place = points.nth(35).bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 2, place["y"] + 2)
    # plotly takes a click for the point it has found under the pointer
    expect(page.locator(".st-key-curve-chart .hoverlayer .hovertext")).to_have_count(1)
    page.mouse.click(place["x"] + 2, place["y"] + 2)

    page.wait_for_url(re.compile(r"[?&]at=\d+"), timeout=PATIENCE)
    offset = int(parse_qs(urlsplit(page.url).query)["at"][0])
    assert offset > 0
    assert PROSE.text[offset - 1].isspace()
    assert PROSE.text[offset].isupper()
    until_on(page, lambda: source.evaluate("element => element.scrollTop") > before)
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk")


def test_the_threshold_moves_on_the_curve_and_the_cuts_with_it(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, serve("app.py"))
    marks = page.locator(".st-key-curve-chart .trace.scatter").nth(1).locator(".points path")
    before = marks.count()
    page.locator("section.rail input.number").first.fill("0.3")
    page.keyboard.press("Enter")

    # While it is drawn anew, Streamlit may keep the old one for a moment.
    chart = page.locator(".st-key-curve-chart[data-stale=false]:not([data-retained])")
    expect(chart).to_contain_text("threshold 0.3", timeout=PATIENCE)
    assert marks.count() > before


@pytest.mark.long
def test_curve_source_and_panel_fit_the_window_without_scrolling_the_page(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="dark")
    opened(page, serve("app.py"))

    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    source = page.locator(".st-key-source").bounding_box()
    assert source is not None
    assert source["y"] + source["height"] <= 900


@pytest.mark.long
def test_cancel_ends_the_wait_for_a_server_and_keeps_what_was_answered(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    over = Event()

    def first_only(_asked: Asked, before: int) -> Reply:
        if before:
            over.wait(120)
        return Reply(body={"choices": [{"message": {"role": "assistant", "content": "What it is about."}}]})

    with serving(first_only) as server:
        home = {"CHUNKSCOPE_BASE_URL": server.base_url, "CHUNKSCOPE_API_KEY": "a", "CHUNKSCOPE_CACHE": str(tmp_path)}
        address = own_server("app.py", variables=home)
        page.goto(f"{address}/?document={PROSE.key}&strategy=contextual&provider=compatible&model=m&was.strategy=none")
        asking = page.get_by_role("button", name=re.compile(r"^Describe \d+ chunks"))
        asking.click(timeout=PATIENCE)
        expect(page.locator(".st-key-asking")).to_contain_text(re.compile(r"1 of \d+; waited"), timeout=PATIENCE)
        page.get_by_role("button", name="Cancel").click()

        expect(page.get_by_text("cancelled; what was answered until then is remembered")).to_be_visible(
            timeout=PATIENCE
        )
        expect(page.locator(".st-key-asking")).to_have_count(0)
        expect(asking).to_be_enabled()
        over.set()
    assert len(server.requests) == 2
