"""The Export section: the YAML with its proof, the commands that replay it, the chunks as JSON
lines, the report."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import streamlit as st

from chunking import Run
from chunking.document import is_url
from chunking.export import chunks_as_json_lines, to_bytes
from chunking.frameworks import FRAMEWORKS, snippet
from chunking.report import html_report
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.components.copy_text import copy_text
from pages.ui.components.panel_tabs import panel_button
from pages.ui.layout import caches, limits, markup, page_frame, within_limits

CONFIG_NAME = "chunks.yaml"
_PANEL = "exported"
"""The key of its panel (inspect/layout.py)."""


def export_button() -> None:
    """The way to it from the header, while a document is open."""
    if state.source():
        panel_button("Export", panel=_PANEL, key="open-export")


@within_limits.part
def export_panel(run: Run, source: Source, baseline: Run | None) -> None:
    """What reproduces this view elsewhere."""
    st.html(markup.heading("Export"))
    if run.undescribed:
        page_frame.problem(
            f"{run.undescribed:,} of {len(run.chunks):,} chunks have no description and are exported without one"
        )
    yaml = caches.yaml_with_proof(run, source) if run.config.strategy.has_yaml else ""
    with st.container(horizontal=True, gap="xsmall", key="downloads"):
        if yaml:
            _download("YAML", yaml, CONFIG_NAME, "application/yaml")
        stem = _stem(run.document.base_name)
        _download("Chunks", lambda: chunks_as_json_lines(run.parts, run.document), f"{stem}.jsonl", "application/jsonl")
        _download(
            "Report (HTML)",
            lambda: to_bytes(html_report(run, baseline, file_hash=source.file_hash)),
            f"{stem}.html",
            "text/html",
        )
        if not source.uploaded:
            _download("Document", lambda: source.text.encode(), run.document.base_name, "text/markdown")
    if not yaml:
        page_frame.note("These chunks were made elsewhere: no YAML can make them again.")
        return
    st.html(markup.proof(run.fingerprint, counted(len(run.chunks), "chunk")))
    _copied("Config with its proof:", yaml, says="Copy the config", key="copy-config")
    commands = replay_commands(run.document.name if is_url(run.document.name) else run.document.base_name)
    _copied(
        "Reproduce these chunks on the command line and verify they match:",
        commands,
        says="Copy the commands",
        key="copy-commands",
    )
    _program(run.document.base_name)
    if not source.sample:
        page_frame.note("The address of this page contains all settings and the hash of the text, not the text.")


@st.fragment
def _program(name: str) -> None:
    """A program that cuts the document with the YAML, for the framework that is chosen."""
    framework = st.segmented_control(
        "Use the config in a program", FRAMEWORKS, default=FRAMEWORKS[0], required=True, key="framework"
    )
    text = snippet(framework, CONFIG_NAME, name)
    _copied(f"With {framework}:", text, says="Copy the program", key="copy-program")


def _copied(words: str, text: str, *, says: str, key: str) -> None:
    """A text as it is under what it is, with a button that copies it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"exact-{key}"):
        st.html(markup.note(words), width="stretch")
        copy_text(text, says=says, key=key)
    page_frame.exact(text)


def _download(label: str, content: str | Callable[[], bytes], name: str, kind: str) -> None:
    st.download_button(
        label,
        limits.download(content) if callable(content) else content,
        name,
        kind,
        key=f"download-{label.split()[0].lower()}",
        on_click="ignore",
    )


def replay_commands(name: str) -> str:
    """The command lines, safe to paste whatever the document is called."""
    path = shlex.quote(name if not name.startswith("-") else f"./{name}")
    return f"chunkscope run {CONFIG_NAME} {path}\nchunkscope verify {CONFIG_NAME} {path}"


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
