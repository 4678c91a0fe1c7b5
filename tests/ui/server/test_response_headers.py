"""What every response says to the browser."""

from __future__ import annotations

import re

from own_loop import in_a_loop
from starlette.types import Message, Receive, Scope, Send

from pages.ui.server.response_headers import SafeHeaders, safe_headers


def headers_of(kind: str) -> dict[str, str]:
    """What goes out of an app that starts a response with one header of its own."""
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": f"{kind}.start", "status": 403, "headers": [(b"x-frame-options", b"SAMEORIGIN")]})

    async def receive() -> Message:
        raise AssertionError("nothing is asked")

    async def send(message: Message) -> None:
        sent.append(message)

    in_a_loop(SafeHeaders(app)({"type": kind.split(".")[0]}, receive, send))
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_response_has_each_header_once_a_refusal_too() -> None:
    assert headers_of("http.response") == safe_headers()


def test_a_socket_is_left_as_it_is() -> None:
    assert headers_of("websocket.response") == {"x-frame-options": "SAMEORIGIN"}


def test_no_script_runs_but_the_servers_own_files_and_the_one_that_streamlits_page_holds() -> None:
    policy = safe_headers()["content-security-policy"]
    scripts = re.search("script-src ([^;]*)", policy)
    assert scripts
    own, *hashes = scripts[1].split()
    assert own == "'self'"
    assert len(hashes) == 1
    assert hashes[0].startswith("'sha256-")
    assert "unsafe-eval" not in policy


def test_no_other_site_shows_the_app_in_a_frame() -> None:
    assert "frame-ancestors 'none'" in safe_headers()["content-security-policy"]
    assert safe_headers()["x-frame-options"] == "DENY"
