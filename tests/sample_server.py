"""A real HTTP server on loopback that answers as a test tells it, and remembers what it was
asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request: its path, its headers by lower-case name, and its JSON."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What to answer: a status, a JSON value or raw bytes, and headers. `hang_up` breaks the
    connection instead."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang_up: bool = False


@dataclass
class ModelServer:
    """Its address, and every request so far in order."""

    base_url: str
    requests: list[Asked] = field(default_factory=list)


@contextmanager
def serving(answer: Callable[[Asked, int], Reply]) -> Iterator[ModelServer]:
    """Serve while the block runs. `answer` gets the request and how many there were before it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, headers, json.loads(self.rfile.read(length)))
            before = len(told.requests)
            told.requests.append(asked)
            reply = answer(asked, before)
            if reply.hang_up:
                self.close_connection = True
                return
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: the test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told = ModelServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def embeddings(asked: Asked, _before: int = 0) -> Reply:
    """An OpenAI-style answer: for each text its length and 1, the rows in reverse order with their
    index."""
    rows = [{"object": "embedding", "index": i, "embedding": [len(t), 1]} for i, t in enumerate(asked.body["input"])]
    return Reply(body={"object": "list", "data": rows[::-1], "model": asked.body.get("model")})
