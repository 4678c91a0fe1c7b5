"""The line that says how far a command is: seen by who watches a terminal, and gone afterwards."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from chunking.cli.watched_line import WatchedLine

PROGRAM = """
import os, signal, sys, threading
from itertools import count
from types import SimpleNamespace
from chunking.cli import terminal

terminal.time = SimpleNamespace(monotonic=count().__next__)
signal.signal(signal.SIGINT, signal.default_int_handler)
seen = []
for each in terminal.ProgressLine(results_on_screen=False).through(range(3){total}):
    seen.append(threading.active_count())
    {each}
terminal.print_error("done")
print(max(seen), "rich.progress" in sys.modules)
"""


def on_a_terminal(each: str = "pass", total: str = "") -> tuple[int, str, str]:
    """The exit code, what standard output got, and what a terminal got as standard error."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PROGRAM.format(each=each, total=total and f", {total}")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as started:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the terminal's other end was closed
            while more := os.read(ours, 65536):
                shown += more
        os.close(ours)
        out, _ = started.communicate(timeout=30)
    return started.returncode, out, shown.decode()


def test_documents_are_counted_on_one_line_that_is_taken_away_before_a_message() -> None:
    code, out, shown = on_a_terminal()
    counted, _, after = shown.rpartition("\x1b[2K")

    assert (code, out) == (0, "1 True\n")
    assert all(words in counted for words in ("1 document", "2 documents", "3 documents"))
    assert after == "chunkscope: done\r\n"


def test_the_cursor_is_never_hidden_however_the_program_ends() -> None:
    for ends, code in (("pass", 0), ("os.kill(os.getpid(), signal.SIGTERM) if each else 0", -signal.SIGTERM)):
        ended, _, shown = on_a_terminal(ends)

        assert ended == code
        assert "1 document" in shown
        assert "\x1b[?25" not in shown


def test_where_nobody_watches_nothing_is_said_and_nothing_is_loaded_for_it() -> None:
    command = [sys.executable, "-c", PROGRAM.format(each="pass", total="")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("1 False\n", "chunkscope: done\n")


def test_where_their_number_is_known_the_rate_and_the_time_that_is_left_are_said() -> None:
    code, _, shown = on_a_terminal("import time; time.sleep(0.02)", "lambda: 1003, lambda: 1000")

    assert code == 0
    assert re.search(r"1,001 of 1,003 documents\b", shown)
    assert re.search(r"1,002 of 1,003 documents, \d+(\.\d)? a second, 0:00:01 left", shown)


WAIT = """
import sys
from itertools import count
from types import SimpleNamespace
from chunking.cli import terminal
from chunking.models import waiting

terminal.time = SimpleNamespace(monotonic=count().__next__)
with waiting.while_waiting(terminal.ProgressLine(results_on_screen=False).of_wait):
    waiting.tell(waiting.Waiting("compatible/m", 3.2, 120.0, 1, 5, ""))
    waiting.tell(waiting.Waiting("compatible/m", 9.0, 120.0, 2, 5, "answered 503 Service Unavailable"))
    waiting.tell(None)
waiting.tell(waiting.Waiting("nobody", 1.0, 120.0, 1, 5, ""))
terminal.print_error("done")
"""


def test_a_wait_for_a_server_is_told_and_taken_away_when_it_is_over() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", WAIT], stderr=theirs, env={**os.environ, "COLUMNS": "160"}) as started:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the terminal's other end was closed
            while more := os.read(ours, 65536):
                shown += more
        os.close(ours)
    told, _, after = shown.decode().rpartition("\x1b[2K")

    assert started.returncode == 0
    assert "compatible/m: waited 3 s, at most 120 s (Ctrl-C ends it)" in told
    assert "compatible/m: answered 503 Service Unavailable, attempt 2 of 5; waited 9 s" in told
    assert "nobody" not in told
    assert after == "chunkscope: done\r\n"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_is_on_what_is_standard_error_when_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    former, now = Screen(), Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", former)
    line = WatchedLine()
    former.close()
    monkeypatch.setattr(sys, "stderr", now)

    line.show("1 document")
    line.clear()

    assert "1 document" in now.getvalue()
