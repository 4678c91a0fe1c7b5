"""While a page runs, what says so lies over none of the buttons and links beside it, and needs no
room while none runs."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

PATIENCE = 45_000
COVERED = """figure => {
    const { left, right } = figure.getBoundingClientRect();
    return [...document.querySelectorAll(".st-key-nav a, .st-key-nav-buttons, .cs-tagline")]
        .map((each) => [each.textContent || each.className, each.getBoundingClientRect()])
        .filter(([, place]) => place.width && place.left < right && place.right > left).map(([name]) => name);
}"""
HOLE = """nav => document.querySelector('[data-testid="stMainMenu"]').getBoundingClientRect().left
    - nav.querySelector(".st-key-nav-buttons").getBoundingClientRect().right"""
TOLD_OF_A_RUN = 2
"""Messages of the server after which the browser knows that a run has begun."""


def test_the_figure_of_a_running_page_lies_over_no_button(page: Page, serve: Callable[[str], str]) -> None:
    held: list[object] = []
    holds = False

    def hold(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def send(message: str | bytes) -> None:
            held.extend([message] if holds else [])
            if len(held) <= TOLD_OF_A_RUN:
                browser.send(message)

        server.on_message(send)

    page.route_web_socket("**/_stcore/stream", hold)
    page.goto(f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Copy link").wait_for(timeout=PATIENCE)
    holds = True  # the run never ends, as far as the browser knows
    page.get_by_role("radio", name="Cards", exact=True).click()
    figure = page.get_by_test_id("stStatusWidget")
    expect(figure).to_be_visible(timeout=PATIENCE)

    for width in (810, 900, 1024, 1280, 1340, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert figure.evaluate(COVERED) == [], width
        assert 0 <= page.locator(".st-key-nav").evaluate(HOLE) <= 16, width
