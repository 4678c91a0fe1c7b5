"""The socket of a drag: who is answered on it, and who is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from chunking import Config, parse, run
from pages.ui.choices.plans import Plan
from pages.ui.components.threshold_rail import rail_drawn
from pages.ui.inspect import drag_socket
from pages.ui.inspect.drag_session import Desk


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A server that has nothing but the socket."""
    with TestClient(Starlette(routes=drag_socket.routes())) as client:
        yield client
    drag_socket._desks.clear()
    drag_socket._served.clear()


def desk(name: str = "a.md") -> Desk:
    config = Config.of("every-heading", {})
    return Desk(
        document=parse("# A\n\none\n\n# B\n\ntwo\n", name=name),
        plan=Plan("every-heading"),
        counter="",
        good=config,
        selected=None,
        thresholds=(),
        cut=run,
        marks=lambda _: (),
        rail=lambda cut, _plan, _settled: rail_drawn((), None, f"{len(cut.chunks)} chunks"),
        figures=lambda _: (),
    )


def test_the_desk_that_was_opened_under_a_name_answers_under_it(client: TestClient) -> None:
    path = drag_socket.open_desk("secret", desk())

    with client.websocket_connect(path) as socket:
        socket.send_text('{"sequence": 3, "values": {}}')
        said = socket.receive_bytes()

    head = json.loads(said[4 : 4 + int.from_bytes(said[:4], "little")])
    assert path == "/live/secret"
    assert head["sequence"] == 3
    assert head["rail"]["summary"] == "2 chunks"


def test_a_name_that_nobody_was_given_is_not_answered(client: TestClient) -> None:
    drag_socket.open_desk("secret", desk())

    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live/guess"):
        pass


def test_a_page_of_another_origin_is_not_answered(client: TestClient) -> None:
    path = drag_socket.open_desk("secret", desk())

    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers={"origin": "http://elsewhere"}):
        pass


def test_a_page_of_this_origin_is_answered(client: TestClient) -> None:
    path = drag_socket.open_desk("secret", desk())

    with client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        socket.send_text("{}")
        assert socket.receive_bytes()


def test_bytes_end_the_talk(client: TestClient) -> None:
    path = drag_socket.open_desk("secret", desk())

    with client.websocket_connect(path) as socket:
        socket.send_bytes(b"\0")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_bytes()


def test_the_oldest_desk_makes_room_and_its_socket_is_refused(client: TestClient) -> None:
    path = drag_socket.open_desk("first", desk())
    with client.websocket_connect(path) as socket:
        for number in range(16):
            drag_socket.open_desk(f"later {number}", desk())
        socket.send_text('{"sequence": 1, "values": {}}')
        said = socket.receive_bytes()

    assert b'"refused":true' in said


def test_without_a_server_that_has_the_route_there_is_no_path() -> None:
    assert drag_socket.open_desk("secret", desk()) == ""
