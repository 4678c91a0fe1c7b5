"""Running the command line in tests: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from chunking import cli

GUIDE = "# Guide\n\nHello there.\n\n## Install\n\nRun \x1b[31mit\x1b[0m.\n\n## Use\n\nUse it, 語.\n"
EXAMPLE = "chunkscope: 1\nstrategy: every-heading\ncounter: words\n"


@dataclass(frozen=True)
class CommandResult:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        """Its output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def chunkscope(capfd: pytest.CaptureFixture[str], *arguments: str) -> CommandResult:
    """Run a command in this process."""
    code = cli.main(arguments)
    captured = capfd.readouterr()
    return CommandResult(code, captured.out, captured.err)


def process(*arguments: str, stdin: str = "", **variables: str) -> CommandResult:
    """A process of its own: for standard input, locales, pipes and signals."""
    done = subprocess.run(
        [sys.executable, "-m", "chunking", *arguments],
        input=stdin.encode(),
        capture_output=True,
        env={**os.environ, **variables},
        check=False,
    )
    return CommandResult(done.returncode, done.stdout.decode(), done.stderr.decode())
