"""`chunkscope evaluate`: configs compared on questions with known answers, with confidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.chunkers import is_chunker
from chunking.cli.inputs import AsJson, Given, TextColumn, documents, is_chunk_file, one_column, one_of, read_config
from chunking.cli.leaderboard_view import (
    EvaluationRequest,
    MeasuredConfig,
    as_json,
    print_leaderboard,
    ranked,
    write_winner,
)
from chunking.cli.outputs import keep_inputs, tokenizers
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error, print_json
from chunking.config.config import Config
from chunking.document import Document
from chunking.document.folders import Selection
from chunking.errors import GoldError
from chunking.gold.questions import Gold, load_gold
from chunking.imported import Foreign
from chunking.models.access import Tools
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.models.requests import announced
from chunking.retrieval.evaluation import SEARCHED, TOKENS_BY, evaluate
from chunking.retrieval.passages import Mode, Passage, load_foreign, passages_of, placed_passages
from chunking.retrieval.ranking import Embedded, Search, Searcher, lost_in, not_english
from chunking.retrieval.returned import MOST_NEIGHBOURS, with_neighbours
from chunking.retrieval.standings import METRICS
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import be, counted, shown_text
from chunking.text.languages import english_warning
from chunking.tokens import counter
from chunking.tokens.embedder_windows import window_named

_MOST_PROBLEMS = 20
_METRICS = f"One of: {', '.join(METRICS)}."


def evaluate_command(
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
    provider: Annotated[str, typer.Option("--embedder", help="Whose vectors: local, openai, ollama, ...")] = "local",
    model: Annotated[str, typer.Option(help="The embedder's model; left out, its default.")] = "",
    metric: Annotated[
        str, typer.Option(help=f"What ranks the configs; left out, recall, or precision_omega unsearched. {_METRICS}")
    ] = "",
    winner: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the first config's YAML here.")] = None,
    json: AsJson = False,
    text_column: TextColumn = "",
) -> None:
    """Measure configs on questions with known answers, with intervals, rank them, and say what to
    take and why."""
    given = {f"the config {shown_text(name, 200)}": name for name in configs}
    selection = Selection(_folder(corpora), text_column=text_column)
    keep_inputs({"--winner": winner}, {**given, "the questions": questions}, [corpora], selection)
    request = EvaluationRequest(
        mode,
        search,
        top,
        max_tokens,
        neighbours,
        one_of("--metric", metric, tuple(METRICS)) if metric else "",
    )
    theirs = [name for name in configs if _made_elsewhere(name)]
    if winner and theirs:
        raise GoldError(
            f"--winner: {shown_text(theirs[0], 200)} has chunks of another tool, which have no YAML; leave one out"
        )
    ours = [read_config(name)[0] for name in configs if not _made_elsewhere(name) and name != "-"] if winner else []
    keep_inputs({"--winner": winner}, tokenizers(*ours))
    if request.search == "none" and request.metric in SEARCHED:
        raise GoldError(f"--metric {request.metric}: needs a search; leave --search none out")
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    wanted = Given((corpora,), selection)
    if not text_column:
        wanted = replace(wanted, selection=replace(selection, text_column=_column_of(configs)))
    read = list(progress.through(documents(wanted, errors)))
    if not read:
        raise GoldError(f"{shown_text(str(corpora), 200)}: no document to ask about; give the folder of the corpora")
    gold = load_gold(questions, read)
    _report(gold.problems, errors)
    embed = embedder(provider, model) if request.search in ("cosine", "hybrid") else None
    lost: set[str] = set()
    made = {name: _passages(name, read, request.mode, errors, progress, lost) for name in dict.fromkeys(configs)}
    read, gold = _without(lost, read, gold)
    found: dict[str, MeasuredConfig] = {}
    _warn_of_embedder(embed, read)
    for name, (config, all_passages) in made.items():
        kept = [passage for passage in all_passages if passage.document not in lost]
        passages = with_neighbours(kept, neighbours)
        searcher = _searcher(passages, gold, request.search, embed, progress)
        limit, on_progress = max_tokens or None, partial(progress.of_model, "questions")
        measured = evaluate(
            passages, gold.questions, read, searcher, mode=request.mode, top=top, max_tokens=limit, progress=on_progress
        )
        lost_of = lost_in(passages, read, embed.name) if embed is not None else None
        if lost_of and lost_of.chunks:
            print_error(f"{shown_text(name, 200)}: {shown_text(lost_of.message, 1000)}")
        found[name] = MeasuredConfig(measured, config, searcher.embedded if searcher else Embedded(), lost_of)
    ProgressLine.clear()
    board = ranked(found, request)
    if json:
        print_json(as_json(found, board, gold, request))
    else:
        print_leaderboard(found, board, gold, request)
    if winner:
        write_winner(winner, found, board)
    errors.exit_with()


def _folder(corpora: Path) -> Path | None:
    """Where names begin: questions name documents as they lie in the folder that was given."""
    folder = corpora if corpora.is_dir() else corpora.parent
    return folder if folder.is_dir() else None


def _column_of(configs: Sequence[str]) -> str:
    """The column of tables that the configs name. Raises ConfigError for several."""
    return one_column([read_config(each)[0] for each in configs if each != "-" and not _made_elsewhere(each)])


def _made_elsewhere(config: str) -> bool:
    """Whether what stands for a config is another tool's chunks: a file, a function or a
    program."""
    return is_chunker(config) or is_chunk_file(config)


def _report(problems: Sequence[str], errors: ErrorLog) -> None:
    for problem in problems[:_MOST_PROBLEMS]:
        errors.report(GoldError(problem))
    if len(problems) > _MOST_PROBLEMS:
        print_error(f"and {len(problems) - _MOST_PROBLEMS} more of the kind")


def _passages(
    config: str, read: Sequence[Document], mode: Mode, errors: ErrorLog, progress: ProgressLine, lost: set[str]
) -> tuple[Config | None, tuple[Passage, ...]]:
    """A config's passages of all documents, or those of another tool, in tokens of one counter.

    A document that it cannot cut is reported and added to `lost`.
    """
    if is_chunk_file(config):
        foreign = load_foreign(Path(config), read, TOKENS_BY, mode)
        for note in foreign.notes:
            print_error(note)
        _report(foreign.problems, errors)
        return None, foreign.passages
    chosen, _ = read_config(config)
    passages: list[Passage] = []
    for document in read:
        own = chosen.for_document(document.name)
        tools = Tools(counter(own.counter), progress=progress.of_model)
        try:
            announced(own.strategy, own.read(document), tools, print_error)
            made = run(document, own, tools)
            if isinstance(own.strategy, Foreign):  # every chunk with its own text, those within others too
                passages += placed_passages(own.strategy.placement(document, counter(own.counter)), TOKENS_BY, mode)
            else:
                passages += passages_of(made, mode, counted_by=TOKENS_BY)
        except BaseException as error:
            errors.report(document_fault(error, document.name))
            lost.add(document.name)
            continue
        for warning in made.warnings:
            print_error(f"{document.name}: {warning}")
        errors.descriptions(len(made.chunks), made.undescribed)
    return chosen, tuple(passages)


def _without(lost: Collection[str], read: Sequence[Document], gold: Gold) -> tuple[list[Document], Gold]:
    """The documents and questions that remain: a document that one config cannot cut is left out
    for all."""
    readable = [document for document in read if document.name not in lost]
    questions = tuple(each for each in gold.questions if each.document not in lost)
    if not readable or (gold.questions and not questions):
        raise GoldError("no document with questions could be cut with every config, so there is nothing to measure")
    if left := len(gold.questions) - len(questions):
        are = "is" if left == 1 else "are"
        print_error(f"{left} of {len(gold.questions)} questions {are} about what could not be cut, and {are} left out")
    whole = tuple(each for each in gold.whole if each.document not in lost)
    return readable, replace(gold, questions=questions, whole=whole)


def _warn_of_embedder(embed: CachedEmbedder | None, read: Sequence[Document]) -> None:
    """Warn where the embedder does not suit the documents, before it is used."""
    if embed is None:
        return
    if embed.is_local and (warning := english_warning(embed.name, not_english(read), len(read))):
        print_error(shown_text(warning, 1000))
    if window_named(embed.name) is None:
        print_error(f"how much of a text {embed.name} reads is not known here: the ends of long chunks may be lost")


def _searcher(
    passages: Sequence[Passage], gold: Gold, search: Search, embed: CachedEmbedder | None, progress: ProgressLine
) -> Searcher | None:
    if search == "none" or not passages:
        return None
    if embed is not None and not embed.name.startswith("local/"):
        missing = embed.unknown([*{passage.text for passage in passages}, *{each.text for each in gold.questions}])
        if missing:
            texts = f"{counted(len(missing), 'text')} of chunks and questions {be(len(missing))}"
            print_error(f"{texts} sent to {embed.name} to embed; the rest are remembered")
    return Searcher(passages, search, embed, partial(progress.of_model, "embedding chunks"))
