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
from chunking.tuning import Effect, Goal, Point, Space, Tuning, effects_of_texts, points_of_texts
from pages.ui.background.jobs import Job, Jobs
from pages.ui.layout.limits import run_limits

jobs: Jobs[Point] = Jobs()
_effects: Jobs[tuple[Effect, ...]] = Jobs()


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
    until_settled: bool = False
    """Whether it ends where more trials cannot matter."""

    @cached_property
    def key(self) -> str:
        texts = [(each.name, each.text_hash) for each in self.documents]
        asked = (self.goal, self.space, self.questions, self.whole, self.trials, self.until_settled)
        return sha256(repr((self.owner, texts, *asked)).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        return tuple((each.name, each.text) for each in self.documents)

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
    settled = ended and not whole and request.until_settled and 0 < len(found) < request.expected
    return Tuning(request.goal, found, request.space.possible, whole, settled), job


def begin(request: GoalRequest, *, nice: int = 0) -> Job[Point]:
    """Try configs, in a process of its own. A `nice` one gives way to whoever works at the same
    time."""
    wanted = (request.goal, request.space, request.questions, request.whole, request.trials, request.until_settled)
    share = (request.texts, *wanted, run_limits(), nice)

    def finds(stopped: Callable[[], bool]) -> Iterator[Point]:
        return in_processes(_tried, [share], stopped)

    return jobs.begin(request.key, request.expected, finds)


def effects_of(request: GoalRequest, best: Point) -> Job[tuple[Effect, ...]] | None:
    """The job that measures what each setting of the best does; None where nobody has begun it."""
    return _effects.about((request.key, repr(best.config)))


def begin_effects(request: GoalRequest, best: Point) -> Job[tuple[Effect, ...]]:
    """Change one setting of the best after the other, in a process of its own."""
    share = (request.texts, request.goal, request.space, request.questions, request.whole, best, run_limits())

    def finds(stopped: Callable[[], bool]) -> Iterator[tuple[Effect, ...]]:
        return in_processes(effects_of_texts, [share], stopped)

    return _effects.begin((request.key, repr(best.config)), 1, finds)


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
    until_settled: bool,
    limits: RunLimits,
    nice: int,
) -> Iterator[Point]:
    """The work of the process."""
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    yield from points_of_texts(texts, goal, space, questions, whole, trials, limits, until_settled=until_settled)
