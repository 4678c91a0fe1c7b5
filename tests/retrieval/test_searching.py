"""Ranking passages: with their scores, and with as few texts embedded as can be."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sample_embedders import GivenEmbedder, HashEmbedder

from chunking.document import Span
from chunking.errors import GoldError
from chunking.models.answer_cache import AnswerCache
from chunking.models.embedders import CachedEmbedder
from chunking.retrieval.passages import Passage
from chunking.retrieval.ranking import AT_A_TIME, Embedded, Searcher, embed_missing, to_embed


def passages(*texts: str) -> list[Passage]:
    return [Passage("a.md", text, 1, (Span(0, 1),)) for text in texts]


def remembering(embedder: HashEmbedder | GivenEmbedder) -> CachedEmbedder:
    return CachedEmbedder(embedder, 256, AnswerCache(None))


def test_by_words_only_passages_that_share_one_are_ranked_and_have_no_cosine() -> None:
    found = Searcher(passages("warm the pot", "boil water", "water the tea, water"), "bm25").ranked("water", 5)

    assert [each.at for each in found] == [2, 1]
    assert found[0].score == found[0].bm25
    assert found[0].score > found[1].score > 0
    assert [each.cosine for each in found] == [None, None]


def test_of_five_passages_or_more_the_words_that_over_half_have_tell_nothing_apart() -> None:
    held = passages("Gefäß wärmen", "Gefäß füllen", "Gefäß", "Wasser", "Tee")
    asked = "Gefäß mit Wasser füllen"

    assert Searcher(held, "bm25").telling_terms(asked) == {"wasser", "füllen"}
    assert Searcher(held[:4], "bm25").telling_terms(asked) == {"gefäss", "wasser", "füllen"}


def test_words_that_any_text_of_the_language_has_tell_nothing_apart() -> None:
    held = passages("how an engine is created", "pour le moteur", "une tasse", "x", "y", "z")

    assert Searcher(held, "bm25").telling_terms("How do I create an engine?") == {"created", "engine"}
    assert Searcher(held, "bm25").telling_terms("Une tasse pour le moteur") == {"tasse", "moteur"}
    assert Searcher(held, "bm25").telling_terms("pour tea") == {"pour"}


def test_a_word_of_the_question_is_found_in_its_other_forms() -> None:
    held = passages("Created, creates", "creation", "an engineer, engines, engine", "arts", "sets", "query")
    searcher = Searcher(held, "bm25")

    assert searcher.telling_terms("create engines") == {"created", "creates", "engine", "engines"}
    assert searcher.telling_terms("engine") == {"engine", "engines"}
    assert searcher.telling_terms("creating") == {"created", "creates"}
    assert searcher.telling_terms("queries") == {"query"}
    assert searcher.telling_terms("art set") == frozenset()  # too short to have forms


def test_a_longer_word_that_only_begins_as_one_of_the_question_is_another_word() -> None:
    held = passages("a modern modem", "release modes", "princess", "overflowed boxes", "x", "y")
    searcher = Searcher(held, "bm25")

    assert searcher.telling_terms("integer overflows in release mode") == {"release", "modes", "overflowed"}
    assert searcher.telling_terms("modes prince") == {"modes"}


def test_the_words_that_tell_passages_apart_are_not_those_of_any_text() -> None:
    held = passages("warm the pot", "boil the water", "water the tea", "pour")
    given = GivenEmbedder({each.text: [1, 0] for each in held})

    assert Searcher(held, "bm25").telling_terms("The WATER, the tea, the cup") == {"water", "tea"}
    assert Searcher(passages("warm the pot"), "bm25").telling_terms("the pot") == {"pot"}
    assert Searcher(held, "cosine", remembering(given)).telling_terms("water") == frozenset()
    code = passages("for i in pot", "水 is water", "tea", "cup", "i")
    assert Searcher(code, "bm25").telling_terms("How do I fill the pot with 水") == {"pot", "水"}


def test_by_vectors_every_passage_is_ranked_by_its_cosine() -> None:
    given = GivenEmbedder({"east": [1, 0], "north": [0, 2], "north-east": [1, 1], "where is east": [5, 0]})
    found = Searcher(passages("north", "east", "north-east"), "cosine", remembering(given)).ranked("where is east", 5)

    assert [each.at for each in found] == [1, 2, 0]
    assert [round(each.score, 3) for each in found] == [1.0, 0.707, 0.0]
    assert [each.bm25 for each in found] == [None] * 3


def test_both_orders_are_fused_by_reciprocal_rank() -> None:
    given = GivenEmbedder({"east": [1, 0], "north": [0, 2], "north-east": [1, 1], "where is north": [5, 0]})
    found = Searcher(passages("north", "east", "north-east"), "hybrid", remembering(given)).ranked("where is north", 3)

    # By vectors: east, north-east, north. By words, a hyphen parts them: north, north-east.
    assert [(each.at, round(each.score, 5)) for each in found] == [
        (0, round(1 / 63 + 1 / 61, 5)),
        (2, round(1 / 62 + 1 / 62, 5)),
        (1, round(1 / 61, 5)),
    ]


def test_a_moved_threshold_embeds_only_what_changed_and_says_how_many() -> None:
    hashes = HashEmbedder()
    embed = remembering(hashes)
    before = Searcher(passages("one", "two", "three", "two"), "cosine", embed)
    after = Searcher(passages("one", "two and three"), "cosine", embed)

    assert before.embedded == Embedded(asked=3, remembered=0)
    assert after.embedded == Embedded(asked=1, remembered=1)
    assert hashes.calls == [["one", "two", "three"], ["two and three"]]


def test_what_would_be_embedded_is_known_before_anything_is() -> None:
    hashes = HashEmbedder()
    embed = remembering(hashes)
    embed_missing(["one"], embed, None)

    assert to_embed(passages("one", "two", "two"), embed) == ("two",)
    assert hashes.calls == [["one"]]


def test_progress_is_told_every_few_texts_and_what_is_remembered_counts_as_done() -> None:
    hashes, told = HashEmbedder(), list[tuple[int, int]]()
    hashes.name = "local/test"
    embed = remembering(hashes)
    embed_missing(["known"], embed, None)
    took = embed_missing(
        ["known", *map(str, range(AT_A_TIME + 1))], embed, lambda done, total: told.append((done, total))
    )

    assert took == Embedded(asked=AT_A_TIME + 1, remembered=1)
    assert told == [(1, AT_A_TIME + 2), (AT_A_TIME + 1, AT_A_TIME + 2), (AT_A_TIME + 2, AT_A_TIME + 2)]


def test_where_there_is_nothing_nothing_is_ranked_and_nothing_embedded() -> None:
    hashes = HashEmbedder()

    assert Searcher([], "hybrid", remembering(hashes)).ranked("water", 5) == ()
    assert Searcher([], "bm25").ranking("water") == []
    assert hashes.calls == []


def test_vectors_need_an_embedder() -> None:
    with pytest.raises(GoldError, match="search cosine: there is nothing to rank passages by"):
        Searcher(passages("one"), "cosine")


def test_a_reranker_orders_the_first_candidates_anew_and_leaves_the_others_behind_them() -> None:
    texts = ["tea tea tea", "tea tea pot", "tea pot pot", "pot of milk and tea"]
    held = [Passage("a.md", text, 3, ()) for text in texts]
    plain = Searcher(held, "bm25").ranking("tea")

    def by_pots(question: str, asked: Sequence[str]) -> list[float]:
        assert question == "tea"
        return [float(text.count("pot")) for text in asked]

    again = Searcher(held, "bm25", rerank=by_pots, candidates=3)
    assert plain[:3] == [0, 1, 2]
    assert again.ranking("tea") == [2, 1, 0, *plain[3:]]
    assert [(each.at, each.score, each.reranked) for each in again.ranked("tea", 2)] == [(2, 2.0, 2.0), (1, 1.0, 1.0)]
