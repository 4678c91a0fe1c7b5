"""Work that goes on while the page is looked at, and what it has found: begun, followed, cancelled,
found again.

A job runs in a thread, and large ones in processes of their own; it knows nothing of Streamlit, so
it survives reruns and going to another page. What was measured is kept by the documents' hashes and
the config's YAML.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from chunking import ChunkscopeError, Config
from chunking.tuning import ConfigSummary

Found = TypeVar("Found")
_MOST_JOBS = 12
_MOST_KNOWN = 20_000


@dataclass
class Job(Generic[Found]):
    """Something that finds one thing after another. Mutable: its thread adds, the page looks."""

    total: int
    """How many it will find."""
    found: list[Found] = field(default_factory=list)
    problem: str = ""
    """Why it ended before its time, one line."""
    begun_at: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    """How long it took; 0 while it runs."""
    _cancelled: Event = field(default_factory=Event)
    _ended: Event = field(default_factory=Event)

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """End it: what is found is kept, and no process of it goes on. One that has ended was not
        cancelled."""
        if self.running:
            self._cancelled.set()

    def give_up(self) -> None:
        """Have another begun in its place, also where it has ended."""
        self._cancelled.set()

    def wait(self, seconds: float) -> bool:
        """Whether it ended within this time."""
        return self._ended.wait(seconds)

    def work(self, finds: Iterator[Found]) -> None:
        try:
            for each in finds:
                self.found.append(each)
                if self.cancelled:
                    break
        except ChunkscopeError as error:
            self.problem = str(error)
        finally:
            close = getattr(finds, "close", None)
            if close:
                close()
            self.seconds = time.monotonic() - self.begun_at
            self._ended.set()


class Jobs(Generic[Found]):
    """The last few jobs, by what they are about."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job[Found]] = OrderedDict()
        self._lock = Lock()

    def begin(self, key: Hashable, total: int, finds: Callable[[Callable[[], bool]], Iterator[Found]]) -> Job[Found]:
        """Have a job done, unless it is being done. `finds` is told how to ask whether it was
        cancelled."""
        with self._lock:
            known = self._jobs.get(key)
            if known and known.running:
                return known
            job: Job[Found] = Job(total)
            self._jobs[key] = job
            self._jobs.move_to_end(key)
            while len(self._jobs) > _MOST_JOBS:
                _, old = self._jobs.popitem(last=False)
                old.cancel()
        Thread(target=job.work, args=(finds(lambda: job.cancelled),), daemon=True).start()
        return job

    def about(self, key: Hashable) -> Job[Found] | None:
        return self._jobs.get(key)


class Known:
    """The summaries that were measured, by what they were measured on and by config. The oldest go
    first."""

    def __init__(self) -> None:
        self._numbers: OrderedDict[tuple[Hashable, str], ConfigSummary] = OrderedDict()
        self._lock = Lock()

    def keep(self, on: Hashable, config: Config, numbers: ConfigSummary) -> None:
        with self._lock:
            self._numbers[on, repr(config)] = numbers
            while len(self._numbers) > _MOST_KNOWN:
                self._numbers.popitem(last=False)

    def of(self, on: Hashable, config: Config) -> ConfigSummary | None:
        return self._numbers.get((on, repr(config)))


known = Known()
