"""The socket of a drag: who is answered on it, and who is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from chunking import Config, Document, Run, parse, run
from pages.ui.choices.plans import Plan
from pages.ui.components.threshold_rail import rail_drawn
from pages.ui.dragging import drag_socket
from pages.ui.dragging.drag_session import DragSession


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A server that has nothing but the socket."""
    with TestClient(Starlette(routes=drag_socket.routes())) as client:
        yield client
    drag_socket._sessions.clear()
    drag_socket._served.clear()


def session(name: str = "a.md") -> DragSession:
    config = Config.of("every-heading", {})
    return DragSession(
        document=parse("# A\n\none\n\n# B\n\ntwo\n", name=name),
        plan=Plan("every-heading"),
        counter="",
        good=config,
        selected=None,
        thresholds=(),
        cut=run,
        marks=lambda _: (),
        only=lambda _: None,
        rail=lambda cut, _plan, _resolution: rail_drawn((), None, f"{len(cut.chunks)} chunks"),
        figures=lambda _: (),
    )


def test_the_session_that_was_opened_under_a_name_answers_under_it(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())

    with client.websocket_connect(path) as socket:
        socket.send_text('{"sequence": 3, "values": {}}')
        said = socket.receive_bytes()

    head = json.loads(said[4 : 4 + int.from_bytes(said[:4], "little")])
    assert path == "/live/secret"
    assert head["sequence"] == 3
    assert head["rail"]["summary"] == "2 chunks"


def test_a_name_that_nobody_was_given_is_not_answered(client: TestClient) -> None:
    drag_socket.open_session("secret", session())

    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live/guess"):
        pass


def test_a_page_of_another_origin_is_not_answered(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())

    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers={"origin": "http://elsewhere"}):
        pass


def test_a_page_of_this_origin_is_answered(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())

    with client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        socket.send_text("{}")
        assert socket.receive_bytes()


def test_bytes_end_the_talk(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())

    with client.websocket_connect(path) as socket:
        socket.send_bytes(b"\0")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_bytes()


def test_the_oldest_session_without_a_socket_makes_room_and_one_with_a_socket_stays(client: TestClient) -> None:
    talking, idle = drag_socket.open_session("talking", session()), drag_socket.open_session("idle", session())
    with client.websocket_connect(talking) as socket:
        socket.send_text("{}")
        socket.receive_bytes()
        for number in range(drag_socket._MOST_SESSIONS):
            drag_socket.open_session(f"later {number}", session())
        socket.send_text('{"sequence": 1, "values": {}}')
        said = socket.receive_bytes()

    assert b'"refused"' not in said
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(idle):
        pass


def test_the_latest_question_wins_and_those_that_waited_are_not_answered(client: TestClient) -> None:
    begun, go_on, cuts = Event(), Event(), []

    def waits(document: Document, config: Config) -> Run:
        cuts.append(config)
        begun.set()
        assert go_on.wait(20)
        return run(document, config)

    path = drag_socket.open_session("secret", replace(session(), cut=waits))
    with client.websocket_connect(path) as socket:
        socket.send_text('{"sequence": 1, "values": {}}')
        assert begun.wait(20)
        for number in range(2, 3001):
            socket.send_text(f'{{"sequence": {number}, "values": {{}}}}')
        go_on.set()
        answered = [sequence_of(socket.receive_bytes())]
        while answered[-1] != 3000:
            answered.append(sequence_of(socket.receive_bytes()))

    assert answered[0] == 1
    assert answered == sorted(answered)
    assert len(cuts) == len(answered) < 300


def test_a_second_socket_of_a_session_ends_the_first(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())
    with client.websocket_connect(path) as first, client.websocket_connect(path) as second:
        second.send_text('{"sequence": 5, "values": {}}')
        assert sequence_of(second.receive_bytes()) == 5
        with pytest.raises(WebSocketDisconnect) as ended:
            first.receive_bytes()

    assert ended.value.code == 4000


def test_a_question_that_is_too_long_ends_the_socket(client: TestClient) -> None:
    path = drag_socket.open_session("secret", session())
    with client.websocket_connect(path) as socket:
        socket.send_text(" " * 20_001)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_bytes()

    assert ended.value.code == 1009


def sequence_of(said: bytes) -> int:
    """The number of the question that this answers."""
    number = json.loads(said[4 : 4 + int.from_bytes(said[:4], "little")])["sequence"]
    assert isinstance(number, int)
    return number


def test_without_a_server_that_has_the_route_there_is_no_path() -> None:
    assert drag_socket.open_session("secret", session()) == ""
