"""`chunkscope benchmark`: a published table of figures beside ours, on data that the user
brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from chunking.cli.inputs import AsJson, is_chunk_file, read_config
from chunking.cli.outputs import keep_inputs
from chunking.cli.results import Expected, KeptResults, command_given, settled
from chunking.cli.terminal import (
    CHECK_FAILED,
    DONE,
    ErrorLog,
    ProgressLine,
    print_error,
    print_json,
    print_line,
    print_table,
)
from chunking.config.config import Config
from chunking.errors import GoldError
from chunking.gold.questions import Gold
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.retrieval.evaluation import TOKENS_BY
from chunking.retrieval.published.benchmarks import BENCHMARKS, Benchmarked, BenchmarkRow, run_benchmark
from chunking.retrieval.published.data import BenchmarkData, read_data
from chunking.retrieval.published.tables import Figure, PublishedTable
from chunking.retrieval.ranking import Search
from chunking.retrieval.results import (
    BenchmarkRecord,
    ConfigRecord,
    NumberRecord,
    PublishedRecord,
    Results,
    chunks_hash,
    counter_record,
    documents_record,
    embedder_record,
    number_record,
    questions_record,
    rounded,
    statistics_record,
)
from chunking.runtime.version import engine_version
from chunking.text.display import counted, shown_text

_MOST_PROBLEMS = 5
_NOT_MEASURED = "- is not measured, as the method needs a model that is not here, or not published"
BenchmarkName = Literal["chroma", "legalbench-rag", "hicbench"]


def benchmark_command(
    context: typer.Context,
    name: Annotated[BenchmarkName, typer.Argument(help="The published table that is measured again.")],
    data: Annotated[Path, typer.Option(metavar="FOLDER", help="Its data, in the form in which they are published.")],
    configs: Annotated[
        list[str] | None, typer.Option("--config", metavar="CONFIG", help="Measure this as well. May be repeated.")
    ] = None,
    search: Annotated[
        Search, typer.Option(help="How chunks are found, for metrics that need it; none: only what needs no search.")
    ] = "none",
    provider: Annotated[str, typer.Option("--embedder", help="Whose vectors: local, openai, ollama, ...")] = "local",
    model: Annotated[str, typer.Option(help="The embedder's model; left out, its default.")] = "",
    results: KeptResults = None,
    expected: Expected = None,
    json: AsJson = False,
) -> None:
    """Measure a published table again, and print its figures beside ours."""
    table = BENCHMARKS[name]
    chosen = {each: _config(each) for each in configs or ()}
    given = {f"the config {shown_text(each, 200)}": each for each in chosen}
    keep_inputs({"--results": results}, {**given, "the results before": expected}, [data])
    if search == "none" and not table.unsearched:
        raise GoldError(f"{name}: its metrics need a search; give --search bm25, cosine or hybrid")
    if search != "none" and not table.searched:
        raise GoldError(f"{name}: its metrics need no search; leave --search out")
    read = read_data(table, data)
    for problem in read.problems[:_MOST_PROBLEMS]:
        print_error(problem)
    if len(read.problems) > _MOST_PROBLEMS:
        print_error(f"and {len(read.problems) - _MOST_PROBLEMS} more of the kind")
    progress, errors = ProgressLine(results_on_screen=False), ErrorLog()
    embed = embedder(provider, model) if search in ("cosine", "hybrid") else None
    _announce(embed, read)
    of_model = partial(progress.of_model, "embedding chunks")
    made = run_benchmark(table, read, chosen, search=search, embed=embed, progress=of_model)
    ProgressLine.clear()
    if json:
        print_json(_as_json(made, read, search, embed))
    else:
        _print(made, read, search, embed)
    agrees = settled(results, expected, lambda: _results(made, read, search, embed, command_given(context)))
    errors.exit_with(DONE if agrees else CHECK_FAILED)


def _config(given: str) -> Config:
    if is_chunk_file(given):
        raise GoldError(f"--config {shown_text(given, 200)}: is a file of chunks; name a YAML or a strategy")
    return read_config(given)[0]


def _announce(embed: CachedEmbedder | None, read: BenchmarkData) -> None:
    if embed is not None and not embed.is_local:
        count = counted(len(read.documents), "document")
        print_error(f"the chunks of {count} and {len(read.questions)} questions are sent to {embed.name} to embed")


def _print(made: Benchmarked, read: BenchmarkData, search: Search, embed: CachedEmbedder | None) -> None:
    print_line(made.table.title)
    columns = ["", *(cell for metric in made.metrics for cell in (_title(metric), "here", "differs by"))]
    columns += ["chunks", "mean tokens"]
    print_table(columns, [list(_cells(row, made)) for row in made.rows], numbers=columns[1:])
    print_line("")
    for line in _legend(made.table, read, search, embed):
        print_line(line)


def _cells(row: BenchmarkRow, made: Benchmarked) -> Iterator[str]:
    yield shown_text(row.method, 80)
    printed = made.table.decimals
    decimals = max(2, printed)
    for metric in made.metrics:
        theirs, ours = row.published.get(metric), row.measured.get(metric)
        yield _figure(theirs, printed)
        yield _figure(ours, decimals)
        yield f"{ours.mean - theirs.mean:+.{decimals}f}" if theirs and ours else ""
    yield f"{row.chunks:,}" if row.chunks else ""
    yield f"{row.mean_tokens:.0f}" if row.chunks else ""


def _figure(figure: Figure | None, decimals: int) -> str:
    if figure is None:
        return "-"
    spread = "" if figure.std is None else f" ± {figure.std:.{decimals}f}"
    return f"{figure.mean:.{decimals}f}{spread}"


def _title(metric: str) -> str:
    return metric.replace("_", " ")


def _legend(table: PublishedTable, read: BenchmarkData, search: Search, embed: CachedEmbedder | None) -> Iterator[str]:
    what = f"{counted(len(read.questions), 'question')} on " if read.questions else ""
    yield (
        f"{what}{counted(len(read.documents), 'document')}; {'in percent; ' if table.percent else ''}± is the standard "
        "deviation; - is not measured: the method needs a model that is not here, or nothing is published"
    )
    if search != "none":
        ours = f"{embed.name} ({search})" if embed else search
        yield f"published with {table.searched_with}, here with {ours}: such metrics differ with the model"
    if table.note:
        yield table.note
    yield f"published: {table.source}"


def _as_json(made: Benchmarked, read: BenchmarkData, search: Search, embed: CachedEmbedder | None) -> dict[str, object]:
    table = made.table
    return {
        "benchmark": table.name,
        "title": table.title,
        "source": table.source,
        "note": table.note,
        "unit": "percent" if table.percent else "share",
        "documents": len(read.documents),
        "questions": len(read.questions),
        "problems": list(read.problems),
        "search": search,
        "published_with": table.searched_with,
        "embedder": embed.name if embed else None,
        "rows": [
            {
                "method": row.method,
                "published": _plain(row.published),
                "measured": _plain(row.measured),
                "difference": {
                    metric: round(ours.mean - row.published[metric].mean, 6)
                    for metric, ours in row.measured.items()
                    if metric in row.published
                },
                "chunks": row.chunks,
                "mean_tokens": round(row.mean_tokens, 1),
            }
            for row in made.rows
        ],
    }


def _plain(figures: Mapping[str, Figure]) -> dict[str, object]:
    return {
        metric: {"mean": rounded(each.mean), "std": None if each.std is None else rounded(each.std)}
        for metric, each in figures.items()
    }


def _results(
    made: Benchmarked, read: BenchmarkData, search: Search, embed: CachedEmbedder | None, command: str
) -> Results:
    table = made.table
    return Results(
        command=command,
        engine=engine_version(),
        documents=documents_record(read.documents),
        questions=questions_record(Gold(read.questions, read.problems)) if read.questions else None,
        protocol={"benchmark": table.name, "search": search},
        counter=counter_record(TOKENS_BY),
        embedder=embedder_record(embed),
        statistics=statistics_record(),
        configs=tuple(
            ConfigRecord(
                config=name,
                yaml=config.to_yaml() if config.strategy.has_yaml else None,
                counter=counter_record(config.counter) if config.strategy.has_yaml else None,
                chunks=len(of.passages),
                chunks_sha256=chunks_hash(of.passages),
                tokens_to_embed=sum(passage.tokens for passage in of.passages),
                metrics={metric: _number(values, read) for metric, values in of.values.items()},
                values={metric: tuple(map(rounded, values)) for metric, values in of.values.items()},
            )
            for name, (config, of) in made.configs.items()
        ),
        benchmark=BenchmarkRecord(
            name=table.name,
            title=table.title,
            source=table.source,
            unit="percent" if table.percent else "share",
            decimals=table.decimals,
            rows=tuple(
                PublishedRecord(method=row.method, published=_numbers(row.published), measured=_numbers(row.measured))
                for row in made.rows
            ),
        ),
    )


def _number(values: Sequence[float], read: BenchmarkData) -> NumberRecord:
    """The mean over the questions with its interval; the one number of a benchmark without
    questions."""
    return number_record(values) if read.questions else NumberRecord(mean=rounded(values[0]))


def _numbers(figures: Mapping[str, Figure]) -> dict[str, NumberRecord]:
    return {
        metric: NumberRecord(mean=rounded(each.mean), std=None if each.std is None else rounded(each.std))
        for metric, each in figures.items()
    }
