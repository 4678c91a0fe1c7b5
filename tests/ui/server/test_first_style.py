"""The page that the browser gets first has the app's style in it."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.ui.server.first_style import FirstStyle

PAGE = "<html><head><style>.of-streamlit {}</style></head><body><div id=root></div></body></html>"


async def page(_: Request) -> HTMLResponse:
    return HTMLResponse(PAGE)


async def numbers(_: Request) -> JSONResponse:
    return JSONResponse({"html": "</body>"})


APP = Starlette(
    routes=[Route("/numbers", numbers), Route("/{path:path}", page)],
    middleware=[Middleware(FirstStyle), Middleware(GZipMiddleware, minimum_size=1)],
)
BROWSER = {"accept": "text/html,*/*", "accept-encoding": "gzip"}


def test_the_style_stands_in_the_page_behind_what_is_in_its_head() -> None:
    text = TestClient(APP).get("/", headers=BROWSER).text

    assert text.index(".of-streamlit") < text.index(".st-key-nav") < text.index("</body>")
    assert text.count("</body>") == 1


def test_what_is_no_page_is_sent_as_it_is() -> None:
    assert TestClient(APP).get("/numbers", headers=BROWSER).json() == {"html": "</body>"}
    assert TestClient(APP).get("/", headers={"accept": "*/*"}).text == PAGE


def test_what_is_seen_before_any_script_runs_is_that_of_the_page() -> None:
    client = TestClient(APP)
    texts = {path: client.get(path, headers=BROWSER).text for path in ("/", "/base/tune", "/tune/", "/nothing")}
    shown = {path: text.partition('"cs-loading" data-page="')[2].partition('"')[0] for path, text in texts.items()}

    assert shown == {"/": "inspect", "/base/tune": "tune", "/tune/": "tune", "/nothing": "inspect"}
    assert "source_view/view.js" in texts["/"]
    assert "source_view/view.js" not in texts["/tune/"]
