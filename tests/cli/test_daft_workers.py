"""Daft's native workers: one that ends at once is missed, none outlives the command, and none runs
what lies in the current folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from waiting import until

from chunking.runtime.extras import missing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
needs_daft = pytest.mark.skipif(bool(missing("cluster")), reason=missing("cluster"))

BEGIN_AND_WAIT = """
import subprocess, sys
from chunking.cli.daft_workers import _Listener
with _Listener(sys.argv[1]) as waiting:
    subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1]])
    try:
        waiting.accept()
        print("came")
    except EOFError as error:
        print(error)
"""
COMES = (
    "import sys; from multiprocessing.connection import Client; from time import sleep; sleep(1); Client(sys.argv[1])"
)
LEFT_IN_THE_MIDDLE = """
import atexit, sys
from chunking.cli import program
from chunking.runtime.leaving import threads_at_work

def interrupted(_):
    with threads_at_work():
        raise KeyboardInterrupt

atexit.register(print, "Python was taken down")
program._run = interrupted
print("before")
sys.exit(program.main([]))
"""


def python(code: str, *arguments: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("worker", "said"), [("pass", "a worker process ended as it began\n"), (COMES, "came\n")], ids=("ends", "comes")
)
def test_a_worker_is_waited_for_as_long_as_it_is_there(worker: str, said: str, tmp_path: Path) -> None:
    assert python(BEGIN_AND_WAIT, str(tmp_path / "socket"), worker) == (0, said)


def test_python_is_not_taken_down_while_a_librarys_threads_are_at_work() -> None:
    assert python(LEFT_IN_THE_MIDDLE) == (130, "before\n")


@pytest.fixture
def many(folder: Path) -> Path:
    for number in range(30):
        (folder / "docs" / f"{number:02}.md").write_text(f"# {number}\n\n" + "A sentence of a text. " * 4000)
    return folder


def begun(*more: str) -> subprocess.Popen[str]:
    run = [sys.executable, "-P", "-m", "chunking", "run", "c.yaml", "docs", "-o", "out/", "--engine", "daft"]
    command = [*run, "--workers", "2", *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def workers_of(parent: int) -> list[int]:
    """The worker processes of daft below a process."""
    with suppress(OSError):
        threads = Path(f"/proc/{parent}/task").glob("*/children")
        children = [int(each) for thread in threads for each in thread.read_text().split()]
        return [each for each in children if b"udf_worker" in Path(f"/proc/{each}/cmdline").read_bytes()]
    return []


@needs_daft
def test_a_worker_that_is_killed_as_it_begins_is_missed_and_the_run_goes_on(many: Path) -> None:
    with begun() as started:
        until(lambda: bool(workers_of(started.pid)))
        os.kill(workers_of(started.pid)[0], signal.SIGKILL)
        _, said = started.communicate()

    assert (started.returncode, said) == (0, "")
    assert (many / "out" / "manifest.jsonl").read_bytes().count(b"\n") == 33


@needs_daft
@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)], ids=lambda each: str(each)
)
def test_a_command_that_is_ended_takes_its_workers_with_it(number: signal.Signals, code: int) -> None:
    with begun() as started:
        until(lambda: len(workers_of(started.pid)) == 2)
        left = workers_of(started.pid)
        started.send_signal(number)
        _, said = started.communicate()

    assert started.returncode == code
    assert "Traceback" not in said
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in left))


@needs_daft
@pytest.mark.parametrize("runner", ["native", "ray"])
def test_no_worker_of_daft_runs_a_file_of_the_current_folder(runner: str, folder: Path) -> None:
    for module in ("socket", "pydantic", "tiktoken"):
        (folder / f"{module}.py").write_text("open('was-run', 'w').close()\nraise SystemExit\n")
    with begun("--runner", runner) as started:
        _, said = started.communicate()

    assert (started.returncode, said) == (0, "")
    assert not (folder / "was-run").exists()
