"""A page of the web by its URL, asked for with distrust of the URL and of whoever answers.

Only http and https, and only servers with a public address: each address that a name has is
checked, and the connection goes to the address that was checked, so that the name cannot mean
another one in between. The same again for every redirect. Proxies of the environment are not asked:
they would look the name up once more.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from threading import BoundedSemaphore, Event, Thread
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, quote, urldefrag, urljoin, urlsplit

from chunking.document.folders import FoundFile, Selection
from chunking.document.page_types import extension_for, in_utf8
from chunking.errors import DocumentError
from chunking.runtime.version import engine_version
from chunking.text.display import safe_name, shown_text

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SECONDS = 30
"""How long one page may take: names, redirects, and all that is sent."""
MAX_BYTES = 64 * 1024 * 1024
"""Of a page, also of what it is unpacked to."""
REDIRECTS = 5
MAX_URL = 2000
"""Characters of an address."""
_AT_ONCE = BoundedSemaphore(4)
"""How many pages one of our processes asks for at a time."""
_PIECE = 64 * 1024
_HOST = re.compile(r"(?!\.|.*\.\.)[a-z0-9._-]{1,253}|[0-9a-f:.]*:[0-9a-f:.]*", re.I)
_SAFE = "/%:@!$&'()*+,;=~?"
_HEADERS = 1024 * 1024
"""Bytes that may be sent beside a page."""
_MOVED = (301, 302, 303, 307, 308)
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
        *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)
"""What is no server of the internet, or stands for another address: IANA's registries of special
addresses. What `ipaddress` calls global differs between versions of Python."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """What an address answered with."""

    url: str
    """As it was asked for, without a fragment."""
    content: bytes
    """Text whose encoding the server named is in UTF-8."""
    extension: str
    """Stands for its format, as of a file; "" for text."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet's: not of this machine, of a network at home, at
    work or of a cloud's own, and not one that stands for another address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if not ip.is_global or ip.is_multicast or ip.is_reserved:
        return False
    return not any(ip in network for network in _NOT_PUBLIC) and (ip.version == 4 or ip in _GLOBAL_UNICAST)


def addresses_of(host: str, port: int) -> Sequence[str]:
    """The IP addresses that a name stands for now. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class Network:
    """How names become addresses, and which of them may be asked."""

    resolve: Callable[[str, int], Sequence[str]] = addresses_of
    allowed: Callable[[str], bool] = is_public


INTERNET = Network()


def page_name(url: str) -> str:
    """What the page at this address is called: the address, without a fragment. Raises
    DocumentError for an address that is never asked."""
    _target(url)
    return safe_name(urldefrag(url).url)


def found_page(url: str, wanted: Selection | None = None) -> FoundFile | None:
    """The page at an address, asked for now, as a document's place; None where its name is not
    wanted. Raises DocumentError."""
    name = page_name(url)
    if wanted is not None and not wanted.wants(name):
        return None
    page = fetch(url)
    return FoundFile(Path(url), name, content=page.content, web_type=page.extension)


def fetch(url: str, network: Network | None = None, *, seconds: float = SECONDS, most: int = MAX_BYTES) -> WebPage:
    """The page at an address, all of it. Raises DocumentError, one line, with the address.

    Takes at most so many seconds and bytes, whatever the server does.
    """
    name = page_name(url)
    asking = _Asking(name, network or INTERNET, seconds, most)
    if not _AT_ONCE.acquire(timeout=seconds):
        raise _refusal(name, f"other pages are being asked for; none was finished within {seconds:g} s")
    asking.start()  # which gives the place back when it ends
    try:
        if not asking.done.wait(seconds):
            raise _refusal(name, _late(seconds))
    finally:
        asking.give_up()
    if asking.page is not None:
        return asking.page
    raise _refusal(name, asking.problem)


class _RefusedError(Exception):
    """Why a page is not read, without its address."""


class _Bounded(io.RawIOBase):
    """What a connection sends, of which so many bytes are read and no more."""

    def __init__(self, connection: socket.socket, most: int) -> None:
        super().__init__()
        self._connection = connection
        self._most = most
        self._left = most + _HEADERS

    def readable(self) -> bool:
        """As every raw file says it."""
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        """Read what is there. Raises _RefusedError past the limit."""
        count = self._connection.recv_into(into)
        self._left -= count
        if self._left < 0:
            raise _too_large(self._most)
        return count


class _Connection:
    """A connection as `http.client` uses it, which a server can have read without an end. Whoever
    opened it closes it."""

    def __init__(self, connection: socket.socket, most: int) -> None:
        self.sendall = connection.sendall
        self._reader = io.BufferedReader(_Bounded(connection, most))

    def makefile(self, _: str) -> io.BufferedReader[_Bounded]:
        """What is sent, to be read."""
        return self._reader

    def close(self) -> None:
        """Nothing: `http.client` does so before it reads."""


class _Asking(Thread):
    """The thread in which one page is asked for: whoever waits for it can stop at any moment."""

    def __init__(self, url: str, network: Network, seconds: float, most: int) -> None:
        super().__init__(daemon=True, name="chunkscope-web-page")
        self.done = Event()
        self.page: WebPage | None = None
        self.problem = ""
        self._url = url
        self._network = network
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._most = most
        self._socket: socket.socket | None = None
        self._given_up = False

    def run(self) -> None:
        """Ask, and keep what came of it."""
        try:
            self.page = self._followed()
        except _RefusedError as error:
            self.problem = str(error)
        except Exception as error:  # it belongs to whoever waits
            self.problem = _in_words(error, self._seconds)
        finally:
            _AT_ONCE.release()
            self.done.set()

    def give_up(self) -> None:
        """End all reading and writing; closing is left to the thread that reads."""
        self._given_up = True
        if self._socket is not None:
            try:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return  # it is shut already

    def _followed(self) -> WebPage:
        at = self._url
        for _ in range(REDIRECTS + 1):
            answer = self._asked(at)
            if isinstance(answer, WebPage):
                return answer
            try:
                target = _target(answer)
            except DocumentError as error:
                raise _RefusedError(f"redirects to {error}") from None
            if at.lower().startswith("https:") and target.scheme == "http":
                raise _RefusedError(f"redirects from https to {shown_text(answer, 200)}; give that address itself")
            at = answer
        raise _RefusedError(f"redirects more than {REDIRECTS} times")

    def _asked(self, url: str) -> WebPage | str:
        """What one address answers with, or where it redirects to."""
        parts = _target(url)
        host, port = _host(parts), parts.port or (443 if parts.scheme == "https" else 80)
        connection = HTTPConnection(host, port)
        with self._connected(host, port, parts.scheme) as opened:
            connection.sock = cast("socket.socket", _Connection(opened, self._most))
            path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
            headers = {
                "Host": _authority(host, parts.port),
                "User-Agent": f"chunkscope/{engine_version()}",
                "Accept": "text/markdown, text/html, */*;q=0.8",
                "Accept-Encoding": "identity",
                "Connection": "close",
            }
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status in _MOVED and (place := response.getheader("Location")):
                return urljoin(url, place)
            if response.status != 200:
                raise _RefusedError(f"the server answers with status {response.status}, not with a page")
            content_type = response.getheader("Content-Type", "")
            try:
                extension = extension_for(content_type, parts.path)
                content = in_utf8(b"".join(self._body(response)), content_type, extension)
            except DocumentError as error:
                raise _RefusedError(str(error)) from None
            return WebPage(self._url, content, extension)

    def _connected(self, host: str, port: int, scheme: str) -> socket.socket:
        """A connection to an address that was checked: all that the name has must be allowed."""
        try:
            addresses = self._network.resolve(host, port)
        except (OSError, UnicodeError):
            raise _RefusedError("the name of its server is not known (DNS); check the address") from None
        for address in addresses:
            if not self._network.allowed(address):
                raise _RefusedError(
                    f"{shown_text(host, 100)} is {shown_text(address, 60)}, which is not a public address; "
                    "save the page and give the file"
                )
        failed: OSError = OSError("it has no address")
        for address in addresses:
            try:
                plain = socket.create_connection((address, port), timeout=self._left())
            except OSError as error:
                failed = error
                continue
            self._hold(plain)
            if scheme == "http":
                return plain
            secure = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
            self._hold(secure)
            return secure
        raise failed

    def _hold(self, connection: socket.socket) -> None:
        """Note the connection, so that it can be shut."""
        self._socket = connection
        if self._given_up:
            connection.close()
            raise _RefusedError("nobody waits for it any more")

    def _left(self) -> float:
        return max(0.01, self._until - time.monotonic())

    def _body(self, response: HTTPResponse) -> Iterator[bytes]:
        """What is sent, unpacked where it comes packed although it was asked not to be."""
        declared = response.length
        if declared is not None and declared > self._most:
            raise _too_large(self._most)
        packing = response.getheader("Content-Encoding", "identity").strip().lower()
        if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise _RefusedError(f"is sent packed as {shown_text(packing, 40)}; save the page and give the file")
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32) if packing not in ("", "identity") else None
        sent = made = 0
        while piece := response.read(_PIECE):
            sent += len(piece)
            whole = unpacking.decompress(piece, self._most + 1 - made) if unpacking else piece
            made += len(whole)
            if max(sent, made) > self._most:
                raise _too_large(self._most)
            yield whole
        if declared is not None and sent < declared:
            raise _RefusedError(f"broke off after {sent:,} of {declared:,} bytes")
        if unpacking and not unpacking.eof:
            raise _RefusedError("broke off: what was packed is not whole")


def _too_large(most: int) -> _RefusedError:
    return _RefusedError(f"has more than {most:,} bytes; save the page and give a part of it")


def _target(url: str) -> SplitResult:
    """The parts of an address that may be asked. Raises DocumentError, one line."""
    called = shown_text(url, 200)
    if len(url) > MAX_URL:
        raise DocumentError(f"{called}: an address of {len(url)} characters; at most {MAX_URL} are taken")
    if any(each.isspace() or not each.isprintable() or each == "\\" for each in url):
        raise DocumentError(
            f"{called}: has a blank, a backslash or a character that no address has; write %20 for a blank"
        )
    try:
        parts = urlsplit(url)
        port, host = parts.port, _host(parts)
    except (ValueError, UnicodeError):
        raise DocumentError(f"{called}: is not an address; write it like https://example.com/guide") from None
    if parts.scheme not in ("http", "https"):
        raise DocumentError(f"{called}: only http:// and https:// are asked; save the page and give the file")
    if "@" in parts.netloc:
        raise DocumentError(f"{parts.scheme}://…: holds a name or a password; give the address without them")
    if port == 0 or not _HOST.fullmatch(host):
        raise DocumentError(f"{called}: has no server's name; write it like https://example.com/guide")
    return parts


def _host(parts: SplitResult) -> str:
    """The server's name as DNS has it. Raises UnicodeError for one that it cannot have."""
    host = parts.hostname or ""
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _authority(host: str, port: int | None) -> str:
    named = f"[{host}]" if ":" in host else host
    return f"{named}:{port}" if port else named


def _refusal(name: str, problem: str) -> DocumentError:
    return DocumentError(f"{shown_text(name, 200)}: {problem}")


def _late(seconds: float) -> str:
    return f"was not here within {seconds:g} s"


def _in_words(error: BaseException, seconds: float) -> str:
    """What went wrong, in words of ours: nothing of what a server sent is in them."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, ssl.SSLError):
        return "no TLS connection; check whether the address begins with http:// or https://"
    if isinstance(error, TimeoutError):
        return _late(seconds)
    if isinstance(error, ConnectionRefusedError):
        return "nothing answers at that address"
    if isinstance(error, zlib.error):
        return "is sent packed, and is damaged"
    if isinstance(error, HTTPException):
        return f"the server does not speak HTTP, or broke off ({type(error).__name__})"
    if isinstance(error, OSError):
        return f"cannot be reached ({shown_text(error.strerror or type(error).__name__, 80)})"
    return f"cannot be read ({type(error).__name__})"
