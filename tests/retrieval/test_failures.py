"""Why a question failed: each reason once, and what would have found the answer."""

from __future__ import annotations

import pytest

from chunking import Document, Span, parse
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import evaluate
from chunking.retrieval.failure_words import failures_words, why_words
from chunking.retrieval.failures import Failure, why_failed
from chunking.retrieval.passages import Passage
from chunking.retrieval.ranking import Ranked
from chunking.tokens.embedder_windows import EmbedderWindow

TEA = parse("Boil water. Warm the pot. Wait four minutes. Pour.", name="tea.md")
TYRES = parse("Mend a tyre. Pump it up.", name="tyres.md")
BOTH = (TEA, TYRES)


def span_of(quote: str, document: Document = TEA) -> Span:
    start = document.text.index(quote)
    return Span(start, start + len(quote))


def passage(quote: str, document: Document = TEA, tokens: int = 10) -> Passage:
    return Passage(document.name, quote, tokens, (span_of(quote, document),))


class Order:
    """A searcher that ranks passages by their numbers; a score falls by 0.1 from rank to rank."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers

    def embed_questions(self, questions: object) -> None:
        """Nothing is to be embedded."""

    def ranking(self, question: str) -> list[int]:  # noqa: ARG002
        return list(self._numbers)

    def ranked(self, question: str, top: int) -> tuple[Ranked, ...]:  # noqa: ARG002
        return tuple(Ranked(at, 1 - rank / 10, None, None) for rank, at in enumerate(self._numbers))


def failed(
    held: list[Passage],
    order: Order,
    quote: str,
    *,
    top: int = 1,
    max_tokens: int | None = None,
    window: EmbedderWindow | None = None,
) -> tuple[Failure, ...]:
    asked = [Question("?", "tea.md", (span_of(quote),))]
    of = evaluate(held, asked, BOTH, order, top=top, max_tokens=max_tokens)  # type: ignore[arg-type]
    return why_failed(held, asked, BOTH, order, of, window=window)  # type: ignore[arg-type]


def test_an_answer_that_was_retrieved_did_not_fail_and_white_space_does_not_count() -> None:
    assert failed([passage("Boil water."), passage("Warm the pot.")], Order(0, 1), "Boil water.") == ()
    assert failed([passage("Boil water."), passage("Warm the pot.")], Order(0, 1), "Boil water. ", top=1) == ()


def test_an_outranked_chunk_says_by_which_and_by_how_much_and_at_which_rank_it_is() -> None:
    held = [passage("Warm the pot."), passage("Wait four minutes."), passage("Boil water.")]
    (of,) = failed(held, Order(0, 1, 2), "Boil water.", top=2)

    assert (of.reason, of.holder, of.rank, of.recall) == ("outranked", 2, 3, 0.0)
    assert of.outranking is not None
    assert (of.outranking.at, of.outranking.rank) == (1, 2)
    assert of.outranking.ahead_by == pytest.approx(0.1)
    assert (of.needed_chunks, of.needed_tokens) == (3, 30)
    assert why_words(of, held, {"tea.md": TEA}) == (
        "Outranked: its chunk, tea.md lines 1-1 of 10 tokens, has rank 3, 0.1 behind tea.md lines 1-1 at rank 2"
    )


def test_an_answer_that_no_chunk_has_whole_is_cut_and_needs_all_its_pieces() -> None:
    held = [passage("Boil water. Warm"), passage("Pour."), passage(" the pot.")]
    (of,) = failed(held, Order(0, 1, 2), "Boil water. Warm the pot.")

    assert (of.reason, of.holder, of.rank, of.needed_chunks) == ("cut", 2, 3, 3)
    assert of.recall == pytest.approx(16 / 25)


def test_where_only_other_documents_were_retrieved_that_is_the_reason() -> None:
    held = [passage("Mend a tyre.", TYRES), passage("Boil water.")]
    assert failed(held, Order(0, 1), "Boil water.")[0].reason == "another-document"


def test_an_answer_in_no_chunk_and_a_chunk_that_is_not_ranked_have_no_rank() -> None:
    (left_out,) = failed([passage("Pour.")], Order(0), "Boil water.")
    (unranked,) = failed([passage("Pour."), passage("Boil water.")], Order(0), "Boil water.")

    assert (left_out.reason, left_out.rank, left_out.needed_chunks) == ("left-out", None, None)
    assert (unranked.reason, unranked.rank, unranked.needed_chunks) == ("no-shared-word", None, None)


def test_a_chunk_that_comes_next_and_is_larger_than_the_tokens_left_does_not_fit() -> None:
    held = [passage("Pour.", tokens=10), passage("Boil water.", tokens=50), passage("Warm the pot.")]
    (of,) = failed(held, Order(0, 1, 2), "Boil water.", max_tokens=40)

    assert (of.reason, of.needed_tokens) == ("does-not-fit", 60)


def test_an_answer_behind_the_window_of_the_embedder_is_not_embedded() -> None:
    window = EmbedderWindow("a short-sighted model", 5, "words")
    held = [passage("Mend a tyre.", TYRES), passage("Boil water. Warm the pot. Wait four minutes.")]

    (of,) = failed(held, Order(0, 1), "Wait four minutes.", window=window)
    assert (of.reason, of.unread_from) == ("not-embedded", 5)
    assert failed(held, Order(0, 1), "Warm the pot.", window=window)[0].reason == "another-document"


def test_the_reasons_are_counted_the_most_frequent_first() -> None:
    held = [passage("Mend a tyre.", TYRES), passage("Boil water.")]
    one = failed(held, Order(0, 1), "Boil water.")[0]
    two = failed([passage("Pour.")], Order(0), "Boil water.")[0]

    assert (
        failures_words([two, one, one], 9) == "3 of 9 questions failed: 2 only other documents retrieved, 1 in no chunk"
    )
    assert failures_words([], 1) == "None of 1 question failed"
