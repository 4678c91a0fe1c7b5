"""Cosines, neighbours along a document, and the quantile that a percentile threshold comes to."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from chunking.strategies.semantic.similarity import cosine, neighbour_similarities, quantile


def test_a_zero_vector_is_like_nothing() -> None:
    assert cosine([0, 0], [1, 1]) == 0.0
    assert neighbour_similarities([[0, 0], [0, 0], [1, 1]]) == [0.0, 0.0]


def test_equal_vectors_have_exactly_one() -> None:
    vector = np.asarray([0.1, 0.7, -0.3], dtype=np.float32)

    assert cosine(vector, vector * np.float32(3)) == 1.0


def test_very_large_and_very_small_numbers_are_compared_all_the_same() -> None:
    assert cosine([1e30, 1e30], [1e30, 1e30]) == 1.0
    assert cosine([1e-30, 0], [1e-30, 0]) == 1.0


def test_neighbours_are_compared_pair_by_pair() -> None:
    assert neighbour_similarities([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]) == [0.6, 0.8]
    assert neighbour_similarities([[1, 0]]) == []
    assert neighbour_similarities(np.zeros((0, 0))) == []


def test_a_window_averages_the_sentences_on_each_side_as_far_as_there_are_any() -> None:
    # Gap 1: E against N+E; gap 2: E+N against E+E; gap 3: N+E against E; E is east and N is north.
    found = neighbour_similarities([[1, 0], [0, 1], [1, 0], [1, 0]], window=2)

    assert found == [0.707107, 0.707107, 0.707107]


def test_a_window_wider_than_the_document_compares_all_before_with_all_after() -> None:
    vectors = [[1, 0], [0, 1], [1, 0], [1, 0]]

    assert neighbour_similarities(vectors, window=3) == neighbour_similarities(vectors, window=50)


@given(arrays(np.float32, (5, 3), elements=st.floats(-100, 100, width=32)))
def test_similarities_lie_between_minus_one_and_one(vectors: np.ndarray) -> None:
    for window in (1, 2, 9):
        assert all(-1 <= each <= 1 for each in neighbour_similarities(vectors, window))


@pytest.mark.parametrize(("share", "expected"), [(0, 0.1), (0.25, 0.2), (0.26, 0.3), (0.5, 0.3), (0.75, 0.4), (1, 0.5)])
def test_the_quantile_is_one_of_the_values(share: float, expected: float) -> None:
    assert quantile([0.5, 0.1, 0.4, 0.2, 0.3], share) == expected


@given(st.sets(st.floats(-1, 1), min_size=1, max_size=20), st.sampled_from([0, 1e-300, 0.1, 0.25, 0.3, 1 / 3, 0.75, 1]))
def test_the_share_of_the_values_lies_below_the_quantile(values: set[float], share: float) -> None:
    different = sorted(values)

    below = sum(value < quantile(different, share) for value in different)

    assert below - 1 < Fraction(share) * (len(different) - 1) <= below
