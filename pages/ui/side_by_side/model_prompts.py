"""The models that configs side by side need: those that run here are asked, servers only in
Inspect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import Config, Document
from pages.ui.layout import model_prompts

WAITS = "Waits for a model: open this row in Inspect, where its settings show how to ask it."


def ask_local_models(document: Document, configs: Sequence[Config], place: DeltaGenerator) -> None:
    """Have models that run here answer what is missing; servers are asked only from Inspect."""
    for config in configs:
        if model_prompts.answer(document, config, place, "embed"):
            st.rerun()
