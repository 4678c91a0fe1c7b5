"""What is answered from memory is what Streamlit would answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_loop import in_a_loop
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.ui.server import held_files
from pages.ui.server.held_files import HeldFiles
from pages.ui.server.response_headers import SafeHeaders

ASKED: list[str] = []
OURS = "/_stcore/bidi-components/chunkscope.tea/tea/tea.js"


async def answer(request: Request) -> Response:
    ASKED.append(f"{request.method} {request.url.path}")
    status = 404 if "missing" in request.url.path else 200
    return Response(f"{len(ASKED)}", status, {"etag": '"1"'}, media_type="text/javascript")


@pytest.fixture(name="client")
def _client() -> TestClient:
    ASKED.clear()
    return TestClient(_app())


def _app() -> ASGIApp:
    route = Route("/{path:path}", answer, methods=["GET", "HEAD", "POST"])
    return Starlette(routes=[route], middleware=[Middleware(SafeHeaders), Middleware(HeldFiles)])


def test_a_file_is_read_once_and_answered_alike(client: TestClient) -> None:
    first, again = (client.get("/static/js/index.js") for _ in range(2))

    assert ASKED == ["GET /static/js/index.js"]
    assert (again.status_code, again.content, again.headers) == (first.status_code, first.content, first.headers)
    assert again.headers["etag"] == '"1"'
    assert len(again.headers.get_list("content-security-policy")) == 1


@pytest.mark.parametrize("headers", [{"Range": "bytes=0-1"}, {"If-None-Match": '"1"'}, {"Accept-Encoding": "br"}])
def test_who_asks_for_it_in_another_way_is_not_given_what_is_held(client: TestClient, headers: dict[str, str]) -> None:
    client.get("/static/js/index.js")

    assert client.get("/static/js/index.js", headers=headers).text == "2"


@pytest.mark.parametrize("path", ["/", "/media/a.pdf", "/_stcore/health", "/static/missing.js", OURS])
def test_nothing_else_is_held(client: TestClient, path: str) -> None:
    assert [client.get(path).text for _ in range(2)] == ["1", "2"]


def test_only_a_request_to_read_is_answered_from_memory(client: TestClient) -> None:
    client.get("/static/a.js")

    assert client.post("/static/a.js").text == "2"
    assert client.head("/static/a.js").status_code == 200
    assert ASKED[1:] == ["POST /static/a.js", "HEAD /static/a.js"]


def test_a_component_that_is_edited_is_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(held_files, "_COMPONENTS", tmp_path)
    file = tmp_path / "tea" / "tea.js"
    file.parent.mkdir()
    file.touch()
    ASKED.clear()
    client = TestClient(_app())
    before = [client.get(OURS).text for _ in range(2)]
    file.write_text("// other")

    assert before == ["1", "1"]
    assert client.get(OURS).text == "2"


@pytest.mark.parametrize(
    "sent",
    [
        [],
        [{"type": "http.response.start", "status": 200, "headers": []}],
        [
            {"type": "http.response.start", "status": 200, "headers": []},
            {"type": "http.response.body", "body": b"half", "more_body": True},
        ],
    ],
)
def test_an_answer_that_ended_early_because_nobody_waited_for_it_is_not_held(sent: list[Message]) -> None:
    asked: list[str] = []

    async def ends_early(scope: Scope, _receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        for message in sent:
            await send(message)

    app, answered = HeldFiles(ends_early), list[Message]()

    async def keep(message: Message) -> None:
        answered.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/static/a.js", "headers": []}
    for _ in range(2):
        in_a_loop(app(scope, nothing, keep))

    assert (len(asked), answered) == (2, sent * 2)


def test_no_more_than_a_number_of_bytes_is_held(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_files, "_MOST", 5000)

    assert [client.get(f"/static/{name}.js").text for name in "abab"] == ["1", "2", "1", "3"]
