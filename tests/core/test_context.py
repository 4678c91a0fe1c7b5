"""What a split is lent: a context alone reaches no model, `chunking.Tools` does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from sample_embedders import HashEmbedder

from chunking import Span, Tools, parse
from chunking.core.chunk import FRONT_MATTER, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.model_access import ModelUse
from chunking.errors import ModelError
from chunking.strategies.fixed import Fixed
from chunking.strategies.semantic import Semantic

DOCUMENT = parse("One is here. Two is there. Three is gone.\n", name="a.md")


def test_a_context_without_models_cuts_by_what_asks_none() -> None:
    assert [part.body for part in Fixed().split(DOCUMENT, SplitContext())] == [DOCUMENT.span]


def test_a_context_without_models_says_who_would_have_to_be_asked() -> None:
    with pytest.raises(ModelError, match="embedder: local cannot be asked here"):
        list(Semantic().split(DOCUMENT, SplitContext()))
    with pytest.raises(ModelError, match="provider: openai cannot be asked here"):
        SplitContext().describer("openai")


@pytest.mark.parametrize("use", [ModelUse.RECALL, ModelUse.NEVER])
def test_a_fresh_context_that_may_not_ask_has_what_this_one_was_answered(use: ModelUse) -> None:
    tools = Tools(embedder=HashEmbedder())
    answered = tools.embed(["a", "b"])
    fresh = tools.for_another_cut(use=use)

    assert np.array_equal(fresh.embed(["b", "a"]), answered[::-1])
    with pytest.raises(ModelError, match="would have to be asked"):
        fresh.embed(["c"])
    assert not fresh.asks_models
    assert tools.asks_models


@pytest.mark.parametrize(("text", "start"), [("---\na: b\n---\n\ntext\n", 14), ("text\n", 0), ("", 0)])
def test_a_split_opens_with_the_front_matter_and_hears_where_the_content_begins(text: str, start: int) -> None:
    heard: list[int] = []

    def opened() -> Iterator[Skip]:
        heard.append((yield from front_matter(parse(text, name="a.md"))))

    assert list(opened()) == ([Skip(Span(0, start), FRONT_MATTER)] if start else [])
    assert heard == [start]
