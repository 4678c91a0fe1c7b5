"""Embedders of other libraries that run on this machine: Model2Vec, fastembed and
sentence-transformers, an extra each.

The model is a folder, or a name that the library fetches from its hub where it is not there yet:
that is the library's doing, and the only thing that leaves or reaches this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.errors import ModelError, ModelUnsetError
from chunking.models.http_embedders import checked_model
from chunking.runtime.extras import missing

DEFAULTS: Mapping[str, str] = {
    "model2vec": "minishlab/potion-base-8M",
    "fastembed": "BAAI/bge-small-en-v1.5",
    "sentence-transformers": "sentence-transformers/all-MiniLM-L6-v2",
}
"""The model of each library where none is named. Each library's extra is called as it is."""
_FOLDER = "give the folder of a model as its name"
_WAYS_OUT: Mapping[str, str] = {
    "model2vec": _FOLDER,
    "fastembed": "with a network it fetches the model once, into FASTEMBED_CACHE_PATH; or take model2vec and a folder",
    "sentence-transformers": _FOLDER,
}
Encode = Callable[[Sequence[str]], npt.ArrayLike]


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> npt.ArrayLike:
        """One vector for each text."""


class LibraryEmbedder:
    """One model of one of the libraries, loaded when it is first asked."""

    def __init__(self, library: str, model: str = "") -> None:
        """Raises ModelUnsetError where the library is not installed."""
        if absent := missing(library):
            raise ModelUnsetError(f"{library}: {absent}, or choose another embedder")
        self._library = library
        self._model = checked_model(library, model) or DEFAULTS[library]
        self._encode: Encode | None = None
        self.name = f"{library}/{self._model}{_folder_mark(Path(self._model))}"

    def __call__(self, texts: Sequence[str]) -> npt.ArrayLike:
        """As of Embedder. Raises ModelError where the model cannot be loaded or fails."""
        try:
            if self._encode is None:
                self._encode = _LOADERS[self._library](self._model)
            return self._encode(texts)
        except Exception as error:  # whatever another library raises: a hub that is not reached, a file that is none
            reason = " ".join(str(error).split())[:200]
            raise ModelError(f"{self.name}: {type(error).__name__}: {reason}; {_WAYS_OUT[self._library]}") from None


def _folder_mark(folder: Path) -> str:
    """What tells models that lay in one folder apart, by their files' names, sizes and times; ""
    for what is no folder."""
    if not folder.is_dir():
        return ""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    listed = "\0".join(f"{each.relative_to(folder)} {each.stat().st_size} {each.stat().st_mtime_ns}" for each in files)
    return f" {sha256(listed.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _model2vec(model: str) -> Encode:
    from model2vec import StaticModel

    return _encoding(StaticModel.from_pretrained(model))


def _sentence_transformers(model: str) -> Encode:
    from sentence_transformers import SentenceTransformer

    return _encoding(SentenceTransformer(model))


def _fastembed(model: str) -> Encode:
    from fastembed import TextEmbedding

    if Path(model).is_dir():
        raise ModelError("fastembed takes the name of a model that it knows, no folder")
    loaded = TextEmbedding(model_name=model)
    return lambda texts: np.stack(list(loaded.embed(list(texts))))


def _encoding(model: _Encoder) -> Encode:
    return lambda texts: model.encode(list(texts))


_LOADERS: Mapping[str, Callable[[str], Encode]] = {
    "model2vec": _model2vec,
    "fastembed": _fastembed,
    "sentence-transformers": _sentence_transformers,
}
