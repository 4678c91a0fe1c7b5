"""A browser's half of Streamlit's protocol, without a browser: a session of the app on a real
server, and its drag's socket."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

ROOT = Path(__file__).parents[1]
_PATIENCE = 120.0
_WITH_KEYS: tuple[Literal["text_area"], Literal["button"]] = ("text_area", "button")


@contextmanager
def serving(*options: str, variables: Mapping[str, str] | None = None) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The app's own server on a free port of this machine, with its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.headless=true"]
    server = subprocess.Popen(
        [*command, f"--server.port={port}", *options],
        cwd=ROOT,  # where Streamlit finds the app's settings
        env=os.environ | {"PYTHONPATH": str(ROOT), "CHUNKSCOPE_DATA": "off"} | dict(variables or {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield server, port
    finally:
        server.terminate()
        server.wait(20)


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} did not answer")


class Session:
    """One person's session. What came with the last run is in `messages`."""

    def __init__(
        self,
        port: int,
        query: str = "",
        headers: Mapping[str, str] | None = None,
        further: Sequence[str] = (),
    ) -> None:
        """`further` are subprotocols: a browser names its XSRF token among them."""
        self.port = port
        self._query = query
        self.messages: list[ForwardMsg] = []
        self.id = ""
        self._open = ExitStack()
        asked = connect(
            f"ws://127.0.0.1:{port}/_stcore/stream",
            subprotocols=[Subprotocol(each) for each in ("streamlit", *further)],
            additional_headers=dict(headers or {}),
            max_size=None,
            open_timeout=_PATIENCE,
        )
        self._socket: ClientConnection = self._open.enter_context(asked)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, states: WidgetStates | None = None) -> Session:
        """Run the page with these states of its widgets, and wait until it has run."""
        asked = BackMsg()
        asked.rerun_script.query_string = self._query
        if states:
            asked.rerun_script.widget_states.CopyFrom(states)
        self._socket.send(asked.SerializeToString())
        self.messages.clear()
        while True:
            message = ForwardMsg()
            heard = self._socket.recv(_PATIENCE)
            message.ParseFromString(heard if isinstance(heard, bytes) else heard.encode())
            self.messages.append(message)
            if message.WhichOneof("type") == "new_session":
                self.id = message.new_session.initialize.session_id
            if message.WhichOneof("type") == "script_finished":
                return self

    def paste(self, text: str) -> Session:
        """Add a text as pasted, and run."""
        states = WidgetStates()
        states.widgets.add(id=self._widget("pasted"), string_value=text)
        states.widgets.add(id=self._widget("use-paste"), trigger_value=True)
        return self.run(states)

    def _widget(self, key: str) -> str:
        """The id of the widget with this key, as the last run drew it."""
        elements = (message.delta.new_element for message in self.messages if message.HasField("delta"))
        ids = [str(getattr(each, kind).id) for each in elements for kind in _WITH_KEYS if each.HasField(kind)]
        return next(each for each in ids if each.endswith(f"-{key}"))

    def answered(self, frame: bytes) -> object:
        """What comes next after a frame that is sent as it is. Raises ConnectionClosed."""
        self._socket.send(frame)
        return self._socket.recv(_PATIENCE)

    def said(self) -> str:
        """All that the run wrote, as one text."""
        return "\n".join(str(message) for message in self.messages)

    def drag(self, values: Mapping[str, float], times: int = 1) -> int:
        """Move thresholds on the drag's own socket. Gives the bytes that were answered."""
        path, received = self._live(), 0
        with connect(f"ws://127.0.0.1:{self.port}{path}", max_size=None, open_timeout=_PATIENCE) as live:
            for sequence in range(times):
                live.send(json.dumps({"sequence": sequence, "values": dict(values)}))
                received += len(live.recv(_PATIENCE))
        return received

    def _live(self) -> str:
        for message in self.messages:
            text = message.SerializeToString()
            at = text.find(b"/live/")
            if at >= 0:
                end = next(i for i in range(at + 6, len(text)) if not (chr(text[i]).isalnum() or text[i] in b"-_"))
                return str(text[at:end], "ascii")
        raise LookupError("the page gave no socket to drag on")

    def close(self) -> None:
        """Go, as when a tab is closed."""
        self._open.close()
