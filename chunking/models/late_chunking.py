"""Late chunking: a chunk's vector is the mean of its tokens' vectors, each made with the text
around the chunk in view.

Source: Günther, Mohr, Williams, Wang and Xiao (2024), Late Chunking: Contextual Chunk Embeddings
Using Long-Context Embedding Models. A document that is longer than the model's window is read in
windows that overlap by half; a token's vector is of the window in which it is farthest from an
edge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache, answer_key, shared_cache
from chunking.models.embedders import CachedEmbedder, Vectors
from chunking.text.spans import Span

Offsets = npt.NDArray[np.int64]
"""Shape (tokens, 2): where each begins and ends in the text, in code points."""
_AT_ONCE = 4
"""Windows that the model reads in one call."""


class TokenEmbedder(Protocol):
    """A model that gives the vectors of tokens, not only of whole texts."""

    @property
    def name(self) -> str:
        """As of Embedder."""

    @property
    def window(self) -> int:
        """Tokens of a text that it reads at once, special ones left out."""

    def tokens(self, text: str) -> tuple[Sequence[int], Offsets]:
        """The ids of all tokens of a text, and where they are."""

    def token_vectors(self, windows: Sequence[Sequence[int]]) -> list[npt.NDArray[np.float32]]:
        """For each window of ids the vectors of these tokens, shape (tokens, d)."""


class LateEmbedder:
    """Embeds chunks of documents by their spans; what it found is remembered by text and spans."""

    def __init__(self, model: TokenEmbedder, memory: AnswerCache | None = None) -> None:
        """`memory` is the cache of this user when left out."""
        self.name = f"{model.name}, late chunking over {model.window} tokens"
        self._model = model
        self._memory = memory

    def __call__(
        self,
        text: str,
        chunks: Sequence[Sequence[Span]],
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Vectors, int]:
        """One vector of length 1 for each chunk, given by its spans, shape (n, d), and how many of
        them were made anew. A chunk without a token has a vector of zeros.

        `progress` is called with the windows read and their number.
        """
        if not chunks:
            return np.zeros((0, 0), dtype=np.float32), 0
        memory = self._memory if self._memory is not None else shared_cache()
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        keys = [
            answer_key(self.name, f"{digest} {' '.join(f'{span.start}-{span.end}' for span in spans)}")
            for spans in chunks
        ]
        known = memory.get(keys)
        missing = [number for number, key in enumerate(keys) if key not in known]
        if missing:
            offsets, vectors = self._vectors(text, progress)
            answered = {keys[number]: _mean(offsets, vectors, chunks[number]).tobytes() for number in missing}
            memory.put(answered)
            known = {**known, **answered}
        return np.stack([np.frombuffer(known[key], dtype=np.float32) for key in keys]), len(missing)

    def _vectors(
        self, text: str, progress: Callable[[int, int], None] | None
    ) -> tuple[Offsets, npt.NDArray[np.float32]]:
        """Every token of the text: where it is, and its vector."""
        ids, offsets = self._model.tokens(text)
        starts = window_starts(len(ids), self._model.window)
        found: list[npt.NDArray[np.float32]] = []
        for at in range(0, len(starts), _AT_ONCE):
            found += self._model.token_vectors(
                [ids[start : start + self._model.window] for start in starts[at : at + _AT_ONCE]]
            )
            if progress:
                progress(min(at + _AT_ONCE, len(starts)), len(starts))
        return offsets, _joined(starts, found, len(ids))


def window_starts(tokens: int, window: int) -> list[int]:
    """Where windows of this size begin so that they overlap by half, and the last ends with the
    tokens."""
    if tokens <= window:
        return [0] if tokens else []
    return [*range(0, tokens - window, max(1, window // 2)), tokens - window]


def token_embedder(of: CachedEmbedder) -> TokenEmbedder:
    """The model behind an embedder, if it gives the vectors of tokens. Raises ModelError where it
    does not."""
    from chunking.models.local_embedder import LocalEmbedder

    if not isinstance(of.embedder, LocalEmbedder):
        raise ModelError(f"late chunking: {of.name} gives no vectors of tokens; take the embedder local")
    return of.embedder


def _joined(starts: Sequence[int], found: Sequence[npt.NDArray[np.float32]], tokens: int) -> npt.NDArray[np.float32]:
    """For each token its vector of the window in which it is farthest from an edge; of two such,
    the first."""
    size = found[0].shape[1] if found else 1
    vectors, farthest = np.zeros((tokens, size), dtype=np.float32), np.full(tokens, -1)
    for start, states in zip(starts, found, strict=True):
        places = np.arange(len(states))
        from_edge = np.minimum(places, len(states) - 1 - places)
        here = slice(start, start + len(states))
        better = from_edge > farthest[here]
        vectors[here][better] = states[better]
        farthest[here] = np.maximum(farthest[here], from_edge)
    return vectors


def _mean(offsets: Offsets, vectors: npt.NDArray[np.float32], spans: Sequence[Span]) -> npt.NDArray[np.float32]:
    """The mean of the tokens that begin in the spans, of length 1."""
    inside = np.zeros(len(offsets), dtype=np.bool_)
    for span in spans:
        inside |= (offsets[:, 0] >= span.start) & (offsets[:, 0] < span.end)
    mean = vectors[inside].mean(axis=0) if inside.any() else np.zeros(vectors.shape[1])
    unit: npt.NDArray[np.float32] = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
    return unit
