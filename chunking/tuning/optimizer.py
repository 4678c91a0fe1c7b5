"""The order in which configs are tried: all of them, or those that optuna suggests.

The only module that imports optuna. It is seeded and receives every result in order, so the same
space, results and number of trials give the same trials.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from chunking.config.config import Config
from chunking.config.validation import plain_settings
from chunking.errors import ConfigError
from chunking.runtime.extras import missing
from chunking.tuning.goal import Point, frontier_of
from chunking.tuning.space import Options, Space

if TYPE_CHECKING:
    from optuna import Study, Trial

_SEED = 20_240_703
_GENERATION = 8
"""Size of a generation of NSGA-II: configs of a strategy tried before the next are derived."""
_MOST_REPEATS = 60
"""After this many suggestions in a row that were tried before or are invalid, a strategy is
done."""

Trying = Generator[Config, Point, None]
"""A generator that yields a config to try, and is sent the resulting point."""


def exhaustive_trials(space: Space) -> Trying:
    """Every legal config."""
    yield from space.all()


def suggested_trials(space: Space, trials: int) -> Trying:
    """At most `trials` configs: each strategy's defaults first, then those that NSGA-II suggests
    for it.

    Every other turn goes to a strategy with a point on the frontier, the others to all strategies
    alike.
    Raises ConfigError if optuna is not installed.
    """
    arms = [_Arm(options) for options in space.options]
    tried = 0
    for turn in count():
        ready = [arm for arm in arms if not arm.done]
        if tried >= trials or not ready:
            return
        arm = _next_arm(ready, turn)
        config = arm.suggestion()
        if config is not None:
            tried += 1
            arm.record((yield config))


def _next_arm(ready: Sequence[_Arm], turn: int) -> _Arm:
    """The strategy that is tried next: at first each in turn, later every other time one with a
    point on the frontier."""
    fresh = [arm for arm in ready if len(arm.points) < _GENERATION]
    if fresh:
        return min(fresh, key=lambda arm: len(arm.points))
    measured = [(arm, point) for arm in ready for point in arm.points]
    meeting = [(arm, point) for arm, point in measured if not point.broken] or measured
    front = frontier_of([point for _, point in meeting])
    leading = [arm for arm in ready if any(point in front for point in arm.points)]
    return leading[turn // 2 % len(leading)] if turn % 2 and leading else ready[turn // 2 % len(ready)]


class _Arm:
    """One strategy's optuna study: maximises quality, minimises tokens to embed, with the
    conditions as constraint."""

    def __init__(self, options: Options) -> None:
        self.points: list[Point] = []
        self.done = False
        self._options = options
        self._known: dict[str, Point] = {}
        self._study = _study()
        self._study.enqueue_trial(_present(options))
        self._pending: tuple[Trial, Config] | None = None

    def suggestion(self) -> Config | None:
        """A config that was not tried yet; None, and `done`, where none can be found."""
        from optuna.trial import TrialState

        for _ in range(_MOST_REPEATS):
            trial = self._study.ask()
            # Indexes and not values, so that adjacent values count as near.
            axes = self._options.axes
            config = self._options.at([trial.suggest_int(axis.setting, 0, len(axis.values) - 1) for axis in axes])
            known = self._known.get(repr(config))
            if config is None:
                self._study.tell(trial, state=TrialState.FAIL)
            elif known is not None:
                self._tell(trial, known)
            else:
                self._pending = trial, config
                return config
        self.done = True
        return None

    def record(self, point: Point) -> None:
        """Record the point of the last suggestion."""
        if self._pending is None:
            return
        trial, config = self._pending
        self._known[repr(config)] = point
        self.points.append(point)
        self._tell(trial, point)
        self.done = len(self.points) >= self._options.possible

    def _tell(self, trial: Trial, point: Point) -> None:
        trial.set_constraint("off", point.off)
        self._study.tell(trial, [point.quality, float(point.tokens)])


def _study() -> Study:
    if absent := missing("tune"):
        raise ConfigError(f"to search a space this large: {absent}, or try fewer values")
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.NSGAIISampler(seed=_SEED, population_size=_GENERATION)
    return optuna.create_study(directions=["maximize", "minimize"], sampler=sampler)


def _present(options: Options) -> dict[str, int]:
    """The trial of a strategy's present values, as far as these are among the axes'."""
    present = plain_settings(options.config.strategy)
    return {
        axis.setting: axis.values.index(present[axis.setting])
        for axis in options.axes
        if axis.setting in present and present[axis.setting] in axis.values
    }
