"""Compare: two to four configs side by side on one document, and what becomes of every boundary."""

from __future__ import annotations

import streamlit as st

from pages.ui import cached, compare_chosen, compare_frame, compare_shown, counted, picker, shell, state


def main() -> None:
    """What was chosen, what was cut, what is shown."""
    state.follow_compared_address()
    shell.open_page("Compare")
    frame = compare_frame.frame(len(state.comparing().rows))
    with frame.chosen:
        compare_frame.choose()
    source = state.source()
    with frame.problems:
        compare_frame.link_problem()
    if source is None:
        with frame.problems:
            picker.nothing_chosen()
        return
    document, comparing = cached.document(source), state.comparing()
    configs = comparing.configs()

    with frame.problems, st.spinner("Cutting the document", show_time=True):
        compare_shown.ask_local_models(document, configs, st.empty())
        cuts = [compare_shown.cut(document, number, each, comparing.counter) for number, each in enumerate(configs)]
        compared = compare_shown.compared(cuts)
        counted.compared_notes([(row.letter, measured) for row, measured in compared.rows])

    with frame.ribbon:
        compare_shown.draw_ribbon(compared, document)
    for number, row in enumerate(cuts):
        with frame.panels[number]:
            compare_chosen.row_chooser(number, comparing.rows[number].settled(), row.measured)
            compare_shown.draw_source(row, cuts[0])
    compare_frame.results(frame, compared, comparing.counter)
    state.write_comparing()
    shell.freeze_what_is_loaded()


main()
