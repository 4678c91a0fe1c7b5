"""How long a threshold move takes from the slider's input to the painted boundaries, in real Chromium.

    python benchmarks/live_drag.py [--quick] [--strategy NAME] [--chromium PATH]

Serves tests/browser/show_rail.py, opens documents of 50 KB, 1 MB and 10 MB, and moves the second slider: once at a time
(medians of input to paint), then as fast as a hand drags (paints per second, longest task). Exact cl100k_base counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
SIZES = {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
COLUMNS = (
    "document",
    "opened s",
    "median ms",
    "limit ms",
    "of it drawing",
    "worst ms",
    "paints/s",
    "longest task ms",
    "heap MB",
)
LIMITS = {"50 KB": 40, "1 MB": 60, "10 MB": 120}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--enable-precise-memory-info"]

MOVE = """async ([range, root, value]) => {
    const painted = new Promise((done) => {
        const watch = new MutationObserver(() => {
            watch.disconnect();
            requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now()); c.port2.postMessage(0); });
        });
        watch.observe(root, { attributes: true, attributeFilter: ["data-painted"] });
    });
    const start = performance.now();
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    return (await Promise.race([painted, new Promise((done) => setTimeout(() => done(Infinity), 5000))])) - start;
}"""  # noqa: E501

DRAG = """async ([range, root, seconds]) => {
    let longest = 0, tasks = 0;
    const watch = new PerformanceObserver((list) => { for (const task of list.getEntries()) { tasks++; longest = Math.max(longest, task.duration); } });
    watch.observe({ entryTypes: ["longtask"] });
    const before = Number(root.dataset.painted), start = performance.now();
    const low = Number(range.min), span = Number(range.max) - low;
    while (performance.now() - start < seconds * 1000) {
        const turn = (performance.now() - start) / 2000;
        range.value = low + span * (0.3 + 0.25 * Math.sin(turn * Math.PI));
        range.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => setTimeout(done, 16));
    }
    const painted = Number(root.dataset.painted) - before;
    watch.disconnect();
    return { rate: painted / ((performance.now() - start) / 1000), longest, memory: performance.memory.usedJSHeapSize };
}"""  # noqa: E501


@dataclass(frozen=True)
class Measured:
    """One document's figures: milliseconds, paints per second, megabytes of JavaScript heap."""

    size: str
    median: float
    drawn: float
    """The part of it that the boundary view itself takes in the browser."""
    worst: float
    rate: float
    longest_task: float
    heap: float


def row(found: Measured, opened: float) -> str:
    """A line of the table, each figure under its column's name."""
    figures = [found.median, LIMITS[found.size], found.drawn, found.worst, found.rate, found.longest_task, found.heap]
    cells = [found.size, f"{opened:.1f}", *(f"{figure:.1f}" for figure in figures)]
    return " ".join(f"{cell:>{len(name) + 2}}" for name, cell in zip(COLUMNS, cells, strict=True))


def write_document(folder: Path, size: int) -> Path:
    """The sample documents again and again until there are `size` bytes; each round's headings carry its number."""
    samples = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "sample_docs").glob("*.md"))]
    parts: list[str] = []
    length = turn = 0
    while length < size:
        turn += 1
        text = samples[turn % len(samples)].replace("\n# ", f"\n# {turn} ").replace("\n## ", f"\n## {turn} ")
        parts.append(text)
        length += len(text.encode())
    path = folder / f"{size}.md"
    path.write_text("".join(parts).encode()[:size].decode(errors="ignore"), encoding="utf-8")
    return path


def serve(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A Streamlit server on a free port of this machine; waits until it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = ROOT / "tests" / "browser" / "show_rail.py"
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless=true", f"--server.port={port}"]
    flags = ["--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--runner.postScriptGC=false"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [*command, *flags, "--server.fileWatcherType=none", "--server.maxMessageSize=400"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return server, address
        except OSError:
            time.sleep(0.2)
    server.kill()
    raise SystemExit("the Streamlit server did not start in 20 seconds")


def measure(page: Page, size: str, moves: int, seconds: float) -> Measured:
    """Move the upper threshold to `moves` different places, then drag it for `seconds`."""
    root = page.locator(".cs[data-painted]").element_handle()
    range_input = page.locator(".rail input[type=range]").nth(1).element_handle()
    times, ours = [], []
    for turn in range(moves + 3):
        times.append(page.evaluate(MOVE, [range_input, root, 400 + 30 * (turn * 7 % 23)]))
        ours.append(page.evaluate("performance.getEntriesByType('measure').at(-1).duration"))
        page.wait_for_timeout(60)
    drag = page.evaluate(DRAG, [range_input, root, seconds])
    kept = times[3:]
    heap = drag["memory"] / 1e6
    drawn = statistics.median(ours[3:])
    return Measured(size, statistics.median(kept), drawn, max(kept), drag["rate"], drag["longest"], heap)


def open_document(browser: Browser, address: str, path: Path, strategy: str) -> tuple[Page, float]:
    page = browser.new_page(viewport={"width": 1360, "height": 860})
    start = time.perf_counter()
    page.goto(f"{address}/?path={path}&strategy={strategy}")
    page.locator(".cs[data-painted]").wait_for(timeout=120_000)
    opened = time.perf_counter() - start
    page.locator(".rail input[type=range]").nth(1).wait_for()
    page.wait_for_timeout(1500)
    return page, opened


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help="50 KB and 1 MB, few moves")
    asked.add_argument("--strategy", default="heading-window")
    asked.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser") or "")
    options = asked.parse_args()
    if not options.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    sizes = dict(list(SIZES.items())[:2]) if options.quick else SIZES
    moves, seconds = (8, 2.0) if options.quick else (25, 4.0)
    late = False
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(Path(folder))
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        print(" ".join(f"{name:>{len(name) + 2}}" for name in COLUMNS))
        try:
            for size, length in sizes.items():
                path = write_document(Path(folder), length)
                page, opened = open_document(browser, address, path, options.strategy)
                found = measure(page, size, moves, seconds)
                late |= found.median > LIMITS[size]
                print(row(found, opened))
                page.close()
        finally:
            browser.close()
            server.terminate()
            server.wait()
    return int(late and not options.quick)  # the quick form only proves that it runs


if __name__ == "__main__":
    raise SystemExit(main())
