"""The controls of the Retrieve page: documents, question, way of searching, amount retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import streamlit as st

from chunking import Document
from chunking.gold import Question
from chunking.models import PROVIDERS, RERANKERS
from chunking.retrieval import MOST_NEIGHBOURS
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.choices.retrieving import (
    EMBEDDERS,
    EQUALS,
    LOCAL,
    LONGEST_QUESTION,
    MOST_CHUNKS,
    MOST_TOKENS,
    WAYS,
    Retrieving,
)
from pages.ui.choices.samples import Source
from pages.ui.layout import markup, model_messages, page_frame, picker
from pages.ui.layout.kept_closed import kept_and_closed
from pages.ui.retrieve import reranking
from pages.ui.side_by_side.controls import add_button, counter_picker

_NONE = ""
_SUGGESTED = 4
"""Headings that are offered where nothing is asked yet."""


def choose() -> None:
    """Draw the choice of the document, of the counter, and the button that adds a row."""
    with st.container(key="retrieve-document", gap="xsmall"):
        picker.document_picker(sample_in_help=True)
    counter_picker()
    add_button()


def searchable() -> tuple[Source, ...]:
    """The chosen document, and all others of the corpus."""
    chosen, corpus = state.source(), state.corpus_documents()
    if not chosen:
        return corpus
    return (chosen, *(each for each in corpus if (each.key, each.name) != (chosen.key, chosen.name)))


def chosen_sources() -> tuple[Source, ...]:
    """The documents that are searched: all of `searchable`, or the chosen one alone."""
    return searchable() if state.retrieving().all_documents else searchable()[:1]


def ask(known: Sequence[Question], documents: Sequence[Document]) -> None:
    """The question, and how it is searched."""
    retrieving = state.retrieving()
    with st.container(key="retrieve-question", horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Question",
            key=state.own("retrieve-q", retrieving.question),
            placeholder="Ask a question about all documents"
            if retrieving.all_documents
            else "Ask a question about this document",
            max_chars=LONGEST_QUESTION,
            icon=":material/search:",
            on_change=_take_question,
        )
        if known:
            _known_picker(known, retrieving)
    with st.container(key="retrieve-how", horizontal=True, gap="small", vertical_alignment="bottom"):
        _how(retrieving)
    kept_and_closed()
    if not retrieving.question and not known:
        _suggestions(documents)


def _known_picker(known: Sequence[Question], retrieving: Retrieving) -> None:
    texts = list(dict.fromkeys(each.text for each in known))
    st.selectbox(
        "Or the marked question" if len(texts) == 1 else f"Or one of the {len(texts):,} marked questions",
        [_NONE, *texts],
        key=state.own("retrieve-known", retrieving.question if retrieving.question in texts else _NONE),
        format_func=lambda text: text or "Choose a question",
        on_change=_take_known,
    )


def _how(retrieving: Retrieving) -> None:
    page_frame.more_controls(_in_short(retrieving), name="retrieve")
    st.segmented_control(
        "Search",
        list(WAYS),
        key=state.own("retrieve-way", retrieving.way),
        format_func=lambda way: WAYS[way],
        required=True,
        help="Vectors compare meaning. Keywords compares words (BM25: rare words count more). Vectors + keywords "
        "combines both rankings (rank fusion).",
        on_change=_take_way,
    )
    st.segmented_control(
        "Compare at",
        list(EQUALS),
        key=state.own("retrieve-equal", retrieving.equal),
        format_func=lambda equal: EQUALS[equal],
        required=True,
        help="With the same number of chunks, larger chunks give more text. With the same token budget, every config "
        "costs the same.",
        on_change=_take_equal,
    )
    many = retrieving.equal == "tokens"
    key = f"retrieve-{retrieving.equal}"
    st.number_input(
        "Token budget" if many else "Chunks",
        min_value=1,
        max_value=MOST_TOKENS if many else MOST_CHUNKS,
        step=100 if many else 1,
        key=state.own(key, retrieving.tokens if many else retrieving.chunks),
        help="Retrieved for a question, from each config",
        on_change=_take_number,
        args=(key,),
        width=130,
    )
    if len(searchable()) > 1:
        st.toggle(
            f"Search all {len(searchable()):,} documents",
            key=state.own("retrieve-all", retrieving.all_documents),
            help="Searches the documents of Corpus and the chosen one",
            on_change=_take_all,
        )
    with st.popover("More", icon=":material/tune:", key="retrieve-more"):
        _more(retrieving)
    if retrieving.embeds:
        with st.popover("Embedding model", icon=":material/scatter_plot:", key="retrieve-embedder-popover"):
            _embedder(retrieving)


def _in_short(retrieving: Retrieving) -> str:
    """How it is searched, for the line that stands for the controls on a phone."""
    budget = retrieving.max_tokens
    most = counted(retrieving.chunks, "chunk") if budget is None else counted(budget, "token")
    words = f"{WAYS[retrieving.way]}, {most}"
    return f"{words}, {len(searchable()):,} documents" if retrieving.all_documents else words


def _more(retrieving: Retrieving) -> None:
    """What hits give back besides themselves, contexts, late chunking, a reranker."""
    st.number_input(
        "Neighbours",
        min_value=0,
        max_value=MOST_NEIGHBOURS,
        key=state.own("retrieve-neighbours", retrieving.neighbours),
        help="So many chunks before and behind it a hit gives back too: they count in every number, each place once.",
        on_change=_take_neighbours,
    )
    st.number_input(
        "Merge from, %",
        min_value=0,
        max_value=100,
        step=10,
        key=state.own("retrieve-merge", retrieving.merge),
        help="Where this share of a section's chunks is hit, the section is given back in their place; 0: never.",
        on_change=_take_merge,
    )
    comparing = state.comparing()
    st.toggle(
        "Each config also in context",
        key=state.own("retrieve-contexts", comparing.in_context),
        disabled=not comparing.in_context and len(comparing.rows) >= len(LETTERS),
        help="As further configs: a description in front of each chunk, the breadcrumb and the section's first "
        "sentence. In their settings a model can be chosen as describer. At most four side by side.",
        on_change=_take_contexts,
    )
    if retrieving.embeds and retrieving.embedder == LOCAL:
        st.toggle(
            "Late chunking",
            key=state.own("retrieve-late", retrieving.late),
            help="A chunk's vector is the mean of its tokens', each read with the text around the chunk. On this "
            "machine; whole documents are read, which takes a while.",
            on_change=_take_late,
        )
    there = reranking.set_up()
    if not there:
        page_frame.note(reranking.HOW_TO)
        return
    st.selectbox(
        "Reranker",
        ("", *there),
        key=state.own("retrieve-reranker", retrieving.reranker if retrieving.reranker in there else ""),
        format_func=lambda name: f"{name} (a server)" if name else "none",
        help="Ranks the first chunks of each search anew. What is sent is said before.",
        on_change=_take_reranker,
    )
    if retrieving.reranker:
        st.text_input(
            "Reranker's model",
            key=state.own("retrieve-rerank-model", retrieving.rerank_model),
            placeholder=RERANKERS[retrieving.reranker].model or "the server's own",
            max_chars=200,
            on_change=_take_reranker,
        )


def _take_merge() -> None:
    share = state.moved("retrieve-merge")
    if isinstance(share, int):
        state.retrieve(replace(state.retrieving(), merge=share))


def _take_contexts() -> None:
    now = state.comparing()
    state.compare(now.with_contexts() if state.moved("retrieve-contexts") else now.without_contexts())


def _take_late() -> None:
    state.retrieve(replace(state.retrieving(), late=bool(state.moved("retrieve-late"))))


def _take_reranker() -> None:
    name, now = str(state.moved("retrieve-reranker") or ""), state.retrieving()
    model = str(state.moved("retrieve-rerank-model") or "").strip() if name == now.reranker else ""
    state.retrieve(replace(now, reranker=name, rerank_model=model))


def _embedder(retrieving: Retrieving) -> None:
    st.selectbox(
        "Embedding model",
        EMBEDDERS,
        key=state.own("retrieve-embedder", retrieving.embedder),
        format_func=lambda name: model_messages.option("embedder", name),
        on_change=_take_embedder,
    )
    if retrieving.embedder == LOCAL:
        page_frame.note(
            "all-MiniLM-L6-v2 on this machine; nothing is sent. It reads the first 256 word pieces of a chunk."
        )
        return
    usual = PROVIDERS[retrieving.embedder].model
    st.text_input(
        "Model",
        key=state.own("retrieve-model", retrieving.model),
        placeholder=usual or "the server's own",
        max_chars=200,
        on_change=_take_model,
    )
    key = PROVIDERS[retrieving.embedder].key
    by = f" The key is read from {key}." if key else ""
    page_frame.note(f"Chunks and questions are sent to the server, only when you ask for it.{by}")


def _suggestions(documents: Sequence[Document]) -> None:
    """Headings of the document, to try the page with."""
    sections = [section for document in documents[:1] for section in document.outline.walk() if section.heading]
    titles = list(dict.fromkeys(section.title for section in sections if section.level > 1 and section.title.strip()))
    if not titles:
        return
    with st.container(key="retrieve-suggested", horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.html(markup.note("Or search for a heading:"), width="content")
        for number, title in enumerate(titles[:_SUGGESTED]):
            label = markup.plain_label(title if len(title) <= 40 else f"{title[:39]}…")
            st.button(label, key=f"retrieve-try-{number}", on_click=take_question, args=(title,))


def take_question(text: str) -> None:
    """A callback: ask this."""
    state.retrieve(state.retrieving().asking(text))


def _take_question() -> None:
    take_question(str(state.moved("retrieve-q") or ""))


def _take_known() -> None:
    take_question(str(state.moved("retrieve-known") or ""))


def _take_all() -> None:
    state.retrieve(replace(state.retrieving(), all_documents=bool(state.moved("retrieve-all"))))


def _take_way() -> None:
    chosen = state.moved("retrieve-way")
    for way in WAYS:
        if way == chosen:
            state.retrieve(replace(state.retrieving(), way=way))


def _take_equal() -> None:
    chosen = state.moved("retrieve-equal")
    for equal in EQUALS:
        if equal == chosen:
            state.retrieve(replace(state.retrieving(), equal=equal))


def uneven_note(words: str) -> None:
    """Say that more text was compared with less, with the way to compare at the same cost."""
    st.html(markup.note(words), width="content")
    same_cost_button("retrieve-same-cost")


def same_cost_button(key: str, *, next_step: bool = False) -> None:
    """The way to compare at the same cost, which stands out where it is the next step."""
    kind: Literal["primary", "secondary"] = "primary" if next_step else "secondary"
    st.button("Compare at the same token budget", key=key, type=kind, on_click=_same_cost)


def _same_cost() -> None:
    state.retrieve(replace(state.retrieving(), equal="tokens"))


def harder_buttons(retrieving: Retrieving) -> None:
    """The ways to a test that may tell apart configs that all find the answers: less to be
    retrieved, or the same cost."""
    one = retrieving.equal == "chunks" and retrieving.chunks == 1
    if not one:
        st.button("Retrieve 1 chunk", key="retrieve-one-chunk", type="primary", on_click=_one_chunk)
    if retrieving.equal == "chunks":
        same_cost_button("retrieve-next", next_step=one)


def _one_chunk() -> None:
    state.retrieve(replace(state.retrieving(), equal="chunks", chunks=1))


def _take_number(key: str) -> None:
    number, retrieving = state.moved(key), state.retrieving()
    if isinstance(number, int):
        many = key == "retrieve-tokens"
        state.retrieve(replace(retrieving, tokens=number) if many else replace(retrieving, chunks=number))


def _take_neighbours() -> None:
    number = state.moved("retrieve-neighbours")
    if isinstance(number, int):
        state.retrieve(replace(state.retrieving(), neighbours=number))


def _take_embedder() -> None:
    name = state.moved("retrieve-embedder")
    if isinstance(name, str) and name in EMBEDDERS:
        state.retrieve(replace(state.retrieving(), embedder=name, model=""))


def _take_model() -> None:
    state.retrieve(replace(state.retrieving(), model=str(state.moved("retrieve-model") or "").strip()))
