"""What auto-tune is asked for on the Tune page: a goal, its conditions, and where to look. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from chunking import Config, Document, strategies
from chunking.tuning import NEED_QUESTIONS, OBJECTIVES, TRIALS, Goal, Objective, Options, Space, options_of, space_of
from pages.ui.choices.snapshots import Snapshot
from pages.ui.choices.tuning import GoalChoice


def goal_of(choice: GoalChoice, *, questions: bool) -> Goal:
    """The goal of these choices. An objective that needs questions is replaced by another where
    there are none."""
    wanted = choice.objective if choice.objective in objectives(questions=questions) else None
    return Goal(
        wanted or ("recall" if questions else "even-sizes"),
        choice.max_chunks or None,
        choice.max_tokens or None,
        choice.must,
        choice.retrieved_tokens,
        choice.sizes,
        choice.search,
    )


def candidates(snapshots: Sequence[Snapshot], now: Config) -> tuple[Snapshot, ...]:
    """The snapshots that can be tried: counted as Inspect counts, and of strategies that can be
    searched."""
    able = searchable()
    return tuple(each for each in snapshots if each.config.counter == now.counter and each.config.strategy.name in able)


def space_for(
    choice: GoalChoice, now: Config, snapshots: Sequence[Snapshot] = (), documents: Sequence[Document] = ()
) -> Space:
    """The settings of the strategies that are searched (unless chosen, those that suit the
    documents, and the current one), counted as Inspect counts, so that all
    numbers of the page compare. The current strategy comes first where it is one of them, and its
    current settings are among what is tried; then the chosen snapshots as they are."""
    space = space_of(choice.strategies, now.counter, now.loader)
    suited = space.suited_to(documents) if documents and not choice.strategies else space
    found = [
        options_of(now) if each.config.strategy.name == now.strategy.name else each
        for each in space.options
        if each in suited.options or each.config.strategy.name == now.strategy.name
    ]
    found.sort(key=lambda each: each.config.strategy.name != now.strategy.name)
    for each in _kept(choice, now, snapshots):
        if not any(each in options for options in found):
            found.append(Options(each, ()))
    return Space(tuple(found))


def scope_of(choice: GoalChoice, now: Config, snapshots: Sequence[Snapshot] = ()) -> str:
    """All that `space_for` goes by beside the strategy and the settings that Inspect has now, as a
    key: a search is found again after one of its configs was taken to Inspect."""
    return repr((choice.strategies, now.counter, now.loader, _kept(choice, now, snapshots)))


def _kept(choice: GoalChoice, now: Config, snapshots: Sequence[Snapshot]) -> list[Config]:
    """The configs of the snapshots that are tried."""
    able = candidates(snapshots, now)
    return [each.config for each in able if choice.snapshots is None or each.name in choice.snapshots]


def trials_of(choice: GoalChoice) -> int:
    """How many configs are tried."""
    return choice.trials or TRIALS


def objectives(*, questions: bool) -> tuple[Objective, ...]:
    """The objectives that can be measured, with questions or without any."""
    return tuple(each for each in OBJECTIVES if questions or each not in NEED_QUESTIONS)


def searchable() -> tuple[str, ...]:
    """The strategies that can be searched: those that ask no model."""
    there = {each.config.strategy.name for each in space_of().options}
    return tuple(name for name in strategies.names() if name in there)
