"""Tune: settings over ranges on a heat map that fills in, and configs found for a goal, with what each costs."""

from __future__ import annotations

import streamlit as st

from pages.ui import cached, counted, models, picker, shell, state, tune_frame, tune_sweep


def main() -> None:
    """What was chosen, what is measured, what came of it."""
    shell.open_page("Tune")
    places = tune_frame.frame()
    with places.chosen:
        picker.document_picker()
    source = state.source()
    if source is None:
        with places.results:
            picker.nothing_chosen()
        return
    document, settled = cached.document(source), state.settled()
    with places.chosen:
        if state.tuned().view == "sweep":  # a goal is looked for in strategies of its own
            picker.strategy_picker(settled)
        tune_frame.view_picker()
    with places.results:
        models.answer(document, settled.config, st.empty(), "embed")
        counted.config_note(document, settled.config)
    if state.tuned().view == "goal":
        from pages.ui import tune_goal  # what searches and retrieves is loaded only for this half

        tune_goal.show(places, document, settled.config)
    else:
        tune_sweep.show(places, document, settled.config)
    state.write_tuning()
    shell.freeze_what_is_loaded()


main()
