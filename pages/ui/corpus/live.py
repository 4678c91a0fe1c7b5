"""The part of the Corpus page that follows the thresholds: rail, numbers and table."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

import streamlit as st

from chunking.analysis import CorpusFigures, DocumentFigures, repeats, together
from chunking.config import Override
from chunking.errors import ChunkscopeError
from chunking.text import counted
from pages.ui import state
from pages.ui.background import corpus_jobs
from pages.ui.background.corpus_jobs import Checked, Part
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.background.jobs import Job
from pages.ui.choices.corpus import ORDERS, SHOWS, check_named
from pages.ui.choices.plans import Plan
from pages.ui.choices.resolve import Resolution
from pages.ui.choices.same_names import beginning_of, told_apart
from pages.ui.components.corpus_table import DocumentLine, corpus_table
from pages.ui.components.number_strip import number_strip
from pages.ui.components.reading_views.map_view import MapState
from pages.ui.components.threshold_rail import Axis, RailDrawn, rail_drawn, rail_height, steady_axis, threshold_rail
from pages.ui.corpus import numbers
from pages.ui.corpus.drag import CorpusDrag
from pages.ui.corpus.layout import CorpusLayout
from pages.ui.corpus.worst import worst_place
from pages.ui.dragging import drag_socket
from pages.ui.dragging.thresholds import let_go, moved, thresholds_of
from pages.ui.layout import caches, markup, page_frame, within_limits
from pages.ui.server import sessions

EVERY = 0.4
"""Seconds between two looks at what has come."""
_AT_ONCE = 0.3
"""Seconds that the page waits for all of it."""
_SMALL_AT_ONCE = 1.5
"""The same for a small corpus, with its baseline and its checks: nearly always all of it is there
by then, and the page is drawn once."""


@dataclass(frozen=True)
class Measured:
    """A corpus and its baseline, as far as they are cut."""

    corpus: Corpus
    cuts: Cuts
    job: Job[Part]
    before: Job[Part] | None
    checks: Job[Checked] | None
    """None until all documents are cut, by the baseline too."""

    @property
    def running(self) -> bool:
        return any(each is not None and each.running for each in (self.job, self.before, self.checks))


def measure(corpus: Corpus, cuts: Cuts, before: Cuts | None) -> Measured:
    """Begin what is not measured yet. Raises RunLimitError for a corpus without room."""
    user = sessions.session_id() or ""
    sessions.at_end("corpus", partial(corpus_jobs.forget, user))
    workers.hold(corpus, user)
    job = corpus_jobs.measured(corpus, cuts, user, "now")
    ends = time.monotonic() + (_SMALL_AT_ONCE if corpus.small else _AT_ONCE)
    job.wait(_left_until(ends))
    was = None if before is None or job.running else corpus_jobs.measured(corpus, before, user, "baseline")
    if was and corpus.small:
        was.wait(_left_until(ends))
    cut = not (job.running or job.problem or corpus_jobs.is_left(job) or (was and was.running))
    checks = corpus_jobs.checked(corpus, cuts, user) if cut and not state.dragging() else None
    if checks and corpus.small:
        checks.wait(_left_until(ends))
    return Measured(corpus, cuts, job, was, checks)


def _left_until(ends: float) -> float:
    return max(0.0, ends - time.monotonic())


@within_limits.part
def live(places: CorpusLayout, corpus: Corpus, before: Cuts | None, *, looks_again: bool) -> None:
    """Draw them for the present thresholds, and, where this is called, how far the cut has come.
    `looks_again`: this runs by itself until all is cut."""
    if state.goes_to_inspect():  # first: the config is that of its document now, not the corpus'
        page_frame.open_inspect()
    resolution, choices = state.resolution(), state.corpus_choices()
    cuts = Cuts(resolution.config, choices.overrides, choices.which(corpus.documents))
    try:
        now = measure(corpus, cuts, before)
    except ChunkscopeError as error:
        with places.table:
            page_frame.problem(str(error))
        return
    if now.running != looks_again and not state.dragging():
        st.rerun()
    found = corpus_jobs.found_in(now.job)
    whole = now.before and not (now.before.running or now.before.problem or now.job.problem)
    was = corpus_jobs.found_in(now.before) if now.before and whole else {}
    run = corpus_jobs.name_of(corpus, cuts)
    total, total_was = together(found.values()), together(was.values()) if was else None
    with places.rail:
        _rail(now, found, was, total, resolution, run)
    with places.strip:
        figures = [asdict(each) for each in numbers.strip(total, total_was)]
        words, key = markup.STRIP_WORDS, "corpus-numbers"
        number_strip(figures, also=words, document=corpus.key, run=run, key=key, on_lead=_no_lead)
    _say(now, len(found), total)  # where this fragment is: Streamlit lets it draw no button elsewhere
    with places.table:
        if choices.look == "map":
            from pages.ui.corpus.map_panel import map_panel  # with what runs worker processes

            map_panel(corpus, cuts, found, _names(corpus), run=run, before=_before_map(now))
        else:
            _table(now, found, run)
    if not state.dragging():
        state.write_corpus_query()


def _no_lead(_title: str) -> None:
    """No number of the strip leads anywhere: the table does."""


def _rail(
    now: Measured,
    found: Mapping[int, DocumentFigures],
    was: Mapping[int, DocumentFigures],
    total: CorpusFigures,
    resolution: Resolution,
    run: str,
) -> None:
    plan, before = state.plan(), state.baseline_plan()
    thresholds = thresholds_of(plan, before, resolution)
    if not thresholds:
        page_frame.note(f"{resolution.config.strategy.title} has no thresholds: nothing to drag.")
    documents = now.corpus.documents
    histogram = numbers.histogram(found, was.values())
    key = f"corpus-rail-{plan.strategy}"
    axis = steady_axis(thresholds, histogram, key=key, dragging=state.dragging())
    rows = now.corpus.sample
    session = CorpusDrag(
        corpus=now.corpus,
        cuts=now.cuts,
        rows=rows,
        was={row: was[row] for row in rows if row in was},
        plan=plan,
        counter=state.counter_choice(),
        good=resolution.config,
        thresholds=thresholds,
        rail=partial(_moved_rail, before, {row: was[row] for row in rows if row in was}, len(documents), axis),
    )
    st.html(markup.reserved(key, rail_height(thresholds)))
    threshold_rail(
        thresholds,
        key=key,
        histogram=histogram,
        axis=axis,
        summary=numbers.summary(total, len(documents)),
        run=run,
        dragging=state.dragging(),
        channel=drag_socket.open_session(state.channel(), session),
        on_change=partial(moved, plan.strategy),
        on_release=partial(let_go, plan.strategy),
    )
    if len(rows) < len(documents):
        characters = sum(len(documents[row].text) for row in rows)
        page_frame.note(
            f"{len(rows):,} documents of every size and kind ({characters / 1e6:.1f} million characters) follow a "
            f"drag; all {len(documents):,} follow when it rests."
        )


def _moved_rail(
    before: Plan | None,
    was: Mapping[int, DocumentFigures],
    documents: int,
    axis: Axis,
    found: Mapping[int, DocumentFigures],
    plan: Plan,
    resolution: Resolution,
    run: str,
) -> RailDrawn:
    histogram = numbers.histogram(found, was.values())
    summary = numbers.summary(together(found.values()), documents)
    return rail_drawn(thresholds_of(plan, before, resolution), histogram, summary, run, axis)


def _say(now: Measured, cut: int, total: CorpusFigures) -> None:
    """How far it is, what could not be cut, what repeats."""
    documents = len(now.corpus.documents)
    failed = [job for job in (now.job, now.before, now.checks) if job is not None and job.problem]
    if failed:
        some = f" ({cut:,} of {counted(documents, 'document')} cut)" if cut < documents else ""
        page_frame.problem(f"{failed[0].problem}{some}")
        st.button("Try again", key="corpus-again", on_click=partial(_go_on, failed))
        return
    if now.job.running:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="corpus-progress"):
            words = f"{cut:,} of {counted(documents, 'document')} cut"
            st.progress(cut / max(1, documents), words, width="stretch")
            st.button("Cancel", key="corpus-cancel", on_click=partial(corpus_jobs.leave, now.job))
        return
    if corpus_jobs.is_left(now.job):
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="corpus-left-off"):
            page_frame.note(f"Cancelled: {cut:,} of {counted(documents, 'document')} cut.")
            st.button("Go on", key="corpus-again", on_click=partial(corpus_jobs.go_on, now.job))
        return
    of = [counted(total.documents, "document")]
    of += [f"{counted(total.repeated, 'chunk')} with the text of one in another document"] if total.repeated else []
    of += [f"{counted(total.problems, 'document')} not cut"] if total.problems else []
    page_frame.note(" · ".join(of))


def _go_on(jobs: Sequence[Job[Part] | Job[Checked]]) -> None:
    for job in jobs:
        corpus_jobs.go_on(job)


def _names(corpus: Corpus) -> list[str]:
    documents = corpus.documents
    return told_apart([each.name for each in documents], [beginning_of(each.text) for each in documents])


def _before_map(now: Measured) -> MapState | None:
    """What there is to say of a map of the chunks before it can be begun; None where it can."""
    if state.dragging():
        return MapState(waits="Waiting for the thresholds to rest")
    if now.job.running:
        return MapState(waits="Waiting for all documents to be cut")
    return MapState(problem="not all documents are cut") if now.job.problem or corpus_jobs.is_left(now.job) else None


def _table(now: Measured, found: Mapping[int, DocumentFigures], run: str) -> None:
    choices, corpus, cuts = state.corpus_choices(), now.corpus, now.cuts
    checks = corpus_jobs.found_in(now.checks) if now.checks else None
    said = [override_text(each) for each in choices.overrides]
    lines = [
        DocumentLine(name, said[number] if number >= 0 else "")
        for name, number in zip(_names(corpus), cuts.which, strict=True)
    ]
    shown = {name: getattr(choices, name) for name in ("order", "descending", "show", "check", "path", "row")}
    st.html(markup.documents_in("corpus-table", len(lines)))
    corpus_table(
        lines,
        found,
        checks or {},
        None if now.job.running else repeats(found),
        run=run,
        corpus=corpus.key,
        shown=shown,
        key="corpus-documents",
        on_open=partial(_open, corpus, cuts),
        on_look=_look,
    )


def override_text(override: Override) -> str:
    """An override in one line: its pattern, then what it says."""
    named = [("strategy", override.strategy), ("counter", override.counter), *override.settings.items()]
    if override.loader is not None:
        patterns = (*override.loader.heading_patterns, *override.loader.delimiters)
        named.append(("headings", ", ".join(patterns) or "none"))
    return " ".join([override.pattern, *(f"{name} {value}" for name, value in named if value != "")])


def _look(looks: Mapping[str, object]) -> None:
    """Take how the table is ordered and filtered now."""
    choices = state.corpus_choices()
    order, show, check, path = (looks.get(name) for name in ("order", "show", "check", "path"))
    state.choose_for_corpus(
        replace(
            choices,
            order=next((each for each in ORDERS if each == order), choices.order),
            descending=bool(looks.get("descending")),
            show=next((each for each in SHOWS if each == show), choices.show),
            check=check_named(check),
            path=path[:200] if isinstance(path, str) else choices.path,
        )
    )


def _open(corpus: Corpus, cuts: Cuts, row: int) -> None:
    """Show a document in Inspect, at its worst place."""
    source, config = corpus.documents[row], cuts.configs[cuts.which[row]]
    if isinstance(config, str):
        return
    try:
        place = worst_place(caches.run(caches.document(source), config), of=state.corpus_choices().show)
    except ChunkscopeError:
        place = 0
    state.open_document(source, config, place or 0)
