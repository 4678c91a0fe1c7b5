"""Retrieve: what a question brings up in two to four configs, and which of them answers more of yours."""

from __future__ import annotations

import streamlit as st

from pages.ui import (
    cached,
    compare_shown,
    counted,
    picker,
    retrieve_controls,
    retrieve_frame,
    retrieve_lost,
    retrieve_measured,
    retrieve_questions,
    retrieve_rows,
    retrieve_shown,
    shell,
    state,
)


def main() -> None:
    """What was chosen, what was found, what is shown."""
    shell.open_page("Retrieve")
    places = retrieve_frame.frame(len(state.comparing().rows))
    with places.chosen:
        retrieve_controls.choose()
    if state.source() is None:
        with places.problems:
            picker.nothing_chosen()
        return
    documents = [cached.document(source) for source in retrieve_controls.chosen_sources()]
    known, told, comparing = retrieve_questions.known(documents), state.retrieving(), state.comparing()
    with places.asked:
        retrieve_controls.ask(known, documents)

    with places.problems, st.spinner("Cutting the documents", show_time=True):
        retrieve_frame.link_problems()
        compare_shown.ask_local_models(documents[0], comparing.configs(), places.asking)
        rows = retrieve_rows.cut(documents, comparing.configs(), comparing.counter)
    with places.problems:
        retrieve_lost.language_note(told, documents)
        counted.compared_notes([(row.letter, row.measured) for row in rows if row.measured])
        rows = retrieve_rows.made_ready(rows, told, known, places.asking)

    for number, row in enumerate(rows):
        with places.panels[number]:
            retrieve_shown.panel(number, row, told, known)
    with places.measured:
        retrieve_measured.measured(rows, told, known, documents)
    state.write_retrieval()
    shell.freeze_what_is_loaded()


main()
