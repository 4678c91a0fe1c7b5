"""What a run gives to `split`: a context alone reaches no model, `chunking.Tools` does."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

import numpy as np
import pytest
from sample_counters import Words
from sample_embedders import HashEmbedder

from chunking import Chunk, Span, Tools, parse
from chunking.core import context
from chunking.core.chunk import FRONT_MATTER, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.model_access import ModelUse
from chunking.core.strategy import Strategy
from chunking.errors import ModelError
from chunking.strategies.block_packing import BlockPacking
from chunking.strategies.fixed import Fixed
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.hierarchical import Hierarchical
from chunking.strategies.semantic import Semantic
from chunking.tokens import TokenCounter, TokenIndex, token_index

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


def test_a_run_asks_the_memory_for_the_index_of_its_document_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk that is sealed counts with it."""
    asked: list[str] = []

    def noted(text: str, by: TokenCounter) -> TokenIndex:
        asked.append(text)
        return token_index(text, by)

    monkeypatch.setattr(context, "token_index", noted)
    tools = SplitContext()
    parts = list(Fixed(chunk_size=15, chunk_overlap=0).split(DOCUMENT, tools))
    other = parse("Another.\n", name="b.md")

    assert len(parts) == 3
    assert tools.count_span(other, other.span) == 2
    assert asked == [DOCUMENT.text, other.text]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HeadingWindow(min_tokens=20, max_tokens=60), HeadingWindow(min_tokens=30, max_tokens=60)),
        (Hierarchical(target=40, hard_cap=60), Hierarchical(target=40, hard_cap=50)),
        (BlockPacking(max_tokens=60), BlockPacking(max_tokens=50)),
    ],
    ids=attrgetter("name"),
)
def test_a_threshold_that_moves_counts_no_headings_above_a_chunk_again(before: Strategy, after: Strategy) -> None:
    counted: list[str] = []

    class Noting(Words):
        def __call__(self, text: str) -> int:
            counted.append(text)
            return super().__call__(text)

    words = Noting()
    document = parse("# A\n\n" + "## Under a long title\n\nsome words\n\n### C\n\nmore of them\n\n" * 20, name="a.md")

    def contexts(strategy: Strategy) -> set[str]:
        chunks = [part for part in strategy.split(document, Tools(words)) if isinstance(part, Chunk)]
        return {chunk.context for chunk in chunks} - {""}

    same = contexts(before)
    assert same & set(counted)
    counted.clear()
    same &= contexts(after)
    assert same
    assert not same & set(counted)


class _Compared(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        _Compared.times += 1
        return str.__eq__(self, other)


def test_a_warning_is_kept_once_and_not_compared_with_all_before_it() -> None:
    tools = SplitContext()
    for number in range(1_000):
        tools.warn(_Compared(f"line {number} was left"))
    tools.warn("line 7 was left")

    assert list(tools.warnings) == [f"line {number} was left" for number in range(1_000)]
    assert _Compared.times < 3_000
