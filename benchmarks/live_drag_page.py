"""What benchmarks/live_drag.py does to the page of the app: open a document, move a threshold, drag
it."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, ElementHandle, Page, WebSocket

from benchmarks.processes import Memory, cpu_seconds_of, memory_of

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--enable-precise-memory-info"]
"""Of a Chromium that measures."""
WARM_UP = 3
"""Moves that are made and not counted."""
BETWEEN = 250
"""Milliseconds between moves: less than what the rail takes for a rest."""
SETTLED = 3.0
"""Seconds without a message from the server, and with next to no work in it, after which the page
has all that it waits for."""
AT_REST = 0.05
"""Seconds of processor time that a server at rest takes at most between two looks, `BETWEEN`
apart."""

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
    let longest = 0;
    const watch = new PerformanceObserver((list) => { for (const task of list.getEntries()) longest = Math.max(longest, task.duration); });
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
    const rate = painted / ((performance.now() - start) / 1000);
    range.dispatchEvent(new Event("change", { bubbles: true }));
    watch.disconnect();
    return { rate, longest };
}"""  # noqa: E501

FRAMES = """async ([range, seconds]) => {
    const gaps = [];
    let before = performance.now(), dragging = true;
    const frame = (now) => { gaps.push(now - before); before = now; if (dragging) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    const start = performance.now(), low = Number(range.min), span = Number(range.max) - low;
    while (performance.now() - start < seconds * 1000) {
        const turn = (performance.now() - start) / 2000;
        range.value = low + span * (0.3 + 0.25 * Math.sin(turn * Math.PI));
        range.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => setTimeout(done, 16));
    }
    dragging = false;
    range.dispatchEvent(new Event("change", { bubbles: true }));
    return gaps;
}"""

SCROLL = """async (scroller) => {
    const gaps = [];
    let before = performance.now();
    const step = scroller.scrollHeight / 120;
    for (let frame = 0; frame < 120; frame++) {
        scroller.scrollTop = frame % 2 ? scroller.scrollTop + 40 : frame * step;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        gaps.push(now - before);
        before = now;
    }
    scroller.scrollTop = 0;
    return gaps;
}"""


@dataclass(frozen=True)
class Measured:
    """One document's figures: milliseconds, paints per second, megabytes."""

    median: float
    worst: float
    drawn: float
    """The part of the median that the boundary view itself takes in the browser."""
    server: float
    """CPU time of the server for one move."""
    browser: float
    """CPU time of all processes of the browser for one move."""
    sent: float
    """Kilobytes that the server sends for one move."""
    rate: float
    longest_task: float
    slow_frame: float
    """Of 120 frames of scrolling through the whole document, the 95th percentile."""
    heap: float
    """JavaScript's heap."""
    renderer: Memory
    """Of the renderer process."""


@dataclass(frozen=True)
class Opened:
    """How long an uploaded document took to be on screen, and the processors' time for it."""

    seconds: float
    server: float
    browser: float
    after: float
    """The server's processor time from then on until it is at rest: health, and what is offered."""


class DragPage:
    """A page of the app in a browser, with the server behind it."""

    def __init__(self, browser: Browser, address: str, server: int, strategy: str) -> None:
        self.server = server
        self.received = 0
        self.heard = time.perf_counter()
        self.page: Page = browser.new_page(viewport={"width": 1440, "height": 900})
        self.browser: CDPSession = browser.new_browser_cdp_session()
        self.tab: CDPSession = self.page.context.new_cdp_session(self.page)
        self.tab.send("Performance.enable")
        self.page.on("websocket", self._listen)
        self.page.goto(f"{address}/?strategy={strategy}")
        self.page.locator(".cs[data-painted]").wait_for(timeout=60_000)
        self.settle()

    def _listen(self, socket: WebSocket) -> None:
        def heard(payload: bytes | str) -> None:
            self.received += len(payload)
            self.heard = time.perf_counter()

        socket.on("framereceived", heard)

    def settle(self) -> None:
        """Wait until the server has had nothing to say and to do for a while."""
        worked, busy = cpu_seconds_of(self.server), time.perf_counter()
        while time.perf_counter() - max(self.heard, busy) < SETTLED:
            self.page.wait_for_timeout(BETWEEN)
            now = cpu_seconds_of(self.server)
            busy = time.perf_counter() if now - worked > AT_REST else busy
            worked = now

    def open(self, path: Path) -> Opened:
        """Upload a document, and wait until its boundaries are painted."""
        page = self.page
        page.get_by_role("button", name="Add", exact=True).click()
        field = page.locator("input[type=file]").first
        field.wait_for(state="attached")
        page.wait_for_timeout(500)
        began, server, browser = time.perf_counter(), cpu_seconds_of(self.server), self.browser_cpu()
        field.set_input_files(str(path))
        page.wait_for_function(
            "name => document.querySelector('.stMain')?.textContent.includes(name) && "
            "[...document.querySelectorAll('*')].some(e => e.shadowRoot?.querySelector('.cs[data-painted]')"
            "?.getAttribute('aria-label').startsWith(name))",
            arg=path.stem,
            timeout=180_000,
            polling=50,
        )
        seconds = time.perf_counter() - began
        drawn = cpu_seconds_of(self.server)
        browser = self.browser_cpu() - browser
        page.keyboard.press("Escape")
        self.settle()
        return Opened(seconds, drawn - server, browser, cpu_seconds_of(self.server) - drawn)

    def threshold(self) -> ElementHandle:
        return self.page.locator(".rail input[type=range]").first.element_handle()

    def painted(self) -> ElementHandle:
        return self.page.locator(".cs[data-painted]").element_handle()

    def measure(self, moves: int, seconds: float) -> Measured:
        """Move the first threshold to `moves` different places, then drag it for `seconds`, then
        scroll."""
        page, place = self.page, [self.threshold(), self.painted()]
        low, high = (float(place[0].get_attribute(end) or 0) for end in ("min", "max"))
        times, drawn = [], []
        server = browser = received = 0.0
        for turn in range(WARM_UP + moves):
            if turn == WARM_UP:
                server, browser, received = cpu_seconds_of(self.server), self.browser_cpu(), self.received
            times.append(page.evaluate(MOVE, [*place, low + (high - low) * (0.1 + 0.4 * (turn * 7 % 23) / 23)]))
            drawn.append(page.evaluate("performance.getEntriesByType('measure').at(-1)?.duration ?? 0"))
            page.wait_for_timeout(BETWEEN)
        server, browser = cpu_seconds_of(self.server) - server, self.browser_cpu() - browser
        received = self.received - received
        drag = page.evaluate(DRAG, [*place, seconds])
        self.settle()
        frames = page.evaluate(SCROLL, page.locator(".scroll").element_handle())
        kept = times[WARM_UP:]
        return Measured(
            statistics.median(kept),
            max(kept),
            statistics.median(drawn[WARM_UP:]),
            1000 * server / moves,
            1000 * browser / moves,
            received / moves / 1000,
            drag["rate"],
            drag["longest"],
            sorted(frames)[len(frames) * 95 // 100],
            *self.memory(),
        )

    def frames(self, view: str, seconds: float) -> list[float]:
        """Milliseconds between frames while the first threshold is dragged in this view, sorted."""
        self.page.get_by_role("radio", name=view, exact=True).click()
        self.page.wait_for_timeout(2 * BETWEEN)
        self.settle()
        gaps: list[float] = sorted(self.page.evaluate(FRAMES, [self.threshold(), seconds]))
        self.settle()
        return gaps

    def browser_cpu(self) -> float:
        """Seconds of processor time of all processes of the browser."""
        processes = self.browser.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(float(process["cpuTime"]) for process in processes)

    def memory(self) -> tuple[float, Memory]:
        """Megabytes of JavaScript's heap after a collection, and the memory of the largest renderer
        process."""
        self.tab.send("HeapProfiler.collectGarbage")
        metrics = {metric["name"]: metric["value"] for metric in self.tab.send("Performance.getMetrics")["metrics"]}
        processes = self.browser.send("SystemInfo.getProcessInfo")["processInfo"]
        renderers = [memory_of(process["id"]) for process in processes if process["type"] == "renderer"]
        return metrics["JSHeapUsedSize"] / 1e6, max(renderers, key=lambda memory: memory.own, default=Memory(0, 0))
