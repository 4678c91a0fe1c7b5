"""Auto-tune in the background: a process of its own tries configs, the page looks at what has come.
No Streamlit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from chunking import Document, RunLimits
from chunking.gold import Question, WholeMark
from chunking.runtime import in_processes
from chunking.tuning import Goal, Point, Space, Tuning, points_of_texts
from pages.ui.background.jobs import Job, Jobs
from pages.ui.layout.limits import run_limits

jobs: Jobs[Point] = Jobs()


@dataclass(frozen=True)
class GoalRequest:
    """A goal, where to look, and what is known of the documents."""

    documents: tuple[Document, ...]
    goal: Goal
    space: Space
    questions: tuple[Question, ...]
    whole: tuple[WholeMark, ...]
    trials: int
    owner: str = ""
    """Who asked: nobody else sees it."""

    @cached_property
    def key(self) -> str:
        texts = [(each.name, each.text_hash) for each in self.documents]
        about = repr((self.owner, texts, self.goal, self.space, self.questions, self.whole, self.trials))
        return sha256(about.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def expected(self) -> int:
        """How many configs are tried, at most."""
        return min(self.trials, self.space.possible)


def progress_of(request: GoalRequest) -> tuple[Tuning, Job[Point] | None]:
    """What was found so far, and the job that goes on or has ended; None before there is one."""
    job = jobs.about(request.key)
    found = tuple(job.found) if job else ()
    ended = job is not None and not job.running and not job.cancelled and not job.problem
    whole = ended and request.space.possible <= request.trials
    return Tuning(request.goal, found, request.space.possible, whole), job


def begin(request: GoalRequest, *, nice: int = 0) -> Job[Point]:
    """Try configs, in a process of its own. A `nice` one gives way to whoever works at the same
    time."""
    texts = tuple((each.name, each.text) for each in request.documents)
    share = (texts, request.goal, request.space, request.questions, request.whole, request.trials, run_limits(), nice)

    def finds(stopped: Callable[[], bool]) -> Iterator[Point]:
        return in_processes(_tried, [share], stopped)

    return jobs.begin(request.key, request.expected, finds)


def cancel(key: str) -> None:
    """End the search with this key, where there is one."""
    job = jobs.about(key)
    if job and job.running:
        job.cancel()


def _tried(
    texts: Sequence[tuple[str, str]],
    goal: Goal,
    space: Space,
    questions: Sequence[Question],
    whole: Sequence[WholeMark],
    trials: int,
    limits: RunLimits,
    nice: int,
) -> Iterator[Point]:
    """The work of the process."""
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    yield from points_of_texts(texts, goal, space, questions, whole, trials, limits)
