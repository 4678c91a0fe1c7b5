"""The second half of the Retrieve page: configs on questions with known answers, ranked, and what
to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import Document
from chunking.errors import ModelError
from chunking.gold import Question, unreviewed, unreviewed_words
from chunking.retrieval import (
    METRICS,
    MODES,
    Evaluation,
    Leaderboard,
    decision,
    drafts_words,
    leaderboard,
    metric_name,
    recommendation,
    returned_words,
)
from chunking.text import counted
from pages.ui import state
from pages.ui.choices import reviewing
from pages.ui.choices.comparing import LETTERS
from pages.ui.choices.retrieving import EQUALS, Retrieving
from pages.ui.choices.samples import Source
from pages.ui.layout import caches, limits, markup, page_frame, within_limits
from pages.ui.layout.figures import readable
from pages.ui.retrieve import caches as retrieve_caches
from pages.ui.retrieve import curves, drafting, failures, question_files, results_files, review
from pages.ui.retrieve import markup as retrieve_markup
from pages.ui.retrieve import questions as retrieve_questions
from pages.ui.retrieve.controls import chosen_sources, harder_buttons, take_question
from pages.ui.retrieve.rows import RetrieveRow

_MODE_WORDS = {"strict": "by place", "published": "by first match, as in Chroma's evaluation"}
"""What the modes are called on screen."""
_STEPS = (
    (
        "Get questions",
        "Draft them from your documents, load a file, or mark an answer on Inspect. Keyword probes are drafted at "
        "once, on this computer and without a key.",
    ),
    (
        "Review the drafts",
        "Each stands beside its answer in the text: accept it, edit it or reject it. Until then it counts, as a draft.",
    ),
    (
        "Read the verdict",
        "Each config searches for all questions. You see how much of the answers each finds, which is ahead, and "
        "whether that is more than chance, or how many questions it would take to tell.",
    ),
)
"""What to do where there is no question yet."""
_EVERY = 0.7
"""Seconds between two looks at what was drafted."""


@within_limits.part
def measured(
    rows: Sequence[RetrieveRow], retrieving: Retrieving, known: Sequence[Question], documents: Sequence[Document]
) -> None:
    """Draw it all, or what to do so that there is something to draw."""
    # In one place: what comes above the drafts must not move theirs, which would lose the keyboard.
    with st.container(key="retrieve-verdict", gap="small"):
        heading = st.empty()
        heading.html(_heading(known))
        with st.container(key="retrieve-measure-how", horizontal=True, gap="small", vertical_alignment="bottom"):
            if known:
                _how(retrieving)
            drafting.form(documents)
            retrieve_questions.loader(documents)
            if known:
                question_files.offer(documents, known)
        retrieve_questions.outcome()
        retrieve_questions.earlier(documents)
        for document in documents:
            if problem := state.annotations_problem(document):
                page_frame.problem(problem)
        found = _evaluations(rows, retrieving, known) if known else {}
        board = leaderboard(found, retrieving.metric) if found else None
        if board:
            _decision(board, known, rows, retrieving, documents)
            results_files.offer(rows, found, board, retrieving, known)
        elif known:
            st.html(markup.caution(next((row.waits for row in rows if not row.problem), "Waiting.")))
    _drafts(rows, known, documents, heading, measured=board is not None)
    if not known:
        st.html(markup.empty_steps("No question with a known answer yet", _STEPS))
    elif board:
        _results(rows, found, board, retrieving, known, documents)


def _decision(
    board: Leaderboard,
    known: Sequence[Question],
    rows: Sequence[RetrieveRow],
    retrieving: Retrieving,
    documents: Sequence[Document],
) -> None:
    """Which config to take, with the next step."""
    st.html(retrieve_markup.advice(decision(board, reviewing.kinds(known))))
    if drafts := unreviewed_words(known):
        st.html(markup.caution(f"{drafts}."))
    with st.container(key="retrieve-winner", horizontal=True, gap="small"):
        if board.fewer_may_tell or (board.too_easy and len(board.places) > 1):
            harder_buttons(retrieving)
        elif 0 < board.questions_missing <= reviewing.MOST_QUESTIONS:
            drafting.more_button(board.questions_missing)
        _winner(board, {row.name: row for row in rows}, documents)
    if len(documents) > 1 and not board.cutting_less:
        page_frame.note("A YAML from here has no proof for several documents; Export on Corpus gives one with it.")


def _heading(known: Sequence[Question]) -> str:
    count = f"{counted(len(known), 'question')} with marked answers" if known else ""
    count += f", {drafts:,} not reviewed" if (drafts := unreviewed(known)) else ""
    return markup.heading("Which config retrieves best?", beside=count)


def _drafts(
    rows: Sequence[RetrieveRow],
    known: Sequence[Question],
    documents: Sequence[Document],
    heading: DeltaGenerator,
    *,
    measured: bool,
) -> None:
    """How far drafting is, and the review of drafts: a part of the page that runs by itself.
    `measured` says whether there are figures, which reviews may be missing from."""
    job = drafting.job(documents)
    running = job is not None and job.running
    # Only while questions are drafted does this look again by itself.
    part = st.fragment(_drafts_now, run_every=_EVERY if running else None)
    part(tuple(rows), tuple(known), tuple(documents), heading, running, measured)


def _drafts_now(
    rows: tuple[RetrieveRow, ...],
    known: tuple[Question, ...],
    documents: tuple[Document, ...],
    heading: DeltaGenerator,
    was_running: bool,
    measured: bool,
) -> None:
    job, queue = drafting.job(documents), review.queue(documents)
    running, now = job is not None and job.running, retrieve_questions.known(documents)
    changed = now != known
    if (was_running and not running) or (changed and not running and not queue.drafts):
        st.rerun()  # everything else on the page is about these questions
    heading.html(_heading(now))  # every time: what a part of a page draws no more is taken away
    with st.container(key="retrieve-drafts", gap="xsmall"):
        # Its place is there before it: what moved on the page would lose the keyboard.
        with st.container(key="retrieve-behind", horizontal=True, gap="small", vertical_alignment="center"):
            if queue.drafts:
                _behind(changed=measured and changed and not running)
        if job:
            drafting.progress(job)
        review.review(documents, rows, queue)


def _behind(*, changed: bool) -> None:
    """Under the verdict, whether reviews are in it; always one line, so that nothing moves."""
    if not changed:
        st.html(markup.note("Drafts count until you reject them."), width="content")
        return
    st.html(markup.caution("The latest reviews are not in these figures yet."), width="content")
    if st.button("Measure again", key="retrieve-measure-again", icon=":material/refresh:"):
        st.rerun()


def _how(retrieving: Retrieving) -> None:
    st.selectbox(
        "Ranked by",
        list(METRICS),
        key=state.own("retrieve-metric", retrieving.metric),
        format_func=metric_name,
        help="\n".join(f"- **{metric_name(name)}**: {words}" for name, words in METRICS.items()),
        on_change=_take_metric,
    )
    st.segmented_control(
        "Answers are matched",
        MODES,
        key=state.own("retrieve-mode", retrieving.mode),
        required=True,
        format_func=_MODE_WORDS.__getitem__,
        help="By place (`strict`): a chunk is where it was cut. By first match (`published`): a chunk is where its "
        "text is first found, as in the evaluation of chunking by Chroma, a vector database, to compare with its "
        "numbers; ranges that only touch count as hits.",
        on_change=_take_mode,
    )


def _take_metric() -> None:
    name = state.moved("retrieve-metric")
    if isinstance(name, str):
        state.retrieve(replace(state.retrieving(), metric=name))


def _take_mode() -> None:
    chosen = state.moved("retrieve-mode")
    for mode in MODES:
        if mode == chosen:
            state.retrieve(replace(state.retrieving(), mode=mode))


def _evaluations(
    rows: Sequence[RetrieveRow], retrieving: Retrieving, known: Sequence[Question]
) -> dict[str, Evaluation]:
    """Each row that can be measured, by its name; with progress where it takes a while."""
    place, found = st.empty(), dict[str, Evaluation]()
    for row in rows:
        if row.corpus is None or row.searcher is None or not row.corpus.chunks:
            continue

        def tell(done: int, total: int, name: str = row.name) -> None:
            if done % 20 == 0 or done == total:
                place.progress(
                    done / total, text=f"Measuring {markup.plain_label(name)}: {done:,} of {total:,} questions"
                )

        try:
            found[row.name] = retrieve_caches.evaluation(row.corpus, row.config, retrieving, row.searcher, known, tell)
        except ModelError as error:
            page_frame.problem(f"{row.name}: {error}")
    place.empty()
    return found


def _results(
    rows: Sequence[RetrieveRow],
    found: Mapping[str, Evaluation],
    board: Leaderboard,
    retrieving: Retrieving,
    known: Sequence[Question],
    documents: Sequence[Document],
) -> None:
    """The statistics, each kind of them to be opened."""
    from pages.ui.retrieve import tables  # pandas: the passages come first

    with st.expander("How certain is that?", key="retrieve-certain"):
        _certain(rows, found, board, retrieving, known)
    with st.expander("At other token budgets, and what that costs", key="retrieve-budgets"):
        curves.curves(rows, found, retrieving, known)
    with st.expander("Question by question", key="retrieve-each"):
        page_frame.note("Choose a row to ask its question above.")
        evaluations = {row.letter: found[row.name] for row in rows if row.name in found}
        table = tables.questions(known, evaluations, retrieving.metric, several=len(documents) > 1)
        st.dataframe(
            table,
            key="retrieve-questions",
            hide_index=True,
            height=min(38 + 32 * len(table), 520),
            row_height=32,
            column_config={"Question": st.column_config.TextColumn(width="medium")},
            on_select=partial(_ask_again, tuple(question.text for question in known)),
            selection_mode="single-cell",
        )
    failures.failed(rows, found, retrieving, known)


def _certain(
    rows: Sequence[RetrieveRow],
    found: Mapping[str, Evaluation],
    board: Leaderboard,
    retrieving: Retrieving,
    known: Sequence[Question],
) -> None:
    """The reasons in full, each config's numbers with intervals, and what they rest on."""
    from pages.ui.retrieve import charts  # plotly: the passages come first

    letters = [next(row.letter for row in rows if row.name == place.name) for place in board.places]
    st.html(retrieve_markup.reasons(recommendation(board)))
    figure = charts.intervals_figure(board, letters)
    st.plotly_chart(readable(figure), key="retrieve-intervals", config={"displayModeBar": False})
    st.html(retrieve_markup.table(board, letters))
    page_frame.note(_basis(retrieving, board))
    if drafts := drafts_words(board, known):
        page_frame.note(drafts)
    if returned := returned_words(found, retrieving.neighbours, retrieving.merge / 100):
        page_frame.note(returned)


def _basis(retrieving: Retrieving, board: Leaderboard) -> str:
    """What the numbers rest on."""
    budget = retrieving.max_tokens
    most = counted(retrieving.chunks, "chunk") if budget is None else counted(budget, "token")
    together = " The intervals of all differences are simultaneous." if len(board.places) > 2 else ""
    return (
        f"{EQUALS[retrieving.equal].capitalize()}: {most} for each question. The intervals are 95% intervals over the "
        f"questions, which are the same for every config.{together}"
    )


def _winner(board: Leaderboard, by_name: Mapping[str, RetrieveRow], documents: Sequence[Document]) -> None:
    """Take the first place away, or look at it, and at the others where none is better; not where
    it is first for cutting answers."""
    if board.cutting_less:
        return
    source = chosen_sources()[0] if len(documents) == 1 else None
    # Where none is shown to be better, each is as near as the first.
    shown = [by_name[place.name] for place in board.places[: 1 if board.recommended else None]]
    for row in sorted(shown, key=lambda row: row.letter):
        _open_button(row, recommended=bool(board.recommended))
        st.download_button(
            f"Export {row.letter} as YAML",
            limits.download(partial(_yaml, row, source)),
            f"config-{row.letter}.yaml",
            "application/yaml",
            key=f"retrieve-export-{row.letter}",
            on_click="ignore",
            icon=":material/download:",
        )


def _open_button(row: RetrieveRow, *, recommended: bool) -> None:
    kind: Literal["primary", "secondary"] = "primary" if recommended else "secondary"
    label, key = f"Open {row.letter} in Inspect", f"retrieve-open-{row.letter}"
    if st.button(label, key=key, type=kind, icon=":material/open_in_new:"):
        number = LETTERS.index(row.letter)
        configs = state.comparing().configs()
        state.inspect(configs[number], configs[0] if number else configs[1])
        page_frame.open_inspect()


def _yaml(of: RetrieveRow, source: Source | None) -> bytes:
    """The config; with the proof where it is about one document. Called when somebody downloads it,
    outside the session: it must ask nothing of that."""
    if source and of.corpus:
        return caches.yaml_with_proof(of.corpus.runs[0], source).encode()
    return of.config.to_yaml().encode()


def _ask_again(questions: tuple[str, ...]) -> None:
    """A callback: the question whose row was clicked, in the field above."""
    row = state.clicked_row("retrieve-questions")
    if row is not None and row < len(questions):
        take_question(questions[row])
