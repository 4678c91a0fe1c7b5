"""How far a counter that estimates is from an exact one, measured on what a run made: what its
limits come to."""

from __future__ import annotations

from dataclasses import dataclass

from chunking.core.metrics import whole_sizes
from chunking.runs import Run
from chunking.tokens import EXACT, counter

CLOSE = (0.8, 1.25)
"""Between these an estimate is near enough for its limits to mean about what they say."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The tokens to embed of one run, counted by its own counter and by an exact one."""

    counter: str
    tokens: int
    exact: str
    exact_tokens: int

    @property
    def times(self) -> float | None:
        """Exact tokens for each estimated one; None where nothing was estimated."""
        return self.exact_tokens / self.tokens if self.tokens else None

    @property
    def far(self) -> bool:
        """Whether limits by this counter are not what an embedder sees."""
        times = self.times
        return self.exact_tokens > 0 if times is None else not CLOSE[0] <= times <= CLOSE[1]

    @property
    def said(self) -> str:
        """Both counts in a line, and what it means where they are far apart."""
        times = "" if self.times is None else f" ({self.times:.2f} times)"
        both = f"{self.counter} counts {self.tokens:,} tokens; {self.exact} counts {self.exact_tokens:,}{times}."
        return f"{both} Limits are not what your embedder sees." if self.far else both

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "counter": self.counter,
            "tokens": self.tokens,
            "exact_counter": self.exact,
            "exact_tokens": self.exact_tokens,
            "times": None if self.times is None else round(self.times, 4),
            "far": self.far,
        }


def measured_ratio(run: Run) -> Ratio | None:
    """The run's counter against an exact one on this document; None where it is exact itself."""
    if not run.approximate:
        return None
    exact = int(whole_sizes(run, counter(EXACT)).sum())
    return Ratio(run.config.counter, int(run.columns.tokens.sum()), EXACT, exact)
