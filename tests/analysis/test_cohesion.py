"""Chunks by the vectors of their sentences, against sums over all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, product

import numpy as np
import numpy.typing as npt
import pytest

from chunking import Config, parse, run
from chunking.analysis.cohesion import cohesion, cohesion_of


def vectors(*angles: float) -> npt.NDArray[np.float64]:
    """Unit vectors at these angles, in degrees."""
    return np.array([[np.cos(np.radians(each)), np.sin(np.radians(each))] for each in angles])


def test_random_chunks_have_the_means_of_all_pairs_and_the_entropy_of_their_graph() -> None:
    draw = np.random.default_rng(7)
    chunks = []
    for count in (3, 1, 5, 2, 4, 6):
        rows = draw.normal(size=(count, 4)) + np.array([2, 0, 0, 0])
        chunks.append(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    of = cohesion_of(chunks)

    inside = [np.mean([a @ b for a, b in combinations(chunk, 2)]) for chunk in chunks if len(chunk) > 1]
    outside = [np.mean([a @ b for a, b in product(left, right)]) for left, right in pairwise(chunks)]
    clear = []
    for left, right in pairwise(chunks):
        a, b = np.mean(left[-3:], axis=0), np.mean(right[:3], axis=0)
        clear.append(1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    means = [chunk.mean(axis=0) / np.linalg.norm(chunk.mean(axis=0)) for chunk in chunks]
    edges = [(i, j) for i, j in combinations(range(len(means)), 2) if means[i] @ means[j] > 0.8]
    shares = [sum(node in edge for edge in edges) / (2 * len(edges)) for node in range(len(means))]
    assert of.cohesion == pytest.approx(np.mean(inside))
    assert of.neighbours == pytest.approx(np.mean(outside))
    assert of.independence == pytest.approx(np.mean(inside) - np.mean(outside))
    assert of.boundary_clarity == pytest.approx(np.mean(clear))
    assert (of.edges, of.edges > 2) == (len(edges), True)
    assert of.stickiness == pytest.approx(-sum(share * np.log2(share) for share in shares if share))


def test_equal_sentences_cohere_fully_and_a_right_angle_is_a_clear_boundary() -> None:
    of = cohesion_of([vectors(0, 0), vectors(90, 90)])

    assert [of.cohesion, of.boundary_clarity] == pytest.approx([1, 1])
    assert [of.neighbours, of.independence] == pytest.approx([0, 1])
    assert (of.stickiness, of.edges) == (0, 0)


def test_three_chunks_in_a_row_of_which_two_pairs_are_alike_have_one_and_a_half_bits() -> None:
    of = cohesion_of([vectors(0), vectors(30), vectors(60)])

    assert of.edges == 2
    assert of.stickiness == pytest.approx(1.5)


def test_one_sentence_or_no_chunk_gives_no_numbers() -> None:
    for chunks in ([], [vectors(0)]):
        of = cohesion_of(chunks)
        assert (of.cohesion, of.neighbours, of.independence, of.boundary_clarity, of.stickiness) == (None,) * 5


def test_an_embedder_is_asked_for_each_sentence_once() -> None:
    asked: list[Sequence[str]] = []
    document = parse("# A\n\nOne two. Three four.\n\n# B\n\nOne two. Five six.\n", name="a.md")

    def embed(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        asked.append(texts)
        return vectors(*range(len(texts)))

    of = cohesion(run(document, Config.of("every-heading", {}, "")), embed)

    assert asked == [["# A", "One two.", "Three four.", "# B", "Five six."]]
    assert of.cohesion is not None
