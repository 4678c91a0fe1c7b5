"""A sweep on the Tune page: measured at once where that is quick, else begun with a button; drawn
as it fills in, and cancelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import streamlit as st

from chunking import Config, Document
from chunking.analysis import Metric
from chunking.errors import ConfigError
from chunking.gold import WholeMark, unreviewed_words
from chunking.text import counted
from chunking.tuning import Cell, checked_axes
from pages.ui import state
from pages.ui.choices.resolve import counter_label
from pages.ui.choices.tuning import Range, SweepChoice, sweepable
from pages.ui.layout import caches, markup, page_frame, setting_names, within_limits
from pages.ui.layout.figures import readable
from pages.ui.server.owners import owner
from pages.ui.tune import controls, layout, sweep_job, sweep_verdict
from pages.ui.tune import markup as tune_markup
from pages.ui.tune.cell_panel import cell_panel, drawback, now_values, shown_axes, told
from pages.ui.tune.layout import TuneLayout
from pages.ui.tune.measures import measure, measures
from pages.ui.tune.range_job import StartRanges, start_ranges
from pages.ui.tune.sweep_job import SweepProgress, SweepRequest

_EVERY = 0.5
"""Seconds between two looks at what has come."""
_AT_ONCE = 1.0
"""Seconds that a click may take: a sweep of a few kilobytes is done by then."""
_UNSAID = 0.2
"""Seconds that ranges are searched without a word: those of a few kilobytes are found by then."""


def show(places: TuneLayout, document: Document, config: Config) -> None:
    """What to sweep on the left, what came of it on the right."""
    sweeping = state.tuned().sweeping(config)
    if sweeping is None:
        with places.results:
            page_frame.empty(f"{config.strategy.title} has no settings to sweep", "Choose another strategy.")
        return
    documents = controls.measured_on(document)
    start = _announced_ranges(places, documents, config, sweeping)
    request, problem = _request(documents, config, sweeping, start.ranges)
    with places.request:
        page_frame.more_controls(_in_short(request), name="tune-sweep")
        controls.axes_chooser(config, sweeping, start)
        controls.documents_chooser()
        controls.overrides_note(all_documents=len(documents) > 1)
        if request is None:
            page_frame.problem(problem)
            return
        limits = config.strategy.limits()
        shown = measures(questions=bool(request.questions), whole=bool(request.whole), limits=limits)
        if drafts := unreviewed_words(request.questions):
            page_frame.note(f"{drafts}.")
        if not start.searching and sweep_job.is_quick(request):
            _begin(request)
        swept = sweep_job.progress_of(request)
        running, waits = swept.running, not (swept.begun or swept.running or start.searching)
        if waits:
            layout.instead_of_button(f"{counted(_legal(request), 'combination')} to measure")
        else:
            _begin_button(request, swept, searching=start.searching)
        controls.looks(config, sweeping, shown)
    with places.results:
        if start.searching:
            st.fragment(_follow_ranges, run_every=_EVERY)(documents, config, sweeping)
            return
        if waits:
            _waiting(request, swept)
            return
        # Only while something is being measured does this look again by itself.
        st.fragment(_results, run_every=_EVERY if running else None)(request, shown, running)


def _in_short(request: SweepRequest | None) -> str:
    """What is swept, for the line that stands for the controls on a phone."""
    if request is None:
        return "Ranges, measure and requirements"
    titles = [setting_names.title(axis.setting, request.config.strategy) for axis in request.axes]
    ends = (f"{title} {axis.values[0]} to {axis.values[-1]}" for title, axis in zip(titles, request.axes, strict=True))
    return f"Sweep: {', '.join(ends)}"


def _announced_ranges(
    places: TuneLayout, documents: tuple[Document, ...], config: Config, sweeping: SweepChoice
) -> StartRanges:
    """The ranges to start with. Where they are not found at once, the page says in the results'
    place that they are searched, before it waits for them."""
    with places.results, st.container(key="tune-finding"):
        place = st.empty()
    start = _start_ranges(documents, config, sweeping, _UNSAID)
    if start.searching:
        with place:
            page_frame.empty(
                "Finding the ranges in which the chunks change",
                "Combinations are measured then: at once where that is quick, else when you press Measure.",
            )
        start = _start_ranges(documents, config, sweeping, _AT_ONCE)
        if not start.searching:
            place.empty()
    return start


def _start_ranges(
    documents: tuple[Document, ...], config: Config, sweeping: SweepChoice, patience: float
) -> StartRanges:
    """Where the documents change, for the settings whose range nobody chose."""
    settings = sweeping.settings(sweepable(config))
    return start_ranges(documents, config, settings, dict(sweeping.ranges).keys(), owner().key, patience)


def _follow_ranges(documents: tuple[Document, ...], config: Config, sweeping: SweepChoice) -> None:
    """Draw the page again once the ranges are found."""
    if not _start_ranges(documents, config, sweeping, 0).searching:
        st.rerun()


def _request(
    documents: tuple[Document, ...], config: Config, sweeping: SweepChoice, start: Mapping[str, Range]
) -> tuple[SweepRequest | None, str]:
    """The sweep that was asked for, with what is marked in its documents; or what is wrong with
    it."""
    marks = [state.annotations(each) for each in documents]
    try:
        axes = sweeping.axes(sweepable(config), start)
        checked_axes(config, axes)
    except ConfigError as error:
        return None, str(error)
    questions = tuple(question for each in marks for question in each.questions)
    whole = tuple(WholeMark(of.name, span) for of, each in zip(documents, marks, strict=True) for span in each.whole)
    return SweepRequest(documents, config, axes, questions, whole, caches.answers_for(config.strategy), owner().key), ""


def _begin_button(
    request: SweepRequest,
    swept: SweepProgress,
    *,
    searching: bool = False,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """The way to have it measured, which what is quick does not wait for."""
    left = len(request.cells) - swept.measured
    legal = _legal(request)
    label = f"Measure {counted(left, 'combination')}" if left == legal else f"Measure the other {left:,}"
    label = "Measuring" if swept.running else label if left else f"Done: {legal:,} measured"
    st.button(
        "Finding ranges" if searching else label,
        key="tune-begin",
        type="primary",
        icon=":material/play_arrow:",
        width=width,
        disabled=swept.running or not left or searching,
        on_click=_begin,
        args=(request,),
    )


def _legal(request: SweepRequest) -> int:
    """How many of the combinations the strategy allows."""
    return sum(cell.config is not None for cell in request.cells)


def _begin(request: SweepRequest) -> None:
    """Have it measured. What is done at once is waited for: the page goes from asked to measured in
    one step."""
    sweep_job.begin(request).wait(_AT_ONCE)


@within_limits.part
def _results(request: SweepRequest, shown: Sequence[Metric], was_running: bool) -> None:
    """Everything that moves while cells come in."""
    swept, sweeping = sweep_job.progress_of(request), state.tuned().sweeping(request.config)
    if sweeping is None:
        return
    if was_running and not swept.running:
        st.rerun()  # the button on the left says so too, and nothing looks again by itself any more
    # Places of their own: what comes and goes in one moves nothing in the others.
    status, chart, chosen, table = (st.container(gap="small") for _ in range(4))
    applied_above = False
    with status:
        if swept.complete:
            applied_above = _verdict(request, swept, sweeping)
        else:
            _status(request, swept)
    if not swept.begun:
        return
    with chart:
        _chart(request, swept, sweeping, shown)
        if swept.complete:
            _status(request, swept)
    with chosen:
        with st.container(key="tune-told"):
            st.html(markup.told(told(request, swept, sweeping)))
        cell_panel(request, swept, sweeping, shown, applied_above=applied_above)
    with table:
        _table(request, swept, sweeping, shown)


def _verdict(request: SweepRequest, swept: SweepProgress, sweeping: SweepChoice) -> bool:
    """What it shows of the current config, and the way to the nearest one that is better; whether
    the selected one is applied here."""
    now, axes = now_values(request), shown_axes(request)
    words = sweep_verdict.verdict_words(swept.cells, axes, sweeping.must, now)
    near = sweep_verdict.nearest(swept.cells, axes, sweeping.must, now)
    if words:
        far = sweep_verdict.far_words(axes, near, now) if near else ""
        page_frame.paragraph(" ".join(filter(None, (words, far))))
    if near is None or near.config is None:
        return False
    against = drawback(request, swept.cell(now), near).words
    kind: Literal["primary", "secondary"] = "secondary" if against else "primary"
    with st.container(key="tune-near", gap="xsmall"):
        if against:
            st.html(markup.drawback(against))
        if near.values != sweeping.chosen:
            st.button("See the nearest", key="tune-nearest", type=kind, on_click=_choose, args=(request, near))
        elif st.button("Apply the nearest to Inspect", key="tune-apply", type=kind, icon=":material/search:"):
            state.inspect(near.config, request.config)
            page_frame.open_inspect()
    return near.values == sweeping.chosen


def _status(request: SweepRequest, swept: SweepProgress) -> None:
    """How far it is, with the way to end it; afterwards what it took."""
    job, legal = swept.job, _legal(request)
    done = swept.measured - (len(swept.cells) - legal)
    if swept.running and job:
        with st.container(key="tune-status", horizontal=True, gap="small", vertical_alignment="center"):
            st.progress(done / legal, text=f"{done:,} of {legal:,} combinations")
            st.button("Cancel", key="tune-cancel", icon=":material/stop:", on_click=job.cancel)
        return
    if job and job.problem:
        page_frame.problem(job.problem)
    elif job and job.cancelled and not swept.complete:
        page_frame.note(f"Cancelled: {done:,} of {legal:,} combinations measured and kept.")
    elif swept.complete:
        took = f" in {job.seconds:.1f} s" if job else ""
        on = (
            request.documents[0].base_name
            if len(request.documents) == 1
            else counted(len(request.documents), "document")
        )
        page_frame.note(
            f"Measured {counted(legal, 'combination')} on {on}{took}; tokenizer: "
            f"{counter_label(request.config.counter)}."
        )


def _waiting(request: SweepRequest, swept: SweepProgress) -> None:
    """Where results will be: what would be measured, with the way to it."""
    names = " and ".join(axis.setting for axis in shown_axes(request))
    legal, total = _legal(request), len(request.cells)
    ruled_out = f"{legal:,} of {total:,} are possible (minimum ≤ maximum). " if legal < total else ""
    _status(request, swept)
    with layout.before_results():
        page_frame.empty(
            f"{counted(legal, 'combination')} of {names}",
            f"{ruled_out}Measure them to see the chunks each one makes; the text is tokenized once.",
        )
        _begin_button(request, swept, width="content")


def _chart(request: SweepRequest, swept: SweepProgress, sweeping: SweepChoice, shown: Sequence[Metric]) -> None:
    from pages.ui.tune import charts  # plotly takes longer to import than all the rest

    by = measure(sweeping.measure if sweeping.measure in {each.name for each in shown} else "chunks")
    st.html(markup.heading(by.title, beside="choose a cell for its numbers, or a row of the table below"))
    now, axes = now_values(request), shown_axes(request)
    if len(axes) == 2:
        figure = charts.heat_map(swept.cells, axes, by, shown, sweeping.must, now, sweeping.chosen)
    else:
        figure = charts.line_chart(swept.cells, axes[0], by, shown, sweeping.must, now, sweeping.chosen)
    st.plotly_chart(
        readable(figure),
        key="tune-map",
        config={"displayModeBar": False},
        on_select=lambda: _take_point(request, swept),
        selection_mode="points",
    )
    st.html(tune_markup.legend(swept.cells, sweeping.must, now, sweeping.chosen, lines=len(axes) == 1))
    excluding = tune_markup.excluding(swept.cells, sweeping.must) if swept.complete else None
    if excluding:
        st.html(excluding)


def _take_point(request: SweepRequest, swept: SweepProgress) -> None:
    number = state.clicked_point("tune-map")
    if number is not None and 0 <= number < len(swept.cells):
        _choose(request, swept.cells[number])


def _choose(request: SweepRequest, cell: Cell) -> None:
    sweeping = state.tuned().sweeping(request.config)
    if sweeping is not None:
        state.tune(state.tuned().with_sweeping(request.config, replace(sweeping, chosen=cell.values)))


def _table(request: SweepRequest, swept: SweepProgress, sweeping: SweepChoice, shown: Sequence[Metric]) -> None:
    """The same cells as rows, for the keyboard and for whoever reads numbers."""
    from pages.ui.tune.tables import cells_table

    table, cells, formats = cells_table(swept.cells, shown_axes(request), shown, sweeping.must)

    def take() -> None:
        row = state.chosen_row("tune-table")
        if row is not None and row < len(cells):
            _choose(request, cells[row])

    st.html(markup.heading("Every combination", beside="choose a row; by keyboard: arrows, then Shift+Space"))
    st.dataframe(
        table,
        key="tune-table",
        hide_index=True,
        on_select=take,
        selection_mode="single-row",
        height=280,
        column_config={name: st.column_config.NumberColumn(name, format=written) for name, written in formats.items()},
        width="stretch",
    )
