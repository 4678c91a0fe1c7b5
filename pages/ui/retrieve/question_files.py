"""The questions of the Retrieve page as a file: ours, and those of other tools."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from functools import partial

import streamlit as st

from chunking import Document, Question
from chunking.export import to_bytes
from chunking.gold import FOLDERS, FORMS, Form, Gold, WholeMark, exported, lost, unreviewed
from pages.ui import state
from pages.ui.layout import limits, page_frame
from pages.ui.retrieve.chunked_corpus import with_unique_names

FORM_NAMES: dict[Form, str] = {
    "jsonl": "JSON lines (Chunkscope)",
    "csv": "CSV (Chunkscope)",
    "ragas": "RAGAS",
    "llamaindex": "LlamaIndex",
    "langsmith": "LangSmith",
    "beir": "BEIR",
    "trec": "TREC topics and qrels",
    "legalbench-rag": "LegalBench-RAG",
    "squad": "SQuAD",
}
_ENDINGS: dict[Form, str] = {"jsonl": "jsonl", "csv": "csv", "ragas": "jsonl", "langsmith": "jsonl"}
_FIXED = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the same questions give the same bytes."""


def offer(documents: Sequence[Document], known: Sequence[Question]) -> None:
    """The control that gives the questions away."""
    with st.popover("Export questions", icon=":material/download:", key="retrieve-export-questions"):
        form = st.selectbox("Form", FORMS, key="retrieve-form", format_func=lambda form: FORM_NAMES[form], index=0)
        form = form or FORMS[0]
        drafts = unreviewed(known)
        only = bool(drafts) and st.toggle(
            f"Without the {drafts:,} not reviewed", value=drafts < len(known), key="retrieve-form-reviewed"
        )
        gold = gold_of(documents, known, only_reviewed=only)
        if missing := lost(gold, form):
            page_frame.note(f"{FORM_NAMES[form]} has no place for {'; '.join(missing)}.")
        st.download_button(
            f"Download {len(gold.questions):,}",
            limits.download(partial(content, documents, gold, form)),
            name_of(form),
            "application/zip" if form in FOLDERS else "application/octet-stream",
            key="retrieve-form-download",
            on_click="ignore",
            icon=":material/download:",
            disabled=not gold.questions,
        )


def gold_of(documents: Sequence[Document], known: Sequence[Question], *, only_reviewed: bool) -> Gold:
    """What is written: the questions, and the spans that must stay whole."""
    questions = tuple(each for each in known if each.review == "accepted" or not only_reviewed)
    whole = tuple(
        WholeMark(apart.name, span)
        for document, apart in zip(documents, with_unique_names(documents), strict=True)
        for span in state.annotations(document).whole
    )
    return Gold(questions, (), whole)


def content(documents: Sequence[Document], gold: Gold, form: Form) -> bytes:
    """The file; a form of several files is an archive of them."""
    files = exported(gold, {each.name: each for each in with_unique_names(documents)}, form)
    if form not in FOLDERS:
        return to_bytes(files[""])
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name, text in files.items():
            into.writestr(zipfile.ZipInfo(name, _FIXED), to_bytes(text))
    return archive.getvalue()


def name_of(form: Form) -> str:
    if form in FOLDERS:
        return f"questions-{form}.zip"
    ending = _ENDINGS.get(form, "json")
    return f"questions.{ending}" if form in ("jsonl", "csv") else f"questions-{form}.{ending}"
