"""`chunkscope evaluate`: configs compared on questions with known answers, with confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.curve_view import curves_json, print_curves
from chunking.cli.evaluated_configs import (
    column_of,
    folder_of,
    made_elsewhere,
    passages_by,
    report_problems,
    usual_folder,
    without,
)
from chunking.cli.failures_view import ExplainedFailure, FailureExplainer, failures_json, print_failures
from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import AsJson, Given, TextColumn, documents, one_of, read_config
from chunking.cli.leaderboard_view import (
    EvaluationRequest,
    MeasuredConfig,
    as_json,
    print_by_document,
    print_leaderboard,
    ranked,
    write_winner,
)
from chunking.cli.outputs import keep_inputs, tokenizers
from chunking.cli.results import Expected, KeptResults, command_given, settled
from chunking.cli.terminal import CHECK_FAILED, DONE, ErrorLog, ProgressLine, print_error, print_json
from chunking.cli.trec_run import TrecRun, trec_files, write_trec_runs
from chunking.document import Document
from chunking.document.folders import Selection
from chunking.errors import GoldError
from chunking.gold.questions import Gold
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.models.late_chunking import LateEmbedder, token_embedder
from chunking.models.prices import price_of
from chunking.models.rerankers import RERANKERS, CachedReranker, reranker
from chunking.retrieval.contexts import in_context
from chunking.retrieval.costs import Costs, costs_of
from chunking.retrieval.curves import Curve
from chunking.retrieval.curves import curve as curve_of
from chunking.retrieval.evaluation import SEARCHED, TOKENS_BY, Evaluation, evaluate
from chunking.retrieval.failures import why_failed as failures_of
from chunking.retrieval.merging import AutoMerge
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.ranking import (
    CANDIDATES,
    Embedded,
    Search,
    Searcher,
    late_vectors,
    lost_in,
    not_english,
)
from chunking.retrieval.results import evaluation_results
from chunking.retrieval.returned import MOST_NEIGHBOURS, with_neighbours
from chunking.retrieval.standings import METRICS
from chunking.text.display import be, counted, shown_text
from chunking.text.languages import english_warning
from chunking.tokens.embedder_windows import window_named

_METRICS = f"One of: {', '.join(METRICS)}."


def evaluate_command(
    context: typer.Context,
    configs: Annotated[
        list[str],
        typer.Argument(
            metavar="CONFIG...",
            help="YAML files, strategies' names, or files of another tool's chunks (.jsonl, .json, .csv, .parquet).",
        ),
    ],
    corpora: Annotated[Path, typer.Option(metavar="DIR", help="The documents with the answers.")],
    questions: Annotated[
        Path, typer.Option(metavar="FILE", help="CSV or JSON lines: question, references, corpus_id.")
    ],
    mode: Annotated[
        Mode, typer.Option(help="strict: chunks are where they were cut. published: as Chroma's evaluation has it.")
    ] = "strict",
    search: Annotated[Search, typer.Option(help="How chunks are found; none: only what needs no search.")] = "cosine",
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many chunks are retrieved for a question.")] = 5,
    max_tokens: Annotated[
        int, typer.Option(min=0, help="Retrieve as many chunks as fit in this many tokens instead; 0 for --top.")
    ] = 0,
    neighbours: Annotated[
        int,
        typer.Option(min=0, max=MOST_NEIGHBOURS, help="A hit gives back so many chunks before and behind it, too."),
    ] = 0,
    merge: Annotated[
        float,
        typer.Option(min=0, max=1, help="Give a section back where this share of its chunks is hit, as 0.5; 0: never."),
    ] = 0.0,
    provider: Annotated[str, typer.Option("--embedder", help="Whose vectors: local, openai, model2vec, ...")] = "local",
    model: Annotated[str, typer.Option(help="The embedder's model; left out, its default.")] = "",
    late: Annotated[
        bool,
        typer.Option("--late", help="Late chunking: vectors of tokens, read with the text around."),
    ] = False,
    rerank: Annotated[
        str,
        typer.Option("--reranker", metavar="PROVIDER", help=f"Ranks the first chunks anew: {', '.join(RERANKERS)}."),
    ] = "",
    rerank_model: Annotated[str, typer.Option(help="The reranker's model; left out, its default.")] = "",
    candidates: Annotated[
        int, typer.Option(min=1, max=1000, help="How many chunks of each ranking the reranker is asked about.")
    ] = CANDIDATES,
    contextual: Annotated[
        str,
        typer.Option(
            metavar="DESCRIBER",
            help="Each config also with a description before each chunk: summary (no model), local, openai, "
            "anthropic/MODEL, ...",
        ),
    ] = "",
    metric: Annotated[
        str, typer.Option(help=f"What ranks the configs; left out, recall, or precision_omega unsearched. {_METRICS}")
    ] = "",
    curve: Annotated[
        bool, typer.Option("--curve", help="Also recall and IoU at budgets of 250 to 8,000 tokens, and what it costs.")
    ] = False,
    price: Annotated[
        float | None,
        typer.Option(min=0, help="US dollars for a million tokens embedded; left out, the list price if it is known."),
    ] = None,
    why_failed: Annotated[
        bool, typer.Option("--failures", help="Also why each question failed, and the smallest change that helps.")
    ] = False,
    by_document: Annotated[
        bool, typer.Option("--by-document", help="Also the ranking metric by document, and the mean of these means.")
    ] = False,
    winner: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the first config's YAML here.")] = None,
    results: KeptResults = None,
    expected: Expected = None,
    trec_run: TrecRun = None,
    json: AsJson = False,
    text_column: TextColumn = "",
) -> None:
    """Measure configs on questions with known answers, with intervals, rank them, and say what to
    take and why."""
    given = {f"the config {shown_text(name, 200)}": name for name in configs}
    selection = Selection(folder_of(corpora), text_column=text_column)
    most = len(set(configs)) * (2 if contextual else 1)
    outputs = {"--winner": winner, "--results": results, **trec_files(trec_run, most)}
    read_too = {**given, "the questions": questions, "the results before": expected}
    keep_inputs(outputs, read_too, [corpora], selection)
    request = EvaluationRequest(
        mode,
        search,
        top,
        max_tokens,
        neighbours,
        one_of("--metric", metric, tuple(METRICS)) if metric else "",
        merge,
        contextual,
        f"{rerank}/{rerank_model}".rstrip("/"),
        candidates if rerank else 0,
        late,
    )
    theirs = [name for name in configs if made_elsewhere(name)]
    if winner and theirs:
        raise GoldError(
            f"--winner: {shown_text(theirs[0], 200)} has chunks of another tool, which have no YAML; leave one out"
        )
    ours = [read_config(name)[0] for name in configs if not made_elsewhere(name) and name != "-"] if winner else []
    keep_inputs({"--winner": winner}, tokenizers(*ours))
    if request.search == "none" and request.metric in SEARCHED:
        raise GoldError(f"--metric {request.metric}: needs a search; leave --search none out")
    searching = {"--curve": curve, "--failures": why_failed, "--reranker": rerank, "--trec-run": trec_run}
    for option, wanted_too in searching.items():
        if wanted_too and request.search == "none":
            raise GoldError(f"{option}: needs a search; leave --search none out")
    if price is not None and not curve:
        raise GoldError("--price: is shown beside the curves only; add --curve")
    for name in configs if contextual else ():  # a describer that there is none of is said before anything is read
        if not made_elsewhere(name) and name != "-":
            in_context(read_config(name)[0], contextual)
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    wanted = Given((corpora,), selection)
    if not text_column:
        wanted = replace(wanted, selection=replace(selection, text_column=column_of(configs)))
    read = list(progress.through(documents(wanted, errors)))
    if not read:
        raise GoldError(f"{shown_text(str(corpora), 200)}: no document to ask about; give the folder of the corpora")
    gold = gold_of(questions, read)
    report_problems(gold.problems, errors)
    embed = embedder(provider, model) if request.search in ("cosine", "hybrid") else None
    if late and embed is None:
        raise GoldError(f"--late: --search {request.search} compares no vectors; take cosine or hybrid")
    by_late = LateEmbedder(token_embedder(embed)) if late and embed is not None else None
    again = reranker(rerank, rerank_model) if rerank else None
    lost: set[str] = set()
    made = {}
    cut = partial(passages_by, below=usual_folder(corpora))
    for name in dict.fromkeys(configs):
        made[name] = cut(name, read, request.mode, errors, progress, lost)
        if contextual and not made_elsewhere(name):
            wrapped = cut(name, read, request.mode, errors, progress, lost, contextual)
            made |= {f"{name} in context": wrapped} if wrapped[0] else {}
    read, gold = without(lost, read, gold)
    found: dict[str, MeasuredConfig] = {}
    curves, costs = dict[str, Curve](), dict[str, Costs]()
    chunks: dict[str, Sequence[Passage]] = {}
    failed: dict[str, Sequence[ExplainedFailure]] = {}
    _warn_of_embedder(embed, read)
    if again:
        asked = f"{counted(len(gold.questions), 'question')}, each with up to {counted(candidates, 'chunk')}"
        print_error(f"{asked}, are sent to {again.name} to rank; answers are remembered")
    for name, (config, all_passages) in made.items():
        kept = [passage for passage in all_passages if passage.document not in lost]
        passages = chunks[name] = with_neighbours(kept, neighbours)
        searcher = _searcher(passages, read, gold, request, embed, by_late, again, progress)
        give_back = AutoMerge(passages, read, merge) if merge else None
        measured = evaluate(
            *(passages, gold.questions, read, searcher),
            mode=request.mode,
            top=top,
            max_tokens=max_tokens or None,
            give_back=give_back,
            progress=partial(progress.of_model, "questions"),
        )
        lost_of = lost_in(passages, read, embed.name) if embed is not None and not late else None
        if lost_of and lost_of.chunks:
            print_error(f"{shown_text(name, 200)}: {shown_text(lost_of.message, 1000)}")
        found[name] = MeasuredConfig(measured, config, searcher.embedded if searcher else Embedded(), lost_of)
        if curve and searcher:
            on_curve = partial(progress.of_model, "curves")
            curves[name] = curve_of(
                *(passages, gold.questions, read, searcher),
                mode=request.mode,
                counted_by=TOKENS_BY,
                give_back=give_back,
                progress=on_curve,
            )
            costs[name] = _costs(measured, searcher, gold, embed, price)
        if why_failed and searcher:
            window = window_named(embed.name) if embed is not None and not late else None
            these = failures_of(
                *(passages, gold.questions, read, searcher, measured),
                mode=request.mode,
                counted_by=TOKENS_BY,
                window=window,
                give_back=give_back,
            )
            by_tokens = request.max_tokens > 0
            explainer = FailureExplainer(
                *(config, passages, read, gold),
                by_tokens=by_tokens,
                progress=progress.of_model,
                below=usual_folder(corpora),
            )
            failed[name] = list(explainer.explained(these))
    ProgressLine.clear()
    board = ranked(found, request)
    if json:
        more = {**(curves_json(curves, costs) if curves else {}), **(failures_json(failed, gold) if why_failed else {})}
        print_json({**as_json(found, board, gold, request), **more})
    else:
        print_leaderboard(found, board, gold, request)
        if by_document:
            print_by_document(found, board, gold)
        if curves:
            print_curves(curves, costs)
        if why_failed:
            print_failures(failed, gold)
    if winner:
        write_winner(winner, found, board)
    if trec_run:
        rankings = {name: (chunks[name], each.evaluation) for name, each in found.items()}
        write_trec_runs(trec_run, rankings, gold, read, request.mode)
    measured_of = {name: (each.config, chunks[name], each.evaluation) for name, each in found.items()}
    protocol, command = asdict(request), command_given(context)
    agrees = settled(
        results,
        expected,
        lambda: evaluation_results(measured_of, board, gold, read, embed=embed, protocol=protocol, command=command),
    )
    errors.exit_with(DONE if agrees else CHECK_FAILED)


def _costs(of: Evaluation, searcher: Searcher, gold: Gold, embed: CachedEmbedder | None, price: float | None) -> Costs:
    known = price if price is not None else price_of(embed.name) if embed is not None else 0.0
    return costs_of(of, searcher, [each.text for each in gold.questions], known)


def _warn_of_embedder(embed: CachedEmbedder | None, read: Sequence[Document]) -> None:
    """Warn where the embedder does not suit the documents, before it is used."""
    if embed is None:
        return
    if embed.is_local and (warning := english_warning(embed.name, not_english(read), len(read))):
        print_error(shown_text(warning, 1000))
    if window_named(embed.name) is None:
        print_error(f"how much of a text {embed.name} reads is not known here: the ends of long chunks may be lost")


def _searcher(
    passages: Sequence[Passage],
    read: Sequence[Document],
    gold: Gold,
    request: EvaluationRequest,
    embed: CachedEmbedder | None,
    late: LateEmbedder | None,
    again: CachedReranker | None,
    progress: ProgressLine,
) -> Searcher | None:
    if request.search == "none" or not passages:
        return None
    if embed is not None and embed.sends:
        missing = embed.unknown([*{passage.text for passage in passages}, *{each.text for each in gold.questions}])
        if missing:
            texts = f"{counted(len(missing), 'text')} of chunks and questions {be(len(missing))}"
            print_error(f"{texts} sent to {embed.name} to embed; the rest are remembered")
    on_progress = partial(progress.of_model, "embedding chunks")
    vectors = late_vectors(passages, read, late, on_progress) if late else None
    return Searcher(
        passages,
        request.search,
        embed,
        on_progress,
        vectors=vectors,
        rerank=again,
        candidates=request.candidates or CANDIDATES,
    )
