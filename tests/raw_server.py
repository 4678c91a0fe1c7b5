"""A server on loopback that writes raw bytes: answers that no well-behaved server gives."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread


@dataclass
class RawServer:
    """Its port, the requests that it read, and what tells a handler that the test is over."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    gone: Event = field(default_factory=Event)
    """Set when a client has ended a connection that was being written to."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


Write = Callable[[bytes], None]
Handler = Callable[[Write, RawServer], None]


@contextmanager
def writing(handler: Handler, tls: ssl.SSLContext | None = None) -> Iterator[RawServer]:
    """Serve while the block runs: `handler` writes what it likes once a request has been read, and
    the connection is closed after it."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = RawServer(listening.getsockname()[1])
    threads: list[Thread] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            talking = tls.wrap_socket(connection, server_side=True) if tls else connection
            with talking:
                server.requests.append(_request(talking))
                try:
                    handler(talking.sendall, server)
                except OSError:
                    server.gone.set()

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threads.append(Thread(target=serve, args=(connection,), daemon=True))
                threads[-1].start()

    accepting = Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield server
    finally:
        server.over.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join(5)
        for thread in threads:
            thread.join(5)


def _request(connection: socket.socket) -> bytes:
    """One request, head and body."""
    read = b""
    while b"\r\n\r\n" not in read:
        piece = connection.recv(65_536)
        if not piece:
            raise ConnectionError
        read += piece
    head, _, body = read.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
    )
    while len(body) < length:
        piece = connection.recv(65_536)
        if not piece:
            raise ConnectionError
        body += piece
    return head + b"\r\n\r\n" + body


def whole(body: bytes, *, status: str = "200 OK", headers: str = "") -> Handler:
    """Answers with this body, whose length is announced."""

    def handler(write: Write, _server: RawServer) -> None:
        write(f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    return handler


def forever(first: bytes, again: bytes, every: float = 0.0) -> Handler:
    """Writes `first`, then `again` until the client is gone or the test over, with a pause of
    `every` seconds."""

    def handler(write: Write, server: RawServer) -> None:
        write(first)
        while not server.over.wait(every):
            write(again)

    return handler


def silent(_write: Write, server: RawServer) -> None:
    """Never answers."""
    server.over.wait()
