"""A corpus cut in the background: what has come so far, and how far it is. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256

from chunking.analysis import DocumentFigures
from pages.ui.background.jobs import Job, Jobs
from pages.ui.corpus.workers import Corpus, Cuts, workers

Part = dict[int, DocumentFigures]
jobs: Jobs[Part] = Jobs()
_latest: dict[tuple[str, str], Job[Part]] = {}
"""By user and what it is for, the job that was begun last."""
_left: dict[int, Job[Part]] = {}
"""Jobs that somebody has ended, by identity."""


def name_of(corpus: Corpus, cuts: Cuts) -> str:
    """What the figures of this corpus under these settings are called."""
    return sha256(f"{corpus.key} {cuts.config!r} {cuts.overrides!r} {cuts.which!r}".encode()).hexdigest()[:16]


def measured(corpus: Corpus, cuts: Cuts, user: str, purpose: str) -> Job[Part]:
    """The job that measures this, begun where nobody has. What this user wanted before for the same
    purpose is not gone on with."""
    key = (user, purpose, name_of(corpus, cuts))
    job = jobs.about(key)
    if job is None or (job.cancelled and not is_left(job)):
        before = _latest.get((user, purpose))
        if before is not None:
            _left.pop(id(before), None)
            before.cancel()

        def finds(stopped: Callable[[], bool]) -> Iterator[Part]:
            return workers.cut(corpus, cuts, range(len(corpus.documents)), texts=True, stopped=stopped)

        job = jobs.begin(key, len(corpus.documents), finds)
    _latest[user, purpose] = job
    return job


def leave(job: Job[Part]) -> None:
    """End it, and do not begin it again until somebody wants it to `go_on`."""
    _left[id(job)] = job
    job.cancel()


def go_on(job: Job[Part]) -> None:
    """Have it begin again when it is next asked for: one that was left, or that failed."""
    _left.pop(id(job), None)
    job.cancel()


def is_left(job: Job[Part]) -> bool:
    """Whether somebody has ended it."""
    return id(job) in _left


def found_in(job: Job[Part]) -> Mapping[int, DocumentFigures]:
    """What has come so far, by the number of the document."""
    found: Part = {}
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
