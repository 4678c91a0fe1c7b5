"""Who may come in: by real sockets on a real server, and every spelling of a host one by one."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import streamlit as st
from streamlit import net_util
from streamlit.web.server import server_util
from usual_and_long import every_second
from waiting import wait_for_health

from pages.ui.choices.links import read_link
from pages.ui.server import visitors

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(name="bound", autouse=True)
def _bound(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Where the server of a test is bound, and whom its owner lets in: this machine, and nobody
    else."""
    options: dict[str, object] = {"server.address": "127.0.0.1", "server.allowedHosts": []}
    known = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: options[name] if name in options else known(name))
    monkeypatch.setattr(visitors, "_seen_beyond", [])
    return options


def comes_in(*headers: tuple[str, str], server: tuple[str, int | None] = ("127.0.0.1", 8501)) -> bool:
    scope = {"type": "http", "server": server, "headers": [(name.encode(), value.encode()) for name, value in headers]}
    visitors.note_where(scope)
    return visitors.welcome(scope)


LOOPBACK = [
    "localhost",
    "localhost:8501",
    "LocalHost:8501",
    "localhost.",
    "LOCALHOST.:8501",
    "127.0.0.1",
    "127.0.0.1:8501",
    "127.9.8.7:1",
    "[::1]",
    "[::1]:8501",
    "[0:0:0:0:0:0:0:1]:8501",
    "[::ffff:127.0.0.1]:8501",
]
FOREIGN = [
    "",
    ":8501",
    "evil.example",
    "evil.example:8501",
    "localhost.evil.example",
    "127.0.0.1.evil.example:8501",
    "evil.example.:8501",
    "localhost@evil.example",
    "evil.example#localhost",
    "localhost/evil",
    "localhost evil.example",
    "localhost,evil.example",
    "localhost:80:80",
    "localhost:x",
    "localhost..",
    "10.0.0.5:8501",
    "0.0.0.0:8501",
    "[::]:8501",
    "[2001:db8::1]:8501",
    "[evil.example]",
    "[::1",
    "::1",
]


@pytest.mark.parametrize("host", LOOPBACK)
def test_every_name_of_loopback_comes_in(host: str) -> None:
    assert comes_in(("host", host))
    assert comes_in(("host", host), ("origin", f"http://{host}"))


@pytest.mark.parametrize("host", FOREIGN)
def test_no_other_host_comes_in_though_its_origin_agrees(host: str) -> None:
    assert not comes_in(("host", host))
    assert not comes_in(("host", host), ("origin", f"http://{host}"))
    assert not comes_in(("host", "localhost"), ("origin", f"http://{host}"))


def test_no_host_and_several_hosts_do_not_come_in_and_forwarded_ones_mean_nothing() -> None:
    assert not comes_in()
    assert not comes_in(("host", "localhost"), ("host", "localhost"))
    assert not comes_in(("host", "localhost"), ("Host", "evil.example"))
    assert not comes_in(("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://localhost"))
    assert not comes_in(("host", "evil.example"), ("x-forwarded-host", "localhost"), ("forwarded", "host=localhost"))
    assert comes_in(("host", "localhost"), ("x-forwarded-host", "evil.example"))


@pytest.mark.parametrize(
    "origin",
    [
        *("null", "file://", "localhost:8501", "http://localhost:3000", "http://127.0.0.1:8501"),
        "https://localhost:8501.evil.example",
    ],
)
def test_a_page_of_another_origin_does_not_come_in(origin: str) -> None:
    assert not comes_in(("host", "localhost:8501"), ("origin", origin))


def test_a_page_behind_tls_has_the_usual_port_left_out() -> None:
    assert comes_in(("host", "localhost"), ("origin", "https://localhost:443"))
    assert not comes_in(("host", "localhost:8501"), ("origin", "https://localhost"))


def test_the_owner_lets_names_in(bound: dict[str, object]) -> None:
    bound["server.allowedHosts"] = ["Docs.example.", "*.team.example"]

    assert comes_in(("host", "docs.example:443"), ("origin", "https://docs.example"))
    assert comes_in(("host", "a.team.example"))
    assert comes_in(("host", "localhost:8501"))
    assert not comes_in(("host", "team.example"))
    assert not comes_in(("host", "evildocs.example"))


def test_a_server_beyond_loopback_is_reached_by_numbers_and_by_no_unknown_name(bound: dict[str, object]) -> None:
    for address in ("0.0.0.0", "", "::", "192.168.1.5"):
        bound["server.address"] = address
        assert comes_in(("host", "192.168.1.5:8501"), ("origin", "http://192.168.1.5:8501"))
        assert comes_in(("host", "[2001:db8::1]:8501"))
        assert not comes_in(("host", "evil.example:8501"), ("origin", "http://evil.example:8501"))
    bound["server.address"] = "box.example"
    assert comes_in(("host", "box.example:8501"))


def test_what_is_beyond_loopback_is_told_from_the_settings_and_from_who_came(bound: dict[str, object]) -> None:
    beyond = {}
    for address in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "", "192.168.1.5", "box.example"):
        bound["server.address"] = address
        beyond[address] = visitors.beyond_loopback()
    assert [address for address, so in beyond.items() if not so] == ["127.0.0.1", "localhost", "::1"]

    bound["server.address"] = "127.0.0.1"
    bound["server.allowedHosts"] = ["localhost", "127.0.0.1", "::1"]
    assert not visitors.beyond_loopback()
    bound["server.allowedHosts"] = ["docs.example"]
    assert visitors.beyond_loopback()
    bound["server.allowedHosts"] = []
    comes_in(("host", "192.168.1.5"), server=("192.168.1.5", 8501))
    assert visitors.beyond_loopback()


# ---- a real server ----


@pytest.fixture(name="port", scope="module")
def _port() -> Iterator[int]:
    """`streamlit run app.py`, the README's command, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, **quiet) as server:  # type: ignore[call-overload]
        try:
            wait_for_health(f"http://localhost:{port}", server)
            yield port
        finally:
            server.terminate()


def answer(port: int, method: str, path: str, *headers: str, body: bytes = b"") -> int:
    """The status that a server on loopback answers with; 0 where it cannot be reached."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
            lines = [f"{method} {path} HTTP/1.1", *headers, f"Content-Length: {len(body)}", "Connection: close"]
            wire.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            first = wire.makefile("rb").readline()
    except OSError:
        return 0
    return int(first.split()[1]) if first.startswith(b"HTTP/") else 0


def handshake(port: int, path: str, *headers: str) -> int:
    key = base64.b64encode(bytes(16)).decode()
    wanted = ("Upgrade: websocket", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
            lines = [f"GET {path} HTTP/1.1", *headers, "Connection: Upgrade", *wanted]
            wire.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
            return int(wire.makefile("rb").readline().split()[1])
    except OSError:
        return 0


PATHS = [
    "/",
    "/_stcore/health",
    "/_stcore/host-config",
    "/static/index.html",
    "/compare",
    "/media/x",
    "/component/x",
    "/live/x",
]


@pytest.mark.parametrize("path", every_second(PATHS))
def test_a_rebound_name_is_refused_on_every_route(port: int, path: str) -> None:
    for method in ("GET", "HEAD", "POST"):
        rebound = answer(port, method, path, "Host: evil.example", "Origin: http://evil.example")
        assert rebound == 403, (method, path)
    assert answer(port, "GET", path, f"Host: evil.example:{port}") == 403
    assert answer(port, "GET", path, f"Host: 127.0.0.1:{port}", "Origin: http://evil.example") == 403
    assert answer(port, "GET", path, f"Host: 127.0.0.1:{port}") not in (0, 403)


def test_an_upload_of_a_rebound_page_is_refused(port: int) -> None:
    path = "/_stcore/upload_file/session/file"
    foreign = answer(port, "PUT", path, "Host: evil.example", "Origin: http://evil.example", body=b"x" * 1000)

    assert foreign == 403
    assert answer(port, "PUT", path, f"Host: localhost:{port}", "Origin: null", body=b"x") == 403


@pytest.mark.parametrize("path", ["/_stcore/stream", "/live/x"])
def test_a_socket_of_a_rebound_page_is_refused(port: int, path: str) -> None:
    mine, theirs = f"Host: localhost:{port}", f"Host: evil.example:{port}"

    assert handshake(port, path, theirs, f"Origin: http://evil.example:{port}") == 403
    assert handshake(port, path, theirs) == 403
    assert handshake(port, path, mine, "Origin: http://evil.example") == 403
    assert handshake(port, path, mine, theirs) in (400, 403)
    assert handshake(port, path, "X-Forwarded-Host: localhost", theirs) == 403


@pytest.mark.parametrize("host", ["localhost:{}", "LOCALHOST.:{}", "127.0.0.1:{}", "[::1]:{}"])
def test_the_person_at_this_machine_is_answered(port: int, host: str) -> None:
    name = host.format(port)

    assert answer(port, "GET", "/_stcore/health", f"Host: {name}") == 200
    assert handshake(port, "/_stcore/stream", f"Host: {name}", f"Origin: http://{name}") == 101
    # A name that no session was opened under: refused by the channel itself, which is behind the
    # same door.
    assert handshake(port, "/live/x", f"Host: {name}", f"Origin: http://{name}") == 403


def test_a_request_without_a_host_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        wire.sendall(b"GET /_stcore/health HTTP/1.0\r\n\r\n")
        status = int(wire.makefile("rb").readline().split()[1])

    assert status in (400, 403)


def test_a_number_comes_in_only_where_its_socket_would_too(bound: dict[str, object]) -> None:
    bound["server.address"] = "0.0.0.0"
    assert comes_in(("host", "10.0.0.5:8501"))

    bound["server.allowedHosts"] = ["chunks.example"]
    assert not comes_in(("host", "10.0.0.5:8501"))
    assert comes_in(("host", "chunks.example"))

    bound["server.allowedHosts"] = ["10.0.0.5"]
    assert comes_in(("host", "10.0.0.5:8501"))


def test_streamlit_asks_no_server_outside_for_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, **_: asked.append(url))
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setenv("CHUNKSCOPE_FETCH", "off")

    visitors.ask_nobody_outside()

    assert not server_util.is_url_from_allowed_origins("http://evil.example")
    assert asked == []


def test_a_link_to_a_counter_whose_table_is_not_here_makes_the_server_ask_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(requests, "get", lambda url, **_: asked.append(url))
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("CHUNKSCOPE_FETCH", "")
    monkeypatch.delenv("CHUNKSCOPE_FETCH")

    visitors.ask_nobody_outside()
    link = read_link({"strategy": "fixed", "counter": "p50k_base"})

    assert asked == []
    assert link.config is not None
    assert link.config.counter == "cl100k_base"
    assert "needs a table that would be fetched, which is not done here" in link.faults["counter"]
    assert os.environ["CHUNKSCOPE_FETCH"] == "off"
