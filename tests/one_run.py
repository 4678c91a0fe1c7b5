"""The Inspect page in a browser, read and moved, and held against the library's run of its link.

Every check waits until the page agrees with that run, so a slow machine only takes longer.
"""

from __future__ import annotations

import re
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Error, FloatRect, Locator, Page, expect
from waiting import until_on

from chunking import Config, Document, Run, health, parse, run
from pages.ui.components.health_list.rows import rows
from pages.ui.components.source_view.payload import run_name, source_text
from pages.ui.layout import setting_names

SAMPLE = Path(__file__).parents[1] / "sample_docs" / "10-an-api-reference.md"
PATIENCE = 60_000
LABELS = """async (scroller) => {
    const [found, before] = [{}, scroller.scrollTop];
    const frame = () => new Promise(requestAnimationFrame);
    for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight * 0.8) {
        scroller.scrollTop = top;
        for (let frames = 0; frames < 3; frames += 1) await frame();
        for (const button of scroller.querySelectorAll(".lbl button[data-chunk]")) {
            const [, number, tokens, odd] = [...button.children].map((part) => part.textContent);
            const more = Number(/\\+(\\d+) more/.exec(odd)?.[1] ?? 0);
            found[number.replace(/\\D/g, "")] = [Number(tokens.replace(/[,≈]/g, "")), more, Number(button.dataset.at)];
        }
    }
    scroller.scrollTop = before;
    return found;
}"""
SEEN = """() => {
    const inside = (root) =>
        [...root.querySelectorAll("*")].flatMap((each) => [each, ...(each.shadowRoot ? inside(each.shadowRoot) : [])]);
    const everything = inside(document);
    const all = (selector, root = null) => (root ? inside(root) : everything).filter((each) => each.matches(selector));
    const text = (selector, root = null) => all(selector, root)[0].innerText;
    const [source, rail, exported] = [".cs", "section.rail", ".st-key-exported"].map((each) => all(each)[0]);
    const ranges = [...rail.querySelectorAll(".range")].map((range) => [range.id, Number(range.value)]);
    const check = (row) => [row.querySelector("b").innerText, row.querySelector(".said").innerText];
    return {
        chunks_in_strip: text(".cs-strip b"),
        chunks_in_source: text(".count", source),
        text: source.getAttribute("aria-label"),
        summary: text(".summary", rail),
        runs: [source, rail, all("[data-run]:has(> .cs-strip)")[0]].map((each) => each.getAttribute("data-run")),
        values: Object.fromEntries(ranges),
        checks: Object.fromEntries(all(".health li").map(check)),
        yaml: text("pre", exported),
        chosen: all(".st-key-chunk-heading").flatMap((each) => all("h2", each)).map((each) => each.innerText).join(" "),
        dimmed: /cs-behind|cs-held/.test(document.documentElement.className),
    };
}"""
"""All at one moment, and in one question: a page that moves is asked many times."""


@dataclass(frozen=True)
class Seen:
    """What the page says, each place in its own words."""

    chunks_in_strip: str
    chunks_in_source: str
    text: str
    """Which text the source is of, and what it is cut by."""
    summary: str
    runs: list[str | None]
    """The names of the runs of the source, the rail and the strip."""
    values: dict[str, float]
    checks: dict[str, str]
    yaml: str
    chosen: str
    dimmed: bool


def seen(page: Page) -> Seen:
    return Seen(**page.evaluate(SEEN))


@cache
def document_called(name: str) -> Document:
    """A sample, by the name that the address has for it."""
    file = name.removeprefix("sample:")
    return parse((SAMPLE.parent / file).read_text(encoding="utf-8-sig"), name=file)


def linked(page: Page) -> Run:
    """The library's run of what the address says."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    settings = {name: text for name, text in query.items() if not re.match(r"document$|at$|view$|was\.", name)}
    return run_of(query["document"], Config.from_query(settings))


@cache
def run_of(document: str, config: Config) -> Run:
    return run(document_called(document), config)


@cache
def checks_of(document: str, config: Config) -> dict[str, str]:
    """What each check of health says of the run."""
    made = run_of(document, config)
    return {row.title: setting_names.plain_sentence(row.said, config.strategy) for row in rows(health(made), made)}


def differences(page: Page) -> list[str]:
    """What on the page is not of the run of its address."""
    expected, now = linked(page), seen(page)
    chunks, strategy = len(expected.chunks), expected.config.strategy
    wrong = {
        "strip": now.chunks_in_strip == f"{chunks:,}",
        "source": f"of {chunks:,}" in now.chunks_in_source,
        "text": now.text == f"{expected.document.base_name} cut by {strategy.title}",
        "summary": now.summary.removeprefix("Still ").startswith(f"{chunks:,} chunk"),
        "one run": set(now.runs) == {run_name(expected)},
        "rail": all(getattr(strategy, name.removeprefix("t-")) == value for name, value in now.values.items()),
        "checks": now.checks == checks_of(parse_qs(urlsplit(page.url).query)["document"][0], expected.config),
        "export": expected.fingerprint in now.yaml
        and all(
            f"{alias}: {getattr(strategy, name)}" in now.yaml
            for name, alias in (("min_tokens", "minTokens"), ("max_tokens", "maxTokens"))
            if hasattr(strategy, name)
        ),
        "chosen": now.chosen.endswith(f"of {chunks:,}"),
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
