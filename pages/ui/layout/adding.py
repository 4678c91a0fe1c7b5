"""Taking what was uploaded or pasted: it is said what is shown now, and what it was added in
closes. A YAML is no document: it is opened as a config."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from chunking.document import extension_of, is_read
from chunking.errors import ChunkscopeError, RunLimitError
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_paste, read_uploads
from pages.ui.layout import markup
from pages.ui.layout.config_row import take_config
from pages.ui.layout.limits import limited

POPOVER = "add"
"""The key of what is closed."""


def take_uploads(key: str) -> None:
    """A callback: add the files that came into the uploader with this key; the last YAML among them
    is opened as a config."""
    uploads = state.uploaded(key)
    configs = [each for each in uploads if _is_config(each.name)]
    problems = [problem for each in configs[-1:] if (problem := _opened(each))]
    documents = [each for each in uploads if not _is_config(each.name)]
    try:
        read, refused = limited(partial(read_uploads, documents))
        _take(read, [*refused, *problems])
    except RunLimitError as error:
        state.add_sources([], [str(error), *problems])


def _is_config(name: str) -> bool:
    """Whether a file is a YAML, and no package brings a loader that reads those as documents."""
    extension = extension_of(name)
    return extension in (".yaml", ".yml") and not is_read(extension)


def _opened(upload: Upload) -> str:
    """Open a config; in one line what is wrong with it, else ""."""
    name = shown_text(upload.name)
    try:
        take_config(upload)
    except ChunkscopeError as error:
        return f"{name}: a YAML is opened as a config, and this is none: {' '.join(str(error).split())}"
    state.own(POPOVER, False)
    st.toast(f"{markup.plain_label(name)} opened as the config of Inspect")
    return ""


def take_paste(key: str) -> None:
    """A callback: add the text in the field with this key."""
    _take(*read_paste(str(state.moved(key) or "")))
    if not state.refused():
        state.own(key, "")


def _take(read: Sequence[Source], refused: Sequence[str]) -> None:
    state.add_sources(read, refused)
    there = {source.key for source in state.added_sources()}
    added, shown = [source for source in read if source.key in there], state.source()
    if added and shown:
        state.own(POPOVER, False)
        st.toast(f"{counted(len(added), 'document')} added · showing {markup.plain_label(shown.title)}")
