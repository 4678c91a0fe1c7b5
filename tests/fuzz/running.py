"""One round of a target: so many examples of hypothesis from one seed, and the smallest that
failed."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from fuzz.targets import TARGETS
from hypothesis import HealthCheck, Phase, given, seed, settings


@dataclass(frozen=True)
class Round:
    """What is done; the same one does the same."""

    target: str
    seed: int
    examples: int


@dataclass(frozen=True)
class Result:
    """What came of it."""

    examples: int
    """Those that were tried, without those of shrinking where none failed."""
    failure: str
    """The smallest failing example and its traceback; empty where none failed."""
    command: str
    """What makes it again."""


def play(of: Round) -> Result:
    """Try one round. What fails is in the result, not raised."""
    target, tried, last = TARGETS[of.target], 0, [""]

    @seed(of.seed)
    @settings(
        max_examples=of.examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.values)
    def one(value: object) -> None:
        nonlocal tried
        tried += 1
        last[0] = repr(value)
        target.check(value)

    failure = ""
    try:
        one()
    except Exception:
        # The last one that hypothesis tries is the smallest.
        failure = f"{last[0][:2000]}\n{traceback.format_exc(limit=-6)}"
    command = f"python -m tests.fuzz --target {of.target} --seed {of.seed} --examples {of.examples} --rounds 1"
    return Result(tried, failure, command)
