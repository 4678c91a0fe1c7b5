"""The conformance cases of sentence similarity: sentences, cosines, chunks, and settings that are
refused."""

from __future__ import annotations

from typing import Any

import pytest
from sample_embedders import GivenEmbedder
from spec_cases import spec_cases

from chunking.config.validation import make_strategy
from chunking.core.chunk import Chunk
from chunking.document.parser import parse
from chunking.document.sentences import sentence_spans
from chunking.errors import SettingError
from chunking.models.access import Tools
from chunking.strategies.semantic import Semantic
from chunking.strategies.semantic.similarity import cosine

CASES = spec_cases("semantic-contextual")


def of_kind(kind: str) -> pytest.MarkDecorator:
    found = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@of_kind("sentences")
def test_the_text_has_the_sentences_the_case_expects(case: dict[str, Any]) -> None:
    text = case["input"]["text"]

    found = [text[span.start : span.end].strip() for span in sentence_spans(text)]

    assert found == case["expected"]["recommended"]


@of_kind("cosine")
def test_the_vectors_are_as_alike_as_the_case_expects(case: dict[str, Any]) -> None:
    assert cosine(case["input"]["a"], case["input"]["b"]) == pytest.approx(case["expected"]["recommended"])


@of_kind("semantic")
def test_the_case_gives_the_chunks_it_expects(case: dict[str, Any]) -> None:
    text, vectors = case["input"]["text"], case["input"]["embeddings"]
    sentences = [text[span.start : span.end].strip() for span in sentence_spans(text)]
    assert len(sentences) == len(vectors)
    embedder = GivenEmbedder(dict(zip(sentences, vectors, strict=True)))

    parts = list(make_strategy("semantic", case["params"]).split(parse(text, "case.md"), Tools(embedder=embedder)))

    chunks = [part for part in parts if isinstance(part, Chunk)]
    assert [chunk.text for chunk in chunks] == case["expected"]["recommended"]
    assert [chunk.metadata["chunk"] for chunk in chunks] == list(range(len(chunks)))
    assert all(chunk.metadata["total_chunks"] == len(chunks) for chunk in chunks)
    assert len(embedder.calls) == (len(sentences) > 1), "one sentence needs no embedding, several need one call"


@of_kind("semantic_invalid")
def test_settings_the_case_refuses_are_refused_when_they_are_made(case: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        make_strategy(Semantic.name, case["params"])
