"""Why questions failed in each config, with a way to each answer and to what was retrieved in its
place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from chunking import Config, Run
from chunking.errors import ModelError
from chunking.gold import Question, coverage_sentence, coverages
from chunking.retrieval import Evaluation, Failure, failures_words, why_words
from chunking.text import be, counted
from pages.ui import state
from pages.ui.choices.comparing import row_of
from pages.ui.choices.marking import Marked
from pages.ui.choices.retrieving import MOST_CHUNKS, MOST_TOKENS, Retrieving
from pages.ui.components.marks_list import column
from pages.ui.layout import markup, page_frame, within_limits
from pages.ui.marks.mark_detail import Fixable, fixes
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
    if retrieving.metric in ("recall", "token_recall"):
        page_frame.note("A question failed where a part of an answer is missing; recall counts the part found.")
    name = embedder_name(retrieving) if retrieving.embeds and not retrieving.reads_late else ""
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
                _failure(number, row, row.corpus, each, retrieving, known[each.question])
            if len(these) > MOST:
                page_frame.note(f"And {len(these) - MOST:,} more.")


def _failure(
    number: int, row: RetrieveRow, corpus: ChunkedCorpus, of: Failure, retrieving: Retrieving, question: Question
) -> None:
    names = [document.name for document in corpus.documents]
    document = names.index(question.document)
    key = f"retrieve-failed-{row.letter}-{of.question}"
    with st.container(key=key, gap="xsmall"):
        st.html(markup.note(question.text))
        draft = "Not reviewed. " if question.review == "draft" else ""
        page_frame.note(f"{draft}{_why(of, corpus, document, retrieving)}. {_change(of, retrieving)}")
        mark = Marked("answer", of.answer, question.text)
        with st.container(key=f"{key}-ways", horizontal=True, gap="small"):
            line = corpus.documents[document].line_of(of.answer.start)
            to_answer = f"Open the answer, line {line:,}"
            _way(to_answer, f"{key}-answer", lambda: inspect_place(number, document, of.answer.start, mark))
            if of.outranking:
                other, chunk = corpus.chunks[of.outranking.at]
                label = f"Open what came before it, line {chunk.start_line:,}"
                _way(label, f"{key}-other", lambda: inspect_place(number, other, chunk.body.start))
            _small_change(f"{key}-change", row, of, retrieving, mark)
        _found_changes(number, row, corpus.runs[document], of, mark)


def _small_change(key: str, row: RetrieveRow, of: Failure, retrieving: Retrieving, mark: Marked) -> None:
    """A button that makes the smallest change, or looks for it where that cuts again."""
    if of.reason == "cut":
        label, act, arguments = f"Look for a change of {row.letter}", _look, (row.letter, mark)
        st.button(label, key=key, type="tertiary", icon=":material/build:", on_click=act, args=arguments)
    elif of.needed_tokens is not None and retrieving.equal == "tokens" and of.needed_tokens <= MOST_TOKENS:
        more = replace(retrieving, tokens=of.needed_tokens)
        label = f"Take {of.needed_tokens:,} tokens"
        st.button(label, key=key, type="tertiary", icon=":material/build:", on_click=state.retrieve, args=(more,))
    elif of.needed_chunks is not None and retrieving.equal == "chunks" and of.needed_chunks <= MOST_CHUNKS:
        more = replace(retrieving, chunks=of.needed_chunks)
        label = f"Take {counted(of.needed_chunks, 'chunk')}"
        st.button(label, key=key, type="tertiary", icon=":material/build:", on_click=state.retrieve, args=(more,))


def _found_changes(number: int, row: RetrieveRow, run: Run, of: Failure, mark: Marked) -> None:
    """The changes of the row's settings that keep the answer whole, where somebody looks for
    them."""
    marking = state.marking()
    if of.reason != "cut" or (marking.chosen, marking.row) != (mark, row.letter):
        return
    if run.config != row.config:
        page_frame.note("An override of Corpus cuts this document; it is changed there.")
        return

    def take(config: Config) -> None:
        state.compare(state.comparing().with_row(number, row_of(config)))

    annotations = state.annotations(run.document)
    of_row = column(row.letter, row.config.strategy.title, run, annotations)
    fixes(run.document, Fixable(of_row, take), mark, annotations)


def _look(letter: str, mark: Marked) -> None:
    """A callback: look for a change of this row that keeps the mark whole."""
    state.mark_with(replace(state.marking(), chosen=mark, row=letter, searching=True))


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
        return "The smallest change of a setting that keeps it whole can be looked for."
    if of.needed_chunks is None:
        return "Vectors also find texts without its words." if of.reason == "no-shared-word" else ""
    if retrieving.equal == "tokens":
        return f"Found when {of.needed_tokens or 0:,} tokens are taken."
    return f"Found when {counted(of.needed_chunks, 'chunk')} {be(of.needed_chunks)} taken."
