"""A run in a few numbers and short columns, quick enough for every document of a corpus on every
move of a threshold; and those of many documents together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.analysis.metric_table import LEFT_OUT, NO_LIMITS, Metric, metric, within_text
from chunking.core.cut_blocks import blocks_cut
from chunking.core.metrics import content_of, left_out, limited_sizes, over_with_context, within_with_context
from chunking.runs import Run

Column = npt.NDArray[np.integer]
PLACES = 4096
"""A boundary's place on a strip is in so many parts of the document."""


@dataclass(frozen=True, slots=True)
class DocumentFigures:
    """One document as a config cuts it, or why it cannot."""

    chunk_count: int = 0
    median_tokens: float = 0.0
    """Of whole chunks, context included."""
    under_minimum: int = 0
    over_maximum: int = 0
    over_with_context: int = 0
    """Within the maximum by what it counts, and over it as a whole text."""
    within_with_context: int = 0
    """Chunks within the limits, as whole texts too."""
    bounded: bool = False
    """Whether its strategy has limits."""
    minimum: int = 0
    """The limits in this document, in tokens as they count them; 0 where there is none."""
    maximum: int = 0
    blocks_cut: int = 0
    """Tables, code and lists with a boundary inside."""
    left_out: int = 0
    """As `Metrics.left_out`."""
    short_tail: int = 0
    """Of these, those of a last chunk below the minimum."""
    lost: int = 0
    """Of these, those that no setting leaves out: chunks of another tool have none of them."""
    tokens_to_embed: int = 0
    sizes: Column | None = None
    """Tokens of each chunk, as its limits count them."""
    whole: Column | None = None
    """Tokens of each chunk's whole text."""
    ends: Column | None = None
    """Where each chunk ends, from 0 to `PLACES`."""
    torn_at: Column | None = None
    """Numbers, from 0, of the chunks that end inside a table, code or a list."""
    texts: Column | None = None
    """A hash of each chunk's own text, 64 bits; None where it was not asked for."""
    problem: str = ""
    """Why it is not cut, one line."""

    @property
    def within_limits(self) -> float | None:
        """Share of chunks, 0 to 1; None without limits or chunks."""
        if not self.bounded or not self.chunk_count:
            return None
        return 1 - (self.under_minimum + self.over_maximum) / self.chunk_count


def document_figures(run: Run, *, texts: bool = False) -> DocumentFigures:
    """The figures of a run; with `texts`, also what tells equal chunks, which takes longer."""
    columns, limits, missing = run.columns, run.config.strategy.limits_in(run.document), left_out(run)
    sizes, whole = limited_sizes(run).astype(np.int32), columns.tokens.astype(np.int32)
    torn = np.array([each.chunk for each in run.torn_boundaries], np.int32)
    length = max(1, len(run.document.text))
    return DocumentFigures(
        chunk_count=len(whole),
        median_tokens=median(whole),
        under_minimum=0 if limits.minimum is None else int((sizes < limits.minimum).sum()),
        over_maximum=0 if limits.maximum is None else int((sizes > limits.maximum).sum()),
        over_with_context=len(over_with_context(run)),
        within_with_context=within_with_context(run),
        bounded=limits.minimum is not None or limits.maximum is not None,
        minimum=limits.minimum or 0,
        maximum=limits.maximum or 0,
        blocks_cut=len(blocks_cut(run.torn_boundaries)),
        left_out=content_of(missing),
        short_tail=missing.get("short-tail", 0),
        lost=missing.get("lost", 0),
        tokens_to_embed=int(whole.sum()),
        sizes=sizes,
        whole=whole,
        ends=(columns.end * PLACES // length).astype(np.int32),
        torn_at=torn,
        texts=_hashes(run) if texts else None,
    )


def _hashes(run: Run) -> Column:
    texts = (chunk.kept_text.strip().encode("utf-8", "surrogatepass") for chunk in run.chunks)
    return np.frombuffer(b"".join(blake2b(text, digest_size=8).digest() for text in texts), np.int64)


@dataclass(frozen=True, slots=True)
class CorpusFigures:
    """Documents together; each counts with all its chunks."""

    documents: int = 0
    """Those that were cut."""
    chunk_count: int = 0
    median_tokens: float = 0.0
    max_tokens: int = 0
    """Of the largest chunk, context included."""
    within_limits: float | None = None
    within_with_context: float | None = None
    """The same of whole texts, as they are embedded."""
    over_maximum: int = 0
    over_with_context: int = 0
    blocks_cut: int = 0
    left_out: int = 0
    lost: int = 0
    """Of these characters, those that no setting leaves out."""
    tokens_to_embed: int = 0
    repeated: int | None = None
    """Chunks whose own text a chunk of another document has too; None where that was not looked
    for."""
    problems: int = 0
    """Documents that could not be cut."""


OF_CORPORA = (
    Metric("chunk_count", "Chunks", help=metric("chunk_count").help),
    Metric("median_tokens", "Median tokens", "tokens", help=metric("median_tokens").help),
    Metric(
        "within_limits",
        "Within limits",
        "share",
        "more",
        "chunks between the minimum and maximum of their config, by what that counts. With context: the "
        "share as they are embedded, with what is put before them (headings, an overlap)",
        words=within_text,
        none=NO_LIMITS,
    ),
    Metric("blocks_cut", "Blocks cut in two", better="less", help=metric("blocks_cut").help),
    LEFT_OUT,
    Metric("tokens_to_embed", "Tokens to embed", "tokens", help=metric("tokens_to_embed").help),
)
"""The numbers that say most of a corpus."""


def together(figures: Iterable[DocumentFigures]) -> CorpusFigures:
    """The figures of all these documents."""
    every = list(figures)
    cut = [each for each in every if not each.problem]
    bounded = [each for each in cut if each.bounded]
    texts = [each.texts for each in cut if each.texts is not None]
    chunks = sum(each.chunk_count for each in bounded)
    outside = sum(each.under_minimum + each.over_maximum for each in bounded)
    whole = sum(each.within_with_context for each in bounded)
    return CorpusFigures(
        documents=len(cut),
        chunk_count=sum(each.chunk_count for each in cut),
        median_tokens=median(joined(each.whole for each in cut)),
        max_tokens=max(
            (int(each.whole.max()) for each in cut if each.whole is not None and len(each.whole)), default=0
        ),
        within_limits=1 - outside / chunks if chunks else None,
        within_with_context=whole / chunks if chunks else None,
        over_maximum=sum(each.over_maximum for each in cut),
        over_with_context=sum(each.over_with_context for each in cut),
        blocks_cut=sum(each.blocks_cut for each in cut),
        left_out=sum(each.left_out for each in cut),
        lost=sum(each.lost for each in cut),
        tokens_to_embed=sum(each.tokens_to_embed for each in cut),
        repeated=int(_shared(texts).chunks.sum()) if texts else None,
        problems=len(every) - len(cut),
    )


@dataclass(frozen=True, slots=True)
class _Shared:
    """The chunks whose own text a chunk of another document has too, of documents in a row."""

    chunks: Column
    """For each document, how many of its chunks."""
    texts: Column
    """The numbers of such texts, in their order, each once for every document that has it."""
    having: Column
    """The number of that document in the row, ascending for each text."""


def _shared(columns: Sequence[Column]) -> _Shared:
    """What documents share, by the hashes of their chunks' texts: sorted all at once, for to look
    into each of thousands of documents takes seconds."""
    lengths = np.array([len(each) for each in columns], np.int64)
    hashes, owners = joined(columns), np.repeat(np.arange(len(columns)), lengths)
    order = np.lexsort((owners, hashes))
    hashes, owners = hashes[order], owners[order]
    new_text = _new(hashes)
    new_pair = new_text | _new(owners)
    numbers = np.cumsum(new_text) - 1
    shared = (np.bincount(numbers[new_pair]) > 1)[numbers]
    pairs = new_pair & shared
    return _Shared(np.bincount(owners[shared], minlength=len(columns)), numbers[pairs], owners[pairs])


def _new(column: Column) -> npt.NDArray[np.bool_]:
    """Which of a column are not equal to the one before."""
    different = np.ones(len(column), np.bool_)
    different[1:] = column[1:] != column[:-1]
    return different


class Repeats(NamedTuple):
    """What a document has in common with others, word for word."""

    chunks: int
    """Its chunks whose own text a chunk of another document has too, whatever the contexts."""
    documents: tuple[int, ...]
    """The numbers of a few of those documents."""
    more: bool
    """Whether there are further ones."""


_NAMED = 3


def repeats(figures: Mapping[int, DocumentFigures]) -> dict[int, Repeats]:
    """The documents that share a chunk's text with another, by their numbers; of figures that were
    made with `texts`."""
    texts = {row: each.texts for row, each in sorted(figures.items()) if each.texts is not None}
    shared, rows = _shared(list(texts.values())), list(texts)
    having = [rows[at] for at in shared.having.tolist()]
    starts = shared.texts.searchsorted(shared.texts, side="left")
    ends = np.minimum(shared.texts.searchsorted(shared.texts, side="right"), starts + _NAMED + 2)
    first, last = starts.tolist(), ends.tolist()
    common: dict[int, list[int]] = {}
    for at, row in enumerate(having):
        common.setdefault(row, []).append(at)
    chunks = dict(zip(rows, shared.chunks.tolist(), strict=True))
    return {
        row: _repeats_of(row, chunks[row], (having[first[at] : last[at]] for at in common[row]))
        for row in sorted(common)
    }


def _repeats_of(row: int, chunks: int, having: Iterable[Sequence[int]]) -> Repeats:
    """`having` are the first documents of each text that it has in common."""
    others = islice(dict.fromkeys(other for rows in having for other in rows if other != row), _NAMED + 1)
    first = sorted(others)
    return Repeats(chunks, tuple(first[:_NAMED]), len(first) > _NAMED)


def joined(columns: Iterable[Column | None]) -> Column:
    """Columns one after another."""
    there = [column for column in columns if column is not None]
    return np.concatenate(there) if there else np.empty(0, np.int32)


def median(sizes: Column) -> float:
    """As `Metrics.median_tokens`; 0 without any."""
    if not len(sizes):
        return 0.0
    middle = len(sizes) // 2
    lower = middle if len(sizes) % 2 else middle - 1
    halves = np.partition(sizes, [lower, middle])
    return (int(halves[lower]) + int(halves[middle])) / 2


_COLUMNS = ("sizes", "whole", "ends", "torn_at", "texts")
_NUMBERS = tuple(each.name for each in fields(DocumentFigures) if each.name not in (*_COLUMNS, "problem"))


@dataclass(frozen=True)
class PackedFigures:
    """The figures of many documents as few columns, for another process."""

    numbers: npt.NDArray[np.float64]
    columns: tuple[Column, ...]
    counts: npt.NDArray[np.int32]
    """How many of each column are a document's; -1 where it has none."""
    problems: dict[int, str]

    def unpacked(self) -> list[DocumentFigures]:
        """The figures, document by document."""
        cuts = np.cumsum(np.maximum(self.counts, 0), axis=1)
        parts = [np.split(column, cut[:-1]) for column, cut in zip(self.columns, cuts, strict=True)]
        found = []
        for row, numbers in enumerate(self.numbers.tolist()):
            columns = {
                name: part[row] if self.counts[at, row] >= 0 else None
                for at, (name, part) in enumerate(zip(_COLUMNS, parts, strict=True))
            }
            median_tokens = numbers[_NUMBERS.index("median_tokens")]
            whole = dict(zip(_NUMBERS, map(int, numbers), strict=True)) | {"median_tokens": median_tokens}
            bounded = bool(whole.pop("bounded"))
            found.append(DocumentFigures(**whole, **columns, bounded=bounded, problem=self.problems.get(row, "")))  # type: ignore[arg-type]
        return found


def packed(figures: Sequence[DocumentFigures]) -> PackedFigures:
    """The figures of documents as they are sent to another process."""
    columns = [[getattr(each, name) for each in figures] for name in _COLUMNS]
    return PackedFigures(
        np.array([[getattr(each, name) for name in _NUMBERS] for each in figures], np.float64).reshape(
            -1, len(_NUMBERS)
        ),
        tuple(joined(column) for column in columns),
        np.array([[-1 if part is None else len(part) for part in column] for column in columns], np.int32),
        {row: each.problem for row, each in enumerate(figures) if each.problem},
    )
