"""A published benchmark measured again: its table's methods, and configs of ours, on its data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from chunking.config.config import Config
from chunking.document import Document
from chunking.imported import Foreign
from chunking.models.embedders import CachedEmbedder
from chunking.retrieval.evaluation import TOKENS_BY, evaluate
from chunking.retrieval.ir_metrics import in_characters, scores
from chunking.retrieval.passages import Mode, Passage, passages_of, placed_passages
from chunking.retrieval.published.data import BenchmarkData
from chunking.retrieval.published.tables import (
    CHROMA,
    HICBENCH,
    LEGALBENCH_RAG,
    TABLES,
    Figure,
    PublishedRow,
    PublishedTable,
)
from chunking.retrieval.ranking import Search, Searcher
from chunking.runs import Run, run
from chunking.text.spans import Length
from chunking.text.whitespace import first_visible
from chunking.tokens import counter

BENCHMARKS: Mapping[str, PublishedTable] = {table.name: table for table in TABLES}
_TOP = 5
"""Chunks retrieved for a question of Chroma's."""
_OURS = ("fixed", "recursive", "block-packing")
"""Strategies that are measured where a table's methods cannot be, and no config was given."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BenchmarkRow:
    """A method with the figures published of it, and those measured here; one of both may be
    empty."""

    method: str
    published: Mapping[str, Figure]
    measured: Mapping[str, Figure]
    chunks: int = 0
    mean_tokens: float = 0.0
    """Of its chunks, by cl100k_base; 0 where none was measured."""


@dataclass(frozen=True)
class MeasuredChunks:
    """What one method's chunks measured."""

    passages: tuple[Passage, ...]
    values: Mapping[str, tuple[float, ...]]
    """By metric, one value from 0 to 1 for each question; of a benchmark without questions, one
    value for all."""


@dataclass(frozen=True)
class Benchmarked:
    """A published table, measured."""

    table: PublishedTable
    metrics: tuple[str, ...]
    """Those that were measured, in the order they are shown."""
    rows: tuple[BenchmarkRow, ...]
    configs: Mapping[str, tuple[Config, MeasuredChunks]]
    """What was measured, by name; a method of several rows once."""


def run_benchmark(
    table: PublishedTable,
    data: BenchmarkData,
    configs: Mapping[str, Config],
    *,
    search: Search = "none",
    embed: CachedEmbedder | None = None,
    progress: Progress | None = None,
) -> Benchmarked:
    """Measure the methods of a table that need no model of their own, then `configs`, by name.

    Without a search only metrics that need none are measured. Raises ModelError, and what a config
    raises that cannot cut a document.
    """
    metrics = (*table.unsearched, *(table.searched if search != "none" else ()))
    own = {} if configs or any(row.chunker for row in table.rows) else {name: Config.of(name, {}, "") for name in _OURS}
    found: dict[str, tuple[Config, MeasuredChunks]] = {}
    of_chunker: dict[int, MeasuredChunks] = {}

    def measure(config: Config) -> MeasuredChunks:
        if table is HICBENCH:
            return _cut_points_of(config, data)
        mode: Mode = "published" if table is CHROMA else "strict"
        passages = tuple(passage for document in data.documents for passage in _passages(config, document, mode))
        searcher = Searcher(passages, search, embed, progress) if search != "none" else None
        measured = _as_chroma if table is CHROMA else _as_legalbench
        return MeasuredChunks(passages, measured(passages, data, searcher))

    rows = []
    for row in table.rows:
        if row.chunker is None or (row.subset and row.subset not in data.subsets):
            rows.append(BenchmarkRow(row.method, row.figures, {}))
            continue
        if id(row.chunker) not in of_chunker:
            config = Config.from_function(row.chunker)
            of_chunker[id(row.chunker)] = measure(config)
            found[_name_of(row)] = (config, of_chunker[id(row.chunker)])
        rows.append(_row(row.method, row.figures, of_chunker[id(row.chunker)], table, data, metrics, row.subset))
    for name, config in {**configs, **own}.items():
        found[name] = (config, measure(config))
        rows.append(_row(name, {}, found[name][1], table, data, metrics))
    return Benchmarked(table, metrics, tuple(rows), found)


def _name_of(row: PublishedRow) -> str:
    """A method without the part of the questions that its row is about."""
    return row.method.removesuffix(f", {row.subset}") if row.subset else row.method


def _row(
    method: str,
    published: Mapping[str, Figure],
    of: MeasuredChunks,
    table: PublishedTable,
    data: BenchmarkData,
    metrics: Sequence[str],
    subset: str = "",
) -> BenchmarkRow:
    factor = 100 if table.percent else 1
    figures = {metric: _figure(of.values[metric], data.subsets, subset, factor) for metric in metrics}
    tokens = sum(passage.tokens for passage in of.passages)
    return BenchmarkRow(method, published, figures, len(of.passages), tokens / max(1, len(of.passages)))


def _figure(values: Sequence[float], subsets: Sequence[str], subset: str, factor: int) -> Figure:
    """The mean of a part of the questions; of all, the mean of the parts' means, which count
    alike."""
    if not subsets:
        return Figure(factor * values[0])
    parts = {name: [value for value, of in zip(values, subsets, strict=True) if of == name] for name in subsets}
    taken = [parts[subset]] if subset else list(parts.values())
    std = factor * pstdev(taken[0]) if len(taken) == 1 else None
    return Figure(factor * fmean(fmean(each) for each in taken), std)


def _passages(config: Config, document: Document, mode: Mode) -> Sequence[Passage]:
    own = config.for_document(document.name)
    if isinstance(own.strategy, Foreign):
        return placed_passages(own.strategy.placement(document, counter(own.counter)), TOKENS_BY, mode)
    return passages_of(run(document, own), mode, counted_by=TOKENS_BY)


def _as_chroma(
    passages: Sequence[Passage], data: BenchmarkData, searcher: Searcher | None
) -> dict[str, tuple[float, ...]]:
    measured = evaluate(passages, data.questions, data.documents, searcher, mode="published", top=_TOP)
    wanted = (*CHROMA.unsearched, *(CHROMA.searched if searcher else ()))
    return {metric: measured.values[metric] for metric in wanted}


def _as_legalbench(
    passages: Sequence[Passage], data: BenchmarkData, searcher: Searcher | None
) -> dict[str, tuple[float, ...]]:
    """Precision and recall in characters of the first k chunks, as its authors have them."""
    if searcher is None:
        return {}
    lengths: dict[str, Length] = {document.name: in_characters for document in data.documents}
    wanted = [(metric, *metric.rsplit("_at_", 1)) for metric in LEGALBENCH_RAG.searched]
    values: dict[str, list[float]] = {metric: [] for metric, _, _ in wanted}
    searcher.embed_questions([question.text for question in data.questions])
    for question in data.questions:
        ranking = searcher.ranking(question.text)
        for metric, kind, first in wanted:
            found = scores(question, [passages[at] for at in ranking[: int(first)]], lengths)
            values[metric].append(found.recall if kind == "recall" else found.precision)
    return {metric: tuple(each) for metric, each in values.items()}


def _cut_points_of(config: Config, data: BenchmarkData) -> MeasuredChunks:
    """F1 of the places where chunks begin against the gold cut points, over all documents: of the
    first level, and of all levels."""
    starts = 0
    passages: list[Passage] = []
    hits: dict[int, int] = {}
    gold: dict[int, int] = {}
    for document in data.documents:
        made = run(document, config.for_document(document.name))
        passages += passages_of(made, counted_by=TOKENS_BY)
        begun = set(_begun(made))
        starts += len(made.chunks)
        for point in data.cut_points[document.name]:
            gold[point.level] = gold.get(point.level, 0) + 1
            hits[point.level] = hits.get(point.level, 0) + (point.offset in begun)
    return MeasuredChunks(
        tuple(passages),
        {
            "f1_level_1": (_f1(hits.get(1, 0), starts, gold.get(1, 0)),),
            "f1_all_levels": (_f1(sum(hits.values()), starts, sum(gold.values())),),
        },
    )


def _begun(made: Run) -> Iterator[int]:
    """Where the visible text of each chunk begins."""
    text = made.document.text
    return (first_visible(text, start, len(text)) for start in made.columns.kept_start.tolist())


def _f1(hits: int, found: int, gold: int) -> float:
    return 2 * hits / (found + gold) if found + gold else 0.0
