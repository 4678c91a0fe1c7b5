"""What every response says to the browser: nothing but this server's own code runs, nothing is
asked of another server, and no other site shows the app in a frame.

A second line of defence: document text is never HTML to begin with (`chunking/report/html.py`,
`pages/ui/layout/markup.py`). What is allowed was found by opening every page in Chromium
(tests/browser/test_response_headers.py).
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class SafeHeaders:
    """Adds the headers to every HTTP response, refusals included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in safe_headers().items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


@cache
def safe_headers() -> dict[str, str]:
    """Header to value, the same for every response."""
    policy = {
        "default-src": "'self'",
        # Streamlit's page has a script of its own between its tags: that very text is allowed.
        "script-src": " ".join(["'self'", *_inline_script_hashes()]),
        # Streamlit and plotly write styles while the page lives; styles cannot run anything.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


def _inline_script_hashes() -> list[str]:
    page = Path(st.__file__).parent / "static" / "index.html"
    return [
        f"'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'"
        for script in _INLINE_SCRIPT.findall(page.read_bytes())
    ]
