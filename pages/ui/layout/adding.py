"""Taking what was uploaded or pasted: it is said what is shown now, and what it was added in
closes. A YAML and another tool's chunks are no documents: they are opened, the chunks as those of
the document that is open then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from chunking.document import extension_of, is_read, web_pages_allowed
from chunking.errors import ChunkscopeError, RunLimitError
from chunking.imported import ENDINGS
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_page, read_paste, read_uploads
from pages.ui.layout import markup
from pages.ui.layout.config_row import take_config
from pages.ui.layout.limits import limited

POPOVER = "add"
"""The key of what is closed."""


def take_uploads(key: str) -> None:
    """A callback: add the files that came into the uploader with this key; then the last YAML among
    them is opened as a config, and each file of chunks."""
    uploads = state.uploaded(key)
    try:
        read, refused = limited(partial(read_uploads, [each for each in uploads if not _is_opened(each.name)]))
    except RunLimitError as error:
        read, refused = [], [str(error)]
    _take(read, refused)
    chunks = [each for each in uploads if _is_opened(each.name) and not _is_yaml(each.name)]
    configs = [each for each in uploads if _is_opened(each.name) and _is_yaml(each.name)]
    for each in (*configs[-1:], *chunks):
        if problem := _opened(each):
            state.refuse_too(problem)


def _is_opened(name: str) -> bool:
    """Whether a file is a YAML or a table, and no package brings a loader that reads those as
    documents."""
    return (_is_yaml(name) or extension_of(name) in ENDINGS) and not is_read(extension_of(name))


def _is_yaml(name: str) -> bool:
    return extension_of(name) in (".yaml", ".yml")


def _opened(upload: Upload) -> str:
    """Open a config, or another tool's chunks; in one line what is wrong with it, else ""."""
    name, source = shown_text(upload.name), state.source()
    try:
        is_chunks = take_config(upload)
    except ChunkscopeError as error:
        said = " ".join(str(error).split()).removeprefix(f"{name}: ")
        if _is_yaml(upload.name):
            return f"{name}: a YAML is opened as a config, and this is not one: {said}"
        return f"{name}: a table is opened as another tool's chunks, which failed: {said}"
    state.own(POPOVER, False)
    as_what = f"the chunks of {markup.plain_label(source.title)}" if is_chunks and source else "the config of Inspect"
    st.toast(f"{markup.plain_label(name)} opened as {as_what}")
    return ""


def take_paste(key: str) -> None:
    """A callback: add the text in the field with this key."""
    _take(*read_paste(str(state.moved(key) or "")))
    if not state.refused():
        state.own(key, "")


def take_page(key: str) -> None:
    """A callback: ask for the page whose address is in the field with this key, where the server's
    owner allows that."""
    url = str(state.moved(key) or "").strip()
    if not (url and web_pages_allowed()):
        return
    try:
        _take(*limited(partial(read_page, url)))
    except RunLimitError as error:
        state.add_sources([], [str(error)])
    if not state.refused():
        state.own(key, "")


def _take(read: Sequence[Source], refused: Sequence[str]) -> None:
    state.add_sources(read, refused)
    there = {source.key for source in state.added_sources()}
    added, shown = [source for source in read if source.key in there], state.source()
    if added and shown:
        state.own(POPOVER, False)
        st.toast(f"{counted(len(added), 'document')} added · showing {markup.plain_label(shown.title)}")
