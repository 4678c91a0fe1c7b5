"""A drag on Inspect takes the short way to Python, and the page agrees with it when the drag has
ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from usual_and_long import long
from waiting import until_on

from chunking import Config, parse, run
from pages.ui.inspect.metric_strip import before_after
from pages.ui.layout import markup

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"
QUERY = f"?document=sample:{SAMPLE.name}&strategy=hierarchical"
PATIENCE = 45_000
SAME_AS = """(element, html) => {
    const other = new DOMParser().parseFromString(html, "text/html").body.firstChild;
    const seen = element.cloneNode(true);
    for (const hidden of seen.querySelectorAll("[hidden]")) hidden.remove();
    seen.removeAttribute("style");
    return seen.isEqualNode(document.adoptNode(other));
}"""
"""But for what is there and not shown until a figure needs it, and for how wide the cells are."""
NEVER_RESTS = """const timeout = window.setTimeout;
window.setTimeout = (act, after, ...more) => (after === 350 ? 0 : timeout(act, after, ...more));"""
"""A drag whose hand stands still is not told to Streamlit (REST in conversation.js): all that is on
screen came the short way."""


@pytest.fixture
def address(serve: Callable[[str], str]) -> str:
    return f"{serve('app.py')}/{QUERY}"


def opened(page: Page, address: str) -> Locator:
    """The slider of the hard cap, once everything around it is there."""
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator(".cs-strip").wait_for(timeout=PATIENCE)
    return page.get_by_role("slider", name=re.compile("hard cap", re.IGNORECASE))


def chunks_at(hard_cap: int) -> int:
    """How many chunks the library makes."""
    config = Config.of("hierarchical", {"hardCap": hard_cap})
    return len(run(parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name), config).chunks)


def strip_at(hard_cap: int) -> str:
    """The strip's markup beside a baseline cut by `fixed`."""
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    now = run(document, Config.of("hierarchical", {"hardCap": hard_cap}))
    return markup.strip(before_after(now.metrics, run(document, Config.of("fixed", {})).metrics), beside="baseline")


def drag_to(slider: Locator, value: int) -> None:
    slider.evaluate(
        "(range, value) => { range.value = value; range.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def let_go(slider: Locator) -> None:
    slider.evaluate("range => range.dispatchEvent(new Event('change', { bubbles: true }))")


def dragged_on_the_short_way(page: Page, address: str) -> tuple[Locator, list[object]]:
    """The first threshold, once its drag is answered on the socket, and the answers heard there."""
    with page.expect_websocket(lambda socket: "/live/" in socket.url, timeout=PATIENCE) as short:
        slider = opened(page, address)
    answers: list[object] = []
    short.value.on("framereceived", lambda answer: answers.append(answer))
    for value in range(1000, 700, -10):  # until the socket is open, moves go through the page
        drag_to(slider, value)
        page.wait_for_timeout(50)
        if answers:
            break
    return slider, answers


def test_a_drag_moves_boundaries_and_numbers_together_and_the_page_catches_up(page: Page, address: str) -> None:
    slider, heard = dragged_on_the_short_way(page, address)
    drag_to(slider, 600)

    number = page.locator(".cs-strip b").first
    expect(number).to_have_text(str(chunks_at(600)), timeout=PATIENCE)
    expect(page.locator(".rail .summary")).to_contain_text(
        f"{chunks_at(600)} chunks, was {chunks_at(1024)} "
    )  # the default
    expect(page.locator(".count")).to_contain_text(f"of {chunks_at(600)}")
    assert heard
    let_go(slider)
    page.wait_for_url(re.compile("hardCap=600"), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    assert chunks_at(900) != chunks_at(600)
    expect(number).to_have_text(str(chunks_at(600)))
    expect(page.locator(".count")).to_contain_text(f"of {chunks_at(600)}")


def shown_in(view: str, page: Page) -> Locator:
    """What says in a view how many chunks there are."""
    return page.get_by_role("treeitem").first if view == "Structure" else page.locator(".rd .count")


def words_in(view: str, chunks: int) -> re.Pattern[str]:
    return re.compile(rf"\b{chunks} chunks\b" if view in ("Cards", "Structure") else rf"of {chunks}$")


@pytest.mark.parametrize("view", ["Rendered", *long("Structure", "Cards", "Tokens")])
def test_the_other_views_follow_a_drag_that_the_page_hears_nothing_of(page: Page, address: str, view: str) -> None:
    deaf = False

    def hears(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda said: None if deaf else server.send(said))

    page.route_web_socket(re.compile("/_stcore/stream"), hears)
    slider = opened(page, address)
    page.get_by_role("radio", name=view, exact=True).click()
    page.locator(".rd[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached(timeout=PATIENCE)

    deaf = True
    drag_to(slider, 600)

    said = shown_in(view, page)
    if view == "Structure":
        expect(said).to_have_attribute("aria-label", words_in(view, chunks_at(600)), timeout=PATIENCE)
    else:
        expect(said).to_have_text(words_in(view, chunks_at(600)), timeout=PATIENCE)


@pytest.mark.long
def test_another_view_agrees_with_the_page_when_a_drag_has_ended(page: Page, address: str) -> None:
    slider = opened(page, address)
    page.get_by_role("radio", name="Cards", exact=True).click()
    page.locator(".rd[data-painted]").wait_for(timeout=PATIENCE)

    for value in (900, 700, 600):
        drag_to(slider, value)
        expect(page.locator(".rd .count")).to_have_text(words_in("Cards", chunks_at(value)), timeout=PATIENCE)
    let_go(slider)

    page.wait_for_url(re.compile("hardCap=600"), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    expect(page.locator(".rd .count")).to_have_text(words_in("Cards", chunks_at(600)))
    drag_to(slider, 900)
    expect(page.locator(".rd .count")).to_have_text(words_in("Cards", chunks_at(900)), timeout=PATIENCE)


def test_the_strip_shows_in_a_drag_what_the_page_draws_of_that_run(page: Page, address: str) -> None:
    slider = opened(page, f"{address}&was.strategy=fixed")
    strip = page.locator(".cs-strip")
    drawn_first = strip.element_handle()

    for value in (900, 600):
        drag_to(slider, value)
        until_on(page, partial(strip.evaluate, SAME_AS, strip_at(value)), otherwise=strip.inner_text)
    let_go(slider)

    page.wait_for_url(re.compile("hardCap=600"), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    assert strip.evaluate(SAME_AS, strip_at(600))
    assert strip.evaluate("(strip, first) => strip === first", drawn_first)


@pytest.mark.long
def test_without_the_short_way_every_move_goes_through_the_page(page: Page, address: str) -> None:
    def closed(socket: WebSocketRoute) -> None:
        socket.close()

    page.route_web_socket(re.compile("/live/"), closed)
    slider = opened(page, address)

    drag_to(slider, 600)

    expect(page.locator(".cs-strip b").first).to_have_text(str(chunks_at(600)), timeout=PATIENCE)
    expect(page.locator(".count")).to_contain_text(f"of {chunks_at(600)}", timeout=PATIENCE)


@pytest.mark.long
def test_a_socket_that_breaks_in_a_drag_costs_no_move(page: Page, address: str) -> None:
    def breaks(socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: socket.close())

    page.route_web_socket(re.compile("/live/"), breaks)
    slider = opened(page, address)

    drag_to(slider, 600)
    let_go(slider)

    page.wait_for_url(re.compile("hardCap=600"), timeout=PATIENCE)
    expect(page.locator(".count")).to_contain_text(f"of {chunks_at(600)}", timeout=PATIENCE)


@pytest.mark.long
def test_boundaries_that_are_scrolled_to_in_a_drag_say_why_they_are_there(page: Page, address: str) -> None:
    page.add_init_script(NEVER_RESTS)
    slider, _ = dragged_on_the_short_way(page, address)
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    reasons = [chunk.ended_by.detail for chunk in run(document, Config.of("hierarchical", {"hardCap": 600})).chunks]
    drag_to(slider, 600)
    expect(page.locator(".count")).to_contain_text(f"of {len(reasons)}", timeout=PATIENCE)
    page.locator(".scroll").evaluate("each => { each.scrollTop = each.scrollHeight; }")

    last = page.locator(f".lbl button[data-chunk='{len(reasons) - 1}']")
    expect(last).to_have_attribute("aria-label", re.compile(re.escape(reasons[-2])), timeout=PATIENCE)
    expect(page.locator("html")).to_have_class(re.compile("cs-behind"))


@pytest.mark.long
def test_a_tooltip_that_is_open_tells_of_the_boundary_as_it_is_now(page: Page, address: str) -> None:
    slider = opened(page, address)
    page.locator(".lbl button").first.focus()
    expect(page.locator(".tip .title")).to_have_text(re.compile("^Chunk 1 of "))

    drag_to(slider, 600)

    expect(page.locator(".tip .title")).to_have_text(f"Chunk 1 of {chunks_at(600)}", timeout=PATIENCE)


def test_keys_move_at_once_and_are_one_change_of_the_address(page: Page, address: str) -> None:
    slider = opened(page, address)
    slider.focus()
    value, step = int(slider.input_value()), int(slider.get_attribute("step") or 1)

    for _ in range(5):
        page.keyboard.press("ArrowLeft")

    moved = value - 5 * step
    page.wait_for_url(re.compile(f"hardCap={moved}"), timeout=PATIENCE)
    assert slider.input_value() == str(moved)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    expect(page.locator(".count")).to_contain_text(f"of {chunks_at(moved)}")


@pytest.mark.long
def test_a_view_that_the_page_draws_follows_through_the_page(page: Page, address: str) -> None:
    slider = opened(page, f"{address}&view=cards")

    drag_to(slider, 600)

    expect(page.locator(".cs-strip b").first).to_have_text(str(chunks_at(600)), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"))
