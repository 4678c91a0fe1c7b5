"""A run's chunks as points on a map of their vectors, with what is odd among them. No Streamlit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from chunking import Chunk, Run
from chunking.analysis import DUPLICATE, Layout, VectorMap, nearest_to

MOST = 2_000
"""Chunks on the map; of more, as many are taken evenly."""
NEAREST = 5
"""Chunks that a question leads to."""
GROUPS = 11
"""Sections that have a colour and a shape of their own; the others share one."""
LAYOUTS: dict[Layout, str] = {"components": "Principal components", "umap": "UMAP"}
"""What puts points where they are."""
COLOURS = {"section": "Section", "size": "Size", "config": "Now and baseline"}
"""What points can be coloured and shaped by."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The points of a map, in columns, and what is said of them."""

    x: list[float]
    """From -1 to 1, as `y`; both on one scale."""
    y: list[float]
    layout: Layout
    chunk: list[int]
    """The chunk's number in its run, from 0."""
    start: list[int]
    """Where its body begins."""
    tokens: list[int]
    title: list[str]
    group: list[int]
    of: list[int]
    """0 for the run's own chunks, 1 for the baseline's."""
    groups: list[str]
    duplicates: list[tuple[int, int, float]]
    duplicate_count: int
    threshold: float
    outliers: list[tuple[int, float]]
    fence: float
    shares: tuple[float, float]
    left_out: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on the map."""

    x: float
    y: float
    nearest: list[tuple[int, float]]
    """Points by number, with their cosines."""


def chosen_chunks(run: Run) -> list[Chunk]:
    """The chunks that are on the map: all, or as many as it can hold, evenly taken."""
    if len(run.chunks) <= MOST:
        return list(run.chunks)
    return [run.chunks[int(at)] for at in np.linspace(0, len(run.chunks) - 1, MOST)]


def placed(run: Run, baseline: Run | None, found: VectorMap, colour: str) -> Placed:
    """The points of a map of these chunks, and of the baseline's where they are on it."""
    own = chosen_chunks(run)
    others = chosen_chunks(baseline) if baseline is not None else []
    chunks = [*own, *others]
    scale = _scale(found)
    group, groups = _groups(own, others, colour)
    numbers = [*_numbers(run, own), *(_numbers(baseline, others) if baseline is not None else [])]
    return Placed(
        x=np.round(found.points[:, 0] / scale, 4).tolist(),
        y=np.round(found.points[:, 1] / scale, 4).tolist(),
        layout=found.layout,
        chunk=numbers,
        start=[chunk.body.start for chunk in chunks],
        tokens=[chunk.tokens for chunk in chunks],
        title=[_title(chunk) for chunk in chunks],
        group=group,
        of=[0] * len(own) + [1] * len(others),
        groups=groups,
        duplicates=[(one, other, round(cosine, 3)) for one, other, cosine in found.duplicates],
        duplicate_count=found.duplicate_count,
        threshold=DUPLICATE,
        outliers=[(at, round(float(found.likeness[at]), 3)) for at in found.outliers],
        fence=round(found.fence, 3),
        shares=(round(found.shares[0], 3), round(found.shares[1], 3)),
        left_out=len(run.chunks) - len(own),
    )


def asked(found: VectorMap, vectors: npt.NDArray[np.float32], count: int, vector: npt.NDArray[np.float32]) -> Asked:
    """A question's place, and the nearest of the first `count` points."""
    nearest = [(at, round(cosine, 3)) for at, cosine in nearest_to(vector, vectors[:count], NEAREST)]
    scale, (x, y) = _scale(found), found.place(vector, nearest)
    return Asked(min(1.0, max(-1.0, x / scale)), min(1.0, max(-1.0, y / scale)), nearest)


def _scale(found: VectorMap) -> float:
    return float(np.abs(found.points).max(initial=0.0)) or 1.0


def _numbers(run: Run, chunks: Sequence[Chunk]) -> list[int]:
    starts = run.columns.start
    return [int(at) for at in np.searchsorted(starts, [chunk.body.start for chunk in chunks])]


def _groups(own: Sequence[Chunk], others: Sequence[Chunk], colour: str) -> tuple[list[int], list[str]]:
    """The group of each chunk, and the groups' names."""
    if colour == "config":
        return [0] * len(own) + [1] * len(others), ["now", "baseline"]
    if colour == "size":
        return _by_size(own, others)
    sections = [_section(chunk) for chunk in (*own, *others)]
    names = list(dict.fromkeys(sections))
    numbers = {name: min(number, GROUPS) for number, name in enumerate(names)}
    rest = ["other sections"] if len(names) > GROUPS else []
    return [numbers[name] for name in sections], [*map(_shown, names[:GROUPS]), *rest]


def _by_size(own: Sequence[Chunk], others: Sequence[Chunk]) -> tuple[list[int], list[str]]:
    """Groups by tokens, each with about a quarter of the run's chunks."""
    sizes = sorted(chunk.tokens for chunk in own)
    edges = sorted({sizes[len(sizes) * part // 4] for part in (1, 2, 3)} - {sizes[0]})
    names = [f"{low:,} to {high - 1:,} tokens" for low, high in pairwise([sizes[0], *edges])]
    names.append(f"{edges[-1]:,} tokens and more" if edges else f"{sizes[0]:,} tokens and more")
    return [bisect_right(edges, chunk.tokens) for chunk in (*own, *others)], names


def _section(chunk: Chunk) -> str:
    """The heading that tells a chunk's part of the document: the second below the name, where there
    is one, as the first is most often the document's title."""
    crumb = chunk.breadcrumb[1:]
    return crumb[1] if len(crumb) > 1 else crumb[0] if crumb else chunk.document.base_name


def _title(chunk: Chunk) -> str:
    """The headings above a chunk, without the document's title where there are others."""
    crumb = chunk.breadcrumb[1:]
    return _shown(" › ".join(crumb[1:] or crumb) or chunk.document.base_name)


def _shown(words: str) -> str:
    short = words if len(words) <= 90 else f"{words[:42]}…{words[-46:]}"
    return short.encode("utf-8", "replace").decode()
