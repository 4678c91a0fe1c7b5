"""A corpus cut and checked in the background: what has come so far, and how far it is. No
Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Protocol, TypeVar

from chunking import Config
from chunking.analysis import DocumentFigures, FailedCheck
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.background.jobs import Job, Jobs
from pages.ui.layout import caches

Each = TypeVar("Each")
Part = dict[int, DocumentFigures]
Checked = dict[int, tuple[FailedCheck, ...]]


class _Cancellable(Protocol):
    def cancel(self) -> None: ...
    def give_up(self) -> None: ...


jobs: Jobs[Part] = Jobs()
_checks: Jobs[Checked] = Jobs()
_latest: dict[tuple[str, str], _Cancellable] = {}
"""By user and what it is for, the job that was begun last."""
_left: dict[int, _Cancellable] = {}
"""Jobs that somebody has ended, by identity."""


def name_of(corpus: Corpus, cuts: Cuts) -> str:
    """What the figures of this corpus under these settings are called."""
    answers = [caches.answers_for(each.strategy) for each in cuts.configs if isinstance(each, Config)]
    named = f"{corpus.key} {cuts.config!r} {cuts.overrides!r} {cuts.which!r} {answers}"
    return sha256(named.encode()).hexdigest()[:16]


def measured(corpus: Corpus, cuts: Cuts, user: str, purpose: str) -> Job[Part]:
    """The job that measures this, begun where nobody has. What this user wanted before for the same
    purpose is not gone on with."""

    def finds(stopped: Callable[[], bool]) -> Iterator[Part]:
        return workers.cut(corpus, cuts, range(len(corpus.documents)), texts=True, stopped=stopped)

    key = (user, purpose, name_of(corpus, cuts))
    return begun(jobs, key, len(corpus.documents), finds)


def checked(corpus: Corpus, cuts: Cuts, user: str) -> Job[Checked]:
    """The job that finds which health checks each document fails, as `measured`."""
    key = (user, "checks", name_of(corpus, cuts))
    return begun(_checks, key, len(corpus.documents), partial(workers.check, corpus, cuts))


def begun(
    among: Jobs[dict[int, Each]],
    key: tuple[str, str, str],
    total: int,
    finds: Callable[[Callable[[], bool]], Iterator[dict[int, Each]]],
) -> Job[dict[int, Each]]:
    """The job with this key (whose, what for, of what), begun where nobody has; what the same user
    wanted before for the same purpose is not gone on with."""
    job, of = among.about(key), key[:2]
    if job is None or (job.cancelled and not is_left(job)):
        before = _latest.get(of)
        if before is not None:
            _left.pop(id(before), None)
            before.cancel()
        job = among.begin(key, total, finds)
    _latest[of] = job
    return job


def leave(job: _Cancellable) -> None:
    """End it, and do not begin it again until somebody wants it to `go_on`."""
    _left[id(job)] = job
    job.cancel()


def go_on(job: _Cancellable) -> None:
    """Have it begin again when it is next asked for: one that was left, or that failed."""
    _left.pop(id(job), None)
    job.give_up()


def is_left(job: _Cancellable) -> bool:
    """Whether somebody has ended it."""
    return id(job) in _left


def found_in(job: Job[dict[int, Each]]) -> Mapping[int, Each]:
    """What has come so far, by the number of the document."""
    found: dict[int, Each] = {}
    for part in list(job.found):
        found |= part
    return found


def forget(user: str) -> None:
    """End what this user wanted."""
    for key in [key for key in _latest if key[0] == user]:
        job = _latest.pop(key)
        _left.pop(id(job), None)
        job.cancel()
    workers.drop(user)
