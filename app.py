"""Inspect, the home page: one document, every boundary and its reason."""
import streamlit as st

st.title("Chunkscope")
