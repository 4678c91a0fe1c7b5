"""Embedders of other libraries: small modules that are called like them stand in their place."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from chunking.errors import ModelError, ModelUnsetError
from chunking.models.embedders import embedder
from chunking.models.library_embedders import DEFAULTS, LibraryEmbedder
from chunking.models.prices import price_of

MODULES = {
    "sentence_transformers": """
class SentenceTransformer:
    def __init__(self, name):
        self.name = name
    def encode(self, texts):
        return [[float(len(text)), float(len(self.name))] for text in texts]
""",
    "model2vec": """
class StaticModel:
    @classmethod
    def from_pretrained(cls, name):
        if name == "nowhere":
            raise OSError("the hub\\nis not reached")
        return cls()
    def encode(self, texts):
        return [[float(len(text)), 2.0] for text in texts]
""",
    "fastembed": """
import numpy
class TextEmbedding:
    def __init__(self, model_name):
        self.name = model_name
    def embed(self, texts):
        return (numpy.array([len(text), 3.0]) for text in texts)
""",
}


@pytest.fixture(autouse=True)
def _libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "modules"
    folder.mkdir()
    for name, code in MODULES.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("library", "second"), [("sentence-transformers", 2.0), ("model2vec", 2.0), ("fastembed", 3.0)]
)
def test_a_librarys_model_embeds_here_and_sends_nothing(library: str, second: float) -> None:
    by = embedder(library, "me")
    assert by(["a", "bbb"]).tolist() == [[1.0, second], [3.0, second]]
    assert (by.name, by.sends, by.is_local, price_of(by.name)) == (f"{library}/me", False, False, 0.0)
    assert embedder(library).name == f"{library}/{DEFAULTS[library]}"


def test_what_a_library_raises_is_one_line() -> None:
    with pytest.raises(ModelError, match=r"^model2vec/nowhere: OSError: the hub is not reached; give the folder"):
        embedder("model2vec", "nowhere")(["a"])


def test_a_model_in_a_folder_is_another_one_when_its_files_change(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_bytes(b"12")
    first = LibraryEmbedder("model2vec", str(folder)).name
    assert LibraryEmbedder("model2vec", str(folder)).name == first
    (folder / "weights").write_bytes(b"123")
    assert LibraryEmbedder("model2vec", str(folder)).name != first
    with pytest.raises(ModelError, match=r"takes the name of a model that it knows, no folder; with a network it"):
        LibraryEmbedder("fastembed", str(folder))(["a"])


def test_a_library_that_is_not_installed_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    monkeypatch.setattr("chunking.runtime.extras.find_spec", lambda _: None)
    with pytest.raises(ModelUnsetError, match=r"fastembed is not installed; pip install 'chunkscope\[fastembed\]'"):
        embedder("fastembed")


def test_vectors_of_a_library_are_32_bit_numbers() -> None:
    assert embedder("fastembed", "me")(["a"]).dtype == np.float32
