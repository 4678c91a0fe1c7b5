"""How long each of those who drag at the same time should wait before its next question, so that
none waits in a queue: the answer then shows where the hand is now, and not where it was.

With more people than cores, the next questions are given times of their own, one after another in
each process that answers: who has been answered pauses until the first time that is free there.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_RECENT = 1.5
"""Seconds without a question, after the pause that was asked for, after which a session is not
dragging any more."""
_WEIGHT = 0.1
"""Of the newest answer, in what an answer takes on average."""
_ROOM = 1.5
"""The time from one question to the next, in what a core takes for an answer: what is left over is
for the pages of others, and keeps a queue from growing."""
_MOST = 3.0
"""Seconds: the longest pause."""
_WORTH_SAYING = 0.01


class Pace:
    """Who drags, and what answers take. Not for several threads: the server's loop asks it."""

    def __init__(self, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        """Answers that can be worked out at the same time."""
        self._clock = clock
        self._asked: set[str] = set()
        """The sessions that wait for an answer."""
        self._until: dict[str, float] = {}
        """Until when each of the others counts as dragging."""
        self._work = 0.0
        self._taken: dict[object, float] = {}
        """By the process that answers, the last time that was given to a question."""

    def ask(self, name: str) -> None:
        """A session has asked."""
        self._until.pop(name, None)
        self._asked.add(name)

    def others(self, name: str) -> bool:
        """Whether others than this session drag now."""
        now = self._clock()
        return bool(self._asked - {name}) or any(until >= now for each, until in self._until.items() if each != name)

    def pause(self, name: str, work: float, process: object = None) -> float:
        """Seconds that this session should wait, now that it is answered; `work` are the seconds
        that the answer took without waiting for its turn. `process` works out one answer at a time;
        None is the server."""
        now = self._clock()
        self._work += _WEIGHT * (work - self._work) if self._work else work
        self._asked.discard(name)
        self._until = {each: until for each, until in self._until.items() if until >= now}
        pause = 0.0
        if 1 + len(self._asked) + len(self._until) > self._at_once:
            at_once = self._at_once if process is None else 1
            taken = max(now, self._taken.get(process, 0.0) + _ROOM * self._work / at_once)
            self._taken = {each: until for each, until in self._taken.items() if until >= now} | {process: taken}
            pause = min(_MOST, taken - now)
            pause = pause if pause > _WORTH_SAYING else 0.0
        self._until[name] = now + pause + _RECENT
        return pause

    def forget(self, name: str) -> None:
        """A session has gone."""
        self._asked.discard(name)
        self._until.pop(name, None)
