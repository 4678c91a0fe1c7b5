"""Links from the page of a strategy to the pages of all strategies."""

from __future__ import annotations

import streamlit as st

from chunking import strategies
from pages.ui.layout import strategy_choice


def strategy_links(shown: str) -> None:
    """A link to each strategy, in the order of the choice; the one that is shown stands out."""
    with st.container(horizontal=True, key="strategy-links", gap="small"):
        for name in strategy_choice.listed():
            label = strategies.get(name).title
            st.page_link(
                "pages/strategies.py",
                label=f"**{label}**" if name == shown else label,
                query_params={"strategy": name},
                width="content",
            )
