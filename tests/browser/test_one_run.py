"""Whatever is dragged, undone, switched or broken off: all that stands on Inspect is of one run, the link's.

Every check waits until the page agrees with the library's own run of the address, so a slow machine only takes longer.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from chunking import Config, Run, health, parse, run

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"
DOCUMENT = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
PATIENCE = 60_000
LABELS = """async (scroller) => {
    const [found, before] = [{}, scroller.scrollTop];
    const frame = () => new Promise(requestAnimationFrame);
    for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight / 3) {
        scroller.scrollTop = top;
        for (let frames = 0; frames < 3; frames += 1) await frame();
        for (const button of scroller.querySelectorAll(".lbl button[data-chunk]")) {
            const [number, tokens, why] = [...button.children].map((part) => part.textContent);
            found[number.slice(1)] = [Number(tokens.replace(",", "")), Number(/\\+(\\d+) more/.exec(why)?.[1] ?? 0)];
        }
    }
    scroller.scrollTop = before;
    return found;
}"""


@pytest.fixture
def inspect(page: Page, serve: Callable[[str], str]) -> Callable[..., Page]:
    """`inspect("&strategy=fixed")` opens the sample with its first chunk chosen, and waits until all of it is there."""

    def opened(query: str) -> Page:
        page.set_viewport_size({"width": 1440, "height": 1000})
        page.goto(f"{serve('app.py')}/?document=sample:{SAMPLE.name}&at=0{query}")
        page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
        agree(page)
        return page

    return opened


@dataclass(frozen=True)
class Seen:
    """What the page says, each place in its own words."""

    chunks_in_strip: str
    chunks_in_source: str
    summary: str
    runs: tuple[str | None, ...]
    """The names of the runs of the source, the rail and the strip."""
    values: dict[str, float]
    checks: dict[str, str]
    yaml: str
    chosen: str
    dimmed: bool


def seen(page: Page) -> Seen:
    rail = page.locator("section.rail")
    return Seen(
        page.locator(".cs-strip b").first.inner_text(),
        page.locator(".cs .count").inner_text(),
        rail.locator(".summary").inner_text(),
        tuple(
            page.locator(part).get_attribute("data-run")
            for part in (".cs", "section.rail", "[data-run]:has(> .cs-strip)")
        ),
        {each.get_attribute("id") or "": float(each.input_value()) for each in rail.locator(".range").all()},
        {row.locator("b").inner_text(): row.locator(".said").inner_text() for row in page.locator(".health li").all()},
        page.locator(".st-key-more pre").first.inner_text(),
        page.locator(".st-key-chunk-heading h2").inner_text(),
        bool(re.search("cs-behind|cs-held", page.locator("html").get_attribute("class") or "")),
    )


def linked(page: Page) -> Run:
    """The library's run of what the address says."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    settings = {name: text for name, text in query.items() if not re.match(r"document$|at$|view$|was\\.|was\.", name)}
    return run(DOCUMENT, Config.from_query(settings))


def differences(page: Page) -> list[str]:
    """What on the page is not of the run of its address."""
    expected, now = linked(page), seen(page)
    count, strategy = len(expected.chunks), expected.config.strategy
    wrong = {
        "strip": now.chunks_in_strip == f"{count:,}",
        "source": f"of {count:,}" in now.chunks_in_source,
        "summary": now.summary.startswith(f"{count:,} chunk"),
        "one run": len(set(now.runs)) == 1 and now.runs[0] is not None,
        "rail": all(getattr(strategy, name.removeprefix("t-")) == value for name, value in now.values.items()),
        "checks": now.checks == {check.title: check.said for check in health(expected)},
        "export": expected.fingerprint in now.yaml
        and all(
            f"{alias}: {getattr(strategy, name)}" in now.yaml
            for name, alias in (("min_tokens", "minTokens"), ("max_tokens", "maxTokens"))
            if hasattr(strategy, name)
        ),
        "chosen": now.chosen.replace("\\n", "").endswith(f"of {count:,}"),
        "dimmed": not now.dimmed,
    }
    return [f"{part} is not of the link's run: {now}" for part, right in wrong.items() if not right]


def agree(page: Page) -> Run:
    """Wait until everything is of the run of the address, boundary by boundary. Gives that run."""
    deadline = time.monotonic() + PATIENCE / 1000
    wrong = ["nothing was looked at"]
    while wrong:
        assert time.monotonic() < deadline, wrong
        try:
            wrong = differences(page)
        except Exception as gone:  # an element was drawn anew while it was read
            wrong = [str(gone)]
        page.wait_for_timeout(100 if wrong else 0)
    expected = linked(page)
    found: dict[str, tuple[int, int]] = page.locator(".cs .scroll").evaluate(LABELS)
    tokens = {int(number): count for number, (count, _) in found.items()}
    merged = sum(more for _, more in found.values())
    assert len(tokens) + merged >= len(expected.chunks)
    assert all(expected.chunks[number - 1].tokens == count for number, count in tokens.items())
    return expected


def slider(page: Page, setting: str) -> Locator:
    return page.locator(f"section.rail #t-{setting}")


def value(page: Page, setting: str) -> float:
    return float(slider(page, setting).input_value())


def drag(page: Page, setting: str, to: float, *, steps: int, rest: bool = False) -> None:
    """Take the thumb, move it in so many steps, if so rest until Streamlit has heard of it, and let go.

    `to` is a share of the slider, from 0 to 1, or beyond it.
    """
    thumb = slider(page, setting)
    thumb.scroll_into_view_if_needed()
    box = thumb.bounding_box()
    assert box is not None
    low, high = (float(thumb.get_attribute(end) or 0) for end in ("min", "max"))
    share, y = (float(thumb.input_value()) - low) / (high - low), box["y"] + box["height"] / 2
    begin, end = (box["x"] + 10 + each * (box["width"] - 20) for each in (share, to))
    page.mouse.move(begin, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(begin + (end - begin) * step / steps, y)
        if steps > 5:
            page.evaluate("() => new Promise(requestAnimationFrame)")
    if rest:
        expect(page.locator("html")).to_have_class(re.compile("cs-held"), timeout=PATIENCE)
        expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    page.mouse.up()


def step(page: Page, way: str) -> None:
    """Undo or redo, once there is something to."""
    button = page.get_by_role("button", name=way.capitalize(), exact=True)
    expect(button).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)
    before = page.url
    button.click()
    expect(page).not_to_have_url(before, timeout=PATIENCE)


def reaches(page: Page, setting: str, wanted: float) -> None:
    """Wait until the address has the setting there."""
    alias = re.sub(r"_(.)", lambda letter: letter[1].upper(), setting)
    deadline = time.monotonic() + PATIENCE / 1000
    while getattr(linked(page).config.strategy, setting) != wanted:
        assert time.monotonic() < deadline, f"{alias} is not {wanted} in {page.url}"
        page.wait_for_timeout(100)


@pytest.mark.parametrize(
    ("strategy", "lower", "upper"),
    [("heading-window", "min_tokens", "max_tokens"), ("section-rules", "target_low", "target_high")],
)
def test_a_threshold_dragged_past_its_neighbour_stops_there_and_all_is_one_run(
    inspect: Callable[..., Page], strategy: str, lower: str, upper: str
) -> None:
    page = inspect(f"&strategy={strategy}")
    first = {name: value(page, name) for name in (lower, upper)}

    drag(page, lower, 0.1, steps=3)  # the first drag: after it no payload carries the text
    reaches(page, lower, value(page, lower))
    warm = len(agree(page).chunks)
    for steps, rest in ((2, False), (20, True)):  # quickly and slowly
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
    expect(said).to_have_text("750 is the Maximum: Minimum cannot go above it.")
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
    expect(said).to_have_text("749 is the Minimum: Maximum cannot go below it.")
    page.mouse.up()
    reaches(page, "max_tokens", 749)
    agree(page)


def tops(page: Page) -> list[float]:
    """Where the sliders stand on the screen."""
    places: list[float] = page.locator("section.rail .range").evaluate_all(
        "ranges => ranges.map((range) => range.getBoundingClientRect().top)"
    )
    return places


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


def test_a_drag_that_comes_back_to_where_it_began_is_let_go_there(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=hierarchical")
    thumb = slider(page, "hard_cap")
    box = thumb.bounding_box()
    assert box is not None
    x, y = box["x"] + 10 + (1024 - 128) / (4096 - 128) * (box["width"] - 20), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=4)
    expect(page.locator("html")).to_have_class(re.compile("cs-held"), timeout=PATIENCE)
    expect(page.locator("html")).not_to_have_class(re.compile("cs-behind"), timeout=PATIENCE)
    assert value(page, "hard_cap") < 1024

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


def test_other_views_and_documents_in_the_middle_of_a_move_end_in_one_run(inspect: Callable[..., Page]) -> None:
    page = inspect("&strategy=heading-window")

    for view in ("Cards", "Structure", "Rendered"):
        slider(page, "min_tokens").press("ArrowRight")
        page.get_by_role("radio", name=view).click()
        page.wait_for_url(re.compile(f"view={view.lower()}"), timeout=PATIENCE)
        slider(page, "min_tokens").press("ArrowRight")
        page.get_by_role("radio", name="Source").click()
        expect(page).not_to_have_url(re.compile("view="), timeout=PATIENCE)
        reaches(page, "min_tokens", value(page, "min_tokens"))
        page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
        agree(page)
    assert value(page, "min_tokens") == 256


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
