"""A server of `chunkscope serve` in a process of its own, as tests ask it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
from waiting import PATIENCE, until

STRATEGIES = """
import os, time
from chunking.core.strategy import Strategy

class Busy(Strategy):
    name = "busy"
    title = "Busy"
    summary = "Computes without end."
    rules = {}

    def split(self, document, tools):
        while True:
            pass
        yield

class Slow(Strategy):
    name = "slow"
    title = "Slow"
    summary = "Waits for ten minutes."
    rules = {}

    def split(self, document, tools):
        open(os.path.join(os.path.dirname(__file__), f"started-{os.getpid()}"), "w").close()
        time.sleep(600)
        yield
"""
"""Ways to cut that no server waits for."""


@dataclass(frozen=True)
class Server:
    """One that answers."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path
    """What it said on standard error."""
    client: httpx.Client

    def post(self, command: str, body: object, **headers: str) -> httpx.Response:
        """Ask one of its commands."""
        content = body if isinstance(body, str) else json.dumps(body)
        headers = {"content-type": "application/json", **headers}
        return self.client.post(f"/v1/{command}", content=content, headers=headers)

    def children(self) -> list[int]:
        """The processes below it."""
        return children_of(self.process.pid)


def install_strategies(folder: Path) -> None:
    """Put a package with the strategies above into a folder, to be found through PYTHONPATH."""
    (folder / "odd_strategies.py").write_text(STRATEGIES)
    installed = folder / "odd_strategies-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-strategies\nVersion: 1\n")
    named = "[chunkscope.strategies]\nbusy = odd_strategies:Busy\nslow = odd_strategies:Slow\n"
    (installed / "entry_points.txt").write_text(named)


@contextmanager
def serving(folder: Path, *options: str, **variables: str) -> Iterator[Server]:
    """A server with these options, at a free port, until the block is left."""
    path = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    command = [sys.executable, "-m", "chunking", "serve", "--port", "0", *options]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment)
    with process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().decode().strip()
            assert url, (folder / "log").read_text()
            with httpx.Client(base_url=url, timeout=PATIENCE) as client:
                yield Server(process, url, folder / "log", client)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait(timeout=PATIENCE)


def children_of(process: int) -> list[int]:
    """The processes that a process began, and those that they began."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *children_of(child)]
    return found


def is_alive(process: int) -> bool:
    """Whether it runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until_gone(processes: list[int]) -> None:
    """Wait until none of them runs."""
    until(lambda: not any(map(is_alive, processes)), otherwise=lambda: f"{processes} are there,")
