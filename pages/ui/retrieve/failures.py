"""Why questions failed in each config, with a way to each answer and to what was retrieved in its
place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from chunking.errors import ModelError
from chunking.gold import Question, coverage_sentence, coverages
from chunking.retrieval import Evaluation, Failure, failures_words, why_words
from chunking.text import counted
from pages.ui.choices.marking import Marked
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import markup, page_frame, within_limits
from pages.ui.retrieve import caches
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus
from pages.ui.retrieve.results import inspect_place
from pages.ui.retrieve.rows import RetrieveRow
from pages.ui.retrieve.truncation import embedder_name

MOST = 12
"""Questions of one config that are listed; the line says how many there are."""


@within_limits.part
def failed(
    rows: Sequence[RetrieveRow],
    found: Mapping[str, Evaluation],
    retrieving: Retrieving,
    known: Sequence[Question],
) -> None:
    """Draw a list for each row that was measured."""
    st.html(markup.heading("Why questions failed", beside="and the smallest change that helps"))
    name = embedder_name(retrieving) if retrieving.embeds else ""
    for number, row in enumerate(rows):
        if row.corpus is None or row.searcher is None or row.name not in found:
            continue
        try:
            these = caches.failed(row.corpus, row.config, retrieving, row.searcher, known, found[row.name], name)
        except ModelError as error:
            page_frame.problem(f"{row.name}: {error}")
            continue
        title = f"{row.name}: {failures_words(these, len(known))}"
        if not these:
            page_frame.note(f"{title}.")
            continue
        with st.expander(markup.plain_label(title), key=f"retrieve-failed-{row.letter}"):
            for each in these[:MOST]:
                _failure(number, row.letter, row.corpus, each, retrieving, known[each.question])
            if len(these) > MOST:
                page_frame.note(f"And {len(these) - MOST:,} more.")


def _failure(
    number: int, letter: str, corpus: ChunkedCorpus, of: Failure, retrieving: Retrieving, question: Question
) -> None:
    names = [document.name for document in corpus.documents]
    document = names.index(question.document)
    key = f"retrieve-failed-{letter}-{of.question}"
    with st.container(key=key, gap="xsmall"):
        st.html(markup.note(question.text))
        page_frame.note(f"{_why(of, corpus, document, retrieving)}. {_change(of, retrieving)}")
        with st.container(key=f"{key}-ways", horizontal=True, gap="small"):
            line = corpus.documents[document].line_of(of.answer.start)
            mark = Marked("answer", of.answer, question.text)
            to_answer = f"Open the answer, line {line:,}"
            _way(to_answer, f"{key}-answer", lambda: inspect_place(number, document, of.answer.start, mark))
            if of.outranking:
                other, chunk = corpus.chunks[of.outranking.at]
                label = f"Open what came before it, line {chunk.start_line:,}"
                _way(label, f"{key}-other", lambda: inspect_place(number, other, chunk.body.start))


def _way(label: str, key: str, go: Callable[[], None]) -> None:
    if st.button(label, key=key, type="tertiary", icon=":material/search:"):
        go()


def _why(of: Failure, corpus: ChunkedCorpus, document: int, retrieving: Retrieving) -> str:
    if of.reason in ("cut", "left-out"):
        made = corpus.runs[document]
        return coverage_sentence(coverages(made, [of.answer])[0], made).rstrip(".")
    documents = {each.name: each for each in corpus.documents}
    return why_words(of, corpus.passages(retrieving.mode, retrieving.neighbours), documents)


def _change(of: Failure, retrieving: Retrieving) -> str:
    """The smallest change that finds the answer."""
    if of.reason == "cut":
        return "In Inspect, Marks has the smallest change of a setting that keeps it whole."
    if of.needed_chunks is None:
        return "Vectors also find texts without its words." if of.reason == "no-shared-word" else ""
    if retrieving.equal == "tokens":
        return f"{of.needed_tokens or 0:,} tokens find it."
    return f"{counted(of.needed_chunks, 'chunk')} find it."
