"""Questions drafted in the background: a process of its own words and checks them, and each is kept
as soon as it is verified. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from threading import Lock

from chunking import Document, Question, parse
from chunking.core import Estimate
from chunking.drafting import Attempt, Places, draft, expected, in_turn, worder
from chunking.runtime import in_processes
from pages.ui.background.jobs import Job, Jobs

jobs: Jobs[Attempt] = Jobs()
_estimates: Jobs[Estimate] = Jobs()
_latest: dict[str, Job[Attempt]] = {}
"""By owner, the job that was begun last."""
_lock = Lock()
_NOTHING = Estimate(0, 0, 0, 0)


@dataclass(frozen=True)
class DraftRequest:
    """Which questions are wanted, about what, and who words them."""

    documents: tuple[Document, ...]
    """None called as another."""
    provider: str
    """"" for rules and then keyword probes, without a model."""
    model: str
    count: int
    fill: bool
    """Whether a probe is taken where the provider has no question that passes."""
    known: tuple[Question, ...]
    """Nothing is asked about their answers: those that were kept, and those that were rejected."""
    owner: str

    @cached_property
    def share(self) -> tuple[object, ...]:
        """What a process is given."""
        texts = tuple((each.name, each.text) for each in self.documents)
        return texts, self.provider, self.model, self.count, self.known

    @cached_property
    def key(self) -> str:
        about = repr((about_key(self.owner, self.documents), self.provider, self.model, self.count, self.known))
        return sha256(about.encode("utf-8", "surrogatepass")).hexdigest()


def about_key(owner: str, documents: Sequence[Document]) -> str:
    """What a job of this owner about these documents is found by."""
    texts = repr((owner, [(each.name, each.text_hash) for each in documents]))
    return sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()


def about(owner: str, documents: Sequence[Document]) -> Job[Attempt] | None:
    """The job that this owner began last about these documents."""
    return jobs.about(about_key(owner, documents))


def begin(request: DraftRequest, keep: Callable[[Question], None]) -> Job[Attempt]:
    """Draft questions; `keep` is called with each in the job's thread, and what it raises as a
    ChunkscopeError ends the job. What the same owner has drafted about other documents until then
    is kept, and not gone on with."""

    def finds(stopped: Callable[[], bool]) -> Iterator[Attempt]:
        for attempt in in_processes(_drafted, [(*request.share, request.fill)], stopped):
            if attempt.question:
                keep(attempt.question)
            yield attempt

    with _lock:
        job = jobs.begin(about_key(request.owner, request.documents), request.count, finds)
        before = _latest.get(request.owner)
        if before is not None and before is not job:
            before.cancel()
        _latest[request.owner] = job
    return job


def estimated(request: DraftRequest) -> Job[Estimate]:
    """The job that finds what a server would be sent for this, begun where nobody has. Its problem
    is why the server cannot be asked."""
    known = _estimates.about(request.key)
    if known is not None and not known.cancelled:
        return known
    return _estimates.begin(request.key, 1, lambda stopped: in_processes(_expected, [request.share], stopped))


def _drafted(
    texts: Sequence[tuple[str, str]],
    provider: str,
    model: str,
    count: int,
    known: Sequence[Question],
    fill: bool,
) -> Iterator[Attempt]:
    """The work of the process."""
    documents = [parse(text, name=name) for name, text in texts]
    places = Places(documents)
    by = worder(provider, model) if provider else None
    yield from draft(documents, places, in_turn(by, places, fill), count=count, known=known)


def _expected(
    texts: Sequence[tuple[str, str]],
    provider: str,
    model: str,
    count: int,
    known: Sequence[Question],
) -> Iterator[Estimate]:
    """As `_drafted`."""
    by = worder(provider, model)
    yield expected([parse(text, name=name) for name, text in texts], by, count, 0, known) or _NOTHING
