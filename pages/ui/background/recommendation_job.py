"""Configs that look better on the beginning of a document, checked on all of it in the background.
No Streamlit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from chunking import Config, Document, RunLimits
from chunking.runtime import in_processes
from chunking.tuning import Checked, checked_of_text
from pages.ui.background.jobs import Job, Jobs
from pages.ui.layout.limits import run_limits

_SMALL = 50_000
"""Characters up to which a thread of the server checks: in less time than a process begins."""
_jobs: Jobs[Checked | None] = Jobs()


@dataclass(frozen=True)
class CheckRequest:
    """What is checked: these configs against the present one."""

    document: Document
    config: Config
    found: tuple[Config, ...]
    owner: str
    """Who asked: nobody else sees it."""

    @cached_property
    def key(self) -> str:
        asked = (self.owner, self.document.name, self.document.text_hash, self.config, self.found)
        return sha256(repr(asked).encode("utf-8", "surrogatepass")).hexdigest()


def about(request: CheckRequest) -> Job[Checked | None] | None:
    """The job that goes on or has ended; None before there is one."""
    return _jobs.about(request.key)


def begin(request: CheckRequest, *, nice: int) -> None:
    """Check it; a long document in a process of its own, which gives way to whoever works at the
    same time."""
    document = request.document
    share = (document.name, document.text, request.config, request.found, run_limits())

    def finds(stopped: Callable[[], bool]) -> Iterator[Checked | None]:
        if len(document.text) <= _SMALL:
            return checked_of_text(*share)
        return in_processes(_checked, [(*share, nice)], stopped)

    _jobs.begin(request.key, 1, finds)


def cancel(key: str) -> None:
    """End the check with this key, where there is one."""
    job = _jobs.about(key)
    if job:
        job.cancel()


def _checked(
    name: str, text: str, config: Config, found: Sequence[Config], limits: RunLimits, nice: int
) -> Iterator[Checked | None]:
    """The work of the process."""
    if hasattr(os, "nice"):
        os.nice(nice)
    yield from checked_of_text(name, text, config, found, limits)
