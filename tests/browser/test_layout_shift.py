"""Pages stay where they are while they load, as `python -m benchmarks.layout_shift` measures it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from usual_and_long import long, usual

from benchmarks.layout_shift import GOAL, PAGES, cumulative, dragged, opened, shifts_of

QUIET = 1_500
"""Milliseconds without a message after which a page is there."""
MARGIN = 2
"""A busy machine draws in more steps than the one on which the goal is measured."""
LEAST = 0.005
"""A number of the strip that grows by a digit."""
KEEPS_ITS_OFFERS = "?document=sample:10-an-api-reference.md"
"""Its first chunk ends by another rule: once a drag is let go, the same is offered for it."""
SIZES = {"desktop": (1440, 900), "tablet": (1000, 800), "phone": (390, 844)}
USUAL = [
    ("Inspect", "desktop"),
    ("Inspect", "tablet"),
    ("Inspect", "phone"),
    ("Corpus", "desktop"),
    ("Compare", "phone"),
]


@pytest.mark.parametrize(
    ("title", "size"),
    usual([(title, size) for title in PAGES for size in SIZES], *USUAL),
)
def test_a_page_that_loads_for_the_first_time_stays_where_it_is(
    title: str, size: str, browser: Browser, serve: Callable[[str], str]
) -> None:
    page = opened(browser, f"{serve('app.py')}/{PAGES[title]}", SIZES[size], QUIET)
    shifts = shifts_of(page)
    page.context.close()

    assert cumulative(shifts) < MARGIN * GOAL, shifts


@pytest.mark.parametrize(("width", "height"), [(640, 360), *long((720, 450), (844, 390))])
def test_inspect_stays_where_it_is_in_a_low_window_too(
    width: int, height: int, browser: Browser, serve: Callable[[str], str]
) -> None:
    page = opened(browser, serve("app.py"), (width, height), QUIET)
    shifts = shifts_of(page)
    page.context.close()

    assert cumulative(shifts) < GOAL, shifts


def test_nothing_moves_while_a_threshold_is_dragged(browser: Browser, serve: Callable[[str], str]) -> None:
    page = opened(browser, f"{serve('app.py')}/{KEEPS_ITS_OFFERS}", SIZES["desktop"], QUIET)
    moved = dragged(page)
    page.context.close()

    assert moved == []


@pytest.mark.long
def test_what_is_offered_for_a_boundary_waits_in_its_place_while_a_threshold_is_held(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = opened(browser, serve("app.py"), SIZES["desktop"], QUIET)
    offers = page.locator(".st-key-what-if button")
    box = page.locator(".rail input[type=range]").first.bounding_box()
    assert box is not None
    before = offers.all_inner_texts()
    assert before
    x, y = box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + step, y)
        page.wait_for_timeout(60)
    expect(page.locator(".st-key-what-if").get_by_text("as before the drag").first).to_be_visible()

    assert offers.all_inner_texts() == before
    expect(page.locator(".st-key-what-if button:enabled")).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".st-key-what-if button:disabled")).to_have_count(0)
    expect(page.get_by_text("as before the drag")).to_have_count(0)
    page.context.close()


@pytest.mark.long
def test_boundaries_that_follow_a_long_drag_do_not_count_as_moved(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = opened(browser, f"{serve('app.py')}/{KEEPS_ITS_OFFERS}", SIZES["desktop"], QUIET)
    moved = dragged(page, lower=64, higher=100)
    page.context.close()

    assert sum(shift.value for shift in moved) < LEAST, moved


@pytest.mark.long
@pytest.mark.parametrize("name", ["", "corpus"])
def test_what_is_hidden_in_a_column_makes_nothing_longer_than_the_window(
    name: str, browser: Browser, serve: Callable[[str], str]
) -> None:
    page = opened(browser, f"{serve('app.py')}/{name}", (1440, 600), QUIET)
    around = page.locator('[data-testid="stAppViewContainer"]')
    beyond = around.evaluate("element => element.scrollHeight - element.clientHeight")
    columns = ':is(.st-key-left, .st-key-right, [data-testid="stMainBlockContainer"])'
    page.add_style_tag(content=f"{columns} {{ position: static !important; }}")
    without = around.evaluate("element => element.scrollHeight - element.clientHeight")
    page.context.close()

    assert beyond == 0
    assert without > 0  # else this shows nothing


def test_the_head_of_a_phone_is_as_high_before_the_apps_name_has_come(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    held: list[Route] = []
    page.route("**/static/js/Html.*.js", lambda route: held.append(route))
    page.goto(serve("app.py"))
    head = page.locator(".st-key-nav")
    expect(head.locator(".st-key-pages a").last).to_be_attached()
    before = head.bounding_box()
    assert held
    for each in held:
        each.continue_()
    page.unroute("**/static/js/Html.*.js")
    expect(head.locator(".cs-brand")).to_be_visible()

    assert head.bounding_box() == before
