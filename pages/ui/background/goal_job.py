"""Auto-tune in the background: a process of its own tries configs, or a thread where that is quick;
the page looks at what has come. No Streamlit."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from chunking import Document, RunLimits
from chunking.gold import Question, WholeMark
from chunking.runtime import in_processes
from chunking.tuning import SEARCHED, Effect, Goal, Point, Space, Tuning, effects_of_texts, points_of_texts
from pages.ui.background.jobs import Job, Jobs
from pages.ui.layout.limits import run_limits

jobs: Jobs[Point] = Jobs()
_effects: Jobs[tuple[Effect, ...]] = Jobs()
_QUICK = 3_000_000
"""Characters to cut, over all documents and configs, up to which all are tried in less time than a
process takes to start."""
_MOST_SPACES = 100
_spaces: OrderedDict[str, Space] = OrderedDict()
"""Where was searched last, by `GoalRequest.scope_key`: the config that Inspect had then is part of
it."""


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
    scope: str = ""
    """What the space is made of beside the config that Inspect has; "" where a search is not to be
    found again with another one."""

    @cached_property
    def key(self) -> str:
        return self._hash(self.space)

    @cached_property
    def scope_key(self) -> str:
        """The same for every config that Inspect may have."""
        return self._hash(self.scope)

    def _hash(self, where: Space | str) -> str:
        texts = [(each.name, each.text_hash) for each in self.documents]
        asked = (self.goal, where, self.questions, self.whole, self.trials, self.until_settled)
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


def shown(request: GoalRequest) -> GoalRequest:
    """The search whose results are shown: this one; where it was not begun, the last one for the
    same, which began while Inspect had another config."""
    space = _spaces.get(request.scope_key) if request.scope else None
    if space is None or jobs.about(request.key):
        return request
    earlier = replace(request, space=space)
    return earlier if jobs.about(earlier.key) else request


def begin(request: GoalRequest, *, nice: int = 0) -> Job[Point]:
    """Try configs, in a process of its own where that takes longer than to start one. A `nice` one
    gives way to whoever works at the same time."""
    if request.scope:
        _spaces[request.scope_key] = request.space
        _spaces.move_to_end(request.scope_key)
        while len(_spaces) > _MOST_SPACES:
            _spaces.popitem(last=False)
    wanted = (request.goal, request.space, request.questions, request.whole, request.trials, request.until_settled)
    share = (request.texts, *wanted, run_limits())

    def finds(stopped: Callable[[], bool]) -> Iterator[Point]:
        # A thread has no niceness of its own.
        return in_processes(_tried, [(*share, nice)], stopped) if nice or not _is_quick(request) else _tried(*share, 0)

    return jobs.begin(request.key, request.expected, finds)


def _is_quick(request: GoalRequest) -> bool:
    """Whether configs are only cut, and that not often."""
    characters = sum(len(each.text) for each in request.documents)
    return request.goal.objective not in SEARCHED and characters * request.expected <= _QUICK


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
    """The work of the process, or of the thread."""
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    yield from points_of_texts(texts, goal, space, questions, whole, trials, limits, until_settled=until_settled)
