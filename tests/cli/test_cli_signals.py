"""What ends a command from outside: nothing is half written, and no worker outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import chunkscope
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

SLOW_STRATEGY = """
import sys
from chunking import cli, strategies
from slow_strategy import Slow

known = strategies.get
strategies.get = lambda name: Slow if name == "slow" else known(name)
sys.exit(cli.main(sys.argv[1:]))
"""
"""The command line with a strategy that takes ten minutes for a document."""
SLOW_MODULE = """
import os, time
from chunking.core.strategy import Strategy

class Slow(Strategy):
    name = "slow"
    title = "Slow"
    summary = "Takes ten minutes."
    rules = {}

    def split(self, document, tools):
        open(f"started-{os.getpid()}", "w").close()
        time.sleep(600)
        yield
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    (tmp_path / "slow_strategy.py").write_text(SLOW_MODULE)
    (tmp_path / "slow.yaml").write_text("strategy: slow\ncounter: words\n")
    (tmp_path / "words.yaml").write_text("strategy: every-heading\ncounter: words\n")
    (tmp_path / "docs").mkdir()
    for name in "abcd":
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\nSteep it.\n")
    yield tmp_path
    for process in started_here():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def started_here() -> list[int]:
    """The processes that noted that they cut, and are there."""
    noted = [int(path.name.removeprefix("started-")) for path in Path().glob("started-*")]
    return [process for process in noted if is_alive(process)]


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def run_until_cutting(workers: int, program: str = SLOW_STRATEGY) -> subprocess.Popen[bytes]:
    options = f"run slow.yaml docs --workers {workers} -o out.jsonl".split()
    process = subprocess.Popen([sys.executable, "-c", program, *options], stderr=subprocess.PIPE)
    until(lambda: len(started_here()) == workers, otherwise=lambda: f"{started_here()} cut,")
    return process


@pytest.mark.parametrize("workers", [1, 2])
def test_sigterm_ends_a_command_as_ctrl_c_does(workers: int) -> None:
    Path("out.jsonl").write_text("before")
    process = run_until_cutting(workers)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1].decode()

    assert (process.returncode, said) == (143, "chunkscope: ended by SIGTERM; what was not finished is not written\n")
    until(lambda: not started_here(), otherwise=lambda: f"{started_here()} are left,")
    assert Path("out.jsonl").read_text() == "before"
    assert not list(Path().glob(".*"))


def test_workers_end_with_a_parent_that_is_killed() -> None:
    process = run_until_cutting(2)
    process.kill()
    process.communicate(timeout=60)

    until(lambda: not started_here(), otherwise=lambda: f"{started_here()} are left,")


def test_a_child_ends_with_its_parent_where_the_kernel_does_not_see_to_it(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(
        "import os, types, time\n"
        "from chunking.runtime import parent\n"
        "parent.sys = types.SimpleNamespace(platform='another')\n"
        "parent.end_with_parent(os.getppid())\n"
        "open(f'started-{os.getpid()}', 'w').close()\n"
        "time.sleep(600)\n"
    )
    begins_child = "import subprocess, sys; subprocess.run([sys.executable, 'child.py'])"
    process = subprocess.Popen([sys.executable, "-c", begins_child])
    until(lambda: len(started_here()) == 1, otherwise=lambda: f"{started_here()} are there,")
    process.kill()
    process.wait(timeout=60)

    until(lambda: not started_here(), otherwise=lambda: f"{started_here()} are left,")


SLOW_SHARES = """
from slow_share import slow
from chunking.runtime import in_processes
list(in_processes(slow, [(1,), (2,)]))
"""


def test_the_processes_of_a_sweep_end_with_a_parent_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_share.py").write_text(
        "import os, time\ndef slow(_):\n"
        "    open(f'started-{os.getpid()}', 'w').close()\n    time.sleep(600)\n    yield\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    process = subprocess.Popen([sys.executable, "-c", SLOW_SHARES])
    until(lambda: len(started_here()) == 2, otherwise=lambda: f"{started_here()} work,")

    process.kill()
    process.wait(timeout=60)

    until(lambda: not started_here(), otherwise=lambda: f"{started_here()} are left,")


# ---- where output goes ----


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    line = command.replace("chunkscope", f"{sys.executable} -m chunking")
    return subprocess.run(["bash", "-c", line], capture_output=True, check=False, timeout=120)


EXACT = "chunkscope run words.yaml docs"
UNTIL_MADE = "until [ -e made ]; do sleep 0.1; done; cat made"
STREAMS = [
    "EXACT -o /dev/stdout | cat",
    "EXACT -o /dev/fd/1 | cat",
    "EXACT -o /dev/stderr 2>&1 | cat",
    f"EXACT -o >(cat >part; mv part made); {UNTIL_MADE}",
    "mkfifo pipe; cat pipe & EXACT -o pipe; wait; rm pipe",
    "echo kept >file; EXACT -o /dev/stdout >>file; tail -n +2 file",
]


@pytest.mark.parametrize("command", STREAMS)
def test_an_output_that_is_no_file_is_written_to(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    _, *arguments = EXACT.split()
    exactly = chunkscope(capfd, *arguments).out.encode()

    done = shell(command.replace("EXACT", EXACT))

    assert exactly
    assert (done.returncode, done.stdout, done.stderr) == (0, exactly, b"")


@pytest.mark.parametrize(("format", "starts"), [("parquet", b"PAR1"), ("html", b"<!DOCTYPE html>"), ("csv", b'"type"')])
def test_every_format_goes_through_a_pipe(format: str, starts: bytes) -> None:
    done = shell(f"{EXACT} --format {format} -o /dev/stdout | cat")

    assert done.stdout.startswith(starts)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_has_gone_is_no_error_and_a_full_disk_is_one_line() -> None:
    gone = shell(f"({EXACT} -o /dev/stdout; echo $? >part; mv part made) | true; {UNTIL_MADE}")
    full = shell(f"{EXACT} -o /dev/full")
    nowhere = shell(f"{EXACT} -o /dev/null")

    assert (gone.stdout, gone.stderr, nowhere.returncode, nowhere.stderr) == (b"141\n", b"", 0, b"")
    assert full.returncode == 2
    assert full.stderr == (
        b"chunkscope: /dev/full: cannot be written (No space left on device); choose another place with -o\n"
    )
