"""Links from the page of a strategy to the pages of all strategies."""

from __future__ import annotations

import streamlit as st

from chunking import strategies


def strategy_links(shown: str) -> None:
    """A link to each strategy's own address; the one that is shown stands out."""
    with st.container(horizontal=True, key="strategy-links", gap="small"):
        for name in strategies.names():
            label = strategies.get(name).title
            st.page_link(
                "pages/strategies.py",
                label=f"**{label}**" if name == shown else label,
                query_params={"strategy": name},
                width="content",
            )
