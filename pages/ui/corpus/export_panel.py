"""What the button Export of the Corpus page opens: the YAML with its overrides and its proof, and
the commands that replay it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from chunking import Config
from chunking.config import DocumentProof, proof_of
from chunking.errors import ChunkscopeError, ConfigError
from chunking.text import shown_text
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.choices.same_names import same_names
from pages.ui.components.copy_text import copy_text
from pages.ui.layout import markup, page_frame, within_limits
from pages.ui.server import downloads

_EXPORT = "corpus-export"
CONFIG_NAME = "chunks.yaml"
_COMMANDS = (
    f"chunkscope run {CONFIG_NAME} FOLDER --root FOLDER -o out/\nchunkscope verify {CONFIG_NAME} FOLDER --root FOLDER"
)


@within_limits.part
def export_panel(corpus: Corpus, cuts: Cuts) -> None:
    """What reproduces the corpus elsewhere."""
    words = "The config with its overrides, its proof, and the commands that replay it"
    with st.popover("Export", icon=":material/download:", help=words, key=_EXPORT), st.container(gap="xsmall"):
        _exported(corpus, cuts)


def _exported(corpus: Corpus, cuts: Cuts) -> None:
    config = replace(cuts.config, overrides=cuts.overrides)
    if not config.strategy.has_yaml:
        page_frame.note("These chunks were made elsewhere: no YAML can make them again.")
        return
    twice = _of_one_name(corpus)
    with st.container(horizontal=True, gap="xsmall", key="corpus-downloads"):
        st.download_button(
            "YAML",
            downloads.telling(lambda: _with_proof(corpus, cuts, config).encode()),
            CONFIG_NAME,
            "application/yaml",
            key="download-corpus-yaml",
            on_click="ignore",
            help="The config with its overrides and a fingerprint for each document",
            disabled=bool(twice),
        )
        st.download_button(
            "YAML without proof",
            config.to_yaml(),
            CONFIG_NAME,
            "application/yaml",
            key="download-corpus-plain",
            on_click="ignore",
        )
    if twice:
        page_frame.note(f"No YAML with a proof: {twice}.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="exact-copy-corpus"):
        st.html(markup.note("Cut the folder, and verify that the chunks match:"), width="stretch")
        copy_text(_COMMANDS, says="Copy the commands", key="copy-corpus-commands")
    page_frame.exact(_COMMANDS)


def _of_one_name(corpus: Corpus) -> str:
    """Why these documents have no proof, where some have the same name; "" where none have."""
    twice = same_names(each.name for each in corpus.documents)
    if not twice:
        return ""
    return (
        f"{shown_text(twice[0])}: is the name of more than one document, and a proof has one of each name; rename one, "
        "add their folder as a zip, which keeps the paths, or take the YAML without proof"
    )


def _with_proof(corpus: Corpus, cuts: Cuts, config: Config) -> str:
    """Raises ChunkscopeError, one line, where documents cannot be cut, have the same name, or are
    too many for one proof."""
    if twice := _of_one_name(corpus):
        raise ConfigError(twice)
    proofs = {}
    for row, fingerprint in sorted(workers.fingerprints(corpus, cuts).items()):
        source = corpus.documents[row]
        if not fingerprint:
            raise ConfigError(f"{source.name}: cannot be cut, so it has no proof; take the YAML without proof")
        made = source.conversion
        proofs[source.name] = DocumentProof(
            source=f"sha256:{source.file_hash}",
            chunks=f"sha256:{fingerprint}",
            loader=made.loader if made else "",
            text=f"sha256:{source.hash}" if made else "",
        )
    try:
        return config.to_yaml(proof_of(config, proofs))
    except ChunkscopeError as error:
        raise ConfigError(f"{error}; or take the YAML without proof") from error
