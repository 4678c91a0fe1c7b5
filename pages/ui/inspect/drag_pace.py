"""How long each of those who drag at the same time should wait before its next question, so that
none waits in a queue: the answer then shows where the hand is now, and not where it was.

With more people than cores, all answers of one round take longer than one answer. Who has been
answered pauses for the rest of the round.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_RECENT = 1.5
"""Seconds since the last question for which a session counts as dragging."""
_WEIGHT = 0.1
"""Of the newest answer, in what an answer takes on average."""
_ROOM = 1.7
"""The length of a round, in what its answers take: what is left over is for the pages of others,
and keeps a queue from growing."""
_MOST = 1.0
"""Seconds: the longest pause."""
_WORTH_SAYING = 0.01


class Pace:
    """Who drags, and what answers take. Not for several threads: the server's loop asks it."""

    def __init__(self, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        """Answers that can be worked out at the same time."""
        self._clock = clock
        self._asked: dict[str, float] = {}
        self._work = 0.0

    def ask(self, name: str) -> None:
        """A session has asked."""
        self._asked.pop(name, None)
        self._asked[name] = self._clock()

    def pause(self, name: str, work: float) -> float:
        """Seconds that this session should wait, now that it is answered; `work` are the seconds
        that the answer took without waiting for its turn."""
        now = self._clock()
        self._work += _WEIGHT * (work - self._work) if self._work else work
        began = self._asked.get(name, now)
        while self._asked and (oldest := next(iter(self._asked))) and now - self._asked[oldest] > _RECENT:
            del self._asked[oldest]
        a_round = _ROOM * len(self._asked) * self._work / self._at_once
        pause = min(_MOST, a_round - (now - began))
        return pause if pause > _WORTH_SAYING and len(self._asked) > self._at_once else 0.0
