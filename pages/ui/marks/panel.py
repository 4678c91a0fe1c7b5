"""Inspect's panel of questions and marks: which are cut now and in the baseline, what to do about
it, files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from chunking import Annotations, Document, Run
from chunking.gold import unreviewed
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.marking import marked_of
from pages.ui.components.marks_list import column, marks_list, rows
from pages.ui.layout import limits, markup, page_frame
from pages.ui.marks import actions
from pages.ui.marks.dialogs import dialogs
from pages.ui.marks.mark_detail import Fixable, chosen_mark, nothing

_MOST_PROBLEMS = 200


def marks_panel(document: Document, run: Run, baseline: Run | None) -> Callable[[], None]:
    """Draw the marks of the document against what is shown and the baseline.

    Returns the slow part, to be called after the rest of the page is drawn.
    """
    annotations = state.annotations(document)
    st.html(markup.heading("Questions and marks", beside=actions.tally_words(annotations)))
    unreadable = state.annotations_problem(document)
    if unreadable:
        page_frame.problem(unreadable)
        return nothing
    if not annotations:
        page_frame.empty(
            "Nothing marked yet", "Select text in the source to mark it as an answer, or as something to keep together."
        )
        _earlier(document)
    else:
        if unreviewed(annotations.questions):
            st.toggle(
                "Show drafts in the source",
                key=state.own("marks-drafts", state.drafts_in_source()),
                help="The answers of drafted questions that nobody has reviewed; the list has them either way.",
                on_change=_take_drafts,
            )
        columns = [column("Now", run.config.strategy.title, run, annotations)]
        if baseline:
            columns.append(column("Baseline", baseline.config.strategy.title, baseline, annotations))
        marks_list(
            rows(annotations, document, columns),
            columns,
            key="marks",
            chosen=state.marking().chosen,
            fixed=columns[0],
            on_act=partial(actions.act, document),
        )
    outcome(document)
    slow = chosen_mark(document, annotations, columns, [Fixable(columns[0], state.take)]) if annotations else nothing
    _files(document, annotations)
    dialogs(run)
    return slow


def _take_drafts() -> None:
    state.show_drafts_in_source(bool(state.moved("marks-drafts")))


def _earlier(document: Document) -> None:
    """The marks of an edition of this document before it was edited, where most of their texts are
    still there."""
    earlier = actions.earlier(document)
    if earlier is None or not earlier.marks:
        return
    placed = len(earlier.marks.spans)
    marks = counted(placed, "mark")
    rest = " The others' texts are gone or found twice." if earlier.problems else ""
    page_frame.note(f"{marks} of an earlier edition of {document.base_name} can be placed in this one.{rest}")
    st.button("Bring them over", key="marks-earlier", on_click=actions.bring_over, args=(document,))


def outcome(document: Document) -> None:
    """The result of the last action: what was marked, a message, a way to put marks back, or
    problems."""
    marking = state.marking()
    if marking.made in marked_of(state.annotations(document)):
        st.html(markup.status(actions.made_words(marking.made)))
    if marking.removed and marking.removed[0] == document.text_hash:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="marks-removed"):
            gone = len(marking.removed[1].spans)
            st.html(markup.status("Mark removed." if gone == 1 else f"{gone:,} marks removed."), width="content")
            st.button("Put back", key="marks-back", on_click=actions.put_back, args=(document,), type="tertiary")
    if marking.message:
        page_frame.note(marking.message)
    _problems(marking.problems if marking.asking is None and marking.renaming is None else ())


def _problems(problems: Sequence[str]) -> None:
    if len(problems) == 1:
        page_frame.problem(problems[0])
    elif problems:
        st.html(markup.warnings(problems[:_MOST_PROBLEMS]))


def _files(document: Document, annotations: Annotations) -> None:
    with st.container(horizontal=True, gap="xsmall", key="marks-files"):
        with st.popover(
            "Load",
            icon=":material/upload_file:",
            help="Questions with their answers, from a file",
            key=actions.POPOVER,
            on_change="rerun",
        ):
            st.file_uploader(
                "CSV or JSON lines with question, references and corpus_id",
                type=["csv", "jsonl", "ndjson", "json"],
                accept_multiple_files=True,
                max_upload_size=50,
                key=actions.UPLOADER,
                on_change=actions.load,
                args=(document,),
            )
            page_frame.note("References are quotes, or objects with content, start_index and end_index.")
        if annotations:
            st.download_button(
                "Export",
                limits.download(partial(_json_lines, document, annotations)),
                f"{document.base_name.rpartition('.')[0] or document.base_name}.questions.jsonl",
                "application/jsonl",
                key="marks-export",
                on_click="ignore",
                icon=":material/download:",
                help="JSON lines that chunkscope evaluate reads",
            )

        if len(annotations.spans) > 1:
            st.button(
                "Remove all",
                key="marks-clear",
                type="tertiary",
                help="They can be put back.",
                on_click=actions.remove_all,
                args=(document,),
            )


def _json_lines(document: Document, annotations: Annotations) -> bytes:
    return annotations.to_json_lines(document).encode()
