"""Real Chromium and real Streamlit servers for the browser tests."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from one_run import PATIENCE, SAMPLE, agree
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, expect
from waiting import wait_for_health

from benchmarks.browsers import STILL, chromium_path

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Serve = Callable[[str], str]
expect.set_options(timeout=20_000)  # a machine with much else to do; who sees it at once waits no longer


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; the test is skipped without one, and fails where CI is set: there it
    must run."""
    if path := chromium_path():
        return path
    reason = "no Chromium found on the PATH: the browser tests need one"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str) -> dict[str, object]:
    """What pytest-playwright launches."""
    return {"executable_path": chromium, "args": list(FLAGS)}


@pytest.fixture(scope="session")
def warm_context(browser: Browser) -> Iterator[BrowserContext]:
    """Nearly all tests share it: what one of them fetched and compiled is there for the next."""
    shared = browser.new_context()
    shared.add_init_script(STILL)
    yield shared
    shared.close()


@pytest.fixture
def context(warm_context: BrowserContext) -> Iterator[BrowserContext]:
    """In place of pytest-playwright's, which is new for each test; a test leaves nothing in it."""
    open_before = list(warm_context.pages)
    yield warm_context
    for page in [page for page in warm_context.pages if page not in open_before]:
        with suppress(Error):  # it may show what keeps nothing
            page.evaluate("localStorage.clear()")
        page.close()
    warm_context.clear_cookies()
    warm_context.clear_permissions()


@pytest.fixture(scope="session")
def own_server() -> Iterator[Callable[..., str]]:
    """`own_server("app.py", variables={...})` starts a Streamlit server for a script of this
    repository, on a free port of this machine, and gives its address; all end with the tests.

    `program` is what Python runs it by.
    """
    running: list[subprocess.Popen[bytes]] = []

    def start(
        script: str, *, program: Sequence[str] = ("-m", "streamlit"), variables: Mapping[str, str] | None = None
    ) -> str:
        server, address = _start(ROOT / script, program, variables or {})
        running.append(server)
        return address

    yield start
    for server in running:
        server.terminate()
    for server in running:
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture(scope="session")
def serve(own_server: Callable[..., str]) -> Serve:
    """`serve("app.py")` gives the address of the one server for this script in all tests."""
    return cache(own_server)


@pytest.fixture(autouse=True)
def _nothing_leaves_the_machine(page: Page) -> Iterator[None]:
    """Every browser test also proves that its page asks nobody else for anything."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).hostname not in ("127.0.0.1", None):
            asked.append(request.url)

    page.on("request", note)
    yield
    assert asked == []


@pytest.fixture
def show(page: Page, serve: Serve) -> Callable[..., Page]:
    """`show(path, every=97)` opens the source view's test page for a document and waits until it is
    painted."""

    def opened(path: Path, **query: object) -> Page:
        address = serve("tests/browser/show_source.py")
        page.goto(f"{address}/?{urlencode({'path': str(path), **query})}")
        page.locator(".cs[data-painted]").first.wait_for(timeout=30_000)
        return page

    return opened


def _start(script: Path, program: Sequence[str], variables: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, *program, "run", str(script), f"--server.port={port}"),
            *("--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"),
            *("--server.fileWatcherType=none", "--runner.postScriptGC=false"),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(variables),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for_health(address, server)
    except AssertionError:
        server.kill()
        raise
    return server, address


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
