"""Compare's view of the marks: each answer and each span that must stay whole against every config."""

from __future__ import annotations

from functools import partial

import streamlit as st

from chunking import Config, Document
from pages.ui import marks_acts, markup, shell, state
from pages.ui.compare_rows import LETTERS, row_of
from pages.ui.compare_shown import Compared
from pages.ui.gold_fate import Fixable, chosen_mark
from pages.ui.marks_dialogs import dialogs
from pages.ui.marks_list import column, marks_list, rows
from pages.ui.marks_panel import said


def draw_marks(of: Compared, document: Document) -> None:
    """Which config cuts which mark, and for the chosen one the smallest change that keeps it whole."""
    annotations = state.annotations(document)
    st.html(markup.heading("Questions and marks", beside=marks_acts.tally_words(annotations)))
    unreadable = state.annotations_problem(document)
    if unreadable:
        shell.problem(unreadable)
    elif not annotations:
        shell.note(
            "Select text in a source, as the answer to a question or to stay whole, and see which config cuts it."
        )
    else:
        columns = [column(row.letter, row.name, measured.run, annotations) for row, measured in of.rows]
        marks_list(
            rows(annotations, document, columns),
            columns,
            key="compare-marks",
            chosen=state.marking().chosen,
            editable=False,
            on_act=partial(marks_acts.act, document),
        )
        fixable = [Fixable(each, partial(_change_row, each.title)) for each in columns]
        with st.container(key="compare-marked", gap="xsmall"):
            chosen_mark(document, annotations, columns, fixable)()
    said(document)
    dialogs(document)


def _change_row(letter: str, config: Config) -> None:
    """Have this row show another config."""
    comparing = state.comparing()
    state.compare(comparing.with_row(LETTERS.index(letter), row_of(config)))
