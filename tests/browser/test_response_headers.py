"""The headers in real Chromium: every page works under them, and what they forbid does not
happen."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from one_run import PATIENCE
from playwright.sync_api import ConsoleMessage, Page, expect

GOAL = "/tune?document=sample:05-deep-nesting.md&strategy=heading-window&tune=goal"
"""What the visits of test_everyone.py, which bear no error on the console, do not show."""


def test_the_search_for_a_goal_breaks_no_rule_of_its_own_policy(page: Page, serve: Callable[[str], str]) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if against_policy(message) else None)
    page.goto(serve("app.py") + GOAL)
    page.locator('button[kind="primary"]').first.wait_for(state="attached", timeout=PATIENCE)
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    assert said == []


def against_policy(message: ConsoleMessage) -> bool:
    return "Content Security Policy" in message.text or "violates" in message.text


def test_a_script_that_came_into_the_page_does_not_run(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(serve("app.py"))
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.evaluate("""() => {
        document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = 1'>");
        const script = document.createElement("script");
        script.textContent = "window.ran = 2";
        document.body.append(script);
    }""")
    expect(page.locator("img[src=x]")).to_be_attached()
    assert page.evaluate("window.ran") is None


def test_another_site_cannot_show_the_app_in_a_frame(
    page: Page, serve: Callable[[str], str], other_site: Callable[[str], str]
) -> None:
    app = serve("app.py")
    page.goto(other_site(f'<title>other</title><iframe src="{app}"></iframe>'))
    expect(page).to_have_title("other")
    framed = page.frames[1]
    framed.wait_for_load_state()
    assert framed.locator("#root").count() == 0


def test_files_components_refusals_and_missing_pages_have_the_headers(serve: Callable[[str], str]) -> None:
    app = serve("app.py")
    for path, host in (
        ("/", ""),
        ("/_stcore/health", ""),
        ("/favicon.png", ""),
        ("/no/such", ""),
        ("/", "evil.example"),
    ):
        asked = urllib.request.Request(app + path, headers={"Host": host} if host else {})
        try:
            answer = urllib.request.urlopen(asked)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff", (path, host)
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], (path, host)


@pytest.fixture
def other_site() -> Iterator[Callable[[str], str]]:
    """`other_site(html)` serves a page from another port and gives its address."""
    pages: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[-1])

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def start(html: str) -> str:
        pages.append(html.encode())
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    server.shutdown()
    server.server_close()
