"""A server that others reach, in real Chromium: marks are each person's own, a token is asked for;
a proxy's name and `[::1]` are let in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from marking import FIRST, LINK, SECOND, mark, opened
from playwright.sync_api import Browser, Page, expect
from waiting import wait_for_health

TOKEN = "a token for the tests alone"
ENTRANCE = f"{LINK}&token={TOKEN}"
Started = Callable[..., int]
"""`started("--server.address", "::1")` runs `chunkscope app` with these and returns its port."""


@pytest.fixture
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    running: list[subprocess.Popen[bytes]] = []

    def start(*options: str, health: str = "127.0.0.1") -> int:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        command = [sys.executable, "-m", "chunking", "app", "--port", str(port), *options]
        home = tmp_path_factory.mktemp("home")
        server = subprocess.Popen(
            [*command, "--server.headless", "true"],
            env=os.environ | {"CHUNKSCOPE_DATA": str(home), "CHUNKSCOPE_CACHE": str(home), "CHUNKSCOPE_TOKEN": TOKEN},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        running.append(server)
        wait_for_health(f"http://{health}:{port}", server)
        return port

    yield start
    for server in running:
        server.terminate()
        server.wait(10)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """`visit(address)` opens it as a new person, and sees that nobody else is asked for
    anything."""
    asked: list[str] = []
    contexts = []

    def come(address: str) -> Page:
        context = browser.new_context()
        contexts.append(context)
        page = context.new_page()
        host = address.split("/")[2]
        page.on(
            "request", lambda request: None if request.url.split("/")[2] in (host, "") else asked.append(request.url)
        )
        return opened(page, address)

    yield come
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == []


def outside_address() -> str:
    """An address of this machine that is not loopback's; skips where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # a datagram socket: nothing is sent
        found = str(probe.getsockname()[0])
        if not found.startswith("127."):
            return found
    pytest.skip("this machine has no address beyond loopback")


@pytest.mark.long
def test_beyond_loopback_marks_are_each_persons_own_and_end_with_the_session(
    started: Started, visit: Callable[[str], Page]
) -> None:
    outside = outside_address()
    address = f"http://{outside}:{started('--server.address', '0.0.0.0', health=outside)}/{ENTRANCE}"
    first, second = visit(address), visit(address)
    mark(first, FIRST, "How are rocks sorted?")
    mark(second, SECOND, "How does plutonic rock form?")

    questions = [page.locator(".marks .question") for page in (first, second)]
    expect(questions[0]).to_contain_text(["How are rocks sorted?"])
    expect(questions[1]).to_contain_text(["How does plutonic rock form?"])
    assert "token" not in first.url
    third = visit(address)
    mark(third, SECOND, "Another")
    expect(third.locator(".marks .question")).to_contain_text(["Another"])


@pytest.mark.long
@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_the_app_works_at_the_loopback_of_ipv6(started: Started, visit: Callable[[str], Page]) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no loopback of IPv6")
    page = visit(f"http://[::1]:{started('--server.address', '::1', health='[::1]')}/{LINK}")

    mark(page, FIRST, "How are rocks sorted?")


@pytest.mark.long
def test_behind_a_proxy_the_app_answers_to_the_name_that_its_owner_gave_and_to_no_other(
    started: Started, visit: Callable[[str], Page]
) -> None:
    port = started("--host", "docs.localhost")
    with proxy(port) as door:
        page = visit(f"http://docs.localhost:{door}/{ENTRANCE}")
        mark(page, FIRST, "How are rocks sorted?")
        other = visit(f"http://docs.localhost:{door}/{ENTRANCE}")
        mark(other, SECOND, "How does plutonic rock form?")
        expect(other.locator(".marks .question")).to_contain_text(["How does plutonic rock form?"])
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(
                urllib.request.Request(f"http://127.0.0.1:{door}/", headers={"Host": "docs.localhost"}), timeout=10
            )
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(
                urllib.request.Request(f"http://127.0.0.1:{door}/", headers={"Host": "evil.example"}), timeout=10
            )


@contextmanager
def proxy(port: int) -> Iterator[int]:
    """A port of 127.0.0.1 that hands every byte on to another, as a proxy that keeps the Host
    does."""
    listener = socket.create_server(("127.0.0.1", 0))
    opened_here = [listener]

    def pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while read := source.recv(65_536):
                target.sendall(read)
            target.shutdown(socket.SHUT_WR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                incoming, _ = listener.accept()
                outgoing = socket.create_connection(("127.0.0.1", port))
                opened_here.extend((incoming, outgoing))
                for pair in ((incoming, outgoing), (outgoing, incoming)):
                    threading.Thread(target=pass_on, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield int(listener.getsockname()[1])
    for each in opened_here:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for it
        each.close()
