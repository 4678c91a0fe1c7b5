"""What is said while a model's server is waited for, and where that wait can be ended.

The wait lies deep under a strategy's split, the person at its outermost edge: the command line or a
page. A listener is therefore set for all that one thread does meanwhile, and not handed through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a server has been waited for, all attempts of one request together."""

    who: str
    """The provider and its model."""
    seconds: float
    at_most: float
    """Seconds after which the request is given up."""
    attempt: int
    attempts: int
    """The most there will be."""
    problem: str
    """Why it is not the first attempt, in words of ours; empty in the first."""

    @property
    def words(self) -> str:
        """One line: `waited 12 s, at most 120 s`."""
        again = f"{self.problem}, attempt {self.attempt} of {self.attempts}; " if self.problem else ""
        return f"{again}waited {self.seconds:.0f} s, at most {self.at_most:g} s"


Listener = Callable[[Waiting | None], None]
"""Called several times a second, and with None once the wait is over. What it raises ends the
wait, closes the connection, and goes on to the caller."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def while_waiting(listener: Listener) -> Iterator[None]:
    """Have `listener` called for each wait of this thread, as long as the block runs."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(waiting: Waiting | None) -> None:
    """Call the listener, if there is one."""
    listener = _listener.get()
    if listener:
        listener(waiting)
