"""What is sent does not wait for what was sent before to be confirmed."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

import pytest
from own_loop import in_a_loop
from starlette.applications import Starlette
from uvicorn.config import Config
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from pages.ui.server import prompt_answers


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_connection_to_a_socket_like_streamlits_sends_at_once(at_once: bool) -> None:
    if at_once:
        prompt_answers.send_at_once()

    assert in_a_loop(_sends_at_once()) is at_once


async def _sends_at_once() -> bool:
    """Whether a connection that uvicorn takes over the kind of socket that Streamlit makes does."""
    config, state = Config(Starlette(), lifespan="off", log_config=None), ServerState()
    config.load()

    def protocol() -> asyncio.Protocol:
        return AutoHTTPProtocol(config=config, server_state=state, app_state={})  # type: ignore[call-arg]

    listening = socket.socket(socket.AF_INET)  # as Streamlit's: of no named protocol
    listening.bind(("127.0.0.1", 0))
    server = await asyncio.get_running_loop().create_server(protocol, sock=listening)
    async with server:
        _, writer = await asyncio.open_connection(*listening.getsockname())
        with closing(writer):
            while not state.connections:
                await asyncio.sleep(0.01)
            (taken,) = state.connections
            connection = taken.transport.get_extra_info("socket")
            return bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
