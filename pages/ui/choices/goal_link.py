"""What auto-tune is asked for, as a parameter of Tune's address: JSON of what differs from the
default, without the config that was clicked. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from pages.ui.choices.tuning import MOST_TRIALS, GoalChoice

_LONGEST = 4_000
"""Characters of the parameter."""
_MOST = 100_000_000
_MOST_NAMES = 64


def write_goal(goal: GoalChoice) -> str:
    """The parameter; "" where nothing differs."""
    usual = GoalChoice()
    if goal == replace(usual, chosen=goal.chosen):
        return ""
    changed = {name: getattr(goal, name) for name in _readers() if getattr(goal, name) != getattr(usual, name)}
    return json.dumps(changed, separators=(",", ":")) if changed else ""


def read_goal(text: str) -> tuple[GoalChoice, str]:
    """The choices, and one line on what could not be read, which keeps its default."""
    if not text:
        return GoalChoice(), ""
    try:
        said = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        return GoalChoice(), "goal: is not valid JSON"
    readers = _readers()
    known: dict[str, Any] = {name: readers[name](value) for name, value in said.items() if name in readers}
    wrong = [name for name in said if known.get(name) is None]
    goal = replace(GoalChoice(), **{name: value for name, value in known.items() if value is not None})
    return goal, f"goal: {wrong[0][:40]!r} cannot be read" if wrong else ""


def _readers() -> Mapping[str, Callable[[object], object]]:
    """For each choice what makes it of a value of JSON; None for what it cannot be."""
    from chunking.tuning import INVARIANTS, Objective  # what carries it out: only for who has a goal

    return {
        "objective": _one_of(get_args(Objective)),
        "max_chunks": _whole(_MOST),
        "max_tokens": _whole(_MOST),
        "must": _names(tuple(INVARIANTS)),
        "retrieved_tokens": _whole(_MOST, 1),
        "sizes": _ends,
        "search": _one_of(("bm25", "cosine", "hybrid")),
        "strategies": _names(),
        "snapshots": _names(),
        "trials": _whole(MOST_TRIALS),
        "all_trials": lambda value: value if isinstance(value, bool) else None,
    }


def _one_of(names: tuple[str, ...]) -> Callable[[object], object]:
    return lambda value: value if value in names else None


def _whole(most: int, least: int = 0) -> Callable[[object], object]:
    def read(value: object) -> int | None:
        return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None

    return read


def _names(known: tuple[str, ...] | None = None) -> Callable[[object], object]:
    def read(value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list) or len(value) > _MOST_NAMES:
            return None
        names = tuple(each for each in value if isinstance(each, str) and (known is None or each in known))
        return names if len(names) == len(value) else None

    return read


def _ends(value: object) -> tuple[int, int] | None:
    whole = _whole(_MOST)
    if not isinstance(value, list) or len(value) != 2 or any(whole(each) is None for each in value):
        return None
    low, high = sorted(value)
    return low, high
