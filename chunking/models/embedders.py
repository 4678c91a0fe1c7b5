"""Sentences -> vectors: which embedder a name stands for, and what every embedder's answer is held
to.

The default is a small model that comes with the installation and needs no network. Everything else
is HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache, answer_key, shared_cache
from chunking.models.http_embedders import PROVIDERS, http_embedder
from chunking.models.library_embedders import DEFAULTS, LibraryEmbedder
from chunking.models.local_embedder import LOCAL_MODEL, LocalEmbedder
from chunking.runtime.made_once import once
from chunking.text.display import counted

Vectors = npt.NDArray[np.float32]
"""Shape (texts, dimensions)."""


LOCAL_BATCH = 256
"""Sentences at a time for the model that runs here: progress is reported between batches."""


class Embedder(Protocol):
    """What turns texts into vectors. A test or a script may hand `Tools` its own."""

    @property
    def name(self) -> str:
        """Provider, model and all else that changes the vectors: the key under which they are
        remembered."""

    def __call__(self, texts: Sequence[str]) -> npt.ArrayLike:
        """One vector for each text, in order, all of one length; shape (n, d)."""


class CachedEmbedder:
    """An embedder that is asked for each text once: what it answered is remembered batch by batch.

    So a run that breaks off half way has paid for its first half, and the next one goes on there.
    """

    def __init__(self, embedder: Embedder, batch: int, memory: AnswerCache | None = None, *, asks: bool = True) -> None:
        """`batch` is the most texts in one call. `memory` is the cache of this user when left out.

        One that may not ask (`asks`) answers only what is remembered.
        """
        self.embedder = embedder
        self.name = embedder.name
        self.is_local = isinstance(embedder, LocalEmbedder)
        """Whether it is the English model that runs here."""
        self.sends = not (isinstance(embedder, LibraryEmbedder) or self.name.startswith("local/"))
        """Whether texts may leave this machine."""
        self.batch = batch
        self._memory = memory
        self._asks = asks

    def unknown(self, texts: Sequence[str]) -> list[str]:
        """Those of the texts that would have to be asked for."""
        known = self._known(list(texts))
        return [text for text in texts if answer_key(self.name, text) not in known]

    def _known(self, texts: Sequence[str]) -> dict[bytes, bytes]:
        """The remembered vectors by key; none at all where they cannot be one model's."""
        memory = self._memory if self._memory is not None else shared_cache()
        found = memory.get([answer_key(self.name, text) for text in texts])
        known = {key: vector for key, vector in found.items() if _is_vector(vector)}
        if len({len(vector) for vector in known.values()}) > 1:
            return {}  # another model has taken the name over since: ask for all of them anew
        return known

    def __call__(self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None) -> Vectors:
        """As of Embedder. `progress` is called before and after each batch with how many of the
        texts are done, and of how many."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        memory = self._memory if self._memory is not None else shared_cache()
        keys = {text: answer_key(self.name, text) for text in texts}
        known = self._known(list(keys))
        missing = [text for text, key in keys.items() if key not in known]
        if missing and not self._asks:
            raise ModelError(f"{self.name}: {len(missing)} of {len(keys)} sentences were not compared yet")
        for at in range(0, len(missing), self.batch):
            if progress:
                progress(len(keys) - len(missing) + at, len(keys))
            some = missing[at : at + self.batch]
            vectors = checked_vectors(self.embedder(some), len(some), self.name)
            answered = {keys[text]: vector.tobytes() for text, vector in zip(some, vectors, strict=True)}
            memory.put(answered)
            _check_same_length(known, vectors, self.name)
            known.update(answered)
        if progress and missing:
            progress(len(keys), len(keys))
        return np.stack([np.frombuffer(known[keys[text]], dtype=np.float32) for text in texts])


def _check_same_length(known: Mapping[bytes, bytes], vectors: Vectors, name: str) -> None:
    """Raises ModelError where the new vectors are not as long as those before them."""
    before, now = next((len(vector) // 4 for vector in known.values()), 0), vectors.shape[1]
    if before not in (0, now):
        raise ModelError(
            f"{name}: answered with vectors of different lengths, {before} numbers and then {now}; "
            "if its model has changed, run again to ask for all of them anew"
        )


def _is_vector(remembered: bytes) -> bool:
    """Whether these are finite 32-bit numbers, as every embedder's answer was when it came."""
    return (
        bool(remembered)
        and len(remembered) % 4 == 0
        and bool(np.isfinite(np.frombuffer(remembered, dtype=np.float32)).all())
    )


def embedder(provider: str, model: str = "", *, asks: bool = True) -> CachedEmbedder:
    """The embedder of that provider, with its default model when `model` is empty.

    One that may not ask (`asks`) answers only what is remembered. Keys and addresses come from the
    environment only. Raises ModelError when one is missing, or the name is unknown.
    """
    if provider == "local":
        if model not in ("", LOCAL_MODEL):
            raise ModelError(f"model: the local embedder has only {LOCAL_MODEL}, not {model[:60]!r}; leave it empty")
        return CachedEmbedder(_local(), LOCAL_BATCH, asks=asks)
    if provider in DEFAULTS:
        return CachedEmbedder(LibraryEmbedder(provider, model), LOCAL_BATCH, asks=asks)
    if provider not in PROVIDERS:
        there = ", ".join(("local", *PROVIDERS, *DEFAULTS))
        raise ModelError(f"embedder: none is named {provider[:60]!r}; there are: {there}")
    model_server = http_embedder(provider, model)
    return CachedEmbedder(model_server, model_server.batch, asks=asks)


@once
def _local() -> LocalEmbedder:
    return LocalEmbedder()


def shortened(of: Embedder, texts: Sequence[str]) -> int:
    """How many of the texts this embedder reads only the beginning of, as far as that can be known
    here."""
    inner = of.embedder if isinstance(of, CachedEmbedder) else of
    return sum(inner.is_shortened(text) for text in texts) if isinstance(inner, LocalEmbedder) else 0


def checked_vectors(answered: npt.ArrayLike, wanted: int, name: str) -> Vectors:
    """The answer as float32 of shape (wanted, d). Raises ModelError for another number, ragged or
    non-finite ones."""
    try:
        with np.errstate(over="ignore"):  # too large for 32 bits is not finite, which is said below
            vectors = np.asarray(answered, dtype=np.float32)
    except (ValueError, TypeError, OverflowError):
        raise ModelError(
            f"{name}: answered with vectors of different lengths, or with values that are not numbers"
        ) from None
    rows = vectors.shape[0] if vectors.ndim else 0
    if rows != wanted:
        raise ModelError(
            f"{name}: answered {counted(rows, 'vector')} for {counted(wanted, 'text')}; expected one vector per text"
        )
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ModelError(f"{name}: answered an array of shape {vectors.shape}; it must be one vector for each text")
    if not np.isfinite(vectors).all():
        raise ModelError(f"{name}: answered with numbers that are not finite")
    return vectors
