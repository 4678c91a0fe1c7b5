"""Takes the pictures of docs/images anew: `python -m benchmarks.pictures [--only NAME]`.

Serves the app, opens each view in real Chromium at its address, waits until it is drawn, and writes
a PNG; `drag.gif` is a threshold dragged there and back, frame by frame, so that it shows what is
drawn and not how fast. Look at each picture before it is committed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from benchmarks.app_server import ROOT, serve
from benchmarks.live_drag_page import FLAGS

FOLDER = ROOT / "docs" / "images"
_REFERENCE = "?document=sample:10-an-api-reference.md"
_HIERARCHICAL = f"{_REFERENCE}&strategy=hierarchical&target=128&hardCap=256"
_TORN = "?document=sample:02-a-huge-table.md&strategy=heading-window"
_PATIENCE = 120_000
_STEPS = 12
"""Moves of the drag in one direction."""
_MOVE = """(range, part) => {
    range.value = Number(range.min) + (Number(range.max) - Number(range.min)) * part;
    range.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@dataclass(frozen=True)
class Picture:
    """One view, and how to look at it."""

    address: str
    """Below the server's own."""
    shown: str
    """A selector of what is drawn last."""
    dark: bool = False
    width: int = 1440
    height: int = 900
    act: Callable[[Page], None] = lambda _page: None
    """What is done before the picture is taken."""


def _select_second(page: Page) -> None:
    page.locator(".cs[data-painted]").focus()
    for key in ("j", "j"):
        page.keyboard.press(key)
        page.wait_for_timeout(2500)


PICTURES = {
    "inspect-light": Picture(_HIERARCHICAL, ".cs[data-painted]", act=_select_second),
    "inspect-dark": Picture(
        f"{_REFERENCE}&strategy=heading-window", ".cs[data-painted]", dark=True, act=_select_second
    ),
    "inspect-phone": Picture(_HIERARCHICAL, ".cs[data-painted]", width=390, height=844),
    "torn-light": Picture(_TORN, ".cs[data-painted]", act=_select_second),
    "structure-light": Picture(f"{_HIERARCHICAL}&view=structure", ".cs-strip"),
    "cards-dark": Picture(f"{_HIERARCHICAL}&view=cards", ".cs-strip", dark=True),
    "compare-light": Picture(f"compare{_REFERENCE}", ".cs[data-painted]"),
    "compare-dark": Picture(f"compare{_REFERENCE}", ".cs[data-painted]", dark=True),
    "tune-light": Picture(f"tune{_REFERENCE}", "h1"),
}


def take(browser: Browser, address: str, name: str) -> None:
    """Write one picture."""
    picture = PICTURES[name]
    page = _opened(browser, address, picture)
    picture.act(page)
    page.wait_for_timeout(4000)
    page.screenshot(path=FOLDER / f"{name}.png")
    page.context.close()


def take_drag(browser: Browser, address: str) -> None:
    """Write drag.gif: the first threshold to half of its way and back."""
    page = _opened(browser, address, Picture(f"{_REFERENCE}&strategy=heading-window", ".cs[data-painted]", height=720))
    page.wait_for_timeout(6000)
    slider = page.locator(".rail input[type=range]").first
    parts = [0.08 + 0.3 * step / _STEPS for step in range(_STEPS + 1)]
    frames = [_frame(page, slider, part) for part in [*parts, *reversed(parts[1:-1])]]
    page.context.close()
    first, *others = frames
    first.save(FOLDER / "drag.gif", save_all=True, append_images=others, duration=220, loop=0, optimize=True)


def _frame(page: Page, slider: Locator, part: float) -> Image.Image:
    slider.evaluate(_MOVE, part)
    page.wait_for_timeout(250)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB").resize((960, 480))
    return picture.quantize(64)


def _opened(browser: Browser, address: str, picture: Picture) -> Page:
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{address}/{picture.address}")
    page.locator(picture.shown).first.wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(6000)
    return page


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("--only", choices=[*PICTURES, "drag"], action="append", help="may be repeated")
    parser.add_argument("--chromium", default=shutil.which("chromium-headless-shell") or shutil.which("chromium") or "")
    given = parser.parse_args()
    if not given.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server, address = serve(Path(home))
        browser = playwright.chromium.launch(executable_path=given.chromium, args=FLAGS)
        try:
            for name in given.only or [*PICTURES, "drag"]:
                take_drag(browser, address) if name == "drag" else take(browser, address, name)
                print(name, flush=True)
        finally:
            browser.close()
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
