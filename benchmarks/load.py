"""What the app's server bears: `python -m benchmarks.load [--quick] [--browser]`.

Three measurements, one after the other on one server:

- drags: sessions that drag a threshold on 1 MB without a pause, while others come and go. How long
  an answer takes, errors, and whether the server's memory stays as it is.
- flood: what 3,000 questions sent at once on one session's socket do to another's first paint.
- upload: what 400 KB of backticks in one upload do to the server's health and another's drag.

Visitors speak the app's protocol (app_client.py); with `--browser` one of those who drag is a real
Chromium. Exit code 1 where a target is missed. The times are those of a clock: measure on a machine
that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from benchmarks.app_client import Drag, Visit, VisitError
from benchmarks.app_server import health_watched, serve
from benchmarks.browsers import chromium_path
from benchmarks.live_drag_page import DRAG, FLAGS
from benchmarks.processes import memory_of
from benchmarks.texts import text_of

PARTS = ("drags", "flood", "upload")
MOST_MS = 400
"""Target for 95 of 100 answers to a drag."""
MOST_GROWTH = 0.05
"""Target for the server's memory, of what it was when a tenth of the time had passed."""
MOST_DELAY = 0.5
"""Seconds: target for what another one's flood adds to a first paint, and for an answer about the
server's health."""
_FRAME = 1 / 60
"""Seconds between an answer and the next question: a browser draws in between. It waits longer
where the server asks for it, and so do those who drag here."""
_HELD = 60
"""Moves after which a threshold is let go, and the whole page drawn again."""


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    sessions: int
    seconds: float
    visitors: int
    document: int
    """Characters."""
    questions: int
    rounds: int
    """First paints with and without a flood."""
    upload: int
    """Backticks."""
    settling: float
    """Seconds of dragging before the upload."""


QUICK = Size(2, 2.0, 2, 50_000, 300, 1, 20_000, 1.0)


@dataclass
class Noted:
    """What those who drag have seen."""

    times: list[float] = field(default_factory=list)
    """Seconds of each answer."""
    errors: list[str] = field(default_factory=list)
    visitors: int = 0
    """Others who came and went."""

    def answered(self) -> str:
        return f"{len(self.times):,} answers, median {_ms(self.times, 50)} ms, p95 {_ms(self.times, 95)} ms"


def _ms(times: list[float], percent: int) -> str:
    return f"{1000 * _percentile(times, percent):.0f}" if times else "-"


def _percentile(times: list[float], percent: int) -> float:
    """The smallest time that as many percent are not above."""
    return sorted(times)[max(0, math.ceil(len(times) * percent / 100) - 1)]


@asynccontextmanager
async def dragging(address: str, name: str, size: int) -> AsyncIterator[tuple[Visit, Drag]]:
    """A session with a document of that size, its own, and a hand on the first threshold."""
    async with await Visit.open(address, strategy="heading-window") as visit:
        await visit.upload((f"{name}.md", f"# {name}\n\n{text_of(size, None)}".encode()))
        drag = await visit.drag()
        try:
            yield visit, drag
        finally:
            await drag.close()


async def drag_until(over: asyncio.Event, visit: Visit, drag: Drag, noted: Noted, phase: float = 0) -> None:
    """Move up and down, and let go now and then; `phase` says where to begin, in radians."""
    link = visit.query
    for move in count():
        if over.is_set():
            return
        part = 0.25 + 0.2 * math.sin(move / 20 + phase)
        noted.times.append(await drag.move(part))
        if move % _HELD == _HELD - 1:
            setting, value = drag.value(part)
            visit.query = f"{link}&{camel(setting)}={value}"
            await visit.run()
            noted.errors += visit.exceptions()
        await asyncio.sleep(max(_FRAME, drag.pause))


def camel(setting: str) -> str:
    """A setting's name as a link has it."""
    first, *others = setting.split("_")
    return first + "".join(word.capitalize() for word in others)


async def come_and_go(address: str, number: int, noted: Noted) -> None:
    """Somebody who looks at a document of theirs, drags a little, and closes the tab."""
    try:
        async with dragging(address, f"Visitor {number}", 5_000) as (visit, drag):
            for move in range(5):
                await drag.move(0.1 + move / 20)
            noted.errors += visit.exceptions()
        noted.visitors += 1
    except (VisitError, OSError, TimeoutError) as error:
        noted.errors.append(f"visitor {number}: {type(error).__name__} {error}")


async def _guarded(work: Awaitable[None], who: str, noted: Noted, ready: asyncio.Barrier) -> None:
    """Note what goes wrong; who fails before all are ready keeps nobody waiting."""
    try:
        await work
    except (VisitError, OSError, TimeoutError, PlaywrightError, asyncio.BrokenBarrierError) as error:
        noted.errors.append(f"{who}: {type(error).__name__} {error}")
        await ready.abort()


async def drags(address: str, server: int, size: Size, chromium: str) -> bool:
    """Sessions that drag while others come and go; whether the targets are met."""
    noted, over, ready, memory = Noted(), asyncio.Event(), asyncio.Barrier(size.sessions + 1), list[int]()

    async def one(number: int) -> None:
        async with dragging(address, f"Session {number}", size.document) as (visit, drag):
            await ready.wait()
            await drag_until(over, visit, drag, noted, math.tau * number / size.sessions)

    protocol = size.sessions - bool(chromium)
    workers = [
        asyncio.create_task(_guarded(one(number), f"session {number}", noted, ready)) for number in range(protocol)
    ]
    if chromium:
        browsing = _in_a_browser(address, chromium, ready, over, size)
        workers.append(asyncio.create_task(_guarded(browsing, "browser", noted, ready)))
    try:
        await ready.wait()
    except asyncio.BrokenBarrierError:
        await asyncio.gather(*workers)
        print("drags: the sessions could not begin", *noted.errors, sep="\n  ")
        return False
    began = time.monotonic()
    others: list[asyncio.Task[None]] = []
    while (passed := time.monotonic() - began) < size.seconds:
        if len(others) <= passed / size.seconds * size.visitors and len(others) < size.visitors:
            others.append(asyncio.create_task(come_and_go(address, len(others), noted)))
        memory.append(memory_of(server).resident)
        await asyncio.sleep(0.25)
    await asyncio.gather(*others)
    memory.append(memory_of(server).resident)
    over.set()
    await asyncio.gather(*workers)
    tenth = max(1, len(memory) // 10)
    before, after = statistics.median(memory[tenth // 2 : tenth + tenth // 2 + 1]), statistics.median(memory[-tenth:])
    growth = after / before - 1
    print(f"drags: {size.sessions} sessions on {size.document / 1e6:g} MB for {size.seconds / 60:.1f} minutes")
    rate = len(noted.times) / size.seconds / max(1, size.sessions - bool(chromium))
    print(f"  {noted.answered()} (target for p95: {MOST_MS} ms); {rate:.1f} a second for each session")
    print(f"  {noted.visitors} others came and went, {len(noted.errors)} errors")
    print(f"  memory: {before / 1e6:.0f} MB when a tenth had passed, {after / 1e6:.0f} MB at the end: {growth:+.1%}")
    for error in noted.errors[:10]:
        print(f"  error: {error}")
    return not noted.errors and 1000 * _percentile(noted.times, 95) < MOST_MS and abs(growth) <= MOST_GROWTH


async def _in_a_browser(address: str, chromium: str, ready: asyncio.Barrier, over: asyncio.Event, size: Size) -> None:
    """A real browser's session, dragged by its own script."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "browser.md"
        path.write_text(f"# Browser\n\n{text_of(size.document, None)}", encoding="utf-8")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = await browser.new_page(viewport={"width": 1440, "height": 900})
            faults: list[str] = []
            page.on("pageerror", lambda error: faults.append(str(error)))
            await page.goto(f"{address}/?strategy=heading-window")
            await page.locator(".cs[data-painted]").wait_for(timeout=120_000)
            await page.get_by_role("button", name="Add", exact=True).click()
            await page.locator("input[type=file]").first.set_input_files(str(path))
            await page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=120_000)
            await page.keyboard.press("Escape")
            await page.wait_for_timeout(3000)
            places = [
                await page.locator(".rail input[type=range]").first.element_handle(),
                await page.locator(".cs[data-painted]").element_handle(),
            ]
            await ready.wait()
            rates = []
            while not over.is_set():
                rates.append((await page.evaluate(DRAG, [*places, min(5.0, size.seconds)]))["rate"])
                await page.wait_for_timeout(100)
            await browser.close()
    print(f"  the browser painted {statistics.median(rates):.0f} times a second (median of {len(rates)} drags)")
    if faults:
        raise VisitError(f"{len(faults)} faults in the page: {faults[0][:200]}")


async def flood(address: str, _server: int, size: Size, _chromium: str) -> bool:
    """Another one's first paint, with and without a flood of questions."""

    async def first_paint() -> float:
        began = time.perf_counter()
        async with await Visit.open(address, strategy="heading-window") as visit:
            return visit.first_painted - began

    async with dragging(address, "Flood", size.document) as (_, drag):
        await drag.move(0.2)
        await first_paint()  # the first of all also imports
        quiet = [await first_paint() for _ in range(size.rounds)]
        flooded, times = 0, []
        for _ in range(size.rounds):
            flooding = asyncio.create_task(drag.flood(size.questions))
            await asyncio.sleep(0.05)
            times.append(await first_paint())
            await flooding
            flooded += 1
    difference = statistics.median(times) - statistics.median(quiet)
    print(f"flood: {size.questions:,} questions at once on one socket, {flooded} times")
    print(
        f"  another one's first paint: {statistics.median(quiet):.2f} s without, {statistics.median(times):.2f} s with "
        f"(medians; {difference:+.2f} s, target: under {MOST_DELAY} s more)"
    )
    return difference < MOST_DELAY


async def upload(address: str, _server: int, size: Size, _chromium: str) -> bool:
    """Backticks uploaded by one while another drags."""
    alone, beside, over = Noted(), Noted(), asyncio.Event()
    async with (
        dragging(address, "Dragging", size.document) as (visit, drag),
        await Visit.open(address, strategy="block-packing") as uploading,
    ):
        asyncio.get_running_loop().call_later(size.settling, over.set)
        await drag_until(over, visit, drag, alone)
        over.clear()
        moving = asyncio.create_task(drag_until(over, visit, drag, beside))
        with health_watched(address) as health:
            began = time.perf_counter()
            for strategy in ("block-packing", "heading-window", "recursive", "fixed"):
                if strategy == "block-packing":
                    await uploading.upload(("backticks.md", b"`" * size.upload))
                else:
                    await uploading.choose("strategy", strategy)
            took = time.perf_counter() - began
        over.set()
        await moving
        faults = [*visit.exceptions(), *uploading.exceptions()]
    print(f"upload: {size.upload:,} backticks, cut by four strategies in {took:.1f} s")
    print(f"  health, asked {len(health)} times: slowest answer {max(health):.2f} s (target: under {MOST_DELAY} s)")
    print(f"  another one's drag: alone {alone.answered()}; meanwhile {beside.answered()}")
    for fault in faults:
        print(f"  error: {fault}")
    return max(health) < MOST_DELAY and not faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="little of everything; proves only that it runs")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; may be repeated")
    parser.add_argument("--sessions", type=int, default=10, help="that drag")
    parser.add_argument("--minutes", type=float, default=10.0, help="of dragging")
    parser.add_argument("--visitors", type=int, default=200, help="others, who come and go meanwhile")
    parser.add_argument("--browser", action="store_true", help="one of those who drag is a real Chromium")
    parser.add_argument("--chromium", default=chromium_path())
    given = parser.parse_args()
    if given.browser and not given.chromium:
        print("no Chromium found: give its path with --chromium", file=sys.stderr)
        return 2
    size = QUICK
    if not given.quick:
        size = Size(given.sessions, 60 * given.minutes, given.visitors, 1_000_000, 3_000, 7, 400_000, 10.0)
    parts: dict[str, Callable[[str, int, Size, str], Coroutine[None, None, bool]]] = {
        "drags": drags,
        "flood": flood,
        "upload": upload,
    }
    missed = []
    with TemporaryDirectory() as home:
        server, address = serve(Path(home))
        try:
            for name in given.part or PARTS:
                chromium = given.chromium if given.browser else ""
                if not asyncio.run(parts[name](address, server.pid, size, chromium)):
                    missed.append(name)
        finally:
            server.terminate()
            server.wait()
    if missed and not given.quick:
        print(f"missed: {', '.join(missed)}")
    return int(bool(missed) and not given.quick)


if __name__ == "__main__":
    sys.exit(main())
