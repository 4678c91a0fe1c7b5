"""What a person does with marks: callbacks that keep, remove, put back, load and export them.

What cannot be done is one line beside the marks, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from chunking import Annotations, Document, Run, Span
from chunking.errors import ChunkscopeError, GoldError
from chunking.gold import Edition, coverages, strangers_annotations, unreviewed
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.choices.marking import Marked, Marking, marked_of
from pages.ui.choices.uploads import Upload
from pages.ui.components.marks_list.marks_list import Action
from pages.ui.layout.limits import limited

UPLOADER = "marks-file"
POPOVER = "marks-load"
_JSON_LINES = (".jsonl", ".ndjson", ".json")


def mark(run: Run, kind: str, span: Span) -> None:
    """Mark what was selected in the source of this run: as a span that must stay whole, or as an
    answer once its question was asked for. The whole page then runs again."""
    if kind == "answer":
        state.mark_with(replace(state.marking(), asking=span, made=None, problems=(), message=""))
    else:
        _make(run, Marked("whole", span))
    st.rerun()


def answer(run: Run, span: Span, question: str) -> bool:
    """Keep an answer with its question; whether that could be done."""
    saved = _make(run, Marked("answer", span, question))
    if saved:
        state.mark_with(replace(state.marking(), asking=None))
    return saved


def made_words(marked: Marked) -> str:
    """What was marked, as it is said once it is."""
    return f"Marked as an answer to '{marked.question}'." if marked.kind == "answer" else "Marked to be kept whole."


def rename(document: Document, question: str, text: str) -> bool:
    """Put a question in other words; whether that could be done."""
    saved = _keep(document, lambda marks: marks.renamed(document, question, text))
    if saved:
        state.mark_with(replace(state.marking(), renaming=None, chosen=None))
    return saved


def leave() -> None:
    """Close the dialogs without an answer."""
    state.mark_with(replace(state.marking(), asking=None, renaming=None, problems=()))


def act(document: Document, action: Action, marked: Marked) -> None:
    """Do what was clicked in the list of marks: choose, reword or remove one."""
    if action == "choose":
        state.mark_with(Marking(chosen=marked, removed=state.marking().removed))
        state.select(marked.span.start)
    elif action == "rename":
        state.mark_with(replace(state.marking(), renaming=marked.question, problems=(), message=""))
    elif _keep(document, lambda marks: _without(marks, document, marked)):
        removed = _only(document, marked)
        state.mark_with(replace(state.marking(), chosen=None, removed=(document.text_hash, removed)))


def remove_all(document: Document) -> None:
    """Take every mark away; they can be put back."""
    removed = state.annotations(document)
    if _keep(document, lambda marks: Annotations(rejected=marks.rejected)):
        state.mark_with(Marking(removed=(document.text_hash, removed)))


def put_back(document: Document) -> None:
    """Undo the last removal."""
    removed = state.marking().removed
    if removed and _keep(document, lambda marks: marks.with_all(document, removed[1])):
        state.mark_with(replace(state.marking(), removed=None))


def earlier(document: Document) -> Edition | None:
    """The marks of another edition of the document, as far as their texts are in this one."""
    try:
        return state.marks_store().earlier(document)
    except GoldError:
        return None


def bring_over(document: Document) -> None:
    """Add the marks of the earlier edition; those that could not be placed become problems."""
    found = earlier(document)
    if found and _keep(document, lambda marks: marks.with_all(document, found.marks)):
        state.mark_with(Marking(problems=found.problems, message=loaded_words(found.marks)))


def load(document: Document) -> None:
    """Read the files that came into the uploader, and add their marks to those of the document."""
    problems: list[str] = []
    added = Annotations()
    for upload in state.uploaded(UPLOADER):
        try:
            read, unplaced = limited(partial(read_upload, upload, document))
        except ChunkscopeError as error:
            problems.append(str(error))
            continue
        added = added.with_all(document, read)
        problems += unplaced
    if added and not _keep(document, lambda marks: marks.with_all(document, added)):
        return
    if added:
        state.own(POPOVER, False)
    state.mark_with(Marking(problems=tuple(problems), message=loaded_words(added)))


def read_upload(upload: Upload, document: Document) -> tuple[Annotations, tuple[str, ...]]:
    """The marks in an uploaded CSV or JSON lines file, and what could not be placed. Raises
    ChunkscopeError."""
    name = shown_text(PurePosixPath(upload.name.replace("\\", "/")).name, 120)
    json_lines = name.lower().endswith(_JSON_LINES)
    return strangers_annotations(upload.read(), document, json_lines=json_lines, called=name)


def loaded_words(added: Annotations) -> str:
    """What a file held, in a sentence."""
    if not added:
        return ""
    answers, questions, whole = len(added.answers), len(added.questions), len(added.whole)
    counts = [f"{counted(answers, 'answer')} to {counted(questions, 'question')}"] if answers else []
    counts += [f"{counted(whole, 'span')} to stay whole"] if whole else []
    return f"Loaded {' and '.join(counts)}."


def tally_words(annotations: Annotations) -> str:
    """How many marks there are, in a few words."""
    answers, questions, whole = len(annotations.answers), len(annotations.questions), len(annotations.whole)
    drafts = unreviewed(annotations.questions)
    counts = [f"{counted(answers, 'answer')} to {counted(questions, 'question')}"] if answers else []
    counts += [f"{drafts:,} of them not reviewed"] if drafts else []
    return ", ".join([*counts, *([f"{whole:,} to stay whole"] if whole else [])])


def _make(run: Run, marked: Marked) -> bool:
    """Keep a new mark. One that this run cuts is chosen, so that its fixes are seen."""
    document = run.document
    made = partial(_only, document, marked)
    saved = _keep(document, lambda marks: marks.with_all(document, made()))
    if saved:
        marking, new = state.marking(), marked_of(made())[0]
        whole = coverages(run, [new.span])[0].whole
        state.mark_with(replace(marking, made=new, chosen=marking.chosen if whole else new))
    return saved


def _keep(document: Document, change: Callable[[Annotations], Annotations]) -> bool:
    try:
        state.annotate(document, change(state.annotations(document)))
    except GoldError as error:
        state.mark_with(replace(state.marking(), problems=(str(error),)))
        return False
    state.mark_with(replace(state.marking(), problems=()))
    return True


def _without(marks: Annotations, document: Document, marked: Marked) -> Annotations:
    if marked.kind == "whole":
        return marks.without_whole(document, marked.span)
    return marks.without_answer(document, marked.question, marked.span)


def _only(document: Document, marked: Marked) -> Annotations:
    if marked.kind == "whole":
        return Annotations().with_whole(document, marked.span)
    return Annotations().with_answer(document, marked.question, marked.span)
