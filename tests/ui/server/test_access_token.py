"""The token that a server beyond loopback asks for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.ui.server import access_token, visitors
from pages.ui.server.access_token import AsksForToken

TOKEN = "long enough for a token"


async def said(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(request.url.query))


async def socket(wire: WebSocket) -> None:
    await wire.accept()
    await wire.send_text("in")
    await wire.close()


@pytest.fixture(name="bound", autouse=True)
def _bound(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Where the server of a test is bound: beyond loopback."""
    options: dict[str, object] = {"server.address": "0.0.0.0", "server.allowedHosts": [], "server.port": 8501}
    known = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: options[name] if name in options else known(name))
    monkeypatch.setattr(visitors, "_seen_beyond", [])
    monkeypatch.setattr(access_token, "_drawn", [])
    monkeypatch.setenv(access_token.VARIABLE, TOKEN)
    return options


@pytest.fixture(name="client")
def _client() -> Iterator[TestClient]:
    routes = [Route(path, said) for path in ("/", "/compare", "/_stcore/health")]
    app = Starlette(routes=[*routes, WebSocketRoute("/live", socket)], middleware=[Middleware(AsksForToken)])
    with TestClient(app, follow_redirects=False) as client:
        yield client


def test_whoever_brings_no_token_or_another_is_refused(client: TestClient) -> None:
    for path in ("/", "/compare?token=", "/compare?token=wrong", "/no/such"):
        refused = client.get(path)
        assert refused.status_code == 401
        assert TOKEN not in refused.text
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live"):
        pass
    assert client.post(f"/?token={TOKEN}").status_code == 401


def test_the_address_brings_it_once_and_the_cookie_from_then_on(client: TestClient) -> None:
    came = client.get("/compare", params={"a": "1", "token": TOKEN, "b": "x y"})

    assert (came.status_code, came.headers["location"]) == (303, "/compare?a=1&b=x+y")
    assert "HttpOnly" in came.headers["set-cookie"]
    assert client.get("/compare?a=1").text == "a=1"
    with client.websocket_connect("/live") as wire:
        assert wire.receive_text() == "in"


def test_the_way_on_never_leads_to_another_server(client: TestClient) -> None:
    for path in ("//evil.example/", "/\\evil.example/"):
        client.cookies.clear()
        came = client.get(f"http://testserver{path}?token={TOKEN.replace(' ', '+')}")
        assert not came.headers["location"].startswith(("//", "/\\")), came.headers["location"]


def test_the_health_check_asks_for_none(client: TestClient) -> None:
    assert client.get("/_stcore/health").status_code == 200


def test_an_address_that_ends_as_the_health_check_does_asks_for_the_token(
    client: TestClient, bound: dict[str, object]
) -> None:
    assert client.get("/media/a/_stcore/health").status_code == 401
    bound["server.baseUrlPath"] = "below/"
    assert client.get("/_stcore/health").status_code == 401
    assert client.get("/below/_stcore/health").status_code == 404  # past the token; no route of this test


def test_on_loopback_none_is_asked_for(client: TestClient, bound: dict[str, object]) -> None:
    bound["server.address"] = "127.0.0.1"

    assert client.get("/").status_code == 200


def test_the_owner_can_leave_it_to_a_proxy(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(access_token.VARIABLE, "off")

    assert client.get("/").status_code == 200


@pytest.mark.parametrize("given", ["", "short"])
def test_without_one_that_is_long_enough_one_is_drawn_and_printed_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    monkeypatch.setenv(access_token.VARIABLE, given)

    assert client.get("/").status_code == 401
    assert client.get(f"/?token={given}").status_code == 401
    printed = capsys.readouterr().err
    assert printed.count("?token=") == 1
    drawn = printed.split("?token=")[1].strip()
    assert len(drawn) >= 32
    assert client.get(f"/?token={drawn}").status_code == 303
