"""One request and its answer, both bounded: so many bytes, so many seconds, whatever the server
does.

The only module that imports httpx2. A request runs in a thread of its own, so that whoever waits
for it can stop at any moment: while a name is looked up, in a handshake, between two bytes of a
header. Redirects are not followed, so that a key goes only where it was sent; an answer that is
compressed is refused, so that its size is the size that was sent.

Proxies and certificates are those that the environment names (HTTPS_PROXY, NO_PROXY,
SSL_CERT_FILE), except that what runs on this machine is never asked through a proxy.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from chunking.errors import ModelError

if TYPE_CHECKING:
    from httpx2 import Client, Response

_SLICE = 0.1
"""Seconds between two looks at whether the wait shall end."""
_ERROR_BYTES = 65_536
"""Of an error's text that are read; far fewer are shown."""
_IDLE = 4
"""Connections that are kept for the next request."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_UNKNOWN_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})


@dataclass(frozen=True, slots=True)
class Request:
    """What is posted, and what its answer may cost."""

    url: str
    content: bytes
    headers: Mapping[str, str]
    connect: float
    """Seconds for a connection."""
    seconds: float
    """Seconds for everything: connection, headers and body."""
    most_bytes: int
    """Of the answer's body."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: all of a good answer, of an error only the beginning."""

    status: int
    retry_after: str
    body: bytes


class NoAnswer(Exception):  # noqa: N818
    """What went wrong, in words of ours: nothing of what a server sent is in them."""

    def __init__(self, problem: str, *, may_pass: bool) -> None:
        """`may_pass`: whether asking again may help."""
        super().__init__(problem)
        self.problem = problem
        self.may_pass = may_pass


def exchange(request: Request, still_waiting: Callable[[], None]) -> Answer:
    """Post and read the answer. `still_waiting` is called in this thread every tenth of a second;
    what it raises ends the exchange. Raises NoAnswer."""
    # The client is made before the time begins: it reads this machine's certificates.
    running = _Exchange(request, _idle(os.getpid()))
    running.start()
    until = time.monotonic() + request.seconds
    try:
        while not running.done.wait(max(0.0, min(_SLICE, until - time.monotonic()))):
            still_waiting()
            if time.monotonic() >= until:
                raise NoAnswer(f"gave no whole answer within {round(request.seconds, 2):g} s", may_pass=True)
    except NoAnswer:
        running.give_up()
        if running.refusal is not None:
            return running.refusal
        raise
    except BaseException:
        running.give_up()
        raise
    if running.answer is not None:
        return running.answer
    raise _no_answer(running.error, request) from None


class _Exchange(Thread):
    """The thread in which one request runs; it ends with its connection."""

    def __init__(self, request: Request, idle: _Idle) -> None:
        super().__init__(daemon=True, name="chunkscope-model-request")
        self.done = Event()
        self.answer: Answer | None = None
        self.refusal: Answer | None = None
        """An error's status, from the time its headers are here: its text may never end."""
        self.error: BaseException | None = None
        self._request = request
        self._given_up = False
        self._idle = idle
        self._connection = idle.take(request.url)

    def run(self) -> None:
        """Ask, and keep what came of it for whoever waits."""
        try:
            connection = self._connection
            try:
                self.answer = self._exchange(connection)
            except BaseException:
                connection.client.close()
                raise
            if self._given_up:
                connection.client.close()
            else:
                self._idle.give(self._request.url, connection)
        # Whatever it is, it belongs to the thread that waits.
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def give_up(self) -> None:
        """End the request from outside: its connection is shut, and what it waits for ends."""
        self._given_up = True
        self._connection.shut()

    def _exchange(self, connection: _Connection) -> Answer:
        from httpx2 import Timeout

        request = self._request
        timeout = Timeout(request.seconds, connect=min(request.connect, request.seconds))
        with connection.client.stream(
            "POST",
            request.url,
            content=request.content,
            headers={**request.headers, "Content-Type": "application/json"},
            timeout=timeout,
            extensions={"trace": lambda name, seen: self._followed(connection, name, seen)},
        ) as response:
            retry_after = response.headers.get("retry-after", "")[:100]
            if response.is_success:
                return Answer(response.status_code, retry_after, b"".join(_body(response, request.most_bytes)))
            self.refusal = Answer(response.status_code, retry_after, b"")
            return Answer(response.status_code, retry_after, _beginning(response))

    def _followed(self, connection: _Connection, name: str, seen: Mapping[str, object]) -> None:
        """Told by httpcore2 at each step: notes the socket, and stops where nobody waits."""
        if name.endswith((".connect_tcp.complete", ".start_tls.complete")):
            connection.note(seen.get("return_value"))
            if self._given_up:
                connection.drop(seen.get("return_value"))  # httpcore2 does not hold it yet
        if self._given_up and not name.endswith(".failed"):
            raise _GivenUpError


class _GivenUpError(Exception):
    """Nobody waits for this request any more."""


class _Connection:
    """A client for one address, used by one request at a time, and the socket it holds."""

    def __init__(self, url: str) -> None:
        self.client = _client_of_this_machine() if _is_plain_loopback(url) else _client()
        self._socket: socket.socket | None = None

    def note(self, stream: object) -> None:
        found = getattr(stream, "get_extra_info", lambda _: None)("socket")
        self._socket = found if isinstance(found, socket.socket) else None

    def drop(self, stream: object) -> None:
        """Close a connection that nobody holds yet."""
        getattr(stream, "close", lambda: None)()

    def shut(self) -> None:
        """End all reading and writing. Closing is left to the thread that reads: a closed socket's
        number may be another's at once."""
        if self._socket is not None:
            try:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return  # it is shut already


class _Idle:
    """Connections that can be used again, the latest last; the oldest are closed."""

    def __init__(self) -> None:
        self._connections: list[tuple[str, _Connection]] = []
        self._lock = Lock()

    def take(self, url: str) -> _Connection:
        """One that goes there, else a new one."""
        with self._lock:
            for at in reversed(range(len(self._connections))):
                if self._connections[at][0] == url:
                    return self._connections.pop(at)[1]
        return _Connection(url)

    def give(self, url: str, connection: _Connection) -> None:
        """Keep it for the next request."""
        with self._lock:
            self._connections.append((url, connection))
            closing = [old for _, old in self._connections[:-_IDLE]]
            self._connections = self._connections[-_IDLE:]
        for old in closing:
            old.client.close()


@lru_cache(maxsize=1)
def _idle(process: int) -> _Idle:  # noqa: ARG001
    """Those of this process: a forked one makes its own."""
    return _Idle()


def _is_plain_loopback(url: str) -> bool:
    """Whether a request to this address goes to this machine, without a certificate."""
    from httpx2 import URL

    parsed = URL(url)
    return parsed.scheme == "http" and parsed.host in {host.strip("[]") for host in _LOOPBACK}


def _client_of_this_machine() -> Client:
    """For what is asked without a proxy and without a certificate: it trusts none, so that the
    machine's are not read, which takes 25 ms."""
    from httpx2 import Client

    return Client(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        trust_env=False,
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )


def _client() -> Client:
    from httpx2 import Client

    try:
        return Client(
            follow_redirects=False,
            headers={"Accept-Encoding": "identity"},
            mounts=dict.fromkeys([f"all://{host}" for host in _LOOPBACK]),
        )
    except (ImportError, ValueError, OSError):
        # Their words may hold a proxy's password.
        raise NoAnswer(
            "could not be asked: a proxy or a file of certificates that the environment names is of no use; "
            "correct HTTPS_PROXY, HTTP_PROXY, ALL_PROXY (http:// or https://) or SSL_CERT_FILE",
            may_pass=False,
        ) from None


def checked_base_url(name: str, url: str) -> str:
    """A server's address from the environment variable `name`, without its last slash. Raises
    ModelError."""
    from httpx2 import URL, InvalidURL

    try:
        parsed = URL(url.strip())
    except InvalidURL:
        raise ModelError(f"{name}: is not an address; write it like http://127.0.0.1:8080/v1") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ModelError(f"{name}: is not an address; write it like http://127.0.0.1:8080/v1")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise ModelError(f"{name}: holds more than an address; leave out names, passwords and what follows ? or #")
    return str(parsed).rstrip("/")


def _body(response: Response, most: int) -> Iterator[bytes]:
    """The body as it is sent, refused where it is compressed or longer than `most` bytes."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise NoAnswer(
            "answered with a compressed body, which was asked not to be; have the server send it plain", may_pass=False
        )
    read = 0
    announced = response.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        raise _too_long(most)
    for piece in response.iter_raw():
        read += len(piece)
        if read > most:
            raise _too_long(most)
        yield piece


def _too_long(most: int) -> NoAnswer:
    return NoAnswer(
        f"answered with more than {most:,} bytes, the most that what was asked can need; check its address and model",
        may_pass=False,
    )


def _beginning(response: Response) -> bytes:
    """The beginning of an error's text; nothing of one that is compressed, or breaks off."""
    from httpx2 import HTTPError

    found = b""
    if response.headers.get("content-encoding", "identity").strip().lower() in ("", "identity"):
        try:
            for piece in response.iter_raw():
                found += piece
                if len(found) >= _ERROR_BYTES:
                    break
        except HTTPError:
            pass  # the status says enough
    return found[:_ERROR_BYTES]


def _no_answer(error: BaseException | None, request: Request) -> NoAnswer:
    """The error in words of ours. httpx2 words some of them with a header's own value."""
    from httpx2 import ConnectError, ConnectTimeout, HTTPError, ProxyError, RemoteProtocolError, TimeoutException

    if isinstance(error, NoAnswer):
        return error
    if isinstance(error, ConnectTimeout):
        return NoAnswer(f"could not be reached within {min(request.connect, request.seconds):g} s", may_pass=True)
    if isinstance(error, TimeoutException):
        return NoAnswer(f"gave no whole answer within {round(request.seconds, 2):g} s", may_pass=True)
    if isinstance(error, ProxyError):
        return NoAnswer("could not be reached: the proxy of the environment refused", may_pass=True)
    if isinstance(error, ConnectError):
        return _unreachable(error)
    if isinstance(error, RemoteProtocolError):
        return NoAnswer("broke the connection, or did not speak HTTP (RemoteProtocolError)", may_pass=True)
    if isinstance(error, HTTPError):
        return NoAnswer(f"broke the connection ({type(error).__name__})", may_pass=True)
    raise error if error is not None else AssertionError("a request ended without an answer and without an error")


def _unreachable(error: BaseException) -> NoAnswer:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return NoAnswer(
                f"could not be reached: its certificate is not trusted ({cause.verify_message}), so nothing was sent; "
                "check the address, or name the file of its authority in SSL_CERT_FILE",
                may_pass=False,
            )
        if isinstance(cause, ssl.SSLError):
            return NoAnswer(
                f"could not be reached: no TLS connection ({cause.reason or 'SSL error'}), so nothing was sent; "
                "check whether the address begins with http:// or https://",
                may_pass=False,
            )
        if isinstance(cause, socket.gaierror):
            unknown = cause.errno in _UNKNOWN_NAME
            way_out = "; check its address" if unknown else ""
            return NoAnswer(f"could not be reached: its name is not known (DNS){way_out}", may_pass=not unknown)
        if isinstance(cause, ConnectionRefusedError):
            return NoAnswer("could not be reached: nothing answers at that address (ConnectError)", may_pass=True)
    return NoAnswer("could not be reached (ConnectError)", may_pass=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
