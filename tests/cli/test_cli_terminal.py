"""What a document, a config or a file name holds reaches no terminal raw; files and pipes get it
exactly."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")

HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp\u202c\x08\r"
OURS = re.compile("\x1b\\[[0-9;]*[mKA]")
"""Colours of a table's head, and what takes the progress line away."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    text = f"# Tea {HOSTILE} pot\n\nSteep {HOSTILE} it.\n\n## {HOSTILE}\n\nfour minutes\n"
    name = "\x1b[31m\u202e.md"
    for path in (Path("d.md"), Path("docs") / name, Path(name)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    Path("bad.yaml").write_text('strategy: "\\e[31m\\u202e"\n', encoding="utf-8")
    Path("unknown.yaml").write_text('strategy: fixed\nsettings: {"\\e[31m\\u202e": "\\e[2J"}\n', encoding="utf-8")


ONE_BY_ONE = """
import sys
from chunking import cli
for command in sys.argv[1:]:
    cli.main(command.split(" "))
    print("---- next ----", flush=True)
"""


def on_terminal(commands: list[str]) -> list[str]:
    """What a person's terminal is sent by each of these commands, done one after another by one
    process."""
    here, there = pty.openpty()
    program = [sys.executable, "-c", ONE_BY_ONE, *commands]
    with subprocess.Popen(program, stdin=there, stdout=there, stderr=there) as started:
        os.close(there)
        said = b""
        with suppress(OSError):  # what a pseudo-terminal says at its end
            while some := os.read(here, 65536):
                said += some
        os.close(here)
        started.wait(timeout=60)
    *each, after = said.decode().split("---- next ----\r\n")
    assert (len(each), after) == (len(commands), "")
    return each


COMMANDS = [
    "run every-heading d.md",
    "run every-heading d.md --format csv",
    "run every-heading d.md --format markdown",
    "run every-heading d.md --format html",
    "run every-heading d.md --format markdown -o /dev/stdout",
    "run every-heading docs --format csv",
    "inspect every-heading d.md --health",
    "inspect every-heading docs",
    "explain every-heading d.md --line 5",
    "compare every-heading fixed docs",
    "compare every-heading fixed docs --markdown",
    "sweep fixed docs --set chunkSize=500:600:100",
    "verify section-rules docs --checklist",
    "run bad.yaml d.md",
    "run unknown.yaml d.md",
    "run fixed \x1b[31m\u202egone.md",
    "run \x1b[31m\u202e d.md",
    "run fixed d.md --\x1b[31m\u202e",
    "\x1b[31m\u202e --help",
    "search \x1b[31m\u202e.md tea",
]


def test_nothing_that_moves_a_terminal_reaches_it() -> None:
    for command, said in zip(COMMANDS, on_terminal(COMMANDS), strict=True):
        left = OURS.sub("", said).replace("\r\n", "").replace("\r", "")
        assert said.strip(), command
        assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", left) == [], command
        assert "\x1b[2J" not in said, command


def test_a_pipe_gets_every_byte_of_a_text_as_it_is() -> None:
    command = [sys.executable, "-m", "chunking", "run", "every-heading", "d.md", "--format", "markdown"]
    piped = subprocess.run(command, capture_output=True, check=True).stdout.decode()

    assert f"Steep {HOSTILE} it." in piped
