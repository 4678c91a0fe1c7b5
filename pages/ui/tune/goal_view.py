"""Auto-tune on the Tune page: a goal is asked for, configs come in, and one of the frontier is
taken to Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import streamlit as st

from chunking import Config, Document
from chunking.analysis import Metric
from chunking.errors import ChunkscopeError
from chunking.gold import WholeMark, unreviewed_words
from chunking.text import be, counted
from chunking.tuning import Evidence, Goal, Point, Tuning, certain_words, evidence, nothing_better, trust_words
from pages.ui import state
from pages.ui.background import goal_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.background.jobs import Job
from pages.ui.choices.resolve import counter_label
from pages.ui.choices.snapshots import config_title
from pages.ui.choices.tuning import GoalChoice
from pages.ui.layout import caches, markup, page_frame, within_limits
from pages.ui.layout.drawbacks import of_point
from pages.ui.layout.figures import readable
from pages.ui.server.owners import owner
from pages.ui.tune import controls, goal_form, goal_reasons, layout
from pages.ui.tune import markup as tune_markup
from pages.ui.tune.goal_options import candidates, goal_of, scope_of, space_for, trials_of
from pages.ui.tune.layout import TuneLayout
from pages.ui.tune.measures import figures, measures

_EVERY = 0.7
"""Seconds between two looks at what has come."""


def show(places: TuneLayout, document: Document, config: Config) -> None:
    """The goal on the left, the frontier on the right."""
    choice = state.tuned().goal
    documents = controls.measured_on(document)
    marks = [state.annotations(each) for each in documents]
    questions = tuple(question for each in marks for question in each.questions)
    whole = tuple(WholeMark(of.name, span) for of, each in zip(documents, marks, strict=True) for span in each.whole)
    goal = goal_of(choice, questions=bool(questions))
    snapshots = state.snapshots()
    space, scope = space_for(choice, config, snapshots, documents), scope_of(choice, config, snapshots)
    request = GoalRequest(
        documents, goal, space, questions, whole, trials_of(choice), owner().key, not choice.all_trials, scope
    )
    shown = goal_job.shown(request)
    with places.request:
        offered = candidates(snapshots, config)
        page_frame.more_controls(f"Goal: {goal_form.TITLES[goal.objective]}", name="tune-goal")
        controls.overrides_note(all_documents=len(documents) > 1)
        goal_form.form(goal, questions=bool(questions), snapshots=[each.name for each in offered])
        if len(offered) < len(snapshots):
            left = counted(len(snapshots) - len(offered), "snapshot")
            page_frame.note(f"Not tried: {left} with another tokenizer or with a model.")
        if drafts := unreviewed_words(questions):
            page_frame.note(f"{drafts}.")
        waits = _waits(shown)
        running = not waits and _begin_button(request, shown, config)
        if waits:
            layout.instead_of_button(f"{counted(request.expected, 'config')} to try")
        page_frame.note(
            f"Tokenizer for every config: {counter_label(config.counter)}, as in Inspect, so that they can be compared."
        )
    with places.results:
        if waits:
            _waiting(request, config)
            return
        # Only while configs are tried does this look again by itself.
        st.fragment(_results, run_every=_EVERY if running else None)(shown, config, running)


def _waits(shown: GoalRequest) -> bool:
    """Whether nothing is tried yet, nor being tried."""
    found, job = goal_job.progress_of(shown)
    return not found.points and not (job and job.running)


def _waiting(request: GoalRequest, now: Config) -> None:
    """Where results will be: what would be tried, with the way to it."""
    found, job = goal_job.progress_of(request)
    if job and job.problem:
        page_frame.problem(job.problem)
    elif job:
        _ended(found, job)
    with layout.before_results():
        page_frame.empty(
            goal_form.TITLES[request.goal.objective],
            f"{counted(request.space.possible, 'config')} {be(request.space.possible)} possible. "
            f"Try {request.expected:,} of them to see which is best, and what costs less.",
        )
        _begin_button(request, request, now, width="content")


def _begin_button(
    request: GoalRequest, shown: GoalRequest, now: Config, *, width: Literal["stretch", "content"] = "stretch"
) -> bool:
    """The way to have configs tried; whether they are being tried now. `shown` is the search whose
    results are there, which may have begun with another config in Inspect."""
    found, job = goal_job.progress_of(shown)
    running = job is not None and job.running
    done = job is not None and not running and not job.cancelled and not job.problem
    changed = shown != request and not running and not any(point.config == now for point in found.points)
    label = f"Try {counted(request.expected, 'config')}"
    if done:
        label = f"{label} again" if changed else f"Done: {len(found.points):,} tried"
        done = not changed
    if changed:
        page_frame.note("Inspect's config has changed since this search, and was not tried.")
    st.button(
        "Trying" if running else label,
        key="tune-try",
        type="primary",
        icon=":material/play_arrow:",
        width=width,
        disabled=running or done,
        on_click=_begin,
        args=(request,),
    )
    return running


def _begin(request: GoalRequest) -> None:
    goal_job.begin(request)


@within_limits.part
def _results(request: GoalRequest, now: Config, was_running: bool) -> None:
    """Everything that moves while configs come in."""
    found, job = goal_job.progress_of(request)
    running = job is not None and job.running
    known = None if running else evidence(found)
    if was_running and not running:
        st.rerun()  # the button on the left says so too, and nothing looks again by itself any more
    # Places of their own: what comes and goes in one moves nothing in the others.
    status, chart, chosen, table = (st.container(gap="small") for _ in range(4))
    with status:
        if running and job:
            _progress(request, job, len(found.points))
        elif job and job.problem:
            page_frame.problem(job.problem)
        if found.points:
            certain = certain_words(found, known) if known else ""
            st.html(tune_markup.verdict(found, now, running=running, certain=certain))
        if not running:
            _ways(request, found, now)
        if job and not running and not job.problem:
            _ended(found, job)
    if not found.points:
        return
    points = listed(found)
    point = next((each for each in found.points if each.config.to_yaml() == state.tuned().goal.chosen), None)
    below = known is not None and point in goal_reasons.others(found, known) and point not in points
    with chart:
        _chart(found, now, point if point in points else None, known)
    with chosen:
        if point and not below:
            _chosen(request, found, now, point, known)
    with table:
        _table(request, found, points, now, known)
        if found.best and not running:
            if known:
                with st.expander("How certain is that?", key="tune-certain", expanded=below):
                    page_frame.paragraph(trust_words(found, known, tune_markup.named))
                    _not_worse(request, found, now, known, point if below else None)
            goal_reasons.effects(request, found.best)


def _ways(request: GoalRequest, found: Tuning, now: Config) -> None:
    """The next step: the best to Inspect, or what costs less and is nearly as good."""
    best, nearly = found.best, found.nearly_as_good
    if best:
        with st.container(key="tune-way-best", gap="xsmall"):
            against = _against(request, found, best, now)
            _apply_button(best, now, "best", key="tune-apply-best", first=not against)
    if nearly:
        with st.container(key="tune-way-nearly", gap="xsmall"):
            st.html(tune_markup.nearly(found, nearly))
            _against(request, found, nearly, now)
            _apply_button(nearly, now, "nearly as good", key="tune-apply-nearly", first=False)


def _against(request: GoalRequest, found: Tuning, point: Point, now: Config) -> bool:
    """Say what a config makes worse than it is now; whether that is anything."""
    current = found.point_of(now)
    if current is None or point is current:
        return False
    unread = 0
    with suppress(ChunkscopeError):  # a model may have to answer first
        unread = caches.unread_with(request.documents, now, point.config)
    words = of_point(point, current, found.goal, unread=unread).words
    if words:
        st.html(markup.drawback(words))
    return bool(words)


def _not_worse(request: GoalRequest, found: Tuning, now: Config, known: Evidence, chosen: Point | None) -> None:
    """The configs that may be as good, with the way to each of them: the `chosen` one above their
    table."""
    goal_reasons.not_worse_heading(found, known)
    if chosen:
        _chosen(request, found, now, chosen, known)
    goal_reasons.not_worse(found, now, known, _choose)


def _apply_button(point: Point, now: Config, which: str, *, key: str, first: bool) -> None:
    """The way to a config that is named above it, without looking for its row; the `first` one
    stands out."""
    same = point.config == now
    words = f"Inspect has the {which}" if same else f"Apply {which} to Inspect"
    kind: Literal["primary", "secondary"] = "primary" if first else "secondary"
    if st.button(words, key=key, type=kind, icon=":material/search:", disabled=same):
        state.inspect(point.config, state.resolution().config)
        page_frame.open_inspect()


def _progress(request: GoalRequest, job: Job[Point], done: int) -> None:
    documents = len(request.documents)
    reading = f"Reading {'the document' if documents == 1 else counted(documents, 'document')}: " if not done else ""
    with st.container(key="tune-status", horizontal=True, gap="small", vertical_alignment="center"):
        words = f"{reading}{done:,} of {request.expected:,} configs"
        st.progress(min(1.0, done / max(1, request.expected)), text=words)
        st.button("Cancel", key="tune-cancel", icon=":material/stop:", on_click=job.cancel)


def _ended(found: Tuning, job: Job[Point]) -> None:
    """What was tried; who hears the page is told the verdict before it."""
    of = "all there are" if found.exhaustive else f"of {found.possible:,} possible"
    ended = "Cancelled: " if job.cancelled else ""
    met = f"{len(found.meeting):,} meet{'s' if len(found.meeting) == 1 else ''} all requirements"
    configs = counted(len(found.points), "config")
    tried = f"{ended}{configs}, {of}, in {job.seconds:.1f} s; {met}."
    st.html(markup.status(tried, heard=f"{tune_markup.verdict_sentence(found)} {tried}"))
    if found.settled:
        stopped = f"Stopped after {configs}. {nothing_better(found)}"
        page_frame.note(f"{stopped} A cheaper one may be among those not tried.")


def listed(found: Tuning) -> tuple[Point, ...]:
    """What can be chosen: the frontier; where nothing meets all requirements, what is nearest, by
    how far it is off."""
    if found.frontier:
        return found.frontier
    return tuple(sorted(found.points, key=lambda each: (each.off, -each.quality, each.tokens))[:10])


def _chart(found: Tuning, now: Config, chosen: Point | None, known: Evidence | None) -> None:
    from pages.ui.tune import goal_charts  # plotly takes longer to import than all the rest

    title = "Tokens to embed, by chunks" if found.goal.is_cost else "What quality costs"
    st.html(markup.heading(title, beside="choose a point, or a row of the table below"))
    st.plotly_chart(
        readable(goal_charts.frontier_chart(found, now, chosen, known)),
        key="tune-frontier",
        config={"displayModeBar": False},
        on_select=lambda: _take_point(found),
        selection_mode="points",
    )


def _take_point(found: Tuning) -> None:
    number = state.clicked_point("tune-frontier")
    if number is not None and 0 <= number < len(found.points):
        _choose(found.points[number])


def _choose(point: Point) -> None:
    choice: GoalChoice = state.tuned().goal
    state.tune(replace(state.tuned(), goal=replace(choice, chosen=point.config.to_yaml())))


def _chosen(request: GoalRequest, found: Tuning, now: Config, chosen: Point, known: Evidence | None) -> None:
    """The chosen config's numbers beside those of the current one; the way to Inspect, and out."""
    current = found.point_of(now)
    with st.container(key="tune-head", horizontal=True, gap="small", vertical_alignment="center"):
        beside = tune_markup.changed_words(chosen.config)
        st.html(markup.heading(config_title(chosen.config, state.snapshots()), beside=beside), width="content")
        if st.button("Apply to Inspect", key="tune-apply", type="primary", icon=":material/search:"):
            state.inspect(chosen.config, state.resolution().config)
            page_frame.open_inspect()
        st.download_button(
            "YAML",
            data=chosen.config.to_yaml(),
            file_name="chunks.yaml",
            mime="application/yaml",
            key="tune-yaml",
            icon=":material/download:",
            on_click="ignore",
        )
    _against(request, found, chosen, now)
    shown = measures(questions=chosen.summary.answers_cut is not None, whole=chosen.summary.spans_cut is not None)
    limits = chosen.config.strategy.limits(), now.strategy.limits()
    numbers = figures(chosen.summary, current.summary if current else None, shown, limits)
    if known and chosen.values:
        interval = known.interval(chosen)
        ends = f"{interval.low:.3f} to {interval.high:.3f}"
        words = f"{found.goal.unit}: {ends}, with 95% confidence if it had not been chosen."
        page_frame.note(f"{words[:1].upper()}{words[1:]}")
    st.html(markup.explained((quality_figure(found.goal, chosen, current), *numbers), beside="current"))
    if chosen.broken:
        page_frame.note(f"Fails: {'; '.join(chosen.broken)}.")


def quality_figure(goal: Goal, chosen: Point, current: Point | None) -> markup.Figure:
    """What was wanted, beside what the current config has of it."""
    title = goal.unit[:1].upper() + goal.unit[1:]
    if current is None:
        return markup.Figure(title, goal.shown(chosen.quality))
    verdict = Metric("quality", title, better="more").verdict(current.quality, chosen.quality)
    return markup.Figure(title, goal.shown(chosen.quality), goal.shown(current.quality), verdict)


def _table(request: GoalRequest, found: Tuning, points: Sequence[Point], now: Config, known: Evidence | None) -> None:
    from pages.ui.tune.tables import point_columns, points_table, row_height

    def take() -> None:
        row = state.chosen_row("tune-points")
        if row is not None and row < len(points):
            _choose(points[row])

    title, of = ("The frontier", "none that was tried is both better and cheaper than one of these; ")
    if not found.frontier:
        title, of = "The nearest", ""
    st.html(markup.heading(title, beside=f"{of}choose a row; by keyboard: arrows, then Shift+Space"))
    table = points_table(points, request.goal, now, known, state.snapshots())
    st.dataframe(
        table,
        key="tune-points",
        hide_index=True,
        row_height=row_height(table),
        column_config=point_columns(request.goal),
        on_select=take,
        selection_mode="single-row",
        width="stretch",
    )
