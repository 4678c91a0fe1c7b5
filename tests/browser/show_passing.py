"""What the app shows only of a PDF, while scripts come, or while or after a model answers, laid out
as there, for test_streamlit_dom.py."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

with st.container(key="strip", gap=None):
    place = st.empty()
with place.container(key="asking", horizontal=True, vertical_alignment="center", gap="small"):
    st.progress(0.5, text="Loading the model")
with st.container(key="chunk", gap="xsmall"):
    st.text("A description that a model wrote.")
with st.container(key="paged", gap="xsmall"):
    st.text("The picture of a page.")
for key in ("nav", "chosen", "reading-choices", "rail-heading-window", "strategy-page", "chunk-heading", "gone-0"):
    st.container(key=key).skeleton()
with st.container(key="compare"):
    st.container(key="compare-chosen").skeleton()
