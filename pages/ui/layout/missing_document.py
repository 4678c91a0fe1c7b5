"""What stands in the middle where a link is about a document that is not here: its name, and a
place to drop it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from chunking.errors import RunLimitError
from pages.ui import state
from pages.ui.choices.shared_text import missing_name
from pages.ui.choices.uploads import read_uploads
from pages.ui.layout import markup, page_frame
from pages.ui.layout.limits import limited

_UPLOADER = "missing-uploads"


def missing_document() -> None:
    """Ask for the link's document, by its name where the link gives it."""
    key = state.missing_source()
    name = missing_name(key, state.missing_name())
    with st.container(key="missing", gap="small"):
        st.html(markup.missing_document(name))
        if problem := state.kept_problem(key):
            page_frame.problem(problem)
        st.file_uploader(
            f"Drop {markup.plain_label(name)} here",
            accept_multiple_files=True,
            key=_UPLOADER,
            on_change=take_uploads,
            args=(_UPLOADER,),
        )


def take_uploads(key: str) -> None:
    """A callback: add the files that came into the uploader with this key."""
    try:
        state.add_sources(*limited(partial(read_uploads, state.uploaded(key))))
    except RunLimitError as error:
        state.add_sources([], [str(error)])
