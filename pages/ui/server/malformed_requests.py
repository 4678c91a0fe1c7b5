"""What uvicorn answers by itself to what is no request, before the app is asked: with the headers
of every other response.

uvicorn adds no headers there, and Streamlit, which starts it, gives it none to add. So the methods
that write these answers are replaced here: of the protocol of HTTP that is in use (h11 or
httptools), and of the WebSockets' handshake.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets import websockets_sansio_impl as sockets
from websockets.http11 import Response
from websockets.server import ServerProtocol

from pages.ui.server.response_headers import safe_headers

_receive = sockets.WebSocketsSansIOProtocol.data_received


class _Handshake(ServerProtocol):
    """A WebSocket's side of the server, whose refusals have the headers."""

    def send_response(self, response: Response) -> None:
        if response.status_code != 101:
            for name, value in safe_headers().items():
                response.headers.setdefault(name, value)
        super().send_response(response)


def answer_them_with_headers() -> None:
    """Have uvicorn add the headers from now on."""
    AutoHTTPProtocol.send_400_response = _refuse  # type: ignore[attr-defined]
    sockets.ServerProtocol = _Handshake  # type: ignore[attr-defined]
    sockets.WebSocketsSansIOProtocol.data_received = _receive_or_refuse  # type: ignore[method-assign]


def failed(_request: Request, _fault: Exception) -> PlainTextResponse:
    """The answer where a route has failed: Starlette makes it outside of what adds the headers."""
    return PlainTextResponse("Internal Server Error", 500, safe_headers())


def _refuse(self: H11Protocol, said: str) -> None:
    """Answer in the place of the app, and close; no answer where one is being made."""
    answering = self.cycle
    if answering is None or answering.response_complete or not answering.response_started:
        if answering is not None:
            answering.disconnected = True  # what the app still says goes nowhere
        headers = {"content-type": "text/plain; charset=utf-8", "content-length": f"{len(said)}", "connection": "close"}
        lines = [f"{name}: {value}\r\n" for name, value in {**headers, **safe_headers()}.items()]
        self.transport.write("".join(["HTTP/1.1 400 Bad Request\r\n", *lines, "\r\n", said]).encode("ascii"))
    self.transport.close()


def _receive_or_refuse(self: sockets.WebSocketsSansIOProtocol, data: bytes) -> None:
    """As before; a handshake that is refused while it is read is answered too, and ended."""
    _receive(self, data)
    if not self.handshake_initiated and (answer := self.conn.data_to_send()):
        self.transport.write(b"".join(answer))
        self.transport.close()
