"""What the server sends goes out at once, and does not wait for the browser to confirm what went
before, for 40 ms each time.

asyncio says so to the system (TCP_NODELAY) for sockets that are named TCP, which the one that
Streamlit listens with is not. So uvicorn's method that takes a connection is wrapped here.
"""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_connected = AutoHTTPProtocol.connection_made


def send_at_once() -> None:
    """Have uvicorn send without waiting, over all connections from now on, WebSockets too."""
    AutoHTTPProtocol.connection_made = _made  # type: ignore[method-assign, assignment]


def _made(self: asyncio.Protocol, transport: asyncio.Transport) -> None:
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _connected(self, transport)
