"""The app's pages run without a browser (Streamlit's AppTest): opened at an address, and read."""

from __future__ import annotations

from pathlib import Path

from number_strips import strip_html
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[1]


def open_page(script: str = "", **query: str) -> AppTest:
    """A page opened at an address of its own, such as `pages/tune.py`; Inspect for "".

    Dots in the names of query parameters are written as two underscores.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if script:
        app.switch_page(script)
    for name, value in query.items():
        app.query_params[name.replace("__", ".")] = value
    return app.run()


def html(app: AppTest) -> str:
    """All markup of our own on the page, without styles, and the strip of numbers."""
    bodies = [element.proto.body for element in app.get("html")]
    return "\n".join([*(body for body in bodies if not body.startswith("<style")), strip_html(app)])


def address(app: AppTest) -> dict[str, str]:
    """The query parameters as the page has set them."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
