"""Vectors in two dimensions, with near-duplicates and outliers."""

from __future__ import annotations

import numpy as np
import pytest

from chunking.analysis import map_vectors, nearest_to
from chunking.analysis.vector_map import DUPLICATE, MOST_PAIRS


def scattered(count: int, dimensions: int = 8, seed: int = 3) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)


def test_the_first_dimension_has_the_greatest_variance() -> None:
    vectors = scattered(200)
    vectors[:, 2] *= 9

    found = map_vectors(vectors)

    assert found.shares[0] > 0.6 > found.shares[1] > 0
    assert np.argmax(np.abs(found.axes[0])) == 2
    assert np.allclose(found.points.mean(axis=0), 0)


def test_the_points_are_those_of_a_singular_value_decomposition() -> None:
    vectors = scattered(50)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    centred = units - units.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred.astype(np.float64), full_matrices=False)

    found = map_vectors(vectors)

    assert np.allclose(np.abs(found.points), np.abs(left[:, :2] * sizes[:2]), atol=1e-5)


def test_signs_do_not_depend_on_the_order_of_the_vectors() -> None:
    vectors = scattered(60)
    turned = vectors[::-1].copy()

    assert np.allclose(map_vectors(vectors).points, map_vectors(turned).points[::-1], atol=1e-6)
    assert (map_vectors(vectors).axes[np.arange(2), np.abs(map_vectors(vectors).axes).argmax(axis=1)] > 0).all()


def test_another_vector_has_its_place() -> None:
    vectors = scattered(40)
    found = map_vectors(vectors)

    assert found.place(vectors[7]) == pytest.approx(tuple(found.points[7]), abs=1e-6)
    nearest, cosine = nearest_to(vectors[7] * 5, vectors, 3)[0]
    assert nearest == 7
    assert cosine == pytest.approx(1.0)


def test_near_duplicates_are_pairs_above_the_cosine_the_most_alike_first() -> None:
    vectors = scattered(30, 64)
    vectors[20] = vectors[4]
    vectors[9] = vectors[2] + 0.1 * vectors[3]

    found = map_vectors(vectors)

    assert [pair[:2] for pair in found.duplicates] == [(4, 20), (2, 9)]
    assert found.duplicates[0][2] == pytest.approx(1)
    assert DUPLICATE <= found.duplicates[1][2] < 1
    assert (found.nearest[4], found.nearest[20]) == (20, 4)


def test_of_many_duplicates_the_first_are_named_and_all_counted() -> None:
    found = map_vectors(np.ones((600, 4), dtype=np.float32))

    assert found.duplicate_count == 600 * 599 // 2
    assert len(found.duplicates) == MOST_PAIRS
    assert found.duplicates[0][:2] == (0, 1)
    assert found.outliers == ()


def test_an_outlier_is_far_less_like_its_nearest_than_others_are() -> None:
    vectors = np.tile(scattered(1, 64), (40, 1)) + 0.2 * scattered(40, 64, seed=5)
    vectors[13] = -vectors[0] + scattered(1, 64, seed=8)[0]

    found = map_vectors(vectors)

    assert found.outliers == (13,)
    assert found.likeness[13] < found.fence


def test_what_is_compared_with_is_on_the_map_but_not_among_what_is_odd() -> None:
    vectors = scattered(20, 16)
    found = map_vectors(np.concatenate([vectors, vectors]), count=20)

    assert len(found.points) == 40
    assert len(found.nearest) == 20
    assert found.duplicates == ()


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_vectors_are_a_map_as_well(count: int) -> None:
    found = map_vectors(scattered(count))

    assert found.points.shape == (count, 2)
    assert np.isfinite(found.points).all()
    assert found.outliers == ()


def test_equal_vectors_are_one_point() -> None:
    assert np.allclose(map_vectors(np.ones((5, 3), dtype=np.float32)).points, 0)


def test_of_several_documents_near_duplicates_are_those_of_different_ones() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1], [1, 0]], dtype=np.float32)
    found = map_vectors(vectors, documents=[0, 0, 0, 1])

    assert [pair[:2] for pair in found.duplicates] == [(0, 3), (1, 3)]
    assert (found.duplicate_count, found.duplicates_within) == (2, 1)
    assert (map_vectors(vectors).duplicate_count, map_vectors(vectors).duplicates_within) == (3, 0)
