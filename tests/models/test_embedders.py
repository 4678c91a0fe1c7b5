"""Embedders that remember: one question a text, batch by batch, with progress."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sample_embedders import GivenEmbedder, HashEmbedder

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.embedders import CachedEmbedder, checked_vectors


def test_a_text_is_asked_for_once_however_often_it_comes() -> None:
    inner = HashEmbedder()
    remembering = CachedEmbedder(inner, 10, AnswerCache(None))

    first = remembering(["a", "b", "a"])
    second = remembering(["b", "c"])

    assert inner.calls == [["a", "b"], ["c"]]
    assert first[0].tolist() == first[2].tolist()
    assert first[1].tolist() == second[0].tolist()


def test_another_process_finds_what_was_answered_in_the_file(tmp_path: Path) -> None:
    CachedEmbedder(HashEmbedder(), 10, AnswerCache(tmp_path / "answers.sqlite"))(["a", "b"])
    later = HashEmbedder()

    vectors = CachedEmbedder(later, 10, AnswerCache(tmp_path / "answers.sqlite"))(["b", "a"])

    assert later.calls == []
    assert vectors.tolist() == HashEmbedder()(["b", "a"]).tolist()


def test_another_model_has_answers_of_its_own() -> None:
    memory, other = AnswerCache(None), HashEmbedder()
    other.name = "test/other"

    CachedEmbedder(HashEmbedder(), 10, memory)(["a"])
    CachedEmbedder(other, 10, memory)(["a"])

    assert other.calls == [["a"]]


def test_progress_tells_how_far_it_is_and_nothing_when_all_is_known() -> None:
    told: list[tuple[int, int]] = []
    remembering = CachedEmbedder(HashEmbedder(), 2, AnswerCache(None))
    remembering(["a"])

    remembering(["a", "b", "c", "d"], lambda done, total: told.append((done, total)))
    again: list[tuple[int, int]] = []
    remembering(["a", "b", "c", "d"], lambda done, total: again.append((done, total)))

    assert told == [(1, 4), (3, 4), (4, 4)]
    assert again == []


def test_no_text_makes_no_call() -> None:
    inner = HashEmbedder()

    assert CachedEmbedder(inner, 2, AnswerCache(None))([]).shape == (0, 0)
    assert inner.calls == []


def test_a_model_that_changed_its_length_under_one_name_is_asked_anew() -> None:
    memory = AnswerCache(None)
    CachedEmbedder(GivenEmbedder({"a": [1.0, 0.0]}), 9, memory)(["a"])
    CachedEmbedder(GivenEmbedder({"b": [1.0, 0.0, 0.0]}), 9, memory)(["b"])
    changed = GivenEmbedder({"a": [0.0, 0.0, 1.0], "b": [1.0, 0.0, 0.0]})

    vectors = CachedEmbedder(changed, 9, memory)(["a", "b"])

    assert changed.calls == [["a", "b"]]
    assert vectors.tolist() == [[0, 0, 1], [1, 0, 0]]


def test_fewer_vectors_than_texts_is_an_error() -> None:
    with pytest.raises(ModelError, match=r"^m: answered 1 vector for 2 texts; expected one vector per text$"):
        checked_vectors([[1.0, 2.0]], 2, "m")


@pytest.mark.parametrize(
    "answered", [[1.0, 2.0], [[1.0], [1.0, 2.0]], [["x"], ["y"]], [[np.inf], [0.0]], [[1e300], [0.0]], [[], []], 3]
)
def test_what_is_not_one_row_of_finite_numbers_a_text_is_an_error(answered: npt.ArrayLike) -> None:
    with pytest.raises(ModelError, match=r"^m: answered"):
        checked_vectors(answered, 2, "m")
