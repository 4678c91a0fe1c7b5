"""Auto-tune in the background: a process of its own tries configs, the page looks at what has come.
No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from chunking import Document
from chunking.gold import Question, WholeMark
from chunking.runtime import in_processes
from chunking.tuning import Goal, Point, Space, Tuning
from chunking.tuning import points_of_texts as try_configs
from pages.ui.layout.limits import run_limits
from pages.ui.tune.background_jobs import Job, Jobs

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


def begin(request: GoalRequest) -> Job[Point]:
    """Try configs, in a process of its own."""
    texts = tuple((each.name, each.text) for each in request.documents)
    share = (texts, request.goal, request.space, request.questions, request.whole, request.trials, run_limits())

    def finds(stopped: Callable[[], bool]) -> Iterator[Point]:
        return in_processes(try_configs, [share], stopped)

    return jobs.begin(request.key, request.expected, finds)
