"""The app's style in the page itself, so that what is drawn first already has its place: sent as an
element of the page it would come after others, and move them. With it comes what is seen before any
script has run (layout/loading.css), which modules the browser is to ask for at once, and those
that run before Streamlit has drawn a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.ui.server.first_modules import FIRST_SCRIPTS, PAGES, TAB_NAME, modules_of
from pages.ui.server.stylesheets import stylesheet

_UI = Path(__file__).resolve().parents[1]
_FILES = (
    *("layout/style.css", "layout/loading.css", "layout/streamlit_dom.css", "side_by_side/style.css"),
    *("corpus/page.css", "tune/page.css", "retrieve/page.css", "strategies/page.css"),
)
_END = b"</body>"
"""There it is behind the styles that Streamlit writes into the head, and wins over them."""
_LOADING = (
    b'<div class="cs-loading" data-page="%s" aria-hidden="true"><b>Chunkscope <span>is loading</span></b>'
    + 4 * b"<i></i>"
    + b"</div>"
)


class FirstStyle:
    """Writes the style into every HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def with_style(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                if not MutableHeaders(scope=message).get("content-type", "").startswith("text/html"):
                    start = None
                    await send(message)
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    styled = body.replace(_END, _first(_page(scope["path"])) + _END, 1)
                    headers = MutableHeaders(scope=start)
                    if "content-length" in headers:
                        headers["content-length"] = str(len(styled))
                    await send(start)
                    await send({"type": "http.response.body", "body": styled})

        await self._app(_uncompressed(scope), receive, with_style)


def _uncompressed(scope: Scope) -> Scope:
    """The request for a page as it is: a compressed one could not be written into."""
    left_out = (b"accept-encoding", b"if-none-match", b"if-modified-since")
    return {**scope, "headers": [header for header in scope["headers"] if header[0] not in left_out]}


def _page(path: str) -> str:
    """Which of our pages a path leads to; Inspect is what Streamlit shows for every other."""
    name = path.strip("/").rpartition("/")[2]
    return name if name in PAGES else "inspect"


@cache
def _first(page: str) -> bytes:
    style = "\n".join(stylesheet(_UI / file) for file in _FILES).encode()
    modules = "".join(f'<link rel="modulepreload" crossorigin href="{module}">' for module in modules_of(page))
    tab = f'<script src="{TAB_NAME}"></script>'
    scripts = "".join(f'<script type="module" src="{script}"></script>' for script in FIRST_SCRIPTS)
    return b"<style>" + style + b"</style>" + (modules + tab + scripts).encode() + _LOADING % page.encode()
