"""Which health checks a document of a corpus does not pass: enough to find it by."""

from __future__ import annotations

from typing import NamedTuple

from chunking.analysis.health import Finding, health
from chunking.runs import Run


class FailedCheck(NamedTuple):
    """A check that a document does not pass."""

    name: str
    title: str
    """The promise that is not kept."""
    verdict: Finding
    """`warn` or `fail`."""


def failed_checks(run: Run) -> tuple[FailedCheck, ...]:
    """The checks of `health` that this run does not pass, in their order."""
    return tuple(FailedCheck(each.name, each.title, each.verdict) for each in health(run) if each.verdict != "ok")
