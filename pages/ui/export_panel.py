"""Taking it away: the YAML with its proof, the command that replays it, the chunks as JSON lines."""

from __future__ import annotations

import shlex

import streamlit as st

from chunking import Run
from chunking.records import json_line, records
from pages.ui import cached, markup, shell
from pages.ui.samples import Source

CONFIG_NAME = "chunks.yaml"


def export_panel(run: Run, source: Source) -> None:
    """What reproduces this view elsewhere."""
    st.html(markup.heading("Export"))
    yaml = cached.yaml_with_proof(run, source)
    st.code(yaml, language="yaml", wrap_lines=True)
    with st.container(horizontal=True, gap="small", key="downloads"):
        st.download_button(
            "YAML",
            yaml,
            CONFIG_NAME,
            "application/yaml",
            key="download-yaml",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Chunks (JSON lines)",
            lambda: json_lines(run),
            f"{_stem(run.document.base_name)}.jsonl",
            "application/jsonl",
            key="download-jsonl",
            on_click="ignore",
            icon=":material/download:",
        )
    shell.note("Replay it, and check that it gives the same chunks:")
    st.code(replay_commands(run.document.base_name), language=None, wrap_lines=True)


def replay_commands(name: str) -> str:
    """The command lines, safe to paste whatever the document is called."""
    path = shlex.quote(name if not name.startswith("-") else f"./{name}")
    return f"chunkscope run {CONFIG_NAME} {path}\nchunkscope verify {CONFIG_NAME} {path}"


def json_lines(run: Run) -> bytes:
    """The run's records, skips in their place: what the fingerprint is of."""
    return "".join(f"{json_line(record)}\n" for record in records(run.parts, run.document)).encode()


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
