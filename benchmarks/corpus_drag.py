"""How fast the page Corpus follows a drag, in real Chromium.

    python -m benchmarks.corpus_drag [--quick] [--documents N] [--megabytes N] [--strategy NAME]
                                     [--corpus FOLDER] [--chromium PATH]

Writes a folder of documents (300 of 5 MB, then 3,000 of 50 MB), opens the app with it, waits until
all are cut, drags the first threshold (input to paint), lets go and waits until all follow. Memory
is that of the server and of the processes that hold the documents.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.app_server import serve
from benchmarks.browsers import chromium_path
from benchmarks.processes import memory_of
from benchmarks.texts import write_documents

SIZES = ((300, 5), (3000, 50))
"""Documents, and megabytes of all of them."""
_BETWEEN = 60
"""Milliseconds from one movement to the next."""
WATCH = """() => {
    [window.took, window.moved] = [[], 0];
    document.addEventListener("input", (event) => {
        if (event.composedPath()[0].type === "range") window.moved = performance.now();
    }, true);
    document.addEventListener("chunkscope:moved", () => {
        const from = window.moved;
        requestAnimationFrame(() => {
            const after = new MessageChannel();
            after.port1.onmessage = () => window.took.push(performance.now() - from);
            after.port2.postMessage(0);
        });
    });
}"""
WHOLE = """() => [...document.querySelectorAll("*")].some((element) =>
    /^([\\d,]+) of \\1$/.test(element.shadowRoot?.querySelector(".corpus .says")?.textContent ?? ""))"""


def measured(browser: Browser, address: str, strategy: str, moves: int) -> Iterator[tuple[str, str]]:
    """What is measured on the page, each under its name."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    began = time.perf_counter()
    page.goto(f"{address}/corpus?strategy={strategy}")
    page.wait_for_function(WHOLE, timeout=600_000)
    yield "all are cut", f"{time.perf_counter() - began:.1f} s after the page was opened"
    page.wait_for_timeout(3000)
    page.evaluate(WATCH)
    _drag(page, moves)
    took = page.evaluate("window.took")
    worst = sorted(took)[int(0.95 * (len(took) - 1))]
    yield "input to paint", f"median {statistics.median(took):.0f} ms, p95 {worst:.0f} ms ({len(took)} answers)"
    began = time.perf_counter()
    page.mouse.up()
    page.wait_for_timeout(200)
    page.wait_for_function(WHOLE, timeout=600_000)
    yield "all follow", f"{time.perf_counter() - began:.1f} s after it is let go"
    page.close()


def _drag(page: Page, moves: int) -> None:
    slider = page.get_by_role("slider").first
    box = slider.bounding_box()
    assert box is not None
    low, high, value = (float(slider.evaluate(f"range => range.{name}")) for name in ("min", "max", "value"))
    x = box["x"] + 10 + (value - low) / (high - low) * (box["width"] - 20)
    y = box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(moves):
        page.mouse.move(x + 1.5 * step, y)
        page.wait_for_timeout(_BETWEEN)


def _children(process: int) -> list[int]:
    """A process and all that it started."""
    found = [process]
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += _children(int(child))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="30 documents, few moves; proves only that it runs")
    parser.add_argument("--documents", type=int, help="with --megabytes: one corpus of this size")
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--strategy", default="heading-window")
    parser.add_argument("--corpus", help="a folder of Markdown to make the documents from; else the samples")
    parser.add_argument("--chromium", default=chromium_path())
    options = parser.parse_args()
    if not options.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    given = ((options.documents, options.megabytes),) if options.documents else SIZES
    for documents, megabytes in ((30, 0.2),) if options.quick else given:
        with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
            folder = Path(name) / "documents"
            write_documents(folder, documents, megabytes, options.corpus)
            server, address = serve(Path(name), opened=[folder])
            browser = playwright.chromium.launch(executable_path=options.chromium)
            try:
                print(f"{documents:,} documents, {megabytes:g} MB", flush=True)
                for title, words in measured(browser, address, options.strategy, 8 if options.quick else 60):
                    print(f"  {title:16}{words}", flush=True)
                own = sum(memory_of(process).own for process in _children(server.pid))
                print(f"  {'memory':16}{own / 1e6:,.0f} MB of the server and its processes")
            finally:
                browser.close()
                server.terminate()
                server.wait()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
