"""Retrieve: what a question brings up in two to four configs, and which of them answers more of
yours."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.layout import caches, markup, page_frame, palette, within_limits
from pages.ui.layout.missing_document import missing_document
from pages.ui.retrieve import controls, evaluation, layout, messages, questions, truncation
from pages.ui.retrieve import results as retrieve_results
from pages.ui.retrieve import rows as retrieve_rows
from pages.ui.side_by_side import counted, model_prompts
from pages.ui.side_by_side.from_inspect import from_inspect
from pages.ui.side_by_side.overrides import overrides_note


@within_limits.page
def main() -> None:
    """What was chosen, what was found, what is shown."""
    state.follow_retrieved_address()
    page_frame.open_page("Retrieve")
    places = layout.frame(len(state.comparing().rows))
    with places.chosen:
        controls.choose()
    if state.source() is None:
        with places.problems:
            missing_document()
        return
    documents = [caches.document(source) for source in controls.chosen_sources()]
    known, retrieving, comparing = questions.known(documents), state.retrieving(), state.comparing()
    with places.question:
        controls.ask(known, documents)

    with places.problems, st.spinner("Cutting the documents", show_time=True):
        layout.link_problems()
        from_inspect()
        model_prompts.ask_local_models(documents[0], comparing.configs(), places.asking)
        configs = comparing.configs()
        if retrieving.all_documents:
            configs, problems = state.compared_on_corpus()
            overrides_note(problems, "A search in one document leaves them out.")
        rows = retrieve_rows.cut(documents, configs, comparing.counter)
    with places.problems:
        truncation.language_note(retrieving, documents)
        counted.compared_notes([(row.letter, row.measured) for row in rows if row.measured])
        rows = retrieve_rows.made_ready(rows, retrieving, known, places.asking)

    came = []
    for number, row in enumerate(rows):
        with places.panels[number]:
            came.append(retrieve_results.panel(number, row, retrieving, known))
    told = [each for each in came if each]
    with places.told:
        st.html(markup.told(messages.told(retrieving.question, [each.words for each in told])))
    found = [each for each in told if each.tokens]
    uneven = messages.uneven([each.letter for each in found], [each.tokens for each in found])
    if uneven and retrieving.equal == "chunks":
        with places.uneven:
            controls.uneven_note(uneven)
    with places.measured:
        evaluation.measured(rows, retrieving, known, documents)
    state.write_retrieval()
    palette.document_headings(documents[0])
    page_frame.freeze_what_is_loaded()


main()
