"""The live thresholds as people use them: in real Chromium, beside the boundary view."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect
from waiting import until_still

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"


@pytest.fixture
def rail(page: Page, serve: Callable[[str], str]) -> Page:
    """The test page: `target` and `hard_cap` of hierarchical, at 250 and 600, the baseline's at 100
    and 800."""
    address = serve("tests/browser/show_rail.py")
    page.goto(f"{address}/?{urlencode({'path': str(SAMPLE), 'strategy': 'hierarchical'})}")
    page.locator(".cs[data-painted]").wait_for(timeout=30_000)
    page.locator(".rail .row").first.wait_for()
    return page


TOPS = "elements => elements.map((element) => element.getBoundingClientRect().top)"


def thumb(slider: Locator) -> tuple[float, float]:
    """Where the thumb of a range input stands on the screen."""
    place: list[float] = slider.evaluate("""(range) => {
        const box = range.getBoundingClientRect();
        const share = (range.value - range.min) / (range.max - range.min);
        return [box.left + 10 + share * (box.width - 20), box.top + box.height / 2];
    }""")
    return place[0], place[1]


def test_bands_follow_while_the_pointer_is_down(rail: Page) -> None:
    slider = rail.get_by_role("slider", name="Hard cap")
    x, y = thumb(slider)
    before = rail.locator(".count").inner_text()
    rail.mouse.move(x, y)
    rail.mouse.down()

    rail.mouse.move(x - 25, y, steps=6)

    expect(rail.locator(".count")).not_to_have_text(before)
    expect(rail.get_by_text("released {}")).to_be_visible()
    rail.mouse.up()
    value = slider.input_value()
    expect(rail.get_by_text(re.compile(rf"released \{{'target': 250, 'hard_cap': {value}\}}"))).to_be_visible()


def test_the_slider_stands_at_a_typed_value_between_two_of_its_steps(rail: Page) -> None:
    slider = rail.get_by_role("slider", name="Hard cap")
    number = rail.get_by_role("spinbutton", name="Hard cap, tokens")

    number.fill("603")
    number.press("Enter")
    expect(slider).to_have_js_property("value", "603")
    slider.press("Tab")
    expect(slider).to_have_js_property("value", "603")
    slider.press("ArrowRight")

    expect(slider).not_to_have_js_property("value", "603")
    value, least, step = slider.evaluate("range => [range.value, range.min, range.step].map(Number)")
    assert value > 603
    assert (value - least) % step == 0


def test_a_value_never_snaps_back_during_a_drag(rail: Page) -> None:
    slider = rail.get_by_role("slider", name="Hard cap")
    x, y = thumb(slider)
    slider.evaluate("""(range) => {
        window.seen = [];
        const watch = () => { window.seen.push(Number(range.value)); window.watching = requestAnimationFrame(watch); };
        watch();
    }""")
    rail.mouse.move(x, y)
    rail.mouse.down()
    for step in range(1, 30):
        rail.mouse.move(x + 2 * step, y)
        rail.wait_for_timeout(20)
    rail.mouse.up()
    expect(rail.get_by_text(f"released {{'target': 250, 'hard_cap': {slider.input_value()}}}")).to_be_visible()
    until_still(rail, slider.input_value)

    seen: list[int] = rail.evaluate("() => { cancelAnimationFrame(window.watching); return window.seen; }")
    assert seen == sorted(seen)
    assert seen[-1] > 1000


def test_the_text_does_not_move_when_a_threshold_does(rail: Page) -> None:
    rail.locator(".scroll").evaluate("scroller => { scroller.scrollTop = 600; }")
    until_still(rail, lambda: rail.locator(".cs .ln").evaluate_all(TOPS))
    rail.locator(".cs").evaluate("""(root) => {
        window.lines = [...root.querySelectorAll(".ln")];
        window.tops = window.lines.map((line) => line.getBoundingClientRect().top);
    }""")
    before = rail.locator(".cs").get_attribute("data-painted")

    rail.get_by_role("slider", name="Hard cap").press("ArrowLeft")

    expect(rail.locator(".cs")).not_to_have_attribute("data-painted", before or "")
    same = rail.evaluate(
        "() => lines.every((line, at) => line.isConnected && line.getBoundingClientRect().top === tops[at])"
    )
    assert same


def test_arrow_keys_move_a_threshold_by_its_step(rail: Page) -> None:
    slider = rail.get_by_role("slider", name="Target")
    slider.focus()

    rail.keyboard.press("ArrowRight")
    rail.keyboard.press("ArrowRight")

    expect(rail.get_by_text(re.compile(r"values \{'target': 270, 'hard_cap': 600\}"))).to_be_visible()
    assert slider.get_attribute("aria-valuetext") == "270 tokens"


def test_a_typed_number_is_taken_and_one_out_of_range_is_said_and_not_taken(rail: Page) -> None:
    field = rail.get_by_role("spinbutton", name="Hard cap, tokens")
    field.fill("703")
    field.press("Enter")
    expect(rail.get_by_text(re.compile(r"'hard_cap': 703\}"))).to_be_visible()

    field.fill("9999")
    field.press("Enter")

    expect(rail.get_by_role("alert")).to_have_text("9,999 is out of range: 100 to 2,000 tokens")
    expect(field).to_have_value("703")


def test_a_number_that_would_pass_another_threshold_can_move_that_one_too(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/?strategy=heading-window&minTokens=250&maxTokens=750")
    page.locator(".cs[data-painted]").wait_for(timeout=30_000)
    number = page.get_by_role("spinbutton", name="Minimum, tokens")
    number.fill("900")
    number.press("Enter")
    expect(page.get_by_text("Minimum must be at most 750 (Maximum). Showing 250.")).to_be_visible()

    page.get_by_role("button", name="Raise Maximum to 900 too").click()

    page.wait_for_url(re.compile("minTokens=900.*maxTokens=900"))
    expect(number).to_be_focused()
    expect(number).to_have_value("900")
    expect(page.get_by_role("button", name="Raise Maximum")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(number).to_have_value("250")


def test_a_line_on_the_histogram_can_be_dragged(rail: Page) -> None:
    box = rail.locator(".limit[data-setting=hard_cap] .grip").bounding_box()
    assert box is not None
    rail.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    rail.mouse.down()
    rail.mouse.move(box["x"] + box["width"] / 2 - 20, box["y"] + 20, steps=4)
    rail.mouse.up()

    expect(rail.get_by_text(re.compile(r"released \{'target': 250, 'hard_cap': [345]\d0\}"))).to_be_visible()


def test_ghosts_of_the_baseline_have_a_legend(rail: Page) -> None:
    assert rail.locator(".ghost-line").count() == 2
    assert rail.locator(".rail .keys").inner_text().split("\n") == [
        "now",
        "outside the limits",
        "baseline",
        "baseline's limit",
    ]
    expect(rail.locator(".rail .summary")).to_contain_text("chunks")


def test_targets_are_large_enough_for_a_finger(rail: Page) -> None:
    rail.set_viewport_size({"width": 390, "height": 844})

    heights = rail.locator(".rail input").evaluate_all("inputs => inputs.map((input) => input.offsetHeight)")

    assert heights == [44, 44, 44, 44]
