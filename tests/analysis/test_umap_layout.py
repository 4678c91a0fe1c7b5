"""Vectors in two dimensions by UMAP, where it is installed; one line where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chunking.analysis import map_vectors, umap_layout
from chunking.errors import ModelUnsetError

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def two_groups(each: int, dimensions: int = 16) -> Vectors:
    chance = np.random.default_rng(5)
    centres = chance.normal(size=(2, dimensions)) * 6
    return np.concatenate([centre + chance.normal(size=(each, dimensions)) for centre in centres]).astype(np.float32)


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        umap_layout, "missing", lambda extra: f"umap is not installed; pip install 'chunkscope[{extra}]'"
    )

    with pytest.raises(ModelUnsetError, match=r"umap is not installed; pip install 'chunkscope\[umap\]'"):
        map_vectors(two_groups(10), layout="umap")


def test_very_few_vectors_and_vectors_that_are_all_alike_stay_where_components_put_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(umap_layout, "missing", lambda _: "")
    for vectors in (two_groups(1), two_groups(2), np.ones((40, 8), np.float32), np.empty((0, 8), np.float32)):
        found = map_vectors(vectors, layout="umap")
        assert found.layout == "components"
        assert np.array_equal(found.points, map_vectors(vectors).points)


def test_another_vector_lies_between_those_nearest_to_it() -> None:
    vectors = two_groups(10)
    found = replace(map_vectors(vectors), layout="umap")
    across, up = found.place(vectors[3], [(3, 0.9), (4, 0.3)])

    assert (across, up) == pytest.approx(tuple(0.75 * found.points[3] + 0.25 * found.points[4]))


def test_like_vectors_lie_together_and_the_same_vectors_give_the_same_points() -> None:
    pytest.importorskip("umap")
    vectors = two_groups(40)
    found, again = map_vectors(vectors, layout="umap"), map_vectors(vectors, layout="umap")

    assert np.array_equal(found.points, again.points)
    one, other = found.points[:40], found.points[40:]
    between = np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))
    assert between > 2 * max(one.std(), other.std())
    assert found.duplicates == map_vectors(vectors).duplicates
