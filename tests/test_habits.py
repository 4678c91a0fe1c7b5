"""Habits of the tests themselves: what makes a suite slow, or its results a matter of the machine,
is kept out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
CLOCKS = {"time", "perf_counter", "perf_counter_ns", "process_time", "monotonic", "thread_time", "sleep", "time_ns"}
HOSTILE = {"hostile_outcomes.py", "hostile_commands.py"}
WITH_A_CLOCK = {"waiting.py", "explain_claims.py", "kill_moments.py", *HOSTILE, "fuzz/__main__.py"}
"""What waits for other processes, and scripts: one says at its end how long it took, one ends
programs at random moments, one says what took too long, one fuzzes for so many minutes."""
LONGEST_REST = 100
"""Milliseconds that a browser test may let pass for no reason, between two questions."""


def parsed() -> Iterator[tuple[Path, ast.Module]]:
    """The tests in which there may be a clock or a wait."""
    for path in sorted(TESTS.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "time" in source or "sleep" in source:
            yield path, ast.parse(source)


def test_no_test_reads_a_clock_or_sleeps() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path, module in parsed()
        for node in ast.walk(module)
        if path.name not in WITH_A_CLOCK
        and path.relative_to(TESTS).as_posix() not in WITH_A_CLOCK
        and (
            (isinstance(node, ast.Import) and any(alias.name == "time" for alias in node.names))
            or (isinstance(node, ast.ImportFrom) and node.module == "time")
            or (isinstance(node, ast.Attribute) and node.attr in CLOCKS and _is_named(node.value, "time"))
        )
    ]

    assert found == []


def test_no_browser_test_waits_a_fixed_time_for_what_it_could_see() -> None:
    waits = [
        (f"{path.relative_to(TESTS)}:{node.lineno}", node.args[0])
        for path, module in parsed()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "wait_for_timeout"
    ]
    long = [
        place
        for place, rest in waits
        if not (isinstance(rest, ast.Constant) and isinstance(rest.value, int) and rest.value <= LONGEST_REST)
    ]

    assert waits
    assert long == []


def test_coroutines_run_in_a_thread_of_their_own() -> None:
    """Where a browser test came first in the same process, the thread of the tests has a loop."""
    found = [
        path.relative_to(TESTS).as_posix()
        for path in sorted(TESTS.rglob("*.py"))
        if path.name not in {"own_loop.py", "test_habits.py"} and "asyncio.run(" in path.read_text(encoding="utf-8")
    ]

    assert found == []


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
