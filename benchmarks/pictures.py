"""Takes the pictures of docs/images anew: `python -m benchmarks.pictures [--only NAME]`.

Serves the app, opens each view in real Chromium at its address, waits until it is drawn, and writes
a PNG; `drag.gif` is a threshold dragged there and back, frame by frame, so that it shows what is
drawn and not how fast. It fails where no boundary moves in view. Look at each picture before it is
committed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, FilePayload, FloatRect, Locator, Page, sync_playwright

from benchmarks.app_server import ROOT, serve
from benchmarks.browsers import chromium_path
from benchmarks.live_drag_page import FLAGS
from chunking import load

FOLDER = ROOT / "docs" / "images"
_REFERENCE = "?document=sample:10-an-api-reference.md"
_HIERARCHICAL = f"{_REFERENCE}&strategy=hierarchical&target=128&hardCap=256"
_SMALL = "?was.strategy=hierarchical&was.target=48&was.hardCap=96"
_TORN = "?document=sample:02-a-huge-table.md&strategy=heading-window"
_PDF = ROOT / "tests" / "document" / "files" / "typst.pdf"
_QUESTION = "How do I cancel a parcel?"
_PATIENCE = 120_000
_DRAGGED = range(50, 231, 20)
"""Tokens of Minimum from where the drag goes to where it turns: over these a changelog is cut
elsewhere at each move."""
_MOVE = """(range, tokens) => {
    range.value = tokens;
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
    moves: bool = False
    """Whether it shows movement too."""


def _select_second(page: Page) -> None:
    page.locator(".cs[data-painted]").focus()
    for key in ("j", "j"):
        page.keyboard.press(key)
        page.wait_for_timeout(2500)


def _ask_map(page: Page) -> None:
    question = page.get_by_label("Question to place on the map")
    question.fill(_QUESTION)
    question.press("Enter")
    page.locator(".plane .star").wait_for(timeout=_PATIENCE)


def _until_cut(page: Page) -> None:
    page.locator(".corpus .line .chunks", has_text=re.compile(r"\d")).first.wait_for(timeout=_PATIENCE)


def _add_a_pdf(page: Page) -> None:
    """With its paragraphs as another tool's chunks."""
    text = load(_PDF).text
    rows = [json.dumps({"page_content": each}) for each in text.split("\n\n") if each.strip()]
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".st-key-uploads input[type=file]").set_input_files(
        [
            FilePayload(name="their-chunks.jsonl", mimeType="application/jsonl", buffer="\n".join(rows).encode()),
            FilePayload(name="kettle-guide.pdf", mimeType="application/pdf", buffer=_PDF.read_bytes()),
        ]
    )
    page.get_by_text("Opened their-chunks.jsonl").first.wait_for(timeout=_PATIENCE)


def _see_its_page(page: Page) -> None:
    _add_a_pdf(page)
    page.get_by_role("tab", name="Page").click(timeout=_PATIENCE)
    page.get_by_role("img", name="the chunk outlined").wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(4000)  # until it is no longer said what was added


def _compare_it(page: Page) -> None:
    _add_a_pdf(page)
    page.get_by_role("link", name="Compare").first.click()
    page.locator(".cs[data-painted]").nth(1).wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(6000)


PICTURES = {
    "inspect-light": Picture(
        f"{_REFERENCE}&strategy=hierarchical&target=64&hardCap=140", ".cs[data-painted]", act=_select_second
    ),
    "inspect-dark": Picture(
        f"{_REFERENCE}&strategy=heading-window", ".cs[data-painted]", dark=True, act=_select_second
    ),
    "inspect-phone": Picture(_HIERARCHICAL, ".cs[data-painted]", width=390, height=844),
    "torn-light": Picture(_TORN, ".cs[data-painted]", act=_select_second),
    "structure-light": Picture(f"{_HIERARCHICAL}&view=structure", ".cs-strip"),
    "cards-dark": Picture(f"{_HIERARCHICAL}&view=cards", ".cs-strip", dark=True),
    "tokens-light": Picture(f"{_HIERARCHICAL}&view=tokens&at=1200", ".tokens .line"),
    "map-dark": Picture(f"{_HIERARCHICAL}&view=map", ".plane > svg .point", dark=True, act=_ask_map),
    "corpus-light": Picture("corpus?strategy=heading-window", ".corpus .line", act=_until_cut),
    "compare-light": Picture(f"compare{_REFERENCE}", ".cs[data-painted]"),
    "tune-light": Picture(f"tune{_REFERENCE}&strategy=heading-window", ".js-plotly-plot"),
    "retrieve-dark": Picture(f"retrieve{_REFERENCE}&{urlencode({'q': _QUESTION})}", ".cs-passage", dark=True),
    # Last: the document that they add is kept, and said where there is another one.
    "pdf-page-light": Picture(_SMALL, ".cs[data-painted]", act=_see_its_page),
    "pdf-compare-light": Picture(_SMALL, ".cs[data-painted]", height=1150, act=_compare_it),
}


_DRAG = Picture(
    "?document=sample:11-a-changelog.md&strategy=heading-window&minTokens=50",
    ".cs[data-painted]",
    width=1280,
    height=680,
    moves=True,
)


def take(browser: Browser, address: str, name: str) -> None:
    """Write one picture."""
    picture = PICTURES[name]
    page = _opened(browser, address, picture)
    picture.act(page)
    page.wait_for_timeout(4000)
    taken = Image.open(BytesIO(page.screenshot())).convert("RGB")
    taken.quantize(256, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    page.context.close()


def take_drag(browser: Browser, address: str) -> None:
    """Write drag.gif: Minimum dragged there and back, twice a picture for each move, so that one
    is of the way and one of where it came."""
    page = _opened(browser, address, _DRAG)
    slider = page.locator(".rail input[type=range]").first
    frames = [frame for tokens in [*_DRAGGED, *reversed(_DRAGGED[1:-1])] for frame in _frames(page, slider, tokens)]
    place = page.locator(".cs .scroll").bounding_box()
    page.context.close()
    if not place or not changes_within(frames, place):
        raise SystemExit("drag.gif: no boundary moves in view, so nothing is written; choose another sample or drag")
    frames = [frame.resize((840, 446), Image.Resampling.LANCZOS) for frame in frames]
    # One palette for all and no dither: what stays the same on screen is the same in each frame.
    width, height = frames[0].size
    some = Image.new("RGB", (width, 3 * height))
    for at in range(3):
        some.paste(frames[at * len(frames) // 4], (0, at * height))
    palette = some.quantize(64, method=Image.Quantize.FASTOCTREE)
    first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    first.save(
        FOLDER / "drag.gif",
        save_all=True,
        append_images=others,
        duration=[90, 330] * (len(frames) // 2),
        loop=0,
        optimize=True,
    )


def changes_within(frames: Sequence[Image.Image], place: FloatRect) -> bool:
    """Whether what is at this place is another picture after most moves, of two frames each."""
    left, top = place["x"], place["y"]
    box = (round(left), round(top), round(left + place["width"]), round(top + place["height"]))
    parts = [frame.crop(box).tobytes() for frame in frames[1::2]]
    return 2 * sum(one != other for one, other in pairwise(parts)) >= len(parts)


def _frames(page: Page, slider: Locator, tokens: int) -> Iterator[Image.Image]:
    slider.evaluate(_MOVE, tokens)
    for wait in (60, 500):
        page.wait_for_timeout(wait)
        yield Image.open(BytesIO(page.screenshot())).convert("RGB")


def _opened(browser: Browser, address: str, picture: Picture) -> Page:
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="no-preference" if picture.moves else "reduce",
    )
    page = context.new_page()
    page.goto(f"{address}/{picture.address}")
    page.locator(picture.shown).first.wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(6000)
    return page


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("--only", choices=[*PICTURES, "drag"], action="append", help="may be repeated")
    parser.add_argument("--chromium", default=chromium_path())
    given = parser.parse_args()
    if not given.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server, address = serve(Path(home))
        browser = playwright.chromium.launch(executable_path=given.chromium, args=FLAGS)
        try:
            # The drag first: nothing is kept yet, which would be said below the document.
            for name in given.only or ["drag", *PICTURES]:
                take_drag(browser, address) if name == "drag" else take(browser, address, name)
                print(name, flush=True)
        finally:
            browser.close()
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
