"""A run that goes past its limit is stopped in its thread, and nothing else is."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from chunking.errors import ChunkscopeError, RunLimitError
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within


def for_ever() -> None:
    while True:
        pass


def growing() -> None:
    held = []
    while True:
        held.append(bytearray(b"x") * (1 << 20))


def swallowing() -> None:
    while True:
        try:
            for_ever()
        except Exception:  # what a strategy's fault would be met with
            continue


def losing() -> str:
    """Work that loses what stops it, as Python does with what is raised within a finaliser."""
    with contextlib.suppress(BaseException):
        for_ever()
    return "done"


def losing_in_a_callback() -> None:
    """Work that begins with a long time in a weak reference's callback, where Python prints what is
    raised and loses it."""

    class Held:
        pass

    def callback(_: object) -> None:
        for _ in range(500_000_000):
            pass

    held = Held()
    reference = weakref.ref(held, callback)
    del held
    assert reference() is None
    for_ever()


def a_moment() -> str:
    """Some ten milliseconds of work."""
    for _ in range(400_000):
        pass
    return "done"


def test_work_past_its_time_is_stopped_with_one_line() -> None:
    with pytest.raises(RunLimitError, match=r"^stopped after 0\.2 s of work \(max_seconds 0\.2\); split the document"):
        within(RunLimits(seconds=0.2), for_ever)
    assert issubclass(RunLimitError, ChunkscopeError)


def test_work_past_its_memory_is_stopped_with_one_line() -> None:
    with pytest.raises(RunLimitError, match=r"^stopped at 200 MB of memory \(max_memory_mb 200\); split the document"):
        within(RunLimits(megabytes=200), growing)


def test_work_that_takes_every_error_for_a_fault_is_stopped_all_the_same() -> None:
    with pytest.raises(RunLimitError):
        within(RunLimits(seconds=0.2), swallowing)


def test_work_past_its_time_that_loses_the_stop_and_ends_is_past_its_limit_too() -> None:
    with pytest.raises(RunLimitError, match=r"^stopped after 0\.2 s of work"):
        within(RunLimits(seconds=0.2), losing)


def test_a_stop_that_a_callback_loses_comes_again_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunLimitError, match=r"^stopped after 0\.1 s of work"):
        within(RunLimits(seconds=0.1), losing_in_a_callback)
    assert capfd.readouterr().err == ""


def test_what_others_raise_in_a_finaliser_is_printed_after_a_run_was_stopped() -> None:
    class Faulty:
        def __del__(self) -> None:
            raise ValueError("theirs")

    seen: list[object] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda unraisable: seen.append(str(unraisable.exc_value))
    try:
        with pytest.raises(RunLimitError):
            within(RunLimits(seconds=0.05), for_ever)
        Faulty()
    finally:
        sys.unraisablehook = before
    assert seen == ["theirs"]


def test_work_within_its_limits_returns_what_it_makes_and_its_own_errors() -> None:
    assert within(RunLimits(seconds=60, megabytes=4000), a_moment) == "done"
    assert within(NO_LIMITS, a_moment) == "done"
    with pytest.raises(ZeroDivisionError):
        within(RunLimits(seconds=60), lambda: 1 / 0)


def test_only_the_thread_that_is_over_is_stopped() -> None:
    def often() -> int:
        return sum(within(RunLimits(seconds=60), a_moment) == "done" for _ in range(20))

    with ThreadPoolExecutor(2) as threads:
        stopped = threads.submit(within, RunLimits(seconds=0.2), for_ever)
        others = threads.submit(often)
        assert others.result() == 20
        assert isinstance(stopped.exception(), RunLimitError)
        assert threads.submit(within, RunLimits(seconds=60), a_moment).result() == "done"


def test_nothing_is_raised_after_the_work_is_done() -> None:
    for _ in range(40):
        with contextlib.suppress(RunLimitError):
            within(RunLimits(seconds=0.02), a_moment)
        assert a_moment() == "done"


def test_work_within_work_has_limits_of_its_own() -> None:
    def inner() -> str:
        with pytest.raises(RunLimitError):
            within(RunLimits(seconds=0.4), for_ever)
        return a_moment()

    assert within(RunLimits(seconds=0.3), inner) == "done"

    def then_for_ever() -> None:
        within(RunLimits(seconds=60), a_moment)
        for_ever()

    with pytest.raises(RunLimitError, match=r"after 0\.5 s"):
        within(RunLimits(seconds=0.5), then_for_ever)


def test_a_module_that_is_being_imported_is_imported_whole_before_the_work_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of numpy or tiktoken could not be imported again in the same process."""
    (tmp_path / "slow_to_import.py").write_text("for _ in range(10_000_000):\n    pass\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)

    def work() -> None:
        import_module("slow_to_import")
        for_ever()

    with pytest.raises(RunLimitError):
        within(RunLimits(seconds=0.05), work)
    assert sys.modules.pop("slow_to_import").whole


def test_work_that_is_begun_by_a_module_being_imported_is_stopped_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cuts_while_imported.py").write_text(
        "from chunking.runtime.run_limits import RunLimits, within\n"
        "def for_ever():\n"
        "    while True:\n"
        "        pass\n"
        "within(RunLimits(seconds=0.05), for_ever)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(RunLimitError):
        import_module("cuts_while_imported")


def test_a_profiler_works_after_a_run_was_stopped() -> None:
    """A stop that was taken back by CPython's null pointer left it in an endless loop (3.11)."""
    script = (
        "import sys\n"
        "from chunking.errors import RunLimitError\n"
        "from chunking.runtime.run_limits import RunLimits, within\n"
        "def for_ever():\n"
        "    while True:\n"
        "        pass\n"
        "try:\n"
        "    within(RunLimits(seconds=0.1), for_ever)\n"
        "except RunLimitError as error:\n"
        "    print(error)\n"
        "sys.setprofile(lambda *_: None)\n"
        "print(max(1, 2))\n"
        "(lambda: print('goes on'))()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)

    assert done.stdout.splitlines()[1:] == ["2", "goes on"]
    assert done.returncode == 0, done.stderr
