"""Inspect, the home page: one document, every boundary and its reason."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import streamlit as st
from starlette.middleware import Middleware

from chunking import Document, Run
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.components.number_strip import number_strip
from pages.ui.components.panel_tabs import panel_tabs
from pages.ui.components.source_view.payload import run_name, source_text
from pages.ui.dragging import drag_socket
from pages.ui.inspect import charts, layout, metric_strip
from pages.ui.inspect.audit_panel import audit_panel
from pages.ui.inspect.chunk_panel import chunk_panel
from pages.ui.inspect.curve import similarity_curve
from pages.ui.inspect.export_panel import export_button, export_panel
from pages.ui.inspect.first_visit import first_selected, first_visit
from pages.ui.inspect.health_panel import health_panel
from pages.ui.inspect.loader_picker import loader_picker
from pages.ui.inspect.move_offers import move_offers
from pages.ui.inspect.page_panel import has_pictures, page_panel
from pages.ui.inspect.reading_panel import reading, to_counted
from pages.ui.inspect.sheet import sheet, way_back
from pages.ui.inspect.tabs import tabs
from pages.ui.inspect.threshold_panel import rail
from pages.ui.inspect.undo import steps
from pages.ui.layout import caches, limits, markup, model_prompts, page_frame, picker, shown_run, within_limits
from pages.ui.layout.config_row import config_row
from pages.ui.layout.counted import counted_note
from pages.ui.layout.kept_closed import kept_and_closed
from pages.ui.layout.missing_document import missing_document
from pages.ui.marks import actions
from pages.ui.marks.panel import marks_panel
from pages.ui.marks.source_marks import source_marks
from pages.ui.server.access_token import AsksForToken, token
from pages.ui.server.address import say_address
from pages.ui.server.downloads import tell_why_none_came
from pages.ui.server.first_style import FirstStyle
from pages.ui.server.held_files import HeldFiles
from pages.ui.server.held_texts import hold_within_limits
from pages.ui.server.malformed_requests import answer_them_with_headers, failed
from pages.ui.server.message_sizes import send_whole_documents
from pages.ui.server.prompt_answers import send_at_once
from pages.ui.server.response_headers import SafeHeaders
from pages.ui.server.tokenizers import load_tokenizers
from pages.ui.server.visitors import OnlyKnownHosts, ask_nobody_outside


@within_limits.page
def main() -> None:
    """Draw the page: choose, run, show."""
    state.follow_address()
    with page_frame.open_page("Inspect"):
        export_button()
    first_visit()
    places = layout.frame()
    with places.chosen:
        picker.document_picker()
    source = state.source()
    if source is None:
        with places.source:
            missing_document()
        return
    resolution, before = state.resolution(), state.baseline_resolution()
    document = resolution.config.read(caches.document(source, resolution.config.counter))
    with places.chosen:
        if source.sample:
            kept_and_closed()
        picker.strategy_picker(resolution)
        picker.strategy_line()

    with places.strip:
        asking = st.empty()
    configs = (resolution.config, *([before.config] if before else []))
    for config in configs:
        model_prompts.answer(document, config, asking, "embed")
    with places.strip, st.spinner("Cutting the document", show_time=True):
        run = shown_run.shown(document, resolution.config).run
        compared = shown_run.shown(document, before.config) if before else None
    state.begin_at(first_selected(run))
    # Marks before the source: they cost little, and a question that is asked for does not wait for
    # the rest.
    with places.marked:
        look_for_changes = marks_panel(document, run, compared.run if compared else None)
    live(places, document, source, compared.run if compared else None)
    with places.counted:
        counted_note(run)

    # Only now, while the browser draws the source, which needs none of them.
    from pages.ui.inspect.outline import outline
    from pages.ui.inspect.recommendation import recommendation

    with places.settings:
        way_back()
        picker.counter_picker(resolution)
        loader_picker(document, resolution.config)
        picker.other_settings(resolution, model_prompts.panels(document, resolution.config))
        audit_panel(run)
        config_row(resolution.config)
        picker.baseline_picker(resolution.config, before)
        if compared and (compared.problem or compared.waits):
            page_frame.problem(
                compared.problem or "The baseline waits for a model: choose it above and have it answer."
            )
        outline(document)
    look_for_changes()
    with places.offered:
        recommendation(document, run)
    with places.tabs:
        checks = caches.health_of(run) if run.chunks else ()
        panel_tabs(
            tabs(checks, source_marks(run, state.annotations(document)), pages=has_pictures(source)), key="panel-tabs"
        )
    with places.exported:
        export_panel(run, source, compared.run if compared else None)
        page_frame.note(f"The server remembers {limits.remembered()} of documents.")
    with places.checked:
        health_panel(run)
        st.html(markup.heading("Sizes", beside="tokens of each chunk; dotted: the baseline"))
        st.html(charts.token_histogram(run, compared.run if compared else None))
    page_frame.freeze_what_is_loaded()
    # Last: the cuts are on screen without their descriptions, and stay there while these are
    # written.
    if any(model_prompts.answer(document, config, asking, "describe") for config in configs):
        st.rerun()


@st.fragment(key="live")
@within_limits.part
def live(places: layout.InspectLayout, document: Document, source: Source, baseline: Run | None) -> None:
    """The parts of the page that change while a threshold is dragged. Only this fragment runs again
    then, and nothing is tokenized twice."""
    resolution = state.resolution()
    shown = shown_run.shown(document, resolution.config)
    run = shown.run
    marks = partial(source_marks, annotations=state.annotations(document), drafts=state.drafts_in_source())
    # The source first: the browser draws it while the rest is still being worked out.
    with places.source:
        offers = reading(run, baseline=baseline, marks=marks(run), on_mark=partial(actions.mark, run))
    was = caches.recounted(baseline, run) if baseline else None
    if not state.dragging():
        # Before the steps, which the tab remembers: to be reloaded at any time, both have to be of
        # one setup.
        state.write_query()
    with places.rail:
        sheet(run)
        steps(run)
        rail(run, was, resolution, marks)
        if shown.problem:
            page_frame.problem(shown.problem)
        if shown.waits:
            page_frame.note(f"Still showing {run.config.strategy.title}, until the model below has answered.")
    with places.curve:
        similarity_curve(run)
    with places.strip:
        numbers = [asdict(figure) for figure in metric_strip.before_after(run.metrics, was.metrics if was else None)]
        names = {"document": source_text(document).hash, "run": run_name(run)}
        number_strip(numbers, also=markup.STRIP_WORDS, **names, key="numbers", on_lead=partial(to_counted, run))
        if run.warnings:
            st.html(markup.warnings(run.warnings))
    with places.tokenizer:
        st.html(markup.counted_by(run.config.counter, baseline=baseline.config.strategy.title if baseline else ""))
    with places.chunk:
        chunk_panel(run)
    if has_pictures(source):
        with places.paged:
            page_panel(run, source)
    with offers:  # last, as what removes a boundary: it takes some seconds to find out
        move_offers(run)


if __name__ == "__main__":
    main()
else:
    # `streamlit run` finds this assignment and serves the script with one more route, the fast path
    # of a drag, and with the checks of who comes in.
    ask_nobody_outside()
    send_whole_documents()
    tell_why_none_came()
    hold_within_limits()
    load_tokenizers()
    answer_them_with_headers()
    send_at_once()
    if not token():
        say_address()
    app = st.App(
        __file__,
        routes=drag_socket.routes(),
        middleware=[
            Middleware(SafeHeaders),
            Middleware(FirstStyle),
            Middleware(OnlyKnownHosts),
            Middleware(AsksForToken),
            Middleware(HeldFiles),
        ],
        exception_handlers={Exception: failed},
    )
