"""The ratio of an estimating counter to an exact one, measured on a run's chunks: how far its
limits are off."""

from __future__ import annotations

from dataclasses import dataclass

from chunking.core.metrics import whole_sizes
from chunking.runs import Run
from chunking.tokens import EXACT, counter

CLOSE = (0.8, 1.25)
"""Between these ratios an estimate is close enough: limits mean about what they say."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The tokens to embed of one run, by its own counter and by an exact one."""

    counter: str
    tokens: int
    exact: str
    exact_tokens: int

    @property
    def times(self) -> float | None:
        """Exact tokens for each estimated one; None where the estimate is 0."""
        return self.exact_tokens / self.tokens if self.tokens else None

    @property
    def far(self) -> bool:
        """Whether the ratio is outside `CLOSE`, so that limits are not what an embedder sees."""
        times = self.times
        return self.exact_tokens > 0 if times is None else not CLOSE[0] <= times <= CLOSE[1]

    @property
    def sentence(self) -> str:
        """Both counts in a line, with a warning where they are far apart."""
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
    """The ratio of the run's counter to an exact one on this document; None where it is exact."""
    if not run.approximate:
        return None
    exact = int(whole_sizes(run, counter(EXACT)).sum())
    return Ratio(run.config.counter, int(run.columns.tokens.sum()), EXACT, exact)
