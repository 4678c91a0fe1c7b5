"""Late chunking: means of tokens' vectors, worked out again one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.models.late_chunking import LateEmbedder, token_embedder, window_starts
from chunking.text.spans import Span

BERLIN = "The kettle boils. Berlin is the capital of Germany. Its more than 3.85 million inhabitants make it large."


class Letters:
    """A token is a character; its vector says which window it was read in, and where in it."""

    name = "test/letters"
    window = 4

    def __init__(self) -> None:
        self.read: list[Sequence[int]] = []

    def tokens(self, text: str) -> tuple[list[int], npt.NDArray[np.int64]]:
        return list(range(len(text))), np.array([[at, at + 1] for at in range(len(text))])

    def token_vectors(self, windows: Sequence[Sequence[int]]) -> list[npt.NDArray[np.float32]]:
        self.read += windows
        return [np.array([[1, 10 * of[0] + at] for at in of], dtype=np.float32) for of in windows]


def test_windows_overlap_by_half_and_the_last_one_ends_with_the_text() -> None:
    assert [window_starts(count, 4) for count in (0, 3, 4, 5, 9)] == [[], [0], [0], [0, 1], [0, 2, 4, 5]]


def test_a_chunks_vector_is_the_mean_of_its_tokens_each_of_the_window_where_it_is_farthest_from_an_edge() -> None:
    late = LateEmbedder(Letters(), AnswerCache(None))
    vectors, made = late("abcdefgh", [(Span(0, 2),), (Span(2, 4), Span(5, 6))])

    # Windows 0-3, 2-5 and 4-7: c (2) is farthest from an edge in the first, d (3) in the second,
    # f (5) in the third.
    expected = [np.mean([[1, 0], [1, 1]], axis=0), np.mean([[1, 2], [1, 23], [1, 45]], axis=0)]
    assert made == 2
    assert vectors == pytest.approx(np.array([each / np.linalg.norm(each) for each in expected]))


def test_what_was_made_is_remembered_and_a_chunk_without_a_token_has_a_vector_of_zeros() -> None:
    model, memory = Letters(), AnswerCache(None)
    first, _ = LateEmbedder(model, memory)("abcd", [(Span(0, 2),)])
    again, made = LateEmbedder(model, memory)("abcd", [(Span(0, 2),)])
    nothing, _ = LateEmbedder(model, memory)("abcd", [(Span(9, 12),), ()])

    assert (made, first.tolist()) == (0, again.tolist())
    assert nothing.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert LateEmbedder(model, memory)("", [])[0].shape == (0, 0)


def test_with_the_local_model_a_sentence_knows_what_its_it_is() -> None:
    asked, start = embedder("local"), BERLIN.index("Its")
    late, _ = LateEmbedder(token_embedder(asked), AnswerCache(None))(BERLIN, [(Span(start, len(BERLIN)),)])
    plain = asked([BERLIN[start:]])[0]
    question = asked(["How many people live in Berlin?"])[0]

    assert np.linalg.norm(late[0]) == pytest.approx(1.0, abs=1e-5)
    assert late[0] @ question > plain @ question + 0.05


def test_an_embedder_without_vectors_of_tokens_is_refused() -> None:
    class Plain:
        name = "test/plain"

        def __call__(self, texts: Sequence[str]) -> list[list[float]]:
            return [[1.0] for _ in texts]

    with pytest.raises(ModelError, match="test/plain gives no vectors of tokens; take the embedder local"):
        token_embedder(CachedEmbedder(Plain(), 8, AnswerCache(None)))
