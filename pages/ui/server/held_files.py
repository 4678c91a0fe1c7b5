"""Scripts, styles and fonts are answered from memory after they were first asked for. A page asks
for some 250 of them, each of which takes Streamlit three to four milliseconds of the time in which
it could draw the page."""

from __future__ import annotations

from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_STREAMLITS = "/static/"
"""Their names change with what is in them."""
_OURS = "/_stcore/bidi-components/chunkscope."
_COMPONENTS = Path(__file__).resolve().parents[1] / "components"
_ASKS_FOR_MORE = frozenset((b"range", b"if-range", b"if-none-match", b"if-modified-since"))
"""Headers by which a request is answered in another way."""
_MOST = 64_000_000
"""Bytes that are held: Streamlit's files are 25 million."""
_OF_EACH = 4000
"""Bytes that an answer takes beside its body and its address."""

_Key = tuple[str, bytes, int]


class HeldFiles:
    """Holds the answers to requests for files, and gives them again until a file changes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._held: dict[_Key, list[Message]] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        held = self._held.get(key)
        if held is None:
            held = await self._ask(scope, receive)
            size = _OF_EACH + sum(map(len, key[:2])) + sum(len(message.get("body", b"")) for message in held)
            if key not in self._held and self._bytes + size <= _MOST and _is_whole(held):
                self._held[key] = held
                self._bytes += size
        for message in held:
            # Headers are added to a message on its way.
            await send({**message, "headers": [*message["headers"]]} if "headers" in message else message)

    async def _ask(self, scope: Scope, receive: Receive) -> list[Message]:
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        await self._app(scope, receive, keep)
        return answer


def _is_whole(answer: list[Message]) -> bool:
    """Whether a file was found and all of it answered: who asks may have gone in between."""
    start, *bodies = answer or [{}]
    ends = [body["type"] == "http.response.body" and not body.get("more_body", False) for body in bodies]
    return start.get("status") == 200 and ends[-1:] == [True]


def _key(scope: Scope) -> _Key | None:
    """What an answer depends on: the address, the encodings that are understood, and when a file of
    ours was last changed; None for what is no request for a file as it is."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    path: str = scope["path"]
    headers = dict(scope["headers"])
    if not path.startswith((_STREAMLITS, _OURS)) or not _ASKS_FOR_MORE.isdisjoint(headers):
        return None
    changed = 0
    if path.startswith(_OURS):
        try:
            changed = (_COMPONENTS / path.removeprefix(_OURS).partition("/")[2]).stat().st_mtime_ns
        except (OSError, ValueError):
            return None
    return path, headers.get(b"accept-encoding", b""), changed
