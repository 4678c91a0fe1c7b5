"""Compare's view of the marks: each answer and each span that must stay whole against every
config."""

from __future__ import annotations

from functools import partial

import streamlit as st

from chunking import Config, Document
from pages.ui import state
from pages.ui.choices.comparing import LETTERS, row_of
from pages.ui.compare.results import Compared
from pages.ui.components.marks_list import column, marks_list, rows
from pages.ui.layout import markup, page_frame
from pages.ui.marks import actions
from pages.ui.marks.dialogs import dialogs
from pages.ui.marks.mark_detail import Fixable, chosen_mark
from pages.ui.marks.panel import outcome


def draw_marks(of: Compared, document: Document) -> None:
    """Which config cuts which mark, and for the chosen one the smallest change that keeps it
    whole."""
    annotations = state.annotations(document)
    st.html(markup.heading("Questions and marks", beside=actions.tally_words(annotations)))
    unreadable = state.annotations_problem(document)
    if unreadable:
        page_frame.problem(unreadable)
    elif not annotations:
        page_frame.note(
            "Select text in a source to mark it as an answer, or as something to keep together, and see which config "
            "cuts it."
        )
    else:
        columns = [column(row.letter, row.name, measured.run, annotations) for row, measured in of.rows]
        marks_list(
            rows(annotations, document, columns),
            columns,
            key="compare-marks",
            chosen=state.marking().chosen,
            editable=False,
            on_act=partial(actions.act, document),
        )
        fixable = [Fixable(each, partial(_change_row, each.title)) for each in columns]
        with st.container(key="compare-marked", gap="xsmall"):
            chosen_mark(document, annotations, columns, fixable)()
    outcome(document)
    dialogs(of.rows[0][1].run)


def _change_row(letter: str, config: Config) -> None:
    """Have this row show another config."""
    comparing = state.comparing()
    state.compare(comparing.with_row(LETTERS.index(letter), row_of(config)))
