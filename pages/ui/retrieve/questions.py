"""The questions with known answers that the documents have, and files of more of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from chunking import ChunkscopeError, Document
from chunking.gold import Gold, Question, strangers_gold, unreviewed
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.choices.marking import Marking
from pages.ui.choices.uploads import Upload
from pages.ui.layout import markup, page_frame
from pages.ui.layout.limits import limited
from pages.ui.marks import actions
from pages.ui.retrieve.chunked_corpus import named, with_unique_names

_UPLOADER = "retrieve-file"
_POPOVER = "retrieve-load"
_JSON_LINES = (".jsonl", ".ndjson", ".json")
_MOST_PROBLEMS = 200
_MOST_EDITIONS = 8
"""Documents whose earlier editions are looked for."""


def known(documents: Sequence[Document]) -> tuple[Question, ...]:
    """The questions marked in these documents, under the documents' unique names."""
    return tuple(
        question
        for document, apart in zip(documents, with_unique_names(documents), strict=True)
        for question in named(state.annotations(document).questions, apart)
    )


def loader(documents: Sequence[Document]) -> None:
    """The control that loads a file of questions."""
    with st.popover("Load questions", icon=":material/upload_file:", key=_POPOVER, on_change="rerun"):
        st.file_uploader(
            "CSV or JSON lines with question, references and corpus_id",
            type=["csv", "jsonl", "ndjson", "json"],
            accept_multiple_files=True,
            max_upload_size=50,
            key=_UPLOADER,
            on_change=partial(_load, tuple(documents)),
        )
        page_frame.note(
            "References are quotes, or objects with content, start_index and end_index. corpus_id is a document."
        )


def outcome() -> None:
    """The result of the last file: a message and its problems."""
    marking = state.marking()
    if marking.message:
        page_frame.note(marking.message)
    if len(marking.problems) == 1:
        page_frame.problem(marking.problems[0])
    elif marking.problems:
        st.html(markup.warnings(marking.problems[:_MOST_PROBLEMS]))


def earlier(documents: Sequence[Document]) -> None:
    """The questions of an edition of a document before it was changed, drafts and rejected ones
    too, to be placed again by their quotes; for the first few documents without any."""
    for number, document in enumerate(documents[:_MOST_EDITIONS]):
        marks = state.annotations(document)
        found = None if marks.questions or marks.rejected else actions.earlier(document)
        if found is None or not (found.marks.questions or found.marks.rejected):
            continue
        drafts, rejected = unreviewed(found.marks.questions), len(found.marks.rejected)
        apart = [f"{drafts:,} not reviewed"] if drafts else []
        apart += [f"{rejected:,} rejected beside them"] if rejected else []
        of_these = f" ({', '.join(apart)})" if apart else ""
        lost = f"; {counted(len(found.problems), 'quote')} would be lost" if found.problems else ""
        page_frame.note(
            f"{counted(len(found.marks.questions), 'question')} of an earlier edition of {document.base_name}"
            f"{of_these} can be placed in this one by their quotes{lost}."
        )
        st.button("Bring them over", key=f"retrieve-earlier-{number}", on_click=actions.bring_over, args=(document,))


def _load(documents: Sequence[Document]) -> None:
    """A callback: add the files' questions to the marks of each document."""
    problems: list[str] = []
    count = 0
    for upload in state.uploaded(_UPLOADER):
        try:
            gold = limited(partial(_read, upload, with_unique_names(documents)))
            count += _keep(gold, documents)
            problems += gold.problems
        except ChunkscopeError as error:
            problems.append(str(error))
    loaded = f"Loaded {counted(count, 'question')}." if count else ""
    if count:
        state.own(_POPOVER, False)
    state.mark_with(Marking(problems=tuple(problems), message=loaded))


def _read(upload: Upload, documents: Sequence[Document]) -> Gold:
    called = shown_text(PurePosixPath(upload.name.replace("\\", "/")).name, 120)
    return strangers_gold(upload.read(), documents, json_lines=called.lower().endswith(_JSON_LINES), called=called)


def _keep(gold: Gold, documents: Sequence[Document]) -> int:
    """Add the questions to the marks; returns their number. Raises GoldError."""
    for document, apart in zip(documents, with_unique_names(documents), strict=True):
        questions = named([each for each in gold.questions if each.document == apart.name], document)
        whole = tuple(replace(each, document=document.name) for each in gold.whole if each.document == apart.name)
        if questions or whole:
            state.annotate(document, state.annotations(document).with_all(document, Gold(questions, (), whole)))
    return len(gold.questions)
