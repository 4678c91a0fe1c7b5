"""Whatever is dragged, typed or undone: all that stands on Inspect is of one run, the link's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from one_run import (
    PATIENCE,
    agree,
    drag,
    reaches,
    slider,
    step,
    value,
)
from playwright.sync_api import FloatRect, Page, WebSocketRoute, expect
from waiting import until_still


@pytest.mark.parametrize(
    ("strategy", "lower", "upper", "drags"),
    [
        pytest.param("heading-window", "min_tokens", "max_tokens", ((2, False), (20, True)), marks=pytest.mark.long),
        ("section-rules", "target_low", "target_high", ((8, False),)),
    ],
)
def test_a_threshold_dragged_past_its_neighbour_stops_there_and_all_is_one_run(
    inspect: Callable[..., Page], strategy: str, lower: str, upper: str, drags: tuple[tuple[int, bool], ...]
) -> None:
    page = inspect(f"&strategy={strategy}")
    first = {name: value(page, name) for name in (lower, upper)}

    drag(page, lower, 0.1, steps=3)  # the first drag: after it no payload carries the text
    reaches(page, lower, value(page, lower))
    warm = len(agree(page).chunks)
    for steps, rest in drags:  # quickly and slowly
        drag(page, lower, 1.2, steps=steps, rest=rest)
        most = min(first[upper], float(slider(page, lower).get_attribute("max") or 0))
        assert value(page, lower) == most
        reaches(page, lower, most)
        agree(page)
        step(page, "undo")
        assert len(agree(page).chunks) == warm

        drag(page, upper, -0.2, steps=steps, rest=rest)
        least = value(page, lower)
        assert value(page, upper) == max(least, float(slider(page, upper).get_attribute("min") or 0))
        reaches(page, upper, value(page, upper))
        agree(page)
        step(page, "undo")
        agree(page)
        step(page, "redo")
        agree(page)
        step(page, "undo")
        assert len(agree(page).chunks) == warm
    assert value(page, upper) == first[upper]


@pytest.mark.long
def test_each_threshold_goes_to_both_ends_and_back(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")

    for setting in ("min_tokens", "min_tokens_deeper", "max_tokens"):
        for end in (-0.1, 1.1, -0.1):
            drag(page, setting, end, steps=8)
            reaches(page, setting, value(page, setting))
            agree(page)
    for way in ("undo", "undo", "undo", "redo", "redo"):
        step(page, way)
    agree(page)


def test_a_stop_is_said_while_dragging_and_by_the_keys(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window&minTokens=748")
    minimum, said = slider(page, "min_tokens"), page.locator("section.rail .stop:not(:empty)")
    before = tops(page)

    minimum.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Stops at Maximum, 750.")
    assert value(page, "min_tokens") == 750
    assert tops(page) == before
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_count(0)
    reaches(page, "min_tokens", 749)

    box = slider(page, "max_tokens").bounding_box()
    assert box is not None
    share = (750 - 50) / (3000 - 50)
    page.mouse.move(box["x"] + 10 + share * (box["width"] - 20), box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2, steps=4)
    expect(said).to_have_text("Stops at Minimum, 749.")
    page.mouse.up()
    reaches(page, "max_tokens", 749)
    agree(page)


def tops(page: Page) -> list[float]:
    """Where the sliders stand on the screen."""
    places: list[float] = page.locator("section.rail .range").evaluate_all(
        "ranges => ranges.map((range) => range.getBoundingClientRect().top)"
    )
    return places


def overlap(one: FloatRect | None, other: FloatRect | None) -> bool:
    """Whether two boxes share more than an edge."""
    assert one is not None
    assert other is not None
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 1 and down > 1


def test_a_typed_value_past_a_neighbour_is_refused_at_its_own_field(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")
    field = page.get_by_role("spinbutton", name="Maximum, tokens")

    field.fill("100")
    field.press("Enter")

    row = page.locator("section.rail .row").filter(has=field)
    expect(row.get_by_role("alert")).to_have_text("Maximum must be at least 250 (Minimum). Showing 750.")
    expect(field).to_have_value("750")
    expect(page.locator("section.rail .error:visible")).to_have_count(1)
    agree(page)
    field.fill("300")
    field.press("Enter")
    reaches(page, "max_tokens", 300)
    expect(page.locator("section.rail .error:visible")).to_have_count(0)
    agree(page)
    field.fill("5000")  # beyond the slider
    field.press("Enter")
    reaches(page, "max_tokens", 5000)
    expect(field).to_have_value("5000")

    field.fill("100")
    field.press("Enter")
    expect(row.get_by_role("alert")).to_be_visible()
    page.get_by_role("spinbutton", name="Minimum, tokens").press("ArrowDown")  # something else is done
    expect(page.locator("section.rail .error:visible")).to_have_count(0)


def test_a_drag_that_comes_back_to_where_it_began_is_let_go_there(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=hierarchical")
    before, thumb = page.url, slider(page, "hard_cap")
    box = thumb.bounding_box()
    assert box is not None
    x, y = box["x"] + 10 + (1024 - 128) / (4096 - 128) * (box["width"] - 20), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=4)
    expect(page.locator("html")).to_have_class(re.compile("cs-held"), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    expect(page.locator(".st-key-offer-line")).to_have_css("opacity", "0", timeout=PATIENCE)  # it is of the former cut
    assert value(page, "hard_cap") < 1024
    assert page.url == before

    page.mouse.move(x, y, steps=4)
    back = value(page, "hard_cap")
    page.mouse.up()

    reaches(page, "hard_cap", back)
    agree(page)


def test_what_a_drag_drew_gives_way_to_what_python_says_even_where_that_is_what_it_said_before(
    page: Page, inspect: Callable[..., Page]
) -> None:
    bodies: list[bytes] = []
    wrongly: list[bytes] = []

    def forward(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def answered(answer: str | bytes) -> None:
            assert isinstance(answer, bytes)
            size = 4 + int.from_bytes(answer[:4], "little")
            bodies.append(answer[size:])
            socket.send(answer[:size] + (wrongly[0] if wrongly else answer[size:]))

        server.on_message(answered)

    page.route_web_socket(re.compile("/live/"), forward)
    inspect("&strategy=heading-window")
    slider(page, "min_tokens").press("End")
    reaches(page, "min_tokens", 750)
    other = len(agree(page).chunks)
    step(page, "undo")
    before = len(agree(page).chunks)
    assert other != before
    assert bodies
    wrongly.append(bodies[-1])  # from now on every answer has the boundaries of that other run

    slider(page, "min_tokens").evaluate("""(range) => {
        for (const value of [251, 250]) {
            range.value = value;
            range.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }""")
    expect(page.locator(".cs .count")).to_contain_text(f"of {other}", timeout=PATIENCE)
    slider(page, "min_tokens").evaluate('(range) => range.dispatchEvent(new Event("change", { bubbles: true }))')

    assert len(agree(page).chunks) == before


@pytest.mark.long
def test_the_stop_covers_neither_title_nor_number_and_nothing_moves_while_a_threshold_is_dragged(
    inspect: Callable[..., Page],
) -> None:
    page = inspect("&strategy=heading-window&minTokens=700")
    for width, height in ((1440, 900), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        slider(page, "min_tokens").scroll_into_view_if_needed()
        until_still(page, lambda: tops(page))
        before = tops(page), page.locator(".cs").evaluate("(source) => source.getBoundingClientRect().top + scrollY")
        drag(page, "min_tokens", 1.0, steps=12, rest=True)
        slider(page, "min_tokens").press("ArrowRight")
        row = page.locator("section.rail .row").first
        expect(row.locator(".stop")).to_have_text("Stops at Maximum, 750.")
        said, *others = (row.locator(part).bounding_box() for part in (".stop", "label", ".number", ".range"))
        assert not any(overlap(said, other) for other in others), (width, said, others)
        assert before == (
            tops(page),
            page.locator(".cs").evaluate("(source) => source.getBoundingClientRect().top + scrollY"),
        )
        drag(page, "min_tokens", 0.0, steps=4)
        reaches(page, "min_tokens", 0)
        agree(page)
