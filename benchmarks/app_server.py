"""A server of the app for measuring, and how soon it says that it is well."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from chunking.document.given_files import variables_of

ROOT = Path(__file__).parents[1]
_BETWEEN = 0.05
"""Seconds between two questions."""


def serve(folder: Path, opened: Sequence[Path] = ()) -> tuple[subprocess.Popen[bytes], str]:
    """A Streamlit server of the app on a free port of this machine, with `folder` as its home and
    these files and folders `opened`; waits until it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.headless=true"]
    server = subprocess.Popen(
        [*command, f"--server.port={port}"],
        cwd=ROOT,  # where Streamlit finds the app's settings
        env=os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(folder), **variables_of(opened, watch=False)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return server, address
        except OSError:
            time.sleep(0.2)
    server.kill()
    raise SystemExit("the Streamlit server did not start in a minute")


@contextmanager
def health_watched(address: str) -> Iterator[list[float]]:
    """The seconds of each answer of /_stcore/health while the block runs, asked each 50 ms."""
    took: list[float] = []
    over = Event()

    def ask() -> None:
        while not over.wait(_BETWEEN):
            began = time.perf_counter()
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=60).close()
            except OSError:
                took.append(float("inf"))
                continue
            took.append(time.perf_counter() - began)

    asking = Thread(target=ask, daemon=True)
    asking.start()
    try:
        yield took
    finally:
        over.set()
        asking.join()
