"""How long a threshold move takes from the slider's input to the painted boundaries, in real
Chromium.

    python -m benchmarks.live_drag [--quick] [--strategy NAME] [--corpus FOLDER] [--size NAME]
                                   [--views] [--chromium PATH]

Serves the app itself, uploads documents of 50 KB, 1 MB and 10 MB, and moves the first slider: once
at a time (medians of input to paint), then as fast as a hand drags (paints per second, longest
task). `--views` drags in the other views of the text too, and prints the time between frames. Exact
cl100k_base counts. Where others use the machine too, compare the columns of CPU time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.app_server import serve
from benchmarks.browsers import chromium_path
from benchmarks.live_drag_page import FLAGS, DragPage, Measured, Opened
from benchmarks.texts import text_of

SIZES = {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
VIEWS = ("Source", "Rendered", "Cards", "Structure", "Tokens")
LIMITS = {"50 KB": 40, "1 MB": 60, "10 MB": 120}


def table(size: str, opened: Opened, found: Measured) -> str:
    """One document's figures, each under its name."""
    own, resident = found.renderer.own / 1e6, found.renderer.resident / 1e6
    rows = (
        ("opened", f"{opened.seconds:.1f} s; CPU: server {opened.server:.1f} s, browser {opened.browser:.1f} s"),
        ("", f"then {opened.after:.1f} s of the server's until it is at rest"),
        ("input to paint", f"median {found.median:.1f} ms, worst {found.worst:.1f} ms; goal {LIMITS[size]} ms"),
        ("of a move", f"CPU: server {found.server:.1f} ms, browser {found.browser:.1f} ms; sent {found.sent:.1f} KB"),
        ("", f"{found.drawn:.1f} ms from received to drawn in the boundary view"),
        ("drag", f"{found.rate:.1f} paints a second, longest task {found.longest_task:.0f} ms"),
        ("scrolling", f"95 of 100 frames within {found.slow_frame:.0f} ms"),
        ("memory", f"JavaScript {found.heap:.0f} MB; renderer {own:.0f} MB of its own, {resident:.0f} with libraries"),
    )
    return "\n".join([f"{size}", *(f"  {name:16}{figures}" for name, figures in rows)])


def frames_line(view: str, gaps: list[float]) -> str:
    """The time between frames of a drag in one view."""
    median, slow = gaps[len(gaps) // 2], gaps[len(gaps) * 95 // 100]
    long = sum(gap > 50 for gap in gaps)
    return (
        f"  {view:16}frames: median {median:.0f} ms, 95 of 100 within {slow:.0f} ms, {long} of {len(gaps)} over 50 ms"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="50 KB, few moves; proves only that it runs")
    parser.add_argument("--strategy", default="heading-window")
    parser.add_argument("--corpus", help="a folder of Markdown to make the documents from; else the samples")
    parser.add_argument("--size", choices=list(SIZES), action="append", help="only this size; may be repeated")
    parser.add_argument("--views", action="store_true", help="the frames of a drag in each view as well")
    parser.add_argument("--chromium", default=chromium_path())
    options = parser.parse_args()
    if not options.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    sizes = options.size or list(SIZES)[: 1 if options.quick else 3]
    moves, seconds = (8, 2.0) if options.quick else (25, 4.0)
    late = False
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        server, address = serve(folder)
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        try:
            for size in sizes:
                path = folder / f"measured{SIZES[size]}.md"
                path.write_text(text_of(SIZES[size], options.corpus), encoding="utf-8")
                inspect = DragPage(browser, address, server.pid, options.strategy)
                opened = inspect.open(path)
                found = inspect.measure(moves, seconds)
                late |= found.median > LIMITS[size]
                print(table(size, opened, found), flush=True)
                for view in VIEWS if options.views else ():
                    print(frames_line(view, inspect.frames(view, seconds)), flush=True)
                inspect.page.close()
        finally:
            browser.close()
            server.terminate()
            server.wait()
    return int(late and not options.quick)


if __name__ == "__main__":
    raise SystemExit(main())
