"""Connections of `chunkscope serve` that give it nothing to answer: too slow, too many, no HTTP."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from serving import Server, serving
from waiting import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
pytest.importorskip("uvicorn", reason="needs the extra serve")

resource = pytest.importorskip("resource", reason="Windows has none")

OPEN_FILES = 500
MOST = 250
"""Connections that a process with so many open files takes."""


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with (
        few_open_files(),
        serving(tmp_path_factory.mktemp("server"), "--workers", "1", "--body-seconds", "2") as server,
    ):
        yield server


@contextmanager
def few_open_files() -> Iterator[None]:
    """What begins within has this limit."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def connected(server: Server) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def answered(connection: socket.socket) -> tuple[str, object]:
    """The first line of what comes, and the JSON behind its head."""
    head, _, body = connection.makefile("rb").read().decode().partition("\r\n\r\n")
    assert "\r\nx-content-type-options: nosniff\r\n" in head
    assert "\r\nconnection: close\r\n" in head.lower()
    return head.partition("\r\n")[0], json.loads(body)


def test_two_hundred_heads_that_do_not_come_whole_are_told_so_and_others_are_answered(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(server)) for _ in range(200)]
        for connection in slow:
            connection.sendall(b"POST /v1/run HTTP/1.1\r\nHost: loc")
        status = server.client.get("/health").status_code
        answers = [answered(connection) for connection in slow]

    assert status == 200
    said = {"error": "the request was not whole after 2 s (--body-seconds)"}
    assert answers == [("HTTP/1.1 408 Request Timeout", said)] * 200


def test_a_connection_that_says_nothing_is_closed_without_a_word(server: Server) -> None:
    with connected(server) as silent:
        assert silent.recv(100) == b""


def test_more_connections_than_open_files_allow_are_refused_and_the_log_stays_short(server: Server) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(connected(server)) for _ in range(MOST + 60)]
        said = [connection.recv(4096) for connection in many]

    refused = [each for each in said if each]
    assert len(refused) >= 50
    assert all(each.startswith(b"HTTP/1.1 503 Service Unavailable\r\n") for each in refused)
    assert all(each.endswith(b'{"error": "too many connections; ask again in a moment"}\n') for each in refused)
    assert server.client.get("/health").status_code == 200
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\r\n\r\n", b"GET /health\r\n\r\n", b"GET /health HTTP/1.1\r\n\r\n"])
def test_what_is_no_request_is_one_line(server: Server, sent: bytes) -> None:
    with connected(server) as odd:
        odd.sendall(sent)

        assert answered(odd) == ("HTTP/1.1 400 Bad Request", {"error": "this is not a request of HTTP/1.1"})
