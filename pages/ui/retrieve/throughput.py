"""How long embedding takes on this machine, learnt from what it took. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

_READ = 1_100
"""Characters of a text that the local model reads, about: 256 word pieces."""
_EACH = 40
"""Characters' worth of work that a text costs, however short."""


class Pace:
    """Characters a second. The last measurements count most: the machine may be busy."""

    def __init__(self) -> None:
        self._rate = 0.0
        self._lock = Lock()

    @property
    def known(self) -> bool:
        return self._rate > 0

    def note(self, texts: Sequence[str], seconds: float) -> None:
        """Learn from what these texts took."""
        if not texts or seconds <= 0:
            return
        rate = work(texts) / seconds
        with self._lock:
            self._rate = rate if not self._rate else (self._rate + rate) / 2

    def seconds(self, texts: Sequence[str]) -> float:
        """What these texts will take, about. Raises ValueError while nothing is known."""
        if not self._rate:
            raise ValueError("no text has been timed yet")
        return work(texts) / self._rate


def work(texts: Sequence[str]) -> int:
    """Characters that are read, about."""
    return sum(_EACH + min(len(text), _READ) for text in texts)
