"""The server of `chunkscope serve`: uvicorn, without logs of its own and with an end to waiting."""

from __future__ import annotations

import logging
import socket

import uvicorn

from chunking.cli.service.connections import BACKLOG, impatient
from chunking.cli.service.http_app import Service, application

_ENDS_WITHIN = 5
"""Seconds that requests have left when the server is told to end."""


def answer_requests(service: Service, listening: socket.socket) -> None:
    """Answer what comes in until a signal ends it."""
    # What uvicorn says has addresses and tracebacks in it.
    quiet = logging.getLogger("uvicorn")
    quiet.addHandler(logging.NullHandler())
    quiet.propagate = False
    config = uvicorn.Config(
        application(service),
        http=impatient(service.body_seconds),
        backlog=BACKLOG,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_ENDS_WITHIN,
    )
    uvicorn.Server(config).run([listening])
