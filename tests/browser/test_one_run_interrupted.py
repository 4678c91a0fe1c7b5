"""Whatever interrupts a drag, other views and documents, reloads, tabs, a lost socket: all that
stands on Inspect is of one run, the link's."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from one_run import (
    PATIENCE,
    SAMPLE,
    agree,
    drag,
    reaches,
    slider,
    value,
)
from playwright.sync_api import Page, WebSocketRoute, expect
from waiting import until_on

from chunking import Run


@pytest.mark.long
def test_other_views_in_the_middle_of_a_move_end_in_one_run(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")

    for view in ("Cards", "Structure", "Rendered"):
        slider(page, "min_tokens").press("ArrowRight")
        page.get_by_role("radio", name=view).click()
        page.wait_for_url(re.compile(f"view={view.lower()}"), timeout=PATIENCE)
        slider(page, "min_tokens").press("ArrowRight")
        page.get_by_role("radio", name="Source").click()
        expect(page).not_to_have_url(re.compile("view="), timeout=PATIENCE)
        reaches(page, "min_tokens", value(page, "min_tokens"))
        page.locator("section.cs[data-painted]").wait_for(timeout=PATIENCE)
        agree(page)
    assert value(page, "min_tokens") == 256


def choose(page: Page, what: str, option: str) -> None:
    page.get_by_role("combobox", name=re.compile(what)).first.click()
    page.get_by_role("option", name=re.compile(f"^{option}")).first.click()


def ends_with(page: Page, **wanted: str) -> Run:
    """Wait until the address says this and everything is of it."""

    def said() -> bool:
        query = parse_qs(urlsplit(page.url).query)
        return wanted.items() <= {(name, values[0]) for name, values in query.items()}

    until_on(page, said, otherwise=lambda: f"{wanted} is not in {page.url}")
    return agree(page)


@pytest.mark.long
def test_other_documents_and_strategies_right_after_a_move_end_in_one_run(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")

    drag(page, "min_tokens", 0.1, steps=10)
    choose(page, "Document", "Deep nesting")
    ends_with(page, document="sample:05-deep-nesting.md", minTokens=f"{value(page, 'min_tokens'):.0f}")
    slider(page, "max_tokens").press("PageUp")
    choose(page, "Document", "An API reference")
    drag(page, "min_tokens", 0.2, steps=3)
    ends_with(page, document=f"sample:{SAMPLE.name}", minTokens=f"{value(page, 'min_tokens'):.0f}")

    drag(page, "max_tokens", 0.9, steps=10)
    most = f"{value(page, 'max_tokens'):.0f}"
    choose(page, "Strategy", "Section rules")
    ends_with(page, strategy="section-rules")
    drag(page, "target_high", 0.9, steps=3)
    choose(page, "Strategy", "Heading window")
    ends_with(page, strategy="heading-window", maxTokens=most)


@pytest.mark.long
def test_back_forward_and_reload_in_the_middle_of_a_move_end_in_one_run(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")
    drag(page, "min_tokens", 0.05, steps=4)
    reaches(page, "min_tokens", value(page, "min_tokens"))
    agree(page)

    for act in ("back", "forward", "back", "reload"):
        box = slider(page, "max_tokens").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        page.evaluate({"back": "history.back()", "forward": "history.forward()", "reload": "location.reload()"}[act])
        page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2, steps=6)
        page.mouse.up()
        page.locator('.stApp[data-test-script-state="notRunning"] .cs[data-painted]').wait_for(timeout=PATIENCE)
        agree(page)


@pytest.mark.long
def test_two_tabs_drag_each_for_itself(inspect: Callable[..., Page], page: Page) -> None:
    first = inspect("&strategy=heading-window")
    second = page.context.new_page()
    second.goto(first.url)
    second.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    agree(second)

    drag(first, "min_tokens", 0.0, steps=6)
    drag(second, "min_tokens", 1.0, steps=6)
    for tab, end in ((first, 0.0), (second, 750.0)):
        tab.bring_to_front()
        reaches(tab, "min_tokens", end)
        agree(tab)


@pytest.mark.long
def test_a_socket_that_is_lost_again_and_again_ends_in_one_run(page: Page, inspect: Callable[..., Page]) -> None:
    heard: list[str | bytes] = []

    def breaks(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def ask(question: str | bytes) -> None:
            heard.append(question)
            if len(heard) % 3 == 0:
                socket.close()
            else:
                server.send(question)

        socket.on_message(ask)

    page.route_web_socket(re.compile("/live/"), breaks)
    inspect("&strategy=heading-window")

    for end in (0.9, 0.0, 0.5, 0.05):
        drag(page, "min_tokens", end, steps=10)
        reaches(page, "min_tokens", value(page, "min_tokens"))
        agree(page)
