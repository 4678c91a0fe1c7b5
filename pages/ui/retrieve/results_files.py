"""What was measured on the Retrieve page, to be cited: the results file of `evaluate --results`,
and its report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from chunking.gold import Gold, Question
from chunking.models import embedder
from chunking.report import results_html
from chunking.retrieval import CANDIDATES, Evaluation, Leaderboard, Results, evaluation_results
from pages.ui.choices.retrieving import Retrieving
from pages.ui.layout import limits
from pages.ui.retrieve.rows import RetrieveRow

_FILE, _REPORT = "results.json", "results.html"


def offer(
    rows: Sequence[RetrieveRow],
    found: Mapping[str, Evaluation],
    board: Leaderboard,
    retrieving: Retrieving,
    known: Sequence[Question],
) -> None:
    """Two downloads, made when they are asked for."""
    make = partial(results, rows, found, board, retrieving, known)
    with st.container(key="retrieve-results-files", horizontal=True, gap="small"):
        st.download_button(
            "Results file",
            limits.download(lambda: make().to_json().encode()),
            _FILE,
            "application/json",
            key="retrieve-results-file",
            help="To be cited: hashes of documents, questions and models, configs, seeds, intervals, every question's "
            "value.",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Report",
            limits.download(lambda: results_html(make()).encode()),
            _REPORT,
            "text/html",
            key="retrieve-results-report",
            help="The same as one HTML file that asks for nothing.",
            on_click="ignore",
            icon=":material/download:",
        )


def results(
    rows: Sequence[RetrieveRow],
    found: Mapping[str, Evaluation],
    board: Leaderboard,
    retrieving: Retrieving,
    known: Sequence[Question],
) -> Results:
    """What the page shows, as a results file. Raises ModelError for a model that is not set up."""
    measured = {
        row.name: (row.config, row.corpus.passages(retrieving.mode, retrieving.neighbours), found[row.name])
        for row in rows
        if row.name in found and row.corpus
    }
    documents = next(row.corpus.documents for row in rows if row.name in found and row.corpus)
    tokens = retrieving.max_tokens or 0
    return evaluation_results(
        measured,
        board,
        Gold(tuple(known), ()),
        documents,
        embed=embedder(retrieving.embedder, retrieving.model) if retrieving.embeds else None,
        protocol={
            "mode": retrieving.mode,
            "search": retrieving.way,
            "top": retrieving.chunks,
            "max_tokens": tokens,
            "neighbours": retrieving.neighbours,
            "metric": retrieving.metric,
            "merge": str(retrieving.merge / 100),
            "late": int(retrieving.reads_late),
            "reranker": f"{retrieving.reranker}/{retrieving.rerank_model}".rstrip("/"),
            "candidates": CANDIDATES if retrieving.reranker else 0,
        },
        command=_command(retrieving, len(measured)),
    )


def _command(retrieving: Retrieving, configs: int) -> str:
    """The command that measures the same, with names for the files that the page has not."""
    words = ["chunkscope", "evaluate", *(f"config-{number}.yaml" for number in range(1, configs + 1))]
    words += ["--corpora", "FOLDER", "--questions", "questions.jsonl", "--search", retrieving.way]
    words += ["--mode", retrieving.mode, "--metric", retrieving.metric]
    words += ["--top", str(retrieving.chunks)] if retrieving.max_tokens is None else []
    words += ["--max-tokens", str(retrieving.max_tokens)] if retrieving.max_tokens is not None else []
    words += ["--neighbours", str(retrieving.neighbours)] if retrieving.neighbours else []
    words += ["--merge", f"{retrieving.merge / 100:g}"] if retrieving.merge else []
    words += ["--late"] if retrieving.reads_late else []
    words += ["--reranker", retrieving.reranker] if retrieving.reranker else []
    words += ["--rerank-model", retrieving.rerank_model] if retrieving.reranker and retrieving.rerank_model else []
    if retrieving.embeds and retrieving.embedder != "local":
        words += ["--embedder", retrieving.embedder, *(["--model", retrieving.model] if retrieving.model else [])]
    return shlex.join(words)
