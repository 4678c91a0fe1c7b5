"""`chunkscope serve`: what the commands print, over HTTP."""

from __future__ import annotations

import os
import socket
from typing import Annotated

import typer

from chunking.cli.service.options import MaxMemory, MaxSeconds, Models, limits_of, patience_of, share_of
from chunking.cli.terminal import flush, print_error, print_line
from chunking.errors import OutputError
from chunking.runtime.extras import missing
from chunking.text.display import shown_text

_MOST_WORKERS = 4
_MB = 1_000_000


def serve_command(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = 8600,
    address: Annotated[str, typer.Option(metavar="IP", help="Where it listens.")] = "127.0.0.1",
    host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name by which others may reach it, as of a proxy; may be given several times."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, max=64, help="Processes, each with one request at a time; 0: one a core, at most 4.")
    ] = 0,
    waiting: Annotated[int, typer.Option(min=0, max=10_000, help="Requests that may wait for a free process.")] = 64,
    max_seconds: MaxSeconds = 60,
    max_memory: MaxMemory = 2048,
    max_body: Annotated[
        int, typer.Option(min=1, max=1000, metavar="MB", help="Refuse a larger request before it is read.")
    ] = 50,
    body_seconds: Annotated[
        float, typer.Option(min=0.1, help="End a request whose head or body takes longer to arrive.")
    ] = 30,
    models: Models = False,
) -> None:
    """Answer over HTTP what the commands print: JSON lines of chunks as `run` writes them.

    On loopback nothing is asked of who comes; beyond it, and under names of --host, the token of
    CHUNKSCOPE_TOKEN, or one that is drawn and printed (`off`: a proxy asks who comes)."""
    if absent := missing("serve"):
        raise OutputError(f"serve: {absent}")
    from chunking.cli.service.access import Access, token_for
    from chunking.cli.service.answers import get_ready
    from chunking.cli.service.http_app import Service
    from chunking.cli.service.http_server import answer_requests
    from chunking.cli.service.work import Terms
    from chunking.cli.service.workers import Workers

    count = workers or min(_MOST_WORKERS, os.cpu_count() or 1)
    terms = Terms(limits_of(max_seconds, max_memory), models)
    token, drawn = token_for(address, host or ())
    pool = Workers(count, waiting, patience_of(max_seconds), get_ready, share_of(count))
    listening = _listening(address, port)
    print_line(f"http://{_in_url(address)}:{listening.getsockname()[1]}")
    flush()
    if drawn:
        print_error(f"others can reach this server; they must send  Authorization: Bearer {token}")
    answer_requests(
        Service(pool, terms, max_body * _MB, body_seconds, Access(address, tuple(host or ()), token)), listening
    )


def _listening(address: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OutputError, one line."""
    if not address:
        raise OutputError("--address: is empty; write 127.0.0.1, or 0.0.0.0 for every address of this machine")
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((address, port), family=family)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(
            f"--address {shown_text(address)} --port {port}: cannot be opened ({reason}); choose another"
        ) from None
    # Its connections send at once: asyncio has only those do so that are named TCP.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
