"""What a worker process begins with."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from loky import process_executor

from chunking.runtime.processes import WorkerPool

TWO_WORKERS = [sys.executable, "-P", "-m", "chunking", "run", "every-heading", "docs", "--workers", "2"]


def test_no_file_of_the_current_folder_is_run_because_it_is_called_like_a_module(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in "ab":
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\nA text.\n")
    for module in ("socket", "multiprocessing", "loky", "signal", "pickle"):
        (tmp_path / f"{module}.py").write_text("open('was-run', 'w').close()\nraise SystemExit\n")
    done = subprocess.run(TWO_WORKERS, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 2
    assert not (tmp_path / "was-run").exists()


@pytest.mark.parametrize("before", [None, "yes"])
def test_a_program_that_a_worker_begins_finds_modules_as_elsewhere(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if before is None:
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONSAFEPATH", before)
    pool = WorkerPool(1)
    try:
        assert pool.submit(os.environ.get, "PYTHONSAFEPATH").result() == before
    finally:
        pool.end()
    assert os.environ.get("PYTHONSAFEPATH") == before


def test_pools_that_are_made_at_once_leave_the_variable_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    entered, other_entered, left = Event(), Event(), Event()

    def begin() -> None:
        """The first that begins waits for the other, which waits until the first is done."""
        if entered.is_set():
            other_entered.set()
            left.wait(1)
        else:
            entered.set()
            other_entered.wait(1)

    monkeypatch.setattr("chunking.runtime.processes.ensure_running", begin)
    with ThreadPoolExecutor(2) as both:
        first = both.submit(WorkerPool, 1)
        entered.wait()
        second = both.submit(WorkerPool, 1)
        pools = [first.result()]
        left.set()
        pools.append(second.result())
    try:
        assert "PYTHONSAFEPATH" not in os.environ
        assert [pool.submit(os.environ.get, "PYTHONSAFEPATH").result() for pool in pools] == [None, None]
    finally:
        for pool in pools:
            pool.end()


_held: list[bytes] = []
_ten_seconds = count(0, 10)


def held(size: int) -> tuple[int, int]:
    """Keep as many bytes from now on, ten seconds after the last call by loky's clock.

    How often that was done in this process, and how often it has gone through all objects.
    """
    process_executor.time = lambda: next(_ten_seconds)
    _held.append(b"x" * size)
    return len(_held), gc.get_stats()[2]["collections"]


def test_a_worker_that_grows_by_hundreds_of_megabytes_stays_and_keeps_what_it_was_given() -> None:
    pool = WorkerPool(1)
    try:
        assert [pool.submit(held, size).result(60)[0] for size in (1, 320_000_000, 1, 1)] == [1, 2, 3, 4]
    finally:
        pool.end()


def test_a_worker_does_not_go_through_all_its_objects_every_second() -> None:
    pool = WorkerPool(1)
    try:
        pool.submit(held, 1).result(60)  # loky looks once, after the first call
        looked = {pool.submit(held, 1).result(60)[1] for _ in range(4)}
    finally:
        pool.end()
    assert len(looked) == 1


FORKING = """
import os, sys, threading
from chunking.runtime.processes import WorkerPool, can_fork

loaded = []

def pid_and_loaded():
    return os.getpid(), loaded

loaded.append("a table")
print(can_fork())
pool = WorkerPool(2, forked=True)
sys.stdout.write("said once\\n")
pid, seen = pool.submit(pid_and_loaded).result(60)
print(pid != os.getpid(), seen)
pool.end()
waits = threading.Event()
threading.Thread(target=waits.wait).start()
print(can_fork())
waits.set()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_a_forked_worker_has_what_was_loaded_and_no_process_with_threads_is_forked() -> None:
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, check=False, timeout=120)

    assert (done.stdout, done.stderr) == ("True\nsaid once\nTrue ['a table']\nFalse\n", "")
