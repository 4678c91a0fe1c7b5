"""Whatever is dragged, undone, switched or broken off: all that stands on Inspect is of one run,
the link's.

Every check waits until the page agrees with the library's own run of the address, so a slow machine
only takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Error, FloatRect, Locator, Page, WebSocketRoute, expect
from waiting import until_on, until_still

from chunking import Config, Document, Run, health, parse, run
from pages.ui.components.source_view.payload import run_name, source_text

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"
PATIENCE = 60_000
LABELS = """async (scroller) => {
    const [found, before] = [{}, scroller.scrollTop];
    const frame = () => new Promise(requestAnimationFrame);
    for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight * 0.8) {
        scroller.scrollTop = top;
        for (let frames = 0; frames < 3; frames += 1) await frame();
        for (const button of scroller.querySelectorAll(".lbl button[data-chunk]")) {
            const [number, tokens, why] = [...button.children].map((part) => part.textContent);
            const more = Number(/\\+(\\d+) more/.exec(why)?.[1] ?? 0);
            found[number.slice(1)] = [Number(tokens.replace(/[,≈]/g, "")), more, Number(button.dataset.at)];
        }
    }
    scroller.scrollTop = before;
    return found;
}"""
CHECKS = "rows => rows.map((row) => [row.querySelector('b').innerText, row.querySelector('.said').innerText])"


@pytest.fixture
def inspect(page: Page, serve: Callable[[str], str]) -> Callable[..., Page]:
    """`inspect("&strategy=fixed")` opens the sample with its first chunk chosen, and waits until
    all of it is there."""

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
    text: str
    """Which text the source is of, and what it is cut by."""
    summary: str
    runs: tuple[str | None, ...]
    """The names of the runs of the source, the rail and the strip."""
    values: dict[str, float]
    checks: dict[str, str]
    yaml: str
    chosen: str
    """Empty where no chunk is chosen."""
    dimmed: bool


def seen(page: Page) -> Seen:
    rail = page.locator("section.rail")
    return Seen(
        page.locator(".cs-strip b").first.inner_text(),
        page.locator(".cs .count").inner_text(),
        page.locator(".cs").get_attribute("aria-label") or "",
        rail.locator(".summary").inner_text(),
        tuple(
            page.locator(part).get_attribute("data-run")
            for part in (".cs", "section.rail", "[data-run]:has(> .cs-strip)")
        ),
        dict(rail.locator(".range").evaluate_all("ranges => ranges.map((range) => [range.id, Number(range.value)])")),
        dict(page.locator(".health li").evaluate_all(CHECKS)),
        page.locator(".st-key-more pre").first.inner_text(),
        " ".join(page.locator(".st-key-chunk-heading h2").all_inner_texts()),
        bool(re.search("cs-behind|cs-held", page.locator("html").get_attribute("class") or "")),
    )


@cache
def document_called(name: str) -> Document:
    """A sample, by the name that the address has for it."""
    file = name.removeprefix("sample:")
    return parse((SAMPLE.parent / file).read_text(encoding="utf-8-sig"), name=file)


def linked(page: Page) -> Run:
    """The library's run of what the address says."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    settings = {name: text for name, text in query.items() if not re.match(r"document$|at$|view$|was\.", name)}
    return run(document_called(query["document"]), Config.from_query(settings))


def differences(page: Page) -> list[str]:
    """What on the page is not of the run of its address."""
    expected, now = linked(page), seen(page)
    chunks, strategy = len(expected.chunks), expected.config.strategy
    wrong = {
        "strip": now.chunks_in_strip == f"{chunks:,}",
        "source": f"of {chunks:,}" in now.chunks_in_source,
        "text": now.text == f"{expected.document.base_name} cut by {strategy.title}",
        "summary": now.summary.startswith(f"{chunks:,} chunk"),
        "one run": set(now.runs) == {run_name(expected)},
        "rail": all(getattr(strategy, name.removeprefix("t-")) == value for name, value in now.values.items()),
        "checks": now.checks == {check.title: check.said for check in health(expected)},
        "export": expected.fingerprint in now.yaml
        and all(
            f"{alias}: {getattr(strategy, name)}" in now.yaml
            for name, alias in (("min_tokens", "minTokens"), ("max_tokens", "maxTokens"))
            if hasattr(strategy, name)
        ),
        "chosen": now.chosen.endswith(f"of {chunks:,}") if "&at=" in page.url else not now.chosen,
        "dimmed": not now.dimmed,
    }
    return [f"{part} is not of the link's run: {now}" for part, right in wrong.items() if not right]


def agree(page: Page) -> Run:
    """Wait until everything is of the run of the address, boundary by boundary. Gives that run."""
    wrong = ["nothing was looked at"]

    def agreed() -> bool:
        try:
            wrong[:] = differences(page)
        except Exception as gone:  # an element was drawn anew while it was read
            wrong[:] = [str(gone)]
        return not wrong

    until_on(page, agreed, otherwise=lambda: str(wrong))
    expected = linked(page)
    found: dict[str, tuple[int, int, int]] = page.locator(".cs .scroll").evaluate(LABELS)
    assert len(found) + sum(more for _, more, _ in found.values()) >= len(expected.chunks)
    starts = source_text(expected.document).to_units(expected.columns.start)
    chunks = {str(number): (chunk.tokens, at) for number, chunk, at in zip(count(1), expected.chunks, starts)}
    assert {number: (tokens, at) for number, (tokens, _, at) in found.items()} == {
        number: chunks.get(number) for number in found
    }
    return expected


def slider(page: Page, setting: str) -> Locator:
    return page.locator(f"section.rail #t-{setting}")


def value(page: Page, setting: str) -> float:
    return float(slider(page, setting).input_value())


def in_view(thumb: Locator) -> FloatRect:
    """Where a thumb is on the screen; looked for again where the page exchanges it meanwhile."""
    for left in reversed(range(5)):
        with suppress(Error) if left else nullcontext():
            thumb.scroll_into_view_if_needed()
            box = thumb.bounding_box()
            assert box is not None
            return box
    raise AssertionError("the thumb is exchanged again and again")


def drag(page: Page, setting: str, to: float, *, steps: int, rest: bool = False) -> None:
    """Take the thumb, move it in so many steps, if so rest until Streamlit has heard of it, and let
    go.

    `to` is a share of the slider, from 0 to 1, or beyond it.
    """
    thumb = slider(page, setting)
    box = in_view(thumb)
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
    until_on(
        page,
        lambda: getattr(linked(page).config.strategy, setting) == wanted,
        otherwise=lambda: f"{alias} is not {wanted} in {page.url}",
    )


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
    page.get_by_role("option", name=option, exact=True).click()


def ends_with(page: Page, **wanted: str) -> Run:
    """Wait until the address says this and everything is of it."""

    def said() -> bool:
        query = parse_qs(urlsplit(page.url).query)
        return wanted.items() <= {(name, values[0]) for name, values in query.items()}

    until_on(page, said, otherwise=lambda: f"{wanted} is not in {page.url}")
    return agree(page)


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
