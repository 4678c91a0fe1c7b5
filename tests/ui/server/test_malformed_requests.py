"""What is answered to bytes that are no request, by a real server, over a socket."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from threading import Thread

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.websockets import websockets_sansio_impl as sockets
from waiting import PATIENCE, until

from pages.ui.server import malformed_requests
from pages.ui.server.response_headers import SafeHeaders, safe_headers

PROTOCOLS = {"h11": "h11_impl:H11Protocol", "httptools": "httptools_impl:HttpToolsProtocol"}
HOST = "Host: localhost\r\n"
UPGRADE = f"{HOST}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
MANY = "X: a\r\n" * 200
CHUNKED = f"POST / HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n"
NO_REQUESTS = {
    "garbage": "GARBAGE\r\n\r\n",
    "a line that is no header": f"GET / HTTP/1.1\r\n{HOST}no header\r\n\r\n",
    "NUL": f"GET / HTTP/1.1\r\n{HOST}X: a\0b\r\n\r\n",
    "two lengths": f"POST / HTTP/1.1\r\n{HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a body that is not in chunks": f"{CHUNKED}no length\r\n",
}
NO_HANDSHAKES = {
    "no key": (400, f"GET /socket HTTP/1.1\r\n{UPGRADE}\r\n"),
    "another method": (405, f"POST /socket HTTP/1.1\r\n{UPGRADE}{KEY}\r\n"),
    "a long header": (431, f"GET /socket HTTP/1.1\r\n{UPGRADE}{KEY}X: {'a' * 9_000}\r\n\r\n"),
    "many headers": (431, f"GET /socket HTTP/1.1\r\n{UPGRADE}{KEY}{MANY}\r\n"),
    "a long path": (414, f"GET /socket?{'a' * 9_000} HTTP/1.1\r\n{UPGRADE}{KEY}\r\n"),
    "a socket that the app refuses": (403, f"GET /refused HTTP/1.1\r\n{UPGRADE}{KEY}\r\n"),
}


async def whole(request: Request) -> Response:
    """As long as what was sent, once all of it is there."""
    return PlainTextResponse(str(len(await request.body())))


async def failing(_request: Request) -> Response:
    raise LookupError("secret of the server")


async def accepting(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.close()


async def refusing(_websocket: WebSocket) -> None:
    raise HTTPException(403)


@pytest.fixture(params=PROTOCOLS)
def port(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a server answers as the app's does, with one protocol after the other."""
    pytest.importorskip(request.param)
    module, _, name = PROTOCOLS[request.param].partition(":")
    protocol = getattr(import_module(f"uvicorn.protocols.http.{module}"), name)
    monkeypatch.setattr(malformed_requests, "AutoHTTPProtocol", protocol)
    for owner, replaced in (
        (protocol, "send_400_response"),
        (sockets, "ServerProtocol"),
        (sockets.WebSocketsSansIOProtocol, "data_received"),
    ):
        monkeypatch.setattr(owner, replaced, getattr(owner, replaced))  # and as it was after the test
    malformed_requests.answer_them_with_headers()
    app = Starlette(
        routes=[
            Route("/", whole, methods=["GET", "POST"]),
            Route("/failing", failing),
            WebSocketRoute("/socket", accepting),
            WebSocketRoute("/refused", refusing),
        ],
        middleware=[Middleware(SafeHeaders)],
        exception_handlers={Exception: malformed_requests.failed},
    )
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    config = uvicorn.Config(app, http=protocol, ws="websockets-sansio", log_config=None)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        until(lambda: server.started, otherwise=lambda: "the server has not started")
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(PATIENCE)


def answer_to(port: int, sent: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of the one answer, after which the server has closed."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as connection:
        connection.sendall(sent.encode("latin-1"))
        received = b"".join(iter(lambda: connection.recv(65_536), b"")).decode("latin-1")
    head, _, body = received.partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    return int(status.split()[1]), {line.partition(": ")[0].lower(): line.partition(": ")[2] for line in lines}, body


@pytest.mark.parametrize("what", NO_REQUESTS)
def test_what_is_no_request_is_answered_with_the_headers_of_every_response(port: int, what: str) -> None:
    status, headers, body = answer_to(port, NO_REQUESTS[what])
    assert (status, body) == (400, "Invalid HTTP request received.")
    assert headers.items() >= safe_headers().items()


@pytest.mark.parametrize("what", NO_HANDSHAKES)
def test_so_is_what_is_no_handshake_of_a_socket(port: int, what: str) -> None:
    refused, sent = NO_HANDSHAKES[what]
    status, headers, _ = answer_to(port, sent)
    assert status == refused
    assert headers.items() >= safe_headers().items()


def test_a_good_handshake_is_answered_as_it_was(port: int) -> None:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as connection:
        connection.sendall(f"GET /socket HTTP/1.1\r\n{UPGRADE}{KEY}\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")


def test_a_route_that_fails_says_no_more_than_that_with_the_headers(port: int) -> None:
    status, headers, body = answer_to(port, f"GET /failing HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")
    assert (status, body) == (500, "Internal Server Error")
    assert headers.items() >= safe_headers().items()


def test_garbage_behind_a_request_is_refused_and_nothing_comes_after_that(port: int) -> None:
    """httptools reads on while the request is being answered; h11 does not."""
    sent = f"POST / HTTP/1.1\r\n{HOST}Content-Length: 1\r\n\r\naGARBAGE\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as connection:
        connection.sendall(sent.encode())
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    *_, last = received.split(b"HTTP/1.1 ")
    assert last.startswith(b"400 ")
    assert last.endswith(b"\r\n\r\nInvalid HTTP request received.")
