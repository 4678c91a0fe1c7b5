"""What the page is while there is no document: a place to drop one or to paste it, and what else
can be opened, each with what it shows."""

from __future__ import annotations

import streamlit as st

from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.choices.shared_text import missing_name
from pages.ui.layout import markup, page_frame
from pages.ui.layout.adding import take_paste, take_uploads

_UPLOADER, _PASTED = "missing-uploads", "missing-pasted"


def missing_document() -> None:
    """Ask for the link's document, by its name where the link gives it; where no link asks for one,
    for any."""
    key = state.missing_source()
    sample = key.removeprefix("sample:")
    name = "your Markdown"
    with st.container(key="missing", gap="small"):
        if key and key == sample:
            name = missing_name(key, state.missing_name())
            st.html(markup.missing_document(name))
            if problem := state.kept_problem(key):
                page_frame.problem(problem)
        elif key:
            page_frame.empty(f"No sample is called {sample[:80]}", "Choose another one, or add your own.")
        else:
            page_frame.empty("No document yet", page_frame.TAGLINE)
        st.file_uploader(
            f"Drop {markup.plain_label(name)} here",
            accept_multiple_files=True,
            key=_UPLOADER,
            on_change=take_uploads,
            args=(_UPLOADER,),
        )
        with st.form("missing-paste", border=False):  # Ctrl+Enter in the text opens it, too
            pasted = st.text_area(
                "Or paste its text", key=_PASTED, height=110, placeholder="# A heading\n\nand its text"
            )
            st.form_submit_button("Open this text", key="missing-use-paste", on_click=take_paste, args=(_PASTED,))
        state.note_pasted(pasted, _PASTED)
        st.html(markup.heading("Or open one of these"))
        with st.container(key="to-open", gap=None):
            for source in state.sources():
                _to_open(source)


def _to_open(source: Source) -> None:
    with st.container(key=f"open-{source.hash[:12]}", gap=None):
        st.button(
            markup.plain_label(source.title),
            key=f"open.{source.key}",
            type="tertiary",
            icon=":material/description:",
            on_click=state.choose_source,
            args=(source.key,),
        )
        page_frame.note(source.look_for[:1].upper() + source.look_for[1:])
