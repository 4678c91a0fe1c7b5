"""How much the pages move while they load, and Inspect while a threshold is dragged, in real
Chromium.

    python -m benchmarks.layout_shift [--sources] [--width W] [--height H] [--chromium PATH]

Serves the app, opens each page in a browser of its own that has nothing cached, and waits until the
server has sent nothing for some seconds. What is printed is the cumulative layout shift as
web.dev/articles/cls defines it: of the shifts that follow each other within a second, five seconds
long at most, the largest sum. During the drag each shift counts. `--sources` names what moved.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.app_server import serve
from benchmarks.browsers import STILL, chromium_path
from benchmarks.live_drag_page import FLAGS

PAGES = {
    "Inspect": "",
    "Corpus": "corpus",
    "Compare": "compare",
    "Tune": "tune",
    "Retrieve": "retrieve",
    "Strategies": "strategies",
}
GOAL = 0.05
_QUIET = 3_000
"""Milliseconds without a message from the server after which a page is there."""
_LONGEST = 60_000
_THRESHOLDS = ".rail input[type=range]"

OBSERVE = """
window.shifts = [];
window.heard = performance.now();
const words = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    return element ? (element.dataset.testid || element.className || element.localName).toString().slice(0, 60) : "?";
};
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        const sources = entry.sources.map((source) =>
            `${words(source.node)} ${Math.round(source.previousRect.top)} to ${Math.round(source.currentRect.top)}`);
        window.shifts.push({ value: entry.value, at: entry.startTime, sources });
    }
}).observe({ type: "layout-shift", buffered: true });
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", () => { window.heard = performance.now(); });
    }
};
"""


@dataclass(frozen=True)
class Shift:
    """One frame in which something moved that was there before."""

    value: float
    at: float
    """Milliseconds since the page was asked for."""
    sources: tuple[str, ...]
    """What moved, from and to how many pixels below the window's top."""


def cumulative(shifts: Sequence[Shift]) -> float:
    """The largest sum of shifts less than a second apart from each other, over 5 s at most."""
    largest, total, began, last = 0.0, 0.0, 0.0, float("-inf")
    for shift in shifts:
        if shift.at - last > 1000 or shift.at - began > 5000:
            total, began = 0.0, shift.at
        total, last = total + shift.value, shift.at
        largest = max(largest, total)
    return largest


def opened(browser: Browser, address: str, size: tuple[int, int], quiet: int = _QUIET) -> Page:
    """A page of the app in a browser that has seen none of it, once it is all there: its script has
    run to the end, and the server has sent nothing for `quiet` milliseconds."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.add_init_script(OBSERVE + STILL)
    page.goto(address)
    page.locator(".st-key-nav").wait_for(timeout=_LONGEST)
    page.wait_for_function(
        f"""() => performance.now() > {2 * quiet} && performance.now() - window.heard > {quiet}
            && document.querySelector('[data-test-script-state="notRunning"]')
            && !document.querySelector('[data-testid="stSpinner"], [data-testid^="stSkeleton"]')""",
        timeout=_LONGEST,
    )
    return page


def shifts_of(page: Page, since: float = 0) -> list[Shift]:
    """What has moved on the page."""
    found = page.evaluate("since => window.shifts.filter((shift) => shift.at >= since)", since)
    return [Shift(each["value"], each["at"], tuple(each["sources"])) for each in found]


def dragged(page: Page, lower: int = 0, higher: int = 60) -> list[Shift]:
    """What moves while the first threshold is dragged by so many pixels, to and fro, and let go.

    The browser counts all of a drag as one shift, and names nothing that moved.
    """
    box = page.locator(_THRESHOLDS).first.bounding_box()
    assert box is not None
    began = page.evaluate("() => performance.now()")
    x, y = box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in [*range(0, -lower, -2), *range(-lower, higher, 2), *range(higher, 0, -2)]:
        page.mouse.move(x + step, y)
        page.wait_for_timeout(20)
    page.mouse.up()
    page.wait_for_timeout(_QUIET)
    return shifts_of(page, began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", action="store_true", help="name what moved")
    parser.add_argument("--page", choices=list(PAGES), action="append", help="only this page; may be repeated")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--chromium", default=chromium_path())
    options = parser.parse_args()
    if not options.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    worst = 0.0

    def say(title: str, shifts: Sequence[Shift], value: float) -> None:
        print(f"{title:12}{value:.3f}  in {len(shifts)} shifts", flush=True)
        for shift in shifts if options.sources else ():
            print(f"  {shift.at / 1000:6.2f} s  {shift.value:.4f}  {'; '.join(shift.sources)}", flush=True)

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(Path(folder))
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        try:
            for title in options.page or PAGES:
                page = opened(browser, f"{address}/{PAGES[title]}", (options.width, options.height))
                shifts = shifts_of(page)
                worst = max(worst, cumulative(shifts))
                say(title, shifts, cumulative(shifts))
                if title == "Inspect" and not page.locator(_THRESHOLDS).first.is_visible():
                    print("  drag      not measured: the sheet with the thresholds is closed in so low a window")
                elif title == "Inspect":
                    moved = dragged(page)
                    total = sum(shift.value for shift in moved)
                    say("  drag", moved, total)
                    worst = max(worst, total)
                page.context.close()
        finally:
            browser.close()
            server.terminate()
            server.wait(20)
    return int(worst > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
