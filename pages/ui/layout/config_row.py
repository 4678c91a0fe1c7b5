"""What is done with the config as a whole: open one from a YAML, keep it under a name, come back to
one that was kept."""

from __future__ import annotations

from functools import partial

import streamlit as st

from chunking import Config, strategies
from chunking.errors import ChunkscopeError, ConfigError
from chunking.imported import ENDINGS, MadeElsewhere, audit_of, hold, is_config, strangers_chunks
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.choices.snapshots import LONGEST_NAME, Snapshot, next_name
from pages.ui.choices.uploads import Upload
from pages.ui.layout import caches, markup, page_frame
from pages.ui.layout.limits import limited

LARGEST_MB = 20
"""Of a config, which its proof makes large, or of another tool's chunks that are opened here."""
_UPLOADER, _PASTED, _NAME, _SNAPSHOTS = "config-file", "config-pasted", "snapshot-name", "snapshots"
_POPOVER = "open-config"


def config_row(now: Config) -> None:
    """Draw the buttons, and one line on what was last opened."""
    with st.container(horizontal=True, gap="small", key="config-row"):
        words = "Open, drop or paste a config (YAML), or open another tool's chunks"
        with st.popover("Open config", icon=":material/folder_open:", help=words, key=_POPOVER, on_change="rerun"):
            _open()
        with st.popover(
            "Snapshots",
            icon=":material/bookmarks:",
            help="Configs saved under a name",
            key=_SNAPSHOTS,
            on_change="rerun",
        ) as popover:
            if popover.open:
                _snapshots(now)
    _outcome()


def take_config(upload: Upload) -> bool:
    """Take the config of a YAML, or another tool's chunks of the open document, and say so; whether
    it was chunks. Raises ChunkscopeError where it is neither."""
    if upload.name.lower().endswith(ENDINGS) and not is_config(upload.read()):
        _take_chunks(upload)
        return True
    if len(upload.content) > LARGEST_MB * 1_000_000:
        raise ConfigError(f"a config of over {LARGEST_MB} MB; the app opens none so large, so leave its proof out")
    config = limited(partial(Config.from_yaml, upload.read()))
    source = state.source()
    own = source.name if source else ""
    state.take(config.for_document(own))
    state.take_overrides(config, own)
    words = f"Opened {shown_text(upload.name)}. {_of_overrides(config, own)}Undo brings the former settings back."
    state.say_of_config(words, is_problem=False)
    return False


def _open_config(upload: Upload) -> None:
    """The same, or one line on what is wrong with it."""
    try:
        take_config(upload)
    except ChunkscopeError as error:
        name, said = shown_text(upload.name), str(error)
        state.say_of_config(said if said.startswith(name) else f"{name}: {said}", is_problem=True)
    else:
        state.own(_POPOVER, False)


def _take_chunks(upload: Upload) -> None:
    source, name = state.source(), shown_text(upload.name)
    if source is None:
        raise ConfigError(f"{name}: has chunks; open the document that they were made of first")
    config, summary = limited(partial(_read_chunks, upload, name, source))
    state.open_chunks(name, config)
    state.take(config)
    state.say_of_config(f"Opened {name}: {summary}. Undo brings the former settings back.", is_problem=False)


def _read_chunks(upload: Upload, name: str, source: Source) -> tuple[Config, str]:
    """The config that gives the chunks of a file, and what they have of the document. Raises
    ConfigError where they have nothing."""
    chunks = strangers_chunks(upload.read(), name)
    hold(chunks)
    config = Config(MadeElsewhere.of(chunks))
    found = audit_of(config.strategy, caches.document(source))
    if found is None or not any(row.spans for row in found.rows):
        raise ConfigError(f"{name}: none of its chunks is in {source.title}; open the document that they were made of")
    return config, found.summary


def _of_overrides(config: Config, name: str) -> str:
    """What is on screen of a config with overrides, and where the others are; else ""."""
    if override := config.override_for(name):
        return f"These are the settings of its override {shown_text(override.pattern, 80)}. "
    count = len(config.overrides)
    return f"Its {counted(count, 'override')} for other documents: on the page Corpus. " if count else ""


def _open() -> None:
    st.file_uploader(
        "A config as Export and the command line write it (YAML), or another tool's chunks of this document "
        "(JSON lines, JSON, CSV, Parquet)",
        type=["yaml", "yml", *(ending[1:] for ending in ENDINGS)],
        accept_multiple_files=True,
        max_upload_size=LARGEST_MB,
        key=_UPLOADER,
        on_change=_take_file,
    )
    with st.form("paste-config", border=False):  # Ctrl+Enter in the YAML uses it, too
        st.text_area("Or paste YAML", key=_PASTED, height=120, placeholder="strategy: heading-window\nsettings: ...")
        st.form_submit_button("Use config", key="use-config", on_click=_take_paste)
    _outcome()


def _outcome() -> None:
    said = state.said_of_config()
    if said.text:
        (page_frame.problem if said.is_problem else page_frame.note)(said.text)


def _take_file() -> None:
    for upload in state.uploaded(_UPLOADER)[-1:]:
        _open_config(upload)


def _take_paste() -> None:
    text = str(state.moved(_PASTED) or "")
    _open_config(Upload("pasted config", text.encode("utf-8", "replace")))
    if not state.said_of_config().is_problem:
        state.own(_PASTED, "")


def _snapshots(now: Config) -> None:
    kept = state.snapshots()
    with (
        st.form("snapshot", border=False),  # Enter in the name keeps it, too
        st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom", wrap=False),
    ):
        st.text_input(
            "Keep the current config as", key=_NAME, placeholder=next_name(kept), max_chars=LONGEST_NAME, value=None
        )
        st.form_submit_button("Keep", key="snapshot-keep", on_click=_keep, args=(now,))
    page_frame.note("A snapshot is offered as a baseline, as a row of Compare and Retrieve, and in Tune.")
    for problem in state.snapshot_problems():
        page_frame.problem(problem)
    with st.container(key="snapshot-rows", gap="xsmall"):
        for each in reversed(kept):
            _row(each, shown=each.config == now)


def _row(snapshot: Snapshot, *, shown: bool) -> None:
    name, key = snapshot.name, f"snapshot-{snapshot.name}"
    words = markup.plain_label(name)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", wrap=False):
        st.text_input(
            f"Name of {words}",
            key=state.own(f"{key}-name", name),
            max_chars=LONGEST_NAME,
            label_visibility="collapsed",
            on_change=_rename,
            args=(name, f"{key}-name"),
        )
        st.html(markup.note(strategies.get(snapshot.config.strategy.name).title), width="content")
        st.button(
            f"Use {words}",
            key=f"{key}-use",
            icon=":material/check:",
            help="These are the current settings" if shown else f"Use {words}: Undo brings the former settings back",
            disabled=shown,
            on_click=state.take,
            args=(snapshot.config,),
        )
        st.button(
            f"Remove {words}",
            key=f"{key}-remove",
            icon=":material/close:",
            type="tertiary",
            help=f"Remove {words}",
            on_click=state.remove_snapshot,
            args=(name,),
        )


def _keep(now: Config) -> None:
    state.save_snapshot(str(state.moved(_NAME) or "") or next_name(state.snapshots()), now)
    if not state.snapshot_problems():
        state.own(_NAME, None)


def _rename(name: str, key: str) -> None:
    state.rename_snapshot(name, str(state.moved(key) or ""))
