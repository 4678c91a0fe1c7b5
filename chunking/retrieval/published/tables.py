"""The figures of published benchmarks, with where they were read: the one place for them.

A figure is as printed there. What is not printed is not here; what could not be read at its source
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from chunking.retrieval.published.reference_chunkers import RecursivePieces, TokenWindows

Splitter = Callable[[str], Iterable[object]]
Name = Literal["chroma", "legalbench-rag", "hicbench"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over questions, or over documents; in percent where the table is."""

    mean: float
    std: float | None = None
    """Population standard deviation; None where none is printed."""


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One method of a published table."""

    method: str
    figures: Mapping[str, Figure]
    """By metric."""
    chunker: Splitter | None = None
    """The method itself; None where it needs a model that is not here."""
    subset: str = ""
    """The part of the questions that it is about; "" for all."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table: what is measured, with what, and where it is printed."""

    name: Name
    title: str
    source: str
    data: str
    """Where its data can be had, and how they lie in their folder."""
    searched_with: str
    """What retrieved the chunks there; "" where its figures need no search."""
    unsearched: tuple[str, ...]
    """Its metrics that need no search, in the order they are shown."""
    searched: tuple[str, ...]
    percent: bool
    """Whether figures are in percent; else from 0 to 1."""
    decimals: int
    """Of its figures, as printed."""
    rows: tuple[PublishedRow, ...]
    note: str = ""
    """What a reader of the comparison has to know; "" where that is nothing."""


_CHROMA_SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")
_CL100K = "cl100k_base"


def _chroma(method: str, chunker: Splitter | None, *figures: tuple[float, float]) -> PublishedRow:
    names = ("recall", "precision", "precision_omega", "iou")
    return PublishedRow(method, {name: Figure(*each) for name, each in zip(names, figures, strict=True)}, chunker)


def _recursive(size: int, overlap: int, mean_size: int, *figures: tuple[float, float]) -> PublishedRow:
    chunker = RecursivePieces(size, overlap, _CHROMA_SEPARATORS, _CL100K)
    return _chroma(f"Recursive {size} (~{mean_size}), overlap {overlap}", chunker, *figures)


def _tokens(size: int, overlap: int, *figures: tuple[float, float]) -> PublishedRow:
    return _chroma(f"TokenText {size}, overlap {overlap}", TokenWindows(size, overlap, _CL100K), *figures)


CHROMA = PublishedTable(
    name="chroma",
    title="Evaluating Chunking Strategies for Retrieval (Smith and Troynikov, Chroma, July 2024)",
    source="https://research.trychroma.com/evaluating-chunking, the table of results for text-embedding-3-large",
    data="questions_df.csv and corpora/ of https://github.com/brandonstarxel/chunking_evaluation "
    "(chunking_evaluation/evaluation_framework/general_evaluation_data)",
    searched_with="text-embedding-3-large",
    unsearched=("precision_omega",),
    searched=("recall", "precision", "iou"),
    percent=True,
    decimals=1,
    rows=(
        _recursive(800, 400, 661, (85.4, 34.9), (1.5, 1.3), (6.7, 5.2), (1.5, 1.3)),
        _tokens(800, 400, (87.9, 31.7), (1.4, 1.1), (4.7, 3.1), (1.4, 1.1)),
        _recursive(400, 200, 312, (88.1, 31.6), (3.3, 2.7), (13.9, 10.4), (3.3, 2.7)),
        _tokens(400, 200, (88.6, 29.7), (2.7, 2.2), (8.4, 5.1), (2.7, 2.2)),
        _recursive(400, 0, 276, (89.5, 29.7), (3.6, 3.2), (17.7, 14.0), (3.6, 3.2)),
        _tokens(400, 0, (89.2, 29.2), (2.7, 2.2), (12.5, 8.1), (2.7, 2.2)),
        _recursive(200, 0, 137, (88.1, 30.1), (7.0, 5.6), (29.9, 18.4), (6.9, 5.6)),
        _tokens(200, 0, (87.0, 30.8), (5.2, 4.1), (21.0, 11.9), (5.1, 4.1)),
        _chroma("Kamradt (~660)", None, (83.6, 36.8), (1.5, 1.6), (7.4, 10.2), (1.5, 1.6)),
        _chroma("KamradtMod 300 (~397)", None, (87.1, 31.9), (2.1, 2.0), (10.5, 12.3), (2.1, 2.0)),
        _chroma("Cluster 400 (~182)", None, (91.3, 25.4), (4.5, 3.4), (20.7, 14.5), (4.5, 3.4)),
        _chroma("Cluster 200 (~103)", None, (87.3, 29.8), (8.0, 6.0), (34.0, 19.7), (8.0, 6.0)),
        _chroma("LLM (GPT4o, ~240)", None, (91.9, 26.5), (3.9, 3.2), (19.9, 16.3), (3.9, 3.2)),
    ),
)

_LEGAL_SEPARATORS = ("\n\n", "\n", "!", "?", ".", ":", ";", ",", " ", "")
_RCTS = RecursivePieces(500, 0, _LEGAL_SEPARATORS, stripped=False)


def _legal(subset: str, precisions: tuple[float, float], recalls: tuple[float, float]) -> PublishedRow:
    figures = {
        "precision_at_1": Figure(precisions[0]),
        "precision_at_8": Figure(precisions[1]),
        "recall_at_1": Figure(recalls[0]),
        "recall_at_64": Figure(recalls[1]),
    }
    return PublishedRow(f"RCTS 500 characters, {subset or 'mean of all'}", figures, _RCTS, subset)


LEGALBENCH_RAG = PublishedTable(
    name="legalbench-rag",
    title="LegalBench-RAG (Pipitone and Houir Alami, 2024), without a reranker",
    source="https://arxiv.org/abs/2408.10343, as quoted by a public summary of it; the row of all is the mean of the "
    "four, as quoted",
    data="corpus/ and benchmarks/*.json, as https://github.com/zeroentropy-ai/legalbenchrag links them",
    searched_with="text-embedding-3-large",
    unsearched=(),
    searched=("precision_at_1", "precision_at_8", "recall_at_1", "recall_at_64"),
    percent=True,
    decimals=2,
    rows=(
        _legal("privacy_qa", (14.38, 9.03), (8.85, 84.19)),
        _legal("contractnli", (6.63, 2.81), (7.63, 61.72)),
        _legal("maud", (2.65, 1.40), (1.65, 28.28)),
        _legal("cuad", (1.97, 4.20), (1.62, 74.70)),
        _legal("", (6.41, 4.36), (4.94, 62.22)),
    ),
    note="measured over the documents that the questions name, 194 questions of each file as its authors draw them",
)


def _hicbench(method: str, first: float, all_levels: float) -> PublishedRow:
    return PublishedRow(method, {"f1_level_1": Figure(first), "f1_all_levels": Figure(all_levels)})


HICBENCH = PublishedTable(
    name="hicbench",
    title="HiCBench (Lu et al., HiChunk, 2025): accuracy of cut points",
    source="https://arxiv.org/abs/2509.11552, table 3",
    data="documents in Markdown whose headings are the gold cut points, *.txt or *.md, as dataset/docs/HiCBench of "
    "https://github.com/TencentYoutuResearch/HiChunk has them",
    searched_with="",
    unsearched=("f1_level_1", "f1_all_levels"),
    searched=(),
    percent=False,
    decimals=4,
    rows=(
        _hicbench("SC (bge-large-en-v1.5)", 0.0487, 0.1507),
        _hicbench("LC (DeepSeek-R1)", 0.2849, 0.4858),
        _hicbench("HC (HiChunk, Qwen3-4B)", 0.4841, 0.5450),
    ),
    note="headings lose their marks before a config cuts, so that no config can read the gold cut points",
)

TABLES = (CHROMA, LEGALBENCH_RAG, HICBENCH)
