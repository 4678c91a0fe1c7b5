"""Who may ask `chunkscope serve`, by its address, its names and its token."""

from __future__ import annotations

import httpx2 as httpx
import pytest
from own_loop import in_a_loop

from chunking.errors import ConfigError

pytest.importorskip("uvicorn", reason="needs the extra serve")

from starlette.types import Receive, Scope, Send

from chunking.cli.service.access import Access, guarded, token_for
from chunking.cli.service.request_errors import json_answer

TOKEN = "correct-horse-battery"


async def welcome(scope: Scope, receive: Receive, send: Send) -> None:
    await json_answer("welcome")(scope, receive, send)


def asked(access: Access, path: str = "/v1/run", **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=guarded(welcome, access, ["/v1/run"]))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8600") as client:
            return await client.get(path, headers=headers)

    return in_a_loop(ask())


@pytest.mark.parametrize(
    ("access", "host", "status"),
    [
        (Access("127.0.0.1"), "localhost:8600", 200),
        (Access("127.0.0.1"), "[::1]:8600", 200),
        (Access("127.0.0.1"), "rebound.example", 403),
        (Access("127.0.0.1"), "10.0.0.1", 403),
        (Access("127.0.0.1"), "localhost, rebound.example", 403),
        (Access("127.0.0.1", ("kb.example",)), "KB.example.:443", 200),
        (Access("0.0.0.0"), "10.0.0.1", 200),
        (Access("0.0.0.0"), "rebound.example", 403),
    ],
)
def test_it_is_asked_only_by_names_that_its_owner_knows(access: Access, host: str, status: int) -> None:
    assert asked(access, host=host).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://localhost:8600", 200), ("http://localhost:8501", 403), ("https://evil.example", 403), ("null", 403)],
)
def test_a_page_of_another_site_is_not_answered(origin: str, status: int) -> None:
    assert asked(Access("127.0.0.1"), origin=origin).status_code == status


@pytest.mark.parametrize(
    ("brought", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": f"bearer {TOKEN}"}, 200),
    ],
)
def test_the_token_is_asked_for_but_of_a_health_check(brought: dict[str, str], status: int) -> None:
    access = Access("0.0.0.0", token=TOKEN)
    refused = asked(access, **brought)

    assert refused.status_code == status
    assert refused.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
    assert asked(access, "/health").status_code == 200


def test_every_response_says_that_nothing_is_to_be_run_framed_guessed_or_kept() -> None:
    for response in (asked(Access("127.0.0.1")), asked(Access("127.0.0.1"), host="rebound.example")):
        assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"


def test_a_token_is_drawn_where_others_come_and_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHUNKSCOPE_TOKEN", raising=False)
    drawn, is_new = token_for("0.0.0.0", ())

    assert (len(drawn) >= 32, is_new) == (True, True)
    assert token_for("127.0.0.1", ("kb.example",))[1]
    assert token_for("127.0.0.1", ()) == ("", False)


def test_a_token_of_the_environment_is_asked_for_everywhere_and_may_not_be_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_TOKEN", TOKEN)
    assert token_for("127.0.0.1", ()) == token_for("0.0.0.0", ()) == (TOKEN, False)

    monkeypatch.setenv("CHUNKSCOPE_TOKEN", "off")
    assert token_for("0.0.0.0", ()) == ("", False)

    monkeypatch.setenv("CHUNKSCOPE_TOKEN", "short")
    with pytest.raises(ConfigError, match="CHUNKSCOPE_TOKEN has 5 characters, fewer than 16"):
        token_for("0.0.0.0", ())


def test_the_log_names_no_address_that_was_made_up(capfd: pytest.CaptureFixture[str]) -> None:
    asked(Access("127.0.0.1"), "/v1/run?token=secret")
    asked(Access("127.0.0.1"), "/secret-document.md")

    assert [line.split()[:4] for line in capfd.readouterr().err.splitlines()] == [
        ["chunkscope:", "GET", "/v1/run", "200"],
        ["chunkscope:", "GET", "-", "200"],
    ]
