"""The form of auto-tune: what to make best, what must be met, and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from chunking import strategies
from chunking.retrieval import Search
from chunking.tuning import (
    INVARIANTS,
    NEARLY_AS_GOOD,
    NEED_QUESTIONS,
    OBJECTIVES,
    PATIENCE,
    SEARCHED,
    Goal,
    Invariant,
    Objective,
)
from pages.ui import state
from pages.ui.choices.retrieving import WAYS, Retrieving
from pages.ui.choices.tuning import MOST_TRIALS, GoalChoice
from pages.ui.layout import page_frame
from pages.ui.tune import controls
from pages.ui.tune.goal_options import objectives, searchable, trials_of
from pages.ui.tune.measures import OMEGA, SHORTLY

TITLES: dict[Objective, str] = {
    "recall": "Most of the answers found (recall)",
    "iou": "Best overlap with the answers (IoU)",
    "precision-omega": "Highest precision possible (precision-omega)",
    "whole-blocks": "Fewest blocks cut in two (of any kind)",
    "even-sizes": "Most chunks of a certain size",
    "few-tokens": "Fewest tokens to embed",
}
_OF_ANY_KIND = (
    "Counts each boundary inside a block, a paragraph or a quote too. Elsewhere “blocks cut in two” are tables, code "
    "and lists, each counted once."
)
_KEYS = {
    "max_chunks": "tune-goal-chunks",
    "max_tokens": "tune-goal-tokens",
    "retrieved_tokens": "tune-goal-retrieved",
    "trials": "tune-goal-trials",
}


_SNAPSHOTS = "tune-goal-snapshots"
KEYWORDS_FIRST = (
    f"Tune begins with {WAYS['bm25'].lower()}: vectors embed every new chunk of every config, which takes long. "
    f"Retrieve begins with {WAYS[Retrieving().way].lower()}."
)
"""Why the two pages do not begin with the same search."""


def form(goal: Goal, *, questions: bool, snapshots: Sequence[str]) -> None:
    """Draw the form. What needs questions is not offered without any; `snapshots` are the names of
    those that can be tried."""
    choice = state.tuned().goal
    _objective(goal, choice, questions=questions)
    with st.container(key="tune-goal-row-limits", horizontal=True, gap="small"):
        _limit("Max chunks", "max_chunks", choice.max_chunks, "Of all documents together; empty for no limit")
        _limit("Max tokens to embed", "max_tokens", choice.max_tokens, "Of all documents together; empty for no limit")
    st.multiselect(
        "Requirements",
        list(INVARIANTS),
        key=state.own("tune-goal-must", list(choice.must)),
        format_func=lambda name: SHORTLY[name],
        placeholder="No requirements",
        help="\n".join(f"- {SHORTLY[name]}: {words}" for name, words in INVARIANTS.items()),
        on_change=_take,
    )
    offered = searchable()
    st.multiselect(
        "Strategies",
        offered,
        key=state.own("tune-goal-strategies", [name for name in choice.strategies if name in offered]),
        format_func=lambda name: strategies.get(name).title,
        placeholder="All that need no model",
        help="Code is tried where more than half of the text is source code, or where you choose it.",
        on_change=_take,
    )
    if snapshots:
        st.multiselect(
            "Snapshots",
            snapshots,
            key=state.own(
                _SNAPSHOTS, [name for name in snapshots if choice.snapshots is None or name in choice.snapshots]
            ),
            placeholder="None of them",
            help="Configs that you gave a name, tried as they are beside what is searched",
            on_change=_take_snapshots,
        )
    controls.documents_chooser()
    words = "More tries find better configs, and take longer"
    _number("Configs to try", "trials", trials_of(choice), words, least=1, most=MOST_TRIALS)
    if goal.objective in NEED_QUESTIONS:  # the others end early for no reason
        st.toggle(
            "Do not stop early",
            key=state.own("tune-goal-all-trials", choice.all_trials),
            help="Tries as many configs as the number above says, which may take several times as long. Else it stops "
            "where nothing could be shown to be better than the best, and the frontier has not moved for "
            f"{PATIENCE} configs.",
            on_change=_take,
        )


def _goal_help(offered: Sequence[Objective]) -> str:
    each = (f"- **{TITLES[name]}**: {OBJECTIVES[name]}" for name in offered)
    return "\n".join([*each, f"\nNearly as good is what is {NEARLY_AS_GOOD}."])


def _objective(goal: Goal, choice: GoalChoice, *, questions: bool) -> None:
    st.selectbox(
        "Goal",
        objectives(questions=questions),
        key=state.own("tune-goal-objective", goal.objective),
        format_func=lambda name: TITLES[name],
        help=_goal_help(objectives(questions=questions)),
        on_change=_take,
    )
    if not questions:
        page_frame.note(f"Mark answers in the source on Inspect, and these can be goals as well: recall, and {OMEGA}.")
    if goal.objective == "precision-omega":
        page_frame.note(f"{OMEGA[:1].upper()}{OMEGA[1:]}.")
    if goal.objective == "whole-blocks":
        page_frame.note(_OF_ANY_KIND)
    if goal.objective in SEARCHED:
        with st.container(key="tune-goal-row-search", horizontal=True, gap="small"):
            words = "Of what is retrieved for a question, best first: every config is asked at the same cost"
            _number("Retrieved tokens", "retrieved_tokens", choice.retrieved_tokens, words, least=1)
            st.selectbox(
                "Search",
                ("bm25", "cosine", "hybrid"),
                key=state.own("tune-goal-search", choice.search),
                format_func=lambda search: WAYS[search],
                help="With vectors the local embedding model is used: slower, and every new chunk is embedded",
                on_change=_take,
            )
        if choice.search == "bm25":
            page_frame.note(KEYWORDS_FIRST)
    if goal.objective == "even-sizes":
        with st.container(key="tune-goal-row-sizes", horizontal=True, gap="small"):
            for end, words in ((0, "From tokens"), (1, "To tokens")):
                key = state.own(f"tune-goal-size-{end}", choice.sizes[end])
                st.number_input(words, min_value=0, step=50, key=key, on_change=_take)


def _limit(words: str, name: str, value: int, help: str) -> None:
    """A limit that is none where the field is empty."""
    key = state.own(_KEYS[name], value or None)
    st.number_input(
        words, value=None, min_value=0, step=50, key=key, placeholder="no limit", help=help, on_change=_take
    )


def _number(words: str, name: str, value: int, help: str, *, least: int = 0, most: int = 100_000_000) -> None:
    key = state.own(_KEYS[name], value)
    st.number_input(
        words, min_value=least, max_value=most, step=50 if least == 0 else 20, key=key, help=help, on_change=_take
    )


def _take() -> None:
    """A callback: what the form says now. What is not drawn keeps its value."""
    choice = state.tuned().goal
    usual = {"max_chunks": 0, "max_tokens": 0, "retrieved_tokens": choice.retrieved_tokens, "trials": choice.trials}
    numbers = {name: _moved_number(key, usual[name]) for name, key in _KEYS.items()}
    must = cast("list[Invariant]", state.moved("tune-goal-must") or [])
    all_trials = state.moved("tune-goal-all-trials")
    sizes = tuple(_moved_number(f"tune-goal-size-{end}", choice.sizes[end]) for end in (0, 1))
    state.tune(
        replace(
            state.tuned(),
            goal=replace(
                choice,
                objective=cast("Objective | None", state.moved("tune-goal-objective")),
                must=tuple(name for name in INVARIANTS if name in must),
                strategies=tuple(cast("list[str]", state.moved("tune-goal-strategies") or [])),
                search=cast(Search, state.moved("tune-goal-search") or choice.search),
                sizes=(min(sizes), max(sizes)),
                max_chunks=numbers["max_chunks"],
                max_tokens=numbers["max_tokens"],
                retrieved_tokens=numbers["retrieved_tokens"],
                trials=numbers["trials"],
                all_trials=choice.all_trials if all_trials is None else bool(all_trials),
                chosen="",
            ),
        )
    )


def _take_snapshots() -> None:
    names = tuple(cast("list[str]", state.moved(_SNAPSHOTS) or []))
    state.tune(replace(state.tuned(), goal=replace(state.tuned().goal, snapshots=names, chosen="")))


def _moved_number(key: str, otherwise: int) -> int:
    value = state.moved(key)
    return int(value) if isinstance(value, int | float) else otherwise
