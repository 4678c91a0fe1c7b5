"""Waiting for another process or thread: the only place of the tests with a clock, and it decides
no result."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar
from urllib.request import urlopen

if TYPE_CHECKING:
    from playwright.sync_api import Page

Answer = TypeVar("Answer")

PATIENCE = 240.0
"""Seconds that a machine with much else to do is given; one that has nothing else to do takes
two."""


def until(
    condition: Callable[[], Answer],
    *,
    patience: float = PATIENCE,
    rest: Callable[[], object] = lambda: sleep(0.05),
    otherwise: Callable[[], str] = str,
) -> Answer:
    """The first answer of `condition` that is true; what `otherwise` says where none is within
    `patience` seconds.

    `rest` is what to do between two questions.
    """
    deadline = monotonic() + patience
    while not (answer := condition()):
        assert monotonic() < deadline, f"{otherwise()} not within {patience:.0f} seconds".lstrip()
        rest()
    return answer


def until_on(page: Page, condition: Callable[[], Answer], *, otherwise: Callable[[], str] = str) -> Answer:
    """The same for a condition that is asked of a page, which goes on between two questions."""
    return until(condition, patience=45, rest=lambda: page.wait_for_timeout(100), otherwise=otherwise)


def until_still(page: Page, ask: Callable[[], object]) -> None:
    """Wait until what is asked of the page is answered alike four times in a row, the page going on
    in between."""
    answers: list[object] = []

    def unchanged() -> bool:
        answers.append(ask())
        return len(answers) > 3 and all(answer == answers[-1] for answer in answers[-4:])

    until_on(page, unchanged, otherwise=lambda: f"the page still moves, {answers[-4:]}")


def wait_for_health(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until Streamlit's server answers there; an AssertionError where it ends before, or never
    does."""
    until(lambda: server.poll() is not None or _is_healthy(address), otherwise=lambda: f"{address} did not answer")
    assert server.poll() is None, f"{address}: the server ended with {server.poll()}"


def _is_healthy(address: str) -> bool:
    try:
        with urlopen(f"{address}/_stcore/health", timeout=10) as response:
            return bool(response.status == 200)
    except OSError:  # URLError, ConnectionError and TimeoutError are
        return False
