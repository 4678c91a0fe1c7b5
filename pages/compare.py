"""Compare: two to four configs side by side, and what becomes of every boundary; on one document,
or in numbers on all."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.compare import all_documents, layout, results
from pages.ui.layout import caches, page_frame, palette, within_limits
from pages.ui.layout.missing_document import missing_document
from pages.ui.side_by_side import controls, counted, model_prompts
from pages.ui.side_by_side.from_inspect import from_inspect
from pages.ui.side_by_side.markup import one_shown


@within_limits.page
def main() -> None:
    """What was chosen, what was cut, what is shown."""
    state.follow_compared_address()
    page_frame.open_page("Compare")
    frame = layout.frame(len(state.comparing().rows), of_all=state.comparing().all_documents)
    with frame.chosen:
        layout.choose()
    if state.comparing().all_documents:
        with frame.problems:
            layout.link_problem()
            from_inspect()
        all_documents.compare_all(frame)
        state.write_comparing()
        page_frame.freeze_what_is_loaded()
        return
    source = state.source()
    with frame.problems:
        layout.link_problem()
    if source is None:
        with frame.problems:
            missing_document()
        return
    document, comparing = caches.document(source), state.comparing()
    configs = comparing.configs()

    with frame.problems:
        from_inspect()
    with frame.problems, st.spinner("Cutting the document", show_time=True):
        model_prompts.ask_local_models(document, configs, st.empty())
        cuts = [results.cut(document, number, each, comparing.counter) for number, each in enumerate(configs)]
        compared = results.compared(cuts)
        counted.compared_notes([(row.letter, measured) for row, measured in compared.rows])

    with frame.ribbon:
        results.draw_ribbon(compared, document)
        st.html(one_shown([row.letter for row in cuts], "Source", name="Source shown"))
    for number, row in enumerate(cuts):
        with frame.panels[number]:
            controls.row_chooser(number, comparing.rows[number].resolution(), row.measured)
            results.draw_source(row, cuts[0])
    layout.results(frame, compared, comparing.counter)
    state.write_comparing()
    palette.document_headings(document)
    page_frame.freeze_what_is_loaded()


main()
