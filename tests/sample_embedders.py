"""Embedders for tests: cheap, deterministic, and counting what they are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt


class HashEmbedder:
    """A vector of eight small numbers from a text's hash: no meaning at all, and the same
    everywhere.

    Hand it to `Tools(embedder=HashEmbedder())` wherever the promises of `semantic` are tested and
    its model is not.
    """

    name = "test/hash"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.calls.append(list(texts))
        rows = [np.frombuffer(sha256(text.encode()).digest()[:8], dtype=np.int8) for text in texts]
        return np.stack(rows).astype(np.float32)


class GivenEmbedder:
    """The vectors a test wrote down, by text."""

    name = "test/given"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        return [list(self.vectors[text]) for text in texts]
