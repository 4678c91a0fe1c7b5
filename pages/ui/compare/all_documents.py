"""Compare on all documents of the corpus: totals, and the documents that differ most first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

import streamlit as st

from chunking import ChunkscopeError, Config
from chunking.text import counted
from pages.ui import state
from pages.ui.background import corpus_jobs
from pages.ui.background.corpus_workers import Corpus, workers
from pages.ui.background.jobs import Job, Jobs
from pages.ui.choices.comparing import LETTERS
from pages.ui.choices.resolve import counter_label
from pages.ui.choices.samples import Source
from pages.ui.compare import corpus_numbers
from pages.ui.compare import markup as compare_markup
from pages.ui.compare.boundaries import pair_chooser
from pages.ui.compare.corpus_numbers import ComparedDocument
from pages.ui.compare.layout import CompareLayout
from pages.ui.layout import markup, page_frame, within_limits
from pages.ui.server import sessions
from pages.ui.side_by_side import controls
from pages.ui.side_by_side.overrides import overrides_note

Found = dict[int, ComparedDocument]
_EVERY = 0.6
"""Seconds between two looks at what has come."""
_AT_ONCE = 0.5
"""Seconds that the page waits for all of it."""
_jobs: Jobs[Found] = Jobs()


def compare_all(frame: CompareLayout) -> None:
    """Choose the configs, compare them on all documents in the background, and show what has
    come."""
    corpus, comparing = Corpus(state.corpus_documents()), state.comparing()
    for number, row in enumerate(comparing.rows):
        with frame.panels[number]:
            controls.row_chooser(number, row.resolution(), None)
    if not corpus.documents:
        with frame.problems:
            page_frame.empty("No documents", "Add some, or open the app with a folder: chunkscope app FOLDER")
        return
    configs, problems = state.compared_on_corpus()
    with frame.problems:
        overrides_note(problems, "Compare on one document leaves them out.")
    try:
        job = _job(corpus, configs, comparing.counter)
    except ChunkscopeError as error:
        with frame.problems:
            page_frame.problem(str(error))
        return
    job.wait(_AT_ONCE)
    with frame.all_documents:
        st.fragment(_found, run_every=_EVERY if job.running else None)(corpus, job, looks_again=job.running)


def _job(corpus: Corpus, configs: Sequence[Config], counter: str) -> Job[Found]:
    """The job that compares them, begun where nobody has. Raises RunLimitError for a corpus without
    room."""
    user = sessions.session_id() or ""
    sessions.at_end("corpus", partial(corpus_jobs.forget, user))
    workers.hold(corpus, user)
    name = sha256(f"{corpus.key} {configs!r} {counter}".encode()).hexdigest()

    def finds(stopped: Callable[[], bool]) -> Iterator[Found]:
        return workers.each(corpus, corpus_numbers.compare_there, configs, counter, stopped=stopped)

    return corpus_jobs.begun(_jobs, (user, "compare", name), len(corpus.documents), finds)


@within_limits.part
def _found(corpus: Corpus, job: Job[Found], *, looks_again: bool) -> None:
    """What has come so far. `looks_again`: this runs by itself until all has."""
    if looks_again and not job.running:
        st.rerun()
    found = corpus_jobs.found_in(job)
    _progress(corpus, job, len(found))
    if not found:
        return
    letters = LETTERS[: len(next(iter(found.values())).figures)]
    with st.container(key="compare-totals", horizontal=True, gap="medium"):
        _totals(found, letters)
    _documents(corpus, found, letters)


def _progress(corpus: Corpus, job: Job[Found], done: int) -> None:
    documents = counted(len(corpus.documents), "document")
    if job.problem:
        page_frame.problem(job.problem)
        st.button("Try again", key="compare-again", on_click=partial(corpus_jobs.go_on, job))
    elif job.running:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="compare-progress"):
            st.progress(done / max(1, job.total), f"{done:,} of {documents} compared", width="stretch")
            st.button("Cancel", key="compare-cancel", on_click=partial(corpus_jobs.leave, job))
    elif corpus_jobs.is_left(job):
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="compare-left-off"):
            page_frame.note(f"Cancelled: {done:,} of {documents} compared.")
            st.button("Go on", key="compare-again", on_click=partial(corpus_jobs.go_on, job))


def _totals(found: Mapping[int, ComparedDocument], letters: Sequence[str]) -> None:
    """All documents together: each config in numbers, then what changes from the first."""
    whole = [each for each in found.values() if not any(figures.problem for figures in each.figures)]
    counter, beside = counter_label(state.comparing().counter), counted(len(whole), "document")
    with st.container(gap="xsmall", key="compare-total-metrics"):
        st.html(markup.heading("All documents", beside=f"{beside}, tokenizer {counter}; differences from {letters[0]}"))
        st.html(compare_markup.metrics_table(letters, {"Total": corpus_numbers.total_lines(whole, len(letters))}))
    with st.container(gap="xsmall", key="compare-total-changes"):
        st.html(markup.heading("Boundaries and re-embedding cost", beside=f"if your store holds {letters[0]}'s chunks"))
        against = [corpus_numbers.total_changes(whole, which) for which in range(len(letters) - 1)]
        st.html(compare_markup.changes_table(letters, against, state.comparing().price))
        if len(whole) < len(found):
            left = counted(len(found) - len(whole), "document")
            page_frame.note(f"{left} left out of the totals: not cut by every config, with the reason in the table.")


def _documents(corpus: Corpus, found: Mapping[int, ComparedDocument], letters: Sequence[str]) -> None:
    """A row for each document; a click opens it alone."""
    from pages.ui.compare import tables  # pandas

    now, others = state.comparing(), letters[1:]
    against = now.against if now.against in others else others[0]
    which = others.index(against)
    st.html(
        markup.heading("Documents", beside="those that differ most first; choose a row to compare on that document")
    )
    if len(others) > 1:
        pair_chooser(letters[0], others, against)
    rows = corpus_numbers.most_different(found, which)
    table = tables.documents([each.name for each in corpus.documents], found, rows, which, letters)
    whole = {
        name: st.column_config.NumberColumn(
            width=_WIDTHS[_title(name)], format="localized", help=_MEANINGS.get(_title(name))
        )
        for name in table.columns[2:-1]
    }
    shared = st.column_config.ProgressColumn(
        "Shared boundaries",
        format="percent",
        min_value=0,
        max_value=1,
        width=120,
        help="Of all boundaries of either config those at the same place in both",
    )
    key = f"compare-documents-{against}-{corpus.key[:8]}-{len(found)}"
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        column_order=list(table.columns if any(table["Not cut"]) else table.columns[:-1]),
        column_config={"Document": st.column_config.TextColumn(width=176), "Shared": shared, **whole},
        height=min(38 + 28 * len(table), 560),
        row_height=28,
        on_select=partial(_open, key, tuple(corpus.documents[row] for row in rows)),
        selection_mode="single-cell",
        placeholder="–",
    )


def _title(column: str) -> str:
    """Of a column, without the letter of its config."""
    return column[:-2] if column[-2:-1] == " " else column


_WIDTHS = {
    "Chunks": 66,
    "Median": 72,
    "Blocks cut": 86,
    "Over maximum": 104,
    "More over with context": 152,
    "Tokens to re-embed": 138,
}
"""Pixels: as wide as the titles are, so that all but the last are in sight in a window of 1,280."""
_MEANINGS = {
    "Blocks cut": "Blocks cut in two: tables, code and lists, each once however often it is cut",
    "Over maximum": "Chunks over the maximum, as its limit counts them",
    "More over with context": "Chunks over the maximum only with their context, which an embedder reads too",
}


def _open(key: str, sources: tuple[Source, ...]) -> None:
    """A callback: compare on the document that was clicked."""
    row = state.clicked_row(key)
    if row is not None and row < len(sources):
        state.choose_document(sources[row])
        state.compare(replace(state.comparing(), all_documents=False))
