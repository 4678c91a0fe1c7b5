"""What auto-tune is asked for on the Tune page: a goal, its conditions, and where to look. No
Streamlit."""

from __future__ import annotations

from chunking import Config, strategies
from chunking.tuning import NEED_QUESTIONS, OBJECTIVES, TRIALS, Goal, Objective, Space, options_of, space_of
from pages.ui.choices.tuning import GoalChoice

MOST_TRIALS = 2_000


def goal_of(told: GoalChoice, *, questions: bool) -> Goal:
    """The goal; what needs questions is only asked for where there are some."""
    wanted = told.objective if told.objective in objectives(questions=questions) else None
    return Goal(
        wanted or ("recall" if questions else "even-sizes"),
        told.max_chunks or None,
        told.max_tokens or None,
        told.must,
        told.retrieved_tokens,
        told.sizes,
        told.search,
    )


def space_for(told: GoalChoice, now: Config) -> Space:
    """The strategies' settings, counted as Inspect counts, so that all numbers of the page compare;
    of the current strategy what it stands at now is among what is tried, and comes first."""
    found = [
        options_of(now) if each.config.strategy.name == now.strategy.name else each
        for each in space_of(told.strategies, now.counter).options
    ]
    return Space(tuple(sorted(found, key=lambda each: each.config.strategy.name != now.strategy.name)))


def trials_of(told: GoalChoice) -> int:
    """How many configs are tried."""
    return told.trials or TRIALS


def objectives(*, questions: bool) -> tuple[Objective, ...]:
    """What can be wanted with what is known."""
    return tuple(each for each in OBJECTIVES if questions or each not in NEED_QUESTIONS)


def searchable() -> tuple[str, ...]:
    """The strategies that can be looked through: those that ask no model."""
    there = {each.config.strategy.name for each in space_of().options}
    return tuple(name for name in strategies.names() if name in there)
