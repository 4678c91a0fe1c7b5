"""Strategies: what each is for, its settings and the reasons it gives, straight from the declarations."""

from __future__ import annotations

import streamlit as st

from chunking import strategies
from pages.ui import markup, shell, state, tables


def main() -> None:
    """What the address chose, and what is declared of it."""
    shell.open_page("Strategies")
    asked = state.strategy_in_address()
    name = asked if asked in strategies.names() else strategies.names()[0]
    shell.strategy_links(name)
    if asked and asked != name:
        shell.problem(f"no strategy named {asked[:60]!r}; there are: {', '.join(strategies.names())}")

    strategy = strategies.get(name)
    with st.container(key="page"):
        st.html(markup.title(strategy.title, beside=name))
        st.html(markup.paragraph(strategy.summary))
        if strategy.__doc__:
            st.html(markup.paragraph(tables.first_paragraph(strategy.__doc__)))
        shell.note(f"Tokens are counted by {strategy.default_counter} unless another counter is chosen.")
        st.html(markup.heading("Settings"))
        settings = tables.settings_table(strategy)
        if settings.empty:
            shell.note("None: there is nothing to tune.")
        else:
            st.html(markup.table(settings, code=("Setting", "Default")))
        st.html(markup.heading("Reasons it gives", beside="for a boundary, for what it leaves out, and what it flags"))
        st.html(markup.table(tables.rules_table(strategy), code=("Rule",)))


main()
