"""A visitor of the app without a browser: speaks Streamlit's protocol with its server, and the
drag's."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 300.0
"""Seconds to wait for an answer before it counts as none."""
_RUN_ENDED, _PAGE_FAILED = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR
_XSRF = "_streamlit_xsrf"


class VisitError(Exception):
    """What a visitor was not given, in a line."""


class RefusedError(VisitError):
    """An upload that the server did not take."""


@dataclass
class Visit:
    """One session with the app: what its page holds now, and what can be done there."""

    address: str
    query: str
    """The page's address after the "?", as a browser would have it."""
    _socket: ClientConnection
    _http: httpx2.AsyncClient
    _widgets: dict[str, WidgetState] = field(default_factory=dict)
    _held: dict[tuple[int, ...], Element] = field(default_factory=dict)
    """What the page holds, by its place."""
    _written: set[tuple[int, ...]] = field(default_factory=set)
    """The places that this run of the script has written to."""
    session: str = ""
    first_painted: float = 0.0
    """When the data of the boundary view first came, by time.perf_counter()."""

    @classmethod
    async def open(cls, address: str, **query: str) -> Visit:
        """Come to the app and wait until the page is whole. `query` is what stands in the link."""
        http = httpx2.AsyncClient(timeout=PATIENCE, trust_env=False)
        try:
            await http.get(f"{address}/_stcore/health")
            token = http.cookies.get(_XSRF) or ""
            socket = await connect(
                f"ws://{urlsplit(address).netloc}/_stcore/stream",
                subprotocols=[websockets.Subprotocol(each) for each in ("streamlit", token) if each],
                additional_headers={"Cookie": f"{_XSRF}={token}"} if token else {},
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                proxy=None,
            )
        except BaseException:
            await http.aclose()
            raise
        visit = cls(address, urlencode(query), socket, http)
        try:
            await visit.run()
        except BaseException:
            await visit.close()
            raise
        return visit

    async def __aenter__(self) -> Visit:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave, as a closed tab does."""
        await self._socket.close()
        await self._http.aclose()

    async def run(self) -> None:
        """Have the page drawn again, with the widgets as they are, and wait until it is whole."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.widget_states.widgets.extend(self._widgets.values())
        await self._socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while (ended := self._take(await self._message())) is None:
                pass
        if ended == _PAGE_FAILED:
            raise VisitError("the page's script could not be read")

    async def choose(self, key: str, value: str) -> None:
        """Choose a value of a select box, and wait until the page is whole."""
        state = self._state("selectbox", key)
        state.string_value = value
        await self.run()

    async def upload(self, *files: tuple[str, bytes], key: str = "uploads") -> None:
        """Upload documents in place of those uploaded before, and wait until the page is whole."""
        asked = BackMsg()
        asked.file_urls_request.request_id = "files"
        asked.file_urls_request.session_id = self.session
        asked.file_urls_request.file_names.extend(name for name, _ in files)
        await self._socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while (message := await self._message()).WhichOneof("type") != "file_urls_response":
                self._take(message)
        given = message.file_urls_response
        if given.error_msg:
            raise RefusedError(given.error_msg)
        state = self._state("file_uploader", key)
        state.file_uploader_state_value.Clear()
        for (name, content), urls in zip(files, given.file_urls, strict=True):
            answer = await self._http.put(
                f"{self.address}{urls.upload_url}",
                files={"file": (name, content)},
                headers={"X-Xsrftoken": self._http.cookies.get(_XSRF) or ""},
            )
            if answer.status_code >= 300:
                raise RefusedError(f"{name}: the upload was answered with {answer.status_code}")
            state.file_uploader_state_value.uploaded_file_info.add(
                name=name, size=len(content), file_id=urls.file_id, file_urls=urls
            )
        await self.run()

    def exceptions(self) -> list[str]:
        """The faults that the page shows as Streamlit shows a fault of the script."""
        shown = [each.exception for each in self._held.values() if each.WhichOneof("type") == "exception"]
        return [f"{each.type}: {each.message}"[:300] for each in shown]

    def markup(self) -> str:
        """All of our own markup on the page."""
        return "\n".join(each.html.body for each in self._held.values() if each.WhichOneof("type") == "html")

    def component(self, name: str) -> dict[str, Any]:
        """The data that a component of ours was last sent, such as "threshold_rail"; empty where it
        is not on the page."""
        for each in self._held.values():
            part = each.bidi_component
            if each.WhichOneof("type") == "bidi_component" and part.component_name.endswith(f".{name}"):
                data = json.loads(part.mixed.json if part.WhichOneof("data") == "mixed" else part.json or "{}")
                return data if isinstance(data, dict) else {}
        return {}

    async def drag(self) -> Drag:
        """Take hold of the first threshold."""
        rail = self.component("threshold_rail")
        if not rail.get("channel"):
            raise VisitError("the page has no socket for a drag")
        socket = await connect(
            f"ws://{urlsplit(self.address).netloc}{rail['channel']}",
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            proxy=None,
        )
        return Drag(socket, rail["thresholds"][0])

    async def _message(self) -> ForwardMsg:
        try:
            message: ForwardMsg = ForwardMsg.FromString(await self._socket.recv(decode=False))
        except websockets.ConnectionClosed as error:
            raise VisitError(f"the server has ended the socket ({error})") from None
        return message

    def _take(self, message: ForwardMsg) -> int | None:
        """Note what a message says; how the run has ended, once it has."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._written.clear()
            self.session = message.new_session.initialize.session_id or self.session
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self._draw(message)
        elif kind == "script_finished" and message.script_finished in (_RUN_ENDED, _PAGE_FAILED):
            self._held = {place: each for place, each in self._held.items() if place in self._written}
            return message.script_finished
        return None

    def _draw(self, message: ForwardMsg) -> None:
        place = tuple(message.metadata.delta_path)
        self._written.add(place)
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        self._held[place] = element
        drawn = element.bidi_component.component_name if element.WhichOneof("type") == "bidi_component" else ""
        if drawn.endswith(".source_view"):
            self.first_painted = self.first_painted or time.perf_counter()

    def _state(self, kind: str, key: str) -> WidgetState:
        """What the widget of this key says from now on."""
        for each in self._held.values():
            if each.WhichOneof("type") == kind:  # an id ends in the key that the script gave
                name: str = getattr(each, kind).id
                if name.endswith(f"-{key}"):
                    return self._widgets.setdefault(name, WidgetState(id=name))
        raise VisitError(f"no {kind} with the key {key!r} is on the page")


@dataclass
class Drag:
    """The socket on which a threshold is dragged."""

    _socket: ClientConnection
    threshold: dict[str, Any]
    """The first one, as the rail has it: its `setting`, `minimum`, `maximum` and `step`."""
    sequence: int = 0
    pause: float = 0.0
    """Seconds that the server asked to wait before the next question, with its last answer."""

    def value(self, part: float) -> tuple[str, float]:
        """The setting, and its value at this part of its way, 0 to 1."""
        low, high = self.threshold["minimum"], self.threshold["maximum"]
        value = low + (high - low) * part
        return self.threshold["setting"], round(value) if isinstance(self.threshold["value"], int) else value

    def question(self, part: float) -> str:
        """The move to this part of its way, under the next number."""
        self.sequence += 1
        return json.dumps({"sequence": self.sequence, "values": dict([self.value(part)])})

    async def move(self, part: float) -> float:
        """Move the threshold; seconds until the answer to this very move is here."""
        began = time.perf_counter()
        await self._socket.send(self.question(part))
        async with asyncio.timeout(PATIENCE):
            while await self._answered() != self.sequence:
                pass
        return time.perf_counter() - began

    async def flood(self, questions: int) -> None:
        """Send as many at once, without waiting for an answer, then wait for the last one's."""
        for number in range(questions):
            await self._socket.send(self.question(number / questions))
        async with asyncio.timeout(PATIENCE):
            while await self._answered() != self.sequence:
                pass

    async def close(self) -> None:
        await self._socket.close()

    async def _answered(self) -> int:
        try:
            said = await self._socket.recv()
            self.pause = 0.0
            if isinstance(said, str):
                self.pause = json.loads(said)["pause"] / 1000
                said = await self._socket.recv(decode=False)
        except websockets.ConnectionClosed as error:
            raise VisitError(f"the server has ended the drag ({error})") from None
        head = json.loads(said[4 : 4 + int.from_bytes(said[:4], "little")])
        if head.get("refused"):
            raise VisitError(f"move {head.get('sequence')} was refused")
        return int(head["sequence"])
