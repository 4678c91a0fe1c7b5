"""Why the best config is the best, as far as that can be said: which others are not shown to be
worse, and what each of its settings does."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from chunking import Config
from chunking.text import counted
from chunking.tuning import Effect, Evidence, Point, Tuning
from pages.ui import state
from pages.ui.background import goal_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.background.jobs import Job
from pages.ui.layout import markup, page_frame

MOST = 50
"""Configs that are listed."""
_EVERY = 0.7
"""Seconds between two looks at what has come."""


def others(found: Tuning, known: Evidence) -> tuple[Point, ...]:
    """The other configs that are not shown to be worse than the best, the cheapest first."""
    equals = (point for point in known.not_worse if point is not found.best)
    return tuple(sorted(equals, key=lambda each: each.tokens))


def not_worse_heading(found: Tuning, known: Evidence) -> None:
    """What the table of `not_worse` is; nothing where it is empty."""
    equals = others(found, known)
    if not equals:
        return
    beside = counted(len(equals), "config")
    beside += f", the {MOST} with the fewest tokens" if len(equals) > MOST else ""
    st.html(markup.heading("Not shown to be worse than the best", beside=f"{beside}; choose a row to apply it"))


def not_worse(found: Tuning, now: Config, known: Evidence, choose: Callable[[Point], None]) -> None:
    """The other configs that may be as good as the best, a row each; one that is chosen is told to
    `choose`."""
    equals = others(found, known)
    if not equals:
        return
    from pages.ui.tune.tables import point_columns, points_table, row_height

    def take() -> None:
        row = state.chosen_row("tune-not-worse")
        if row is not None and row < min(len(equals), MOST):
            choose(equals[row])

    table = points_table(equals[:MOST], found.goal, now, known, state.snapshots())
    row = row_height(table)
    st.dataframe(
        table,
        key="tune-not-worse",
        hide_index=True,
        row_height=row,
        column_config=point_columns(found.goal),
        on_select=take,
        selection_mode="single-row",
        width="stretch",
        height=min(38 + row * len(table), 390),
    )
    less = found.best.tokens - equals[0].tokens if found.best else 0
    costs = f"the first embeds {counted(less, 'token')} less" if less > 0 else "none embeds fewer tokens"
    page_frame.note(f"The questions are too few to prove that the best, of many tried, is better than these; {costs}.")


def effects(request: GoalRequest, best: Point) -> None:
    """What each setting of the best does; asked for first, for each change is cut and measured."""
    job = goal_job.effects_of(request, best)
    running = job is not None and job.running
    st.fragment(_effects, run_every=_EVERY if running else None)(request, best, running)


def _effects(request: GoalRequest, best: Point, was_running: bool) -> None:
    job = goal_job.effects_of(request, best)
    running = job is not None and job.running
    if running != was_running:
        st.rerun()
    st.html(markup.heading("What each setting of the best does", beside="one changed at a time, to the next value"))
    if job is None or (job.cancelled and not running):
        st.button(
            "Measure the effects",
            key="tune-effects",
            icon=":material/play_arrow:",
            on_click=_begin,
            args=(request, best),
        )
    elif running:
        with st.container(key="tune-effects-status", horizontal=True, gap="small", vertical_alignment="center"):
            st.html(markup.note("Changing one setting after the other."))
            st.button("Cancel", key="tune-effects-cancel", icon=":material/stop:", on_click=job.cancel)
    elif job.problem:
        page_frame.problem(job.problem)
    else:
        _table(request, best, job)


def _begin(request: GoalRequest, best: Point) -> None:
    goal_job.begin_effects(request, best)


def _table(request: GoalRequest, best: Point, job: Job[tuple[Effect, ...]]) -> None:
    from pages.ui.tune.tables import EFFECT_COLUMNS, effects_table

    found = [effect for part in job.found for effect in part]
    if not found:
        page_frame.note("The best has no setting that was varied.")
        return
    st.dataframe(
        effects_table(found, best, request.goal),
        key="tune-effects-table",
        hide_index=True,
        column_config=EFFECT_COLUMNS,
        width="stretch",
    )
    if found[0].difference:
        page_frame.note("In brackets: 95% intervals over the questions, valid for all rows at once.")
