"""Two small dialogs: which question a selected answer belongs to, and a question in other words."""

from __future__ import annotations

import streamlit as st

from chunking import Document, Run, Span
from pages.ui import state
from pages.ui.layout import page_frame
from pages.ui.marks import actions

_SHOWN = 600
"""Characters of an answer that its dialog repeats."""


def dialogs(run: Run) -> None:
    """Open the dialog that is waited for, if any; a new answer is one in this run's document."""
    marking = state.marking()
    if marking.asking is not None:
        _ask(run, marking.asking)
    elif marking.renaming is not None:
        _rename(run.document, marking.renaming)


@st.dialog("Which question does this answer?", on_dismiss=actions.leave)
def _ask(run: Run, span: Span) -> None:
    document = run.document
    text = document[span]
    page_frame.exact(text[:_SHOWN] + ("…" if len(text) > _SHOWN else ""))
    questions = [question.text for question in state.annotations(document).questions]
    with st.form("asking", border=False):
        st.text_input("A question", key="asked", placeholder="What would somebody ask?")
        if questions:
            st.selectbox("or one that has an answer already", questions, index=None, key="asked-before")
        st.form_submit_button("Mark as answer", type="primary", on_click=_take_question, args=(run, span))
    _problems()


def _take_question(run: Run, span: Span) -> None:
    typed, before = str(state.moved("asked") or ""), str(state.moved("asked-before") or "")
    if actions.answer(run, span, typed if typed.strip() else before):
        st.rerun()


@st.dialog("The question in other words", on_dismiss=actions.leave)
def _rename(document: Document, question: str) -> None:
    with st.form("renaming", border=False):
        st.text_input("Question", value=question, key="renamed")
        st.form_submit_button("Keep", type="primary", on_click=_take_words, args=(document, question))
    _problems()


def _take_words(document: Document, question: str) -> None:
    if actions.rename(document, question, str(state.moved("renamed") or "")):
        st.rerun()


def _problems() -> None:
    for problem in state.marking().problems:
        page_frame.problem(problem)
