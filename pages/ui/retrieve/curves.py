"""What each config finds at every budget of tokens: a chart with bands, and the same as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from chunking.errors import ModelError
from chunking.gold import Question, unreviewed_words
from chunking.models import price_of
from chunking.retrieval import CURVES, Costs, Curve, Evaluation, metric_name
from pages.ui import state
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import markup, page_frame, within_limits
from pages.ui.layout.figures import readable
from pages.ui.retrieve import caches
from pages.ui.retrieve import markup as retrieve_markup
from pages.ui.retrieve.rows import RetrieveRow
from pages.ui.retrieve.truncation import embedder_name


@within_limits.part
def curves(
    rows: Sequence[RetrieveRow], evaluated: Mapping[str, Evaluation], retrieving: Retrieving, known: Sequence[Question]
) -> None:
    """Draw the curves of all rows that can be searched."""
    found = _measured(rows, retrieving, known)
    if not found:
        return
    from pages.ui.retrieve import curve_chart  # plotly: the passages come first

    with st.container(key="retrieve-curves-head", horizontal=True, gap="small", vertical_alignment="bottom"):
        st.html(markup.heading("At every budget of tokens", beside="same questions, same ranking"))
        metric = st.segmented_control(
            "Curve of",
            CURVES,
            key="retrieve-curve-metric",
            default=CURVES[0],
            required=True,
            format_func=metric_name,
        )
    metric = metric or CURVES[0]
    figure = curve_chart.curve_figure(found, metric)
    st.plotly_chart(readable(figure), key="retrieve-curve", config={"displayModeBar": False})
    st.html(retrieve_markup.curve_table(found, metric))
    page_frame.note(
        "Bands and brackets are 95% intervals over the questions, each by itself. The area is the mean height over the "
        "logarithm of the budget, from 0 to 1."
    )
    if drafts := unreviewed_words(known):
        page_frame.note(f"{drafts}; the curves include them.")

    _costs(rows, evaluated, retrieving, known)


def _costs(
    rows: Sequence[RetrieveRow], evaluated: Mapping[str, Evaluation], retrieving: Retrieving, known: Sequence[Question]
) -> None:
    """What each config costs: money to embed its chunks once, time of a search."""
    named = embedder_name(retrieving) if retrieving.embeds else ""
    listed = price_of(named) if named else 0.0
    price = listed if listed is not None else state.price(named, "in") or None
    found = dict[str, Costs]()
    for row in rows:
        if row.corpus and row.searcher and row.name in evaluated:
            try:
                found[row.name] = caches.costs(
                    *(row.corpus, row.config, retrieving, row.searcher, evaluated[row.name], known, price)
                )
            except ModelError as error:
                page_frame.problem(f"{row.name}: {error}")
    st.html(markup.heading("What that costs", beside="to embed all chunks once"))
    if listed is None:
        st.number_input(
            "US dollars per million tokens embedded",
            min_value=0.0,
            step=0.01,
            key=state.own("retrieve-price", state.price(named, "in")),
            on_change=_take_price,
            args=(named,),
            width=260,
        )
    st.html(retrieve_markup.costs_table(found))
    asks = any(each.asks for each in found.values())
    times = (f"{name}: {each.search_ms:,.1f} ms" for name, each in found.items())
    basis = (
        f"A search is the median over the first questions, on this machine, {'with' if asks else 'without'} embedding "
        "the question; answers of servers are remembered and not timed."
    )
    st.html(markup.folded("How long a search takes", (*times, basis), name="search-times"))


def _take_price(of: str) -> None:
    value = state.moved("retrieve-price")
    if isinstance(value, int | float):
        state.set_price(of, "in", float(value))


def _measured(rows: Sequence[RetrieveRow], retrieving: Retrieving, known: Sequence[Question]) -> Mapping[str, Curve]:
    """The curve of each row that can be searched, by its name."""
    found = dict[str, Curve]()
    for row in rows:
        if row.corpus is None or row.searcher is None or not row.corpus.chunks:
            continue
        try:
            found[row.name] = caches.curve(row.corpus, row.config, retrieving, row.searcher, known)
        except ModelError as error:
            page_frame.problem(f"{row.name}: {error}")
    return found
