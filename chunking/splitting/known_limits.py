"""For which values of a limit a result stays as it is: a result that is remembered with them is
found again while a threshold moves."""

from __future__ import annotations

import math

from chunking.tracing import plain


class KnownLimits:
    """The limits with which every size that was compared comes out as it did. Mutable while a
    result is worked out; not changed once that is remembered.

    Works with a traced limit (`chunking.tracing`) too, of which it keeps nothing.
    """

    __slots__ = ("below", "least")

    def __init__(self) -> None:
        self.least: float = -math.inf
        self.below: float = math.inf

    def admit(self, size: int, limit: int) -> bool:
        """Whether a size is within the limit, which is what the result depends on."""
        if size <= limit:
            if size > self.least:
                self.least = size
            return True
        if size < self.below:
            self.below = size
        return False

    def pin(self, limit: int) -> None:
        """The result depends on the limit in ways that are not followed: only with this one is it
        found again."""
        self.least = plain(limit)
        self.below = self.least + 1

    def also(self, other: KnownLimits) -> None:
        """The result depends on another one, which is the same with its own limits."""
        if other.least > self.least:
            self.least = other.least
        if other.below < self.below:
            self.below = other.below

    def hold(self, limit: int) -> bool:
        """Whether the result is the same with this limit."""
        return self.least <= limit < self.below
